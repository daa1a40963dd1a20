// The state of the page in the address, so that a link leads to what somebody saw.

export function readState() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Write the state; what is empty is left out. Another tab, or a `step`, is an entry that Back leads to. */
export function writeState(state, step = false) {
  const kept = Object.entries(state).filter(([, value]) => value !== "" && value !== undefined);
  const hash = `#${new URLSearchParams(kept)}`;
  const { tab } = readState();
  if (hash !== location.hash) history[tab && (step || tab !== state.tab) ? "pushState" : "replaceState"](null, "", hash);
}
