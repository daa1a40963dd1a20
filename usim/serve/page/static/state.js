// The state of the page in the address, so that a link leads to what somebody saw.

export function readState() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Write the state; what is empty is left out. */
export function writeState(state) {
  const kept = Object.entries(state).filter(([, value]) => value !== "" && value !== undefined);
  const hash = `#${new URLSearchParams(kept)}`;
  if (hash !== location.hash) history.replaceState(null, "", hash);
}
