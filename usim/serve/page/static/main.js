// The page: tabs, examples, and the state in the address.

import { features } from "./api.js";
import { byId } from "./dom.js";
import { readState } from "./state.js";
import * as file from "./file.js";
import * as pair from "./pair.js";
import * as text from "./text.js";
import * as words from "./words.js";

const tabs = [...document.querySelectorAll('[role="tab"]')];
const panels = { pair, text, words, file };

function select(tab) {
  for (const each of tabs) {
    const isSelected = each === tab;
    each.setAttribute("aria-selected", String(isSelected));
    each.tabIndex = isSelected ? 0 : -1;
    byId(each.getAttribute("aria-controls")).hidden = !isSelected;
  }
}

for (const [place, tab] of tabs.entries()) {
  tab.addEventListener("click", () => {
    select(tab);
    panels[tab.getAttribute("aria-controls")].writeOwnState();
  });
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = { Home: 0, End: tabs.length - 1 }[event.key] ?? (step && (place + step + tabs.length) % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    tabs[next].focus();
    tabs[next].click();
  });
}

function restore() {
  const state = readState();
  const name = state.tab in panels ? state.tab : "pair";
  select(byId(`tab-${name}`));
  panels[name].restore(state);
}

window.addEventListener("hashchange", restore);
document.addEventListener("key", restore);
features().then(({ check, report }) => {
  byId("tab-file").hidden = !report;
  byId("no-checker").hidden = check;
}, () => {});
restore();
document.documentElement.dataset.ready = "true";
