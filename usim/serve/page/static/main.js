// The page: tabs, keys, and the state in the address.

import { hasChecker, isDemo } from "./api.js";
import { byId, element } from "./dom.js";
import { bringBack, earlier, fill, forget, readState } from "./state.js";
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
/** List what was typed before in any tab, to be brought back. */
byId("earlier").addEventListener("toggle", ({ target }) => {
  if (!target.open) return;
  const items = Object.keys(panels).flatMap(earlier).sort((a, b) => b.time - a.time);
  byId("earlier-list").replaceChildren(...items.map((item) => {
    const tab = byId(`tab-${item.tab}`);
    const words = item.texts.find((each) => each.trim()).trim();
    const button = element("button", { type: "button", textContent: words.length > 60 ? `${words.slice(0, 60)}…` : words });
    button.addEventListener("click", () => {
      target.open = false;
      bringBack(item);
      select(tab);
      tab.focus();
      panels[item.tab].open();
    });
    return element("li", {}, button, ` ${tab.textContent}, ${new Date(item.time).toLocaleString()}`);
  }), items.length ? "" : "Nothing but what stands there now.");
});
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
