// A text: the checker's suggestions, each with its verdict, to be accepted or refused.

import { check } from "./api.js";
import { busily, byId, element, offerExamples, percent, verdictMark } from "./dom.js";
import { texts } from "./examples.js";
import { writeState } from "./state.js";

const AROUND = 30; // characters shown around a mistake
const form = byId("text-form");
const field = byId("text-field");
// Both stand at places of the text as it is now, whoever has changed it since.
let matches = []; // those that are neither accepted nor refused
let past = []; // what was done, to be undone: what stood there before, and the match
let known = ""; // the text that the places are about

export const writeOwnState = () => writeState({ tab: "text", text: field.value });

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
  [matches, past] = [matches, past].map((all) => all.map((each) => moved(each, change, known)).filter(Boolean));
}

/** Put words into the text, so that the browser's own undo knows of it too. */
function put(offset, length, value) {
  if (!length && !value) return;
  field.focus({ preventScroll: true });
  field.setSelectionRange(offset, offset + length);
  if (!document.execCommand(value ? "insertText" : "delete", false, value)) field.setRangeText(value);
  follow();
}

/** Return the place in the list where the keyboard is; -1 if it is elsewhere. */
const focused = () => [...byId("matches").children].findIndex((each) => each.contains(document.activeElement));

function accept(match, value) {
  const place = focused();
  const { offset, length } = match;
  const before = field.value.slice(offset, offset + length);
  put(offset, length, value);
  matches = matches.filter((each) => each !== match);
  past.push({ offset, length: value.length, before, match });
  render(`“${value}” put in.`, place);
}

function refuse(match) {
  const place = focused();
  matches = matches.filter((each) => each !== match);
  past.push({ offset: match.offset, length: match.length, match });
  render("Refused.", place);
}

function undo() {
  const { offset, length, before, match } = past.pop();
  if (before !== undefined) put(offset, length, before);
  matches = [...matches, { ...match, offset }].sort((a, b) => a.offset - b.offset);
  render("Undone.");
  (past.length ? byId("undo") : field).focus();
}

function replacement(match, { value, verdict, faithfulness, reasons }, isDropped) {
  const said = reasons.map((reason) => reason.text).join("; ");
  const item = element("li", { className: isDropped ? "dropped" : "" },
    isDropped ? element("s", { textContent: value || "(leave out)" })
      : element("button", { type: "button", textContent: value || "(leave out)",
        attributes: { "aria-label": `Accept ${value || "leaving it out"}` } }),
    " ", verdictMark(verdict), ` ${percent(faithfulness)}`, said ? element("span", { className: "said", textContent: ` ${said}` }) : null);
  item.querySelector("button")?.addEventListener("click", () => accept(match, value));
  return item;
}

function matchItem(match) {
  const text = field.value;
  const end = match.offset + match.length;
  const start = Math.max(0, match.offset - AROUND);
  const context = element("p", { className: "sentence" }, start ? "…" : "", text.slice(start, match.offset),
    element("mark", { textContent: text.slice(match.offset, end) || "‸" }), text.slice(end, end + AROUND),
    end + AROUND < text.length ? "…" : "");
  const button = element("button", { type: "button", textContent: "Refuse" });
  button.addEventListener("click", () => refuse(match));
  const choices = [
    ...match.replacements.filter((each) => each.verdict).map((each) => replacement(match, each, false)),
    ...(match.usim?.dropped ?? []).map((each) => replacement(match, each, true)),
  ];
  return element("li", { className: "match" }, context, element("p", { textContent: match.message }),
    element("ul", { className: "choices" }, ...choices), button);
}

function showMatches() {
  byId("matches").replaceChildren(...matches.map(matchItem));
  byId("undo").disabled = !past.length;
}

/** Show the matches with a message; the keyboard goes to the one at `place`. */
function render(message, place = -1) {
  showMatches();
  byId("text-status").textContent = `${message} ${matches.length} left.`.trim();
  const item = byId("matches").children[Math.min(place, matches.length - 1)];
  if (place >= 0) (item?.querySelector("button") ?? field).focus();
  writeOwnState();
}

const run = () => busily(form, async () => {
  const sent = field.value;
  if (!sent.trim()) return;
  writeOwnState();
  const answer = await check(sent);
  const change = difference(sent, field.value); // what was typed meanwhile
  matches = answer.matches.map((each) => moved(each, change, field.value)).filter(Boolean);
  const count = answer.usim?.notEnglish ?? 0;
  const alone = count ? `Left alone, because not in English: ${count} ${count === 1 ? "sentence" : "sentences"}.` : "";
  render([alone, matches.length ? "" : "The checker found nothing."].filter(Boolean).join(" "));
});

export function restore({ text }) {
  if (!text) return;
  if (text !== field.value) put(0, field.value.length, text);
  run();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
field.addEventListener("input", () => {
  follow();
  showMatches();
});
byId("undo").addEventListener("click", undo);
offerExamples(byId("text-example"), texts, restore);
