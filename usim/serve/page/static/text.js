// A text: what the checker finds is underlined, and has a card with its suggestions, those that keep the meaning first.

import { check, isDemo } from "./api.js";
import { offerFiles } from "./document.js";
import { busily, byId, count, element, MEANINGS, offerExamples, showProblem, verdictMark, why } from "./dom.js";
import { texts } from "./examples.js";
import { advance, bring, isUntouched, keep, writeState } from "./state.js";

const form = byId("text-form");
const field = byId("text-field");
const status = byId("text-status");
// Both stand at places of the text as it is now, whoever has changed it since.
let matches = []; // those that are neither accepted nor ignored
let past = []; // what was done, to be undone: what stood there before, and the match, or that it was the whole text
let known = ""; // the text that the places are about
let checked = ""; // the text that has been checked
let underWay = null; // what stops the check that is under way
let failure = ""; // what the last check of what was typed said that went wrong
const CHECKING = "Checking …";
const PART = 3000; // characters that are checked at a time
const PAUSE = 500; // milliseconds without a key before what is typed is checked

/** Return where two texts differ: from `start` to `end` in the first, longer by `change` in the second. */
function difference(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: before.length - same, change: after.length - before.length };
}

/** Return where something stands once the text has become `text`; null if the change touches its words. */
function moved(each, { start, end, change }, text) {
  const stop = each.offset + each.length;
  const isWithinWord = (place) => /^[\p{L}\p{M}\p{N}]{2}$/u.test(text.slice(place - 1, place + 1));
  if (start > stop || (start === stop && !isWithinWord(stop))) return each;
  const offset = each.offset + change;
  return end < each.offset || (end === each.offset && !isWithinWord(offset)) ? { ...each, offset } : null;
}

/** Follow the text from what it was to what it is now. */
function follow() {
  const change = difference(known, field.value);
  known = field.value;
  [matches, past] = [matches, past].map((all) => all.map((each) => (each.isWhole ? each : moved(each, change, known)))
    .filter(Boolean));
}

/** Put words into the text, so that the browser's own undo knows of it too. */
function put(offset, length, value) {
  if (!length && !value) return;
  field.focus({ preventScroll: true });
  field.setSelectionRange(offset, offset + length);
  if (!document.execCommand(value ? "insertText" : "delete", false, value)) field.setRangeText(value);
  follow();
}

const cards = () => [...byId("matches").children];

/** Return the place in the list where the keyboard is; -1 if it is elsewhere. */
const focused = () => cards().findIndex((each) => each.contains(document.activeElement));

/** Return the other matches; a later check may have found this one again. */
const without = (match) => matches.filter((each) => JSON.stringify(each) !== JSON.stringify(match));

/** Put words in the place of those of a match, or of others, as a part of what one undo takes back. */
function replace(match, value, group, { offset, length } = match) {
  const before = field.value.slice(offset, offset + length);
  matches = without(match);
  put(offset, length, value);
  past.push({ offset, length: value.length, before, match, group });
  return before;
}

function accept(match, value) {
  const place = focused();
  const before = replace(match, value, {});
  render(`${value ? `“${value}” is in the text.` : `“${before}” is left out.`} ${left()}`, place, ".accept");
}

/** Return the matches to accept at once: those with a suggestion that keeps the meaning, style only if it is wanted. */
const acceptable = () => matches.filter((match) => best(match) === "keep"
  && (byId("style").checked || match.rule?.issueType !== "style"));

/** Accept the first suggestion of each such match; articles fit what is put in. */
function acceptAll() {
  const kept = acceptable();
  const group = {};
  // From the end of the text, so that no place moves; what overlaps another one is left.
  let start = Infinity;
  for (const match of kept.reverse()) {
    if (match.offset + match.length > start) continue;
    start = match.offset;
    const { value, article } = suggestions(match)[0][0];
    replace(match, value, group);
    const before = article && /\ban?(?=\s+$)/i.exec(field.value.slice(0, start));
    if (!before) continue;
    // What is said about the article is about the word that stood behind it.
    const place = { offset: before.index, length: before[0].length };
    const own = matches.find(({ offset, length }) => offset === place.offset && length === place.length);
    start = place.offset;
    if (own || before[0].toLowerCase() !== article.toLowerCase()) replace(own, article, group, place);
  }
  render(`Accepted. ${left()}`);
  byId("undo").focus();
}

function ignore(match) {
  const place = focused();
  matches = without(match);
  past.push({ offset: match.offset, length: match.length, match });
  render(`Ignored. ${left()}`, place);
}

function undo() {
  const group = past.at(-1).group;
  do {
    const { offset, length, before, match, isWhole } = past.pop();
    if (isWhole) return putWhole(before);
    if (before !== undefined) put(offset, length, before);
    if (match) matches = [...matches, { ...match, offset }].sort((a, b) => a.offset - b.offset);
  } while (group && past.at(-1)?.group === group);
  render(`Undone. ${left()}`);
  (past.length ? byId("undo") : field).focus();
}

/** Put a text in the place of the whole one, and check it; Back leads to what stood there. */
function putWhole(text) {
  advance();
  put(0, field.value.length, text);
  keep(field);
  showMatches();
  return open();
}

/** Return the suggestions for a match: those to choose from, what keeps the meaning first, and those that change it. */
function suggestions({ replacements, usim }) {
  const rank = ({ verdict, faithfulness }) => ["keep", "review"].indexOf(verdict) - (faithfulness ?? 0);
  return [[...replacements].sort((a, b) => rank(a) - rank(b)), usim?.dropped ?? []];
}

/** Return the verdict of the best suggestion for a match; nothing where there is none. */
function best(match) {
  const [offered, dropped] = suggestions(match);
  return (offered[0] ?? dropped[0])?.verdict ?? "";
}

function choice(match, { value, verdict, findings }) {
  const button = element("button", { type: "button", className: verdict === "drop" ? "" : `accept ${verdict}`,
    textContent: verdict === "drop" ? "Use anyway" : "Accept",
    attributes: { "aria-label": `${verdict === "drop" ? "Use" : "Accept"} ${value || "leaving it out"}` } });
  button.addEventListener("click", () => accept(match, value));
  return element("li", {}, element("div", {}, element("span", { className: "value", textContent: value || "(leave out)" }), " ",
    verdict && verdict !== "drop" ? verdictMark(verdict, MEANINGS[verdict]) : null), button, why(findings ?? []));
}

function card(match, place) {
  const words = field.value.slice(match.offset, match.offset + match.length);
  const button = element("button", { type: "button", textContent: "Ignore",
    attributes: { "aria-label": `Ignore what is said about ${words}` } });
  button.addEventListener("click", () => ignore(match));
  const [offered, dropped] = suggestions(match).map((all) => all.map((each) => choice(match, each)));
  const item = element("li", { className: `match card ${best(match)}` },
    element("header", {}, element("h2", {}, element("mark", { textContent: words || "‸" }),
      ` ${match.shortMessage || match.rule?.category?.name || ""}`), button),
    element("p", { textContent: match.message.replace(/`([^`]*)`/g, "“$1”") }),
    offered.length ? element("ul", { className: "choices" }, ...offered)
      : dropped.length ? element("p", {}, verdictMark("drop", "No suggestion keeps the meaning.")) : null,
    dropped.length ? element("details", {},
      element("summary", { textContent: `${count(dropped.length, "suggestion")} would change the meaning` }),
      element("ul", { className: "choices" }, ...dropped)) : null);
  item.addEventListener("pointerenter", () => light(place));
  item.addEventListener("focusin", () => {
    const mark = light(place);
    const sheet = field.parentElement;
    if (sheet.scrollHeight > sheet.clientHeight) mark?.scrollIntoView({ block: "nearest" });
  });
  return item;
}

/** Light a finding in the list and in the text, and return its mark there. */
function light(place) {
  for (const each of document.querySelectorAll("#text .lit")) each.classList.remove("lit");
  const mark = byId("underlined").querySelector(`[data-place="${place}"]`);
  cards()[place]?.classList.add("lit");
  mark?.classList.add("lit");
  return mark;
}

/** Show a finding at its words, and not only in the list; none for -1. */
function pop(place) {
  const box = byId("popover");
  const mark = byId("underlined").querySelector(`[data-place="${place}"]`);
  box.hidden = !mark;
  if (!mark) return;
  box.replaceChildren(...card(matches[place], place).childNodes);
  box.style.top = `${mark.offsetTop + mark.offsetHeight}px`;
  box.style.left = `${Math.max(0, Math.min(mark.offsetLeft, field.offsetWidth - box.offsetWidth))}px`;
}

function underline() {
  const parts = [];
  let end = 0;
  matches.forEach((match, place) => {
    if (match.offset < end) return;
    parts.push(field.value.slice(end, match.offset));
    end = match.offset + Math.max(match.length, 1);
    const mark = element("mark", { className: best(match), textContent: field.value.slice(match.offset, end) });
    mark.dataset.place = place;
    parts.push(mark);
  });
  byId("underlined").replaceChildren(...parts, field.value.slice(end), "\u200b"); // so that an empty last line counts
}

function showMatches() {
  underline();
  pop(-1);
  byId("matches").replaceChildren(...matches.map(card));
  byId("undo").disabled = !past.length;
  byId("accept-all").disabled = !acceptable().length;
}

const left = () => `${count(matches.length, "finding")} left.`;

/** Show the matches with a message; the keyboard goes to a button of the one at `place`. */
function render(message, place = -1, button = "button") {
  showMatches();
  status.replaceChildren(message);
  const item = cards()[Math.min(place, matches.length - 1)];
  if (place >= 0) (item?.querySelector(button) ?? item?.querySelector("button") ?? field).focus();
  writeOwnState();
}

function summary(notEnglish) {
  const kept = matches.filter((match) => best(match) === "keep").length;
  const alone = notEnglish ? `Left alone, because not in English: ${count(notEnglish, "sentence")}. ` : "";
  // Of what was typed during the check nothing is known yet.
  if (!matches.length) return alone || (field.value === checked ? verdictMark("keep", "Nothing to correct.") : "");
  const all = matches.length === 1 ? "It has" : kept === matches.length ? "Each has" : `${kept} of them ${kept === 1 ? "has" : "have"}`;
  return `${alone}${count(matches.length, "finding")}. ${kept ? `${all} a suggestion that keeps the meaning.` : ""}`;
}

const sentencesOf = (text) => [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)]
  .map(({ index, segment }) => [index, index + segment.length]);

/** Cut a text from `start` to `end` into parts of whole sentences. */
function parts(text, start, end) {
  const found = [];
  for (const [from, to] of sentencesOf(text.slice(start, end))) {
    const last = found.at(-1);
    if (last && start + to - last[0] <= PART) last[1] = start + to;
    else found.push([start + from, start + to]);
  }
  return found;
}

/** Return the sentences in which two texts differ, from the first to the last, as places in the second. */
function changed(before, after) {
  const { start, end, change } = difference(before, after);
  const touched = sentencesOf(after).filter(([from, to]) => to >= start && from <= end + change);
  return touched.length ? [touched[0][0], touched.at(-1)[1]] : [0, 0];
}

/** Check what has changed since the last check, or the `whole` text; a newer check stops it. */
async function checkParts(whole) {
  underWay?.abort();
  underWay = new AbortController();
  const { signal } = underWay;
  const sent = field.value;
  const all = parts(sent, ...(whole ? [0, sent.length] : changed(checked, sent)));
  let notEnglish = 0;
  for (const [k, [start, end]] of all.entries()) {
    byId("progress").textContent = all.length > 1 ? `Checking part ${k + 1} of ${all.length} …` : whole ? "" : CHECKING;
    const answer = await check(sent.slice(start, end), byId("english").value, signal);
    if (signal.aborted) throw new DOMException("", "AbortError");
    const change = difference(sent, field.value); // what was typed meanwhile
    const isIgnored = ({ offset, length }) => past.some((each) => each.before === undefined && each.offset === offset
      && each.length === length);
    const found = answer.matches.map((each) => moved({ ...each, offset: each.offset + start }, change, field.value))
      .filter((each) => each && !isIgnored(each));
    const [from, to] = [start, end < sent.length ? end : Infinity]
      .map((place) => (place > change.start ? place + change.change : place));
    matches = [...matches.filter(({ offset }) => offset < from || offset >= to), ...found].sort((a, b) => a.offset - b.offset);
    notEnglish += answer.usim?.notEnglish ?? 0;
    if (k < all.length - 1) showMatches();
  }
  checked = sent;
  return notEnglish;
}

const run = () => busily(form, status, CHECKING, async (isReplaced) => {
  writeOwnState();
  byId("cancel").hidden = false;
  try {
    const notEnglish = await checkParts(true);
    render(summary(notEnglish));
  } catch (error) {
    if (error.name !== "AbortError" || isReplaced.aborted) throw error;
    render(`Stopped. ${count(matches.length, "finding")} so far.`);
  } finally {
    if (!isReplaced.aborted) {
      byId("cancel").hidden = true;
      byId("progress").textContent = "";
    }
  }
}).then(checkTyped);

/** Return whether what was typed is to be checked without being asked. */
const isWaiting = () => byId("live").checked && !isDemo && byId("no-checker").hidden && field.value.trim() !== ""
  && field.value !== checked;

/** Check what was typed, once nobody types any more; what is said about sentences that did not change stays. */
async function checkTyped() {
  if (form.getAttribute("aria-busy") === "true") return;
  byId("progress").textContent = "";
  if (!isWaiting()) return;
  const shown = JSON.stringify(matches);
  try {
    const notEnglish = await checkParts(false);
    if (status.nextElementSibling.textContent === failure) showProblem(null, status);
    if (JSON.stringify(matches) === shown) status.replaceChildren(summary(notEnglish));
    else render(summary(notEnglish), focused(), document.activeElement.matches(".accept") ? ".accept" : "button");
  } catch (error) {
    if (error.name === "AbortError") return;
    failure = error.message;
    showProblem(failure, status);
  } finally {
    byId("progress").textContent = "";
  }
}

const writeOwnState = () => writeState("text");

/** Check an example or a file in the place of what stands in the box. */
function choose({ text }) {
  const before = field.value;
  if (before && text !== before) {
    put(0, before.length, text);
    past.push({ isWhole: true, before });
    showMatches();
  }
  bring("text", { text });
  return open();
}

/** Check what stands in the box, if it was not yet checked; the first example where nobody has ever typed. */
export function open(isAgain = true) {
  const isOn = byId("no-checker").hidden;
  if (isOn && isUntouched("text") && texts.length) return choose(texts[0]);
  if (field.value !== known) past = past.filter(({ isWhole }) => !isWhole); // another text, which nothing was done to
  follow();
  underline();
  writeOwnState();
  return isOn && field.value && (isAgain || !checked) ? run() : undefined;
}

// The English of the reader's browser, until somebody chooses another.
const variety = navigator.languages.find((code) => [...byId("english").options].some(({ value }) => value === code));
if (variety) byId("english").value = variety;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
let timer;
field.addEventListener("input", () => {
  follow();
  showMatches();
  status.replaceChildren(field.value.trim() && matches.length ? `${count(matches.length, "finding")}.` : "");
  byId("progress").textContent = isWaiting() ? CHECKING : "";
  clearTimeout(timer);
  timer = setTimeout(() => {
    writeOwnState();
    checkTyped();
  }, PAUSE);
});
byId("live").addEventListener("change", () => {
  if (byId("live").checked) checkTyped();
  else if (form.getAttribute("aria-busy") !== "true") underWay?.abort(); // a check that was asked for goes on
});
byId("cancel").addEventListener("click", () => underWay?.abort());
byId("accept-all").addEventListener("click", acceptAll);
byId("style").addEventListener("change", showMatches);
byId("english").addEventListener("change", () => field.value.trim() && run());

const sheet = field.parentElement;
offerFiles(byId("text-file"), sheet, (text) => {
  advance();
  choose({ text });
  keep(field);
});
for (const event of ["click", "keyup"]) field.addEventListener(event, () => {
  const caret = field.selectionStart;
  const place = matches.findIndex(({ offset, length }) => offset <= caret && caret <= offset + length);
  light(place);
  if (event !== "click") return;
  pop(place);
  cards()[place]?.scrollIntoView({ block: "nearest", behavior: "smooth" });
});
document.addEventListener("keydown", (event) => event.key === "Escape" && pop(-1));
document.addEventListener("pointerdown", (event) => sheet.contains(event.target) || pop(-1));
byId("undo").addEventListener("click", undo);
offerExamples(byId("text-examples"), texts, choose);
