// The page: tabs, keys, and the state in the address.

import { hasChecker, isDemo } from "./api.js";
import { byId } from "./dom.js";
import { fill, forget, readState } from "./state.js";
import * as file from "./file.js";
import * as pair from "./pair.js";
import * as text from "./text.js";
import * as texts from "./texts.js";
import * as words from "./words.js";

const tabs = [...document.querySelectorAll('[role="tab"]')];
const panels = { text, pair, texts, words, file };
let first = "text";

function select(tab) {
  document.title = `${tab.textContent}: did the meaning survive the change? – usim`;
  for (const each of tabs) {
    const isSelected = each === tab;
    each.setAttribute("aria-selected", String(isSelected));
    each.tabIndex = isSelected ? 0 : -1;
    byId(each.getAttribute("aria-controls")).hidden = !isSelected;
  }
}

for (const tab of tabs) {
  tab.addEventListener("click", () => {
    select(tab);
    panels[tab.getAttribute("aria-controls")].open(false);
  });
  tab.addEventListener("keydown", (event) => {
    const shown = tabs.filter((each) => !each.hidden);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const place = { Home: 0, End: shown.length - 1 }[event.key]
      ?? (step && (shown.indexOf(tab) + step + shown.length) % shown.length);
    if (place === undefined) return;
    event.preventDefault();
    shown[place].focus();
    shown[place].click();
  });
}

/** Show the tab that the address names, with what belongs there; at the `start` fill the other tabs too. */
function restore(start = false) {
  const { tab, ...link } = readState();
  const name = tab in panels ? tab : first;
  fill(name, link, start);
  select(byId(`tab-${name}`));
  return panels[name].open();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.target.closest("form")?.requestSubmit();
});
window.addEventListener("popstate", () => restore());
byId("forget").addEventListener("click", forget);

async function start() {
  const check = await hasChecker().catch(() => true);
  byId("tab-file").hidden = isDemo;
  byId("no-checker").hidden = check;
  if (!check) first = "pair";
  restore(true);
  document.documentElement.dataset.ready = "true";
}
document.addEventListener("key", start);
start();
