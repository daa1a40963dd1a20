// The page: tabs, keys, and the state in the address.

import { hasChecker } from "./api.js";
import { byId } from "./dom.js";
import { readState } from "./state.js";
import * as pair from "./pair.js";
import * as text from "./text.js";
import * as texts from "./texts.js";
import * as words from "./words.js";

const tabs = [...document.querySelectorAll('[role="tab"]')];
const panels = { text, pair, texts, words };
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
    panels[tab.getAttribute("aria-controls")].open();
  });
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const place = { Home: 0, End: tabs.length - 1 }[event.key]
      ?? (step && (tabs.indexOf(tab) + step + tabs.length) % tabs.length);
    if (place === undefined) return;
    event.preventDefault();
    tabs[place].focus();
    tabs[place].click();
  });
}

function restore() {
  const state = readState();
  const name = state.tab in panels ? state.tab : first;
  select(byId(`tab-${name}`));
  panels[name].open(state);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.target.closest("form")?.requestSubmit();
});
window.addEventListener("hashchange", restore);

async function start() {
  const check = await hasChecker().catch(() => true);
  byId("no-checker").hidden = check;
  if (!check) first = "pair";
  restore();
  document.documentElement.dataset.ready = "true";
}
document.addEventListener("key", start);
start();
