// What the page keeps: its state in the address, so that a link leads to what somebody saw; and what was typed, in the
// browser's storage, for each entry of its history: it is there after a reload, Back, a crash, and in a new tab.

import { byId, showProblem } from "./dom.js";

const PREFIX = "usim:";
const MOST = 50; // entries of the history whose boxes are kept
const LONGEST = 4000; // characters of an address
const LINKED = "The address holds what you see, so a copied link shows it.";
const NOT_LINKED = "What you see is too long for the address: a copied link does not show it.";
const boxes = [...document.querySelectorAll("main :is(textarea, select, input:not([type=password], [type=file]))")];
// The boxes that somebody has typed into or chosen from, some perhaps before this script was there, each with the time of
// that: a reload makes no text newer.
const typed = new Map(boxes.filter((box) => box.matches("textarea, [lang]") && box.value).map((box) => [box, Date.now()]));

let isFilled = false; // whether the boxes hold what was kept: before, nothing is kept over it

const valueOf = (box) => (box.type === "checkbox" ? box.checked : box.value);
const put = (box, value) => { box[box.type === "checkbox" ? "checked" : "value"] = value; };
const newId = () => `${Date.now()}-${Math.random()}`;
/** Return the key of this entry of the history. */
function own() {
  if (!history.state?.id) history.replaceState({ id: newId() }, "");
  return PREFIX + history.state.id;
}

/** Return the boxes of a tab that stand in its address, each by its name. */
const named = (tab) => boxes.filter((box) => box.name && byId(tab).contains(box));

/** Return what was typed, an entry of the history each, the newest first; nothing where the browser keeps nothing. */
function entries() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    return keys.map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) })).sort((a, b) => b.time - a.time);
  } catch {
    return [];
  }
}

/** Return when a box of an entry was typed into. */
const timeOf = ({ time, times }, id) => times?.[id] ?? time;

/** Sort entries: what can best be spared, the copies of newer ones, stands last. */
function spared(older) {
  const seen = new Set();
  const copies = older.filter(({ values }) => seen.size === seen.add(JSON.stringify(values)).size);
  return [...older.filter((each) => !copies.includes(each)), ...copies];
}

/** Keep what was typed; copies and the oldest entries make room. */
function save() {
  const kept = entries();
  if (!isFilled || (!typed.size && !kept.some(({ key }) => key === own()))) return;
  const of = (value) => Object.fromEntries([...typed.keys()].map((box) => [box.id, value(box)]));
  const text = JSON.stringify({ time: Math.max(0, ...typed.values()), times: of((box) => typed.get(box)), values: of(valueOf) });
  const older = spared(kept.filter(({ key }) => key !== own()));
  for (const { key } of older.splice(MOST - 1)) localStorage.removeItem(key);
  for (;;) {
    try {
      localStorage.setItem(own(), text);
      return;
    } catch {
      if (!older.length) break;
      localStorage.removeItem(older.pop().key);
    }
  }
  showProblem("This browser keeps no more of what you type: save your text before you leave the page.");
}

/** Keep what stands in a box as typed. */
export function keep(box) {
  typed.set(box, Date.now());
  save();
}
document.addEventListener("input", ({ target }) => boxes.includes(target) && keep(target));

/** Return whether nobody has ever typed into any box of a tab, and nothing stands there. */
export const isUntouched = (tab) => named(tab).every((box) => !typed.has(box) && box.value === (box.dataset.default ?? ""));

/** Fill the boxes of a tab with what nobody has typed: an example, or what a link says. */
export function bring(tab, values) {
  for (const box of named(tab)) {
    put(box, values[box.name] ?? box.dataset.default ?? "");
    typed.delete(box);
  }
  save();
}

/** Fill boxes with what was typed in this entry of the history, or else with what the address says; with `all` those of
 * every tab, and what neither fills with what was typed last. */
export function fill(tab, link, all) {
  const kept = entries();
  const here = kept.find(({ key }) => key === own()) ?? { values: {} };
  const isLink = named(tab).some(({ name }) => name in link);
  const early = new Set(all ? typed.keys() : []); // what was typed before the page was ready
  for (const box of early) if (here.values[box.id] === valueOf(box)) early.delete(box); // the browser has filled it again
  if (isLink && !named(tab).some((box) => early.has(box))) bring(tab, link);
  for (const box of all ? boxes : named(tab)) {
    if (early.has(box) || (isLink && !(box.id in here.values) && named(tab).includes(box))) continue;
    const holders = box.id in here.values ? [here] : all ? kept.filter(({ values }) => box.id in values) : [];
    if (!holders.length) continue;
    const newest = holders.reduce((one, other) => (timeOf(other, box.id) > timeOf(one, box.id) ? other : one));
    put(box, newest.values[box.id]);
    typed.set(box, timeOf(newest, box.id));
  }
  isFilled = true;
  save();
}

/** Return what was typed into a tab, is kept, and does not stand there now, the newest first. */
export function earlier(tab) {
  const areas = named(tab).filter((box) => box.matches("textarea"));
  const seen = new Set([JSON.stringify(areas.map(valueOf))]);
  return entries().map((entry) => ({
    tab, values: entry.values, texts: areas.map(({ id }) => entry.values[id] ?? ""),
    time: Math.max(0, ...areas.filter(({ id }) => id in entry.values).map(({ id }) => timeOf(entry, id))),
  })).sort((a, b) => b.time - a.time)
    .filter(({ texts, time }) => time && texts.some((text) => text.trim()) && seen.size < seen.add(JSON.stringify(texts)).size);
}

/** Put what was typed earlier into its tab again; Back leads to what stood there. */
export function bringBack({ tab, values }) {
  advance(`#${new URLSearchParams({ tab })}`);
  for (const box of named(tab)) {
    put(box, values[box.id] ?? box.dataset.default ?? "");
    keep(box);
  }
}

/** Forget all that was typed. */
export function forget() {
  for (const { key } of entries()) localStorage.removeItem(key);
  history.replaceState(null, "", location.pathname);
  location.reload();
}

export const readState = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

/** Begin an entry of the history: Back leads to what stands in the boxes now. */
export function advance(address = location.hash) {
  history.pushState({ id: newId() }, "", address);
  save();
}

/** Write a tab and its boxes into the address, which begins an entry if it was another tab's; boxes that are too long for
 * it are kept as if they had been typed before all others. */
export function writeState(tab, more = {}) {
  const filled = named(tab).filter((box) => box.value !== (box.dataset.default ?? ""));
  const address = (values) => `#${new URLSearchParams({ tab, ...values })}`;
  let hash = address({ ...Object.fromEntries(filled.map((box) => [box.name, box.value])), ...more });
  const before = readState().tab;
  if (before && before !== tab) advance();
  const isLong = hash.length > LONGEST;
  byId("link").textContent = isLong || tab === "file" ? NOT_LINKED : LINKED;
  if (isLong) {
    hash = address({});
    for (const box of filled) typed.set(box, typed.get(box) ?? 0);
    save();
  }
  if (hash !== location.hash) history.replaceState(history.state, "", hash);
}
