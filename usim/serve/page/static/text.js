// A text: the checker's suggestions, each with its verdict, to be accepted or refused.

import { check } from "./api.js";
import { busily, byId, element, offerExamples, percent, verdictMark } from "./dom.js";
import { texts } from "./examples.js";
import { writeState } from "./state.js";

const AROUND = 30; // characters shown around a mistake
const form = byId("text-form");
const field = byId("text-field");
let matches = []; // those that are neither accepted nor refused
let checked = ""; // the text that their offsets are about
let past = [];

export const writeOwnState = () => writeState({ tab: "text", text: field.value });

function showState(message) {
  byId("text-status").textContent = message;
  byId("undo").disabled = !past.length;
}

function accept(match, value) {
  past.push({ text: checked, matches });
  const change = value.length - match.length;
  const end = match.offset + match.length;
  checked = checked.slice(0, match.offset) + value + checked.slice(end);
  matches = matches.filter((each) => each !== match && (each.offset >= end || each.offset + each.length <= match.offset))
    .map((each) => (each.offset >= end ? { ...each, offset: each.offset + change } : each));
  render(`“${value}” put in.`);
}

function refuse(match) {
  past.push({ text: checked, matches });
  matches = matches.filter((each) => each !== match);
  render("Refused.");
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
  const end = match.offset + match.length;
  const start = Math.max(0, match.offset - AROUND);
  const context = element("p", { className: "sentence" }, start ? "…" : "", checked.slice(start, match.offset),
    element("mark", { textContent: checked.slice(match.offset, end) || "‸" }), checked.slice(end, end + AROUND),
    end + AROUND < checked.length ? "…" : "");
  const button = element("button", { type: "button", textContent: "Refuse" });
  button.addEventListener("click", () => refuse(match));
  const choices = [
    ...match.replacements.filter((each) => each.verdict).map((each) => replacement(match, each, false)),
    ...(match.usim?.dropped ?? []).map((each) => replacement(match, each, true)),
  ];
  return element("li", { className: "match" }, context, element("p", { textContent: match.message }),
    element("ul", { className: "choices" }, ...choices), button);
}

function render(message) {
  field.value = checked;
  byId("matches").replaceChildren(...matches.map(matchItem));
  showState(`${message} ${matches.length} left.`.trim());
  writeOwnState();
}

const run = () => busily(form, async () => {
  if (!field.value.trim()) return;
  const answer = await check(field.value);
  checked = field.value;
  past = [];
  matches = answer.matches;
  render(matches.length ? "" : "The checker found nothing.");
});

export function restore({ text }) {
  if (!text) return;
  field.value = text;
  run();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
byId("undo").addEventListener("click", () => {
  ({ text: checked, matches } = past.pop());
  render("Undone.");
});
offerExamples(byId("text-example"), texts, restore);
