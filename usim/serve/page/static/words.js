// A word clicked: substitutes of WordNet's or one's own, those that keep the meaning first.

import { ask } from "./api.js";
import { busily, byId, count, element, offerExamples, stop, verdictMark, why } from "./dom.js";
import { sentences } from "./examples.js";
import { advance, bring, isUntouched, keep, readState, writeState } from "./state.js";

const form = byId("words-form");
const field = byId("words-field");
const status = byId("words-status");
const GROUPS = { keep: "Keep the meaning", review: "May change the meaning", drop: "Change the meaning" };
let chosen = null; // the place of the word in the sentence

const writeOwnState = () => writeState("words", chosen ? { at: `${chosen.start}-${chosen.end}` } : {});

function showWords() {
  const parts = [];
  let end = 0;
  for (const { 0: word, index } of field.value.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu)) {
    const button = element("button", { type: "button", className: "pick", textContent: word });
    const isChosen = chosen?.start === index && chosen.end === index + word.length;
    button.setAttribute("aria-pressed", String(isChosen));
    button.addEventListener("click", () => pick({ start: index, end: index + word.length }));
    parts.push(field.value.slice(end, index), button);
    end = index + word.length;
  }
  byId("word-buttons").replaceChildren(...parts, field.value.slice(end));
  byId("typed-form").hidden = !chosen;
}

function use(substitute) {
  advance();
  field.value = substitute.text;
  keep(field);
  begin(null);
  status.textContent = `Now: ${substitute.text}`;
  writeOwnState();
  byId("word-buttons").querySelector("button")?.focus();
}

function useButton(substitute) {
  const button = element("button", { type: "button", textContent: substitute.substitute,
    attributes: { "aria-label": `Use ${substitute.substitute}` } });
  button.addEventListener("click", () => use(substitute));
  return button;
}

/** Return the substitutes with a verdict: open if they keep the meaning, else folded, with findings. */
function group(verdict, substitutes, isOpen) {
  if (!substitutes.length) return "";
  const mark = verdictMark(verdict, GROUPS[verdict]);
  if (verdict === "keep")
    return element("div", {}, element("h2", {}, mark), element("ul", { className: `chips ${verdict}` },
      ...substitutes.map((each) => element("li", {}, useButton(each)))));
  return element("details", { open: isOpen }, element("summary", {}, mark, ` (${substitutes.length})`),
    element("ul", { className: "choices" }, ...substitutes.map((each) => element("li", {}, useButton(each), why(each.findings)))));
}

async function rank(typed, signal) {
  const text = field.value;
  const word = text.slice(chosen.start, chosen.end);
  const codePoints = (end) => [...text.slice(0, end)].length; // the service counts characters, the page UTF-16 units
  const place = { start: codePoints(chosen.start), end: codePoints(chosen.end) };
  byId("substitutes").replaceChildren();
  const { results } = await ask("v1/substitutes", { text, ...place, substitutes: typed }, signal);
  const of = (verdict) => results.filter((each) => each.verdict === verdict);
  byId("substitutes").replaceChildren(...Object.keys(GROUPS).map((verdict) =>
    group(verdict, of(verdict), typed.length > 0 || !of("keep").length)));
  status.textContent = results.length
    ? `${count(of("keep").length, "word")} of ${results.length} can stand for “${word}” here.`
    : `WordNet has no other words for “${word}”; type your own.`;
}

const show = (typed) => busily(form, status, "Looking for words …", (signal) => rank(typed, signal));

function pick(place) {
  chosen = place;
  byId("typed").value = "";
  keep(byId("typed"));
  showWords();
  writeOwnState();
  byId("word-buttons").querySelector('[aria-pressed="true"]')?.focus();
  show([]);
}

const typedWords = () => byId("typed").value.split(",").map((each) => each.trim()).filter(Boolean);

/** Show the sentence, with a word chosen or none. */
function begin(place) {
  stop(form);
  chosen = place;
  byId("substitutes").replaceChildren();
  status.textContent = chosen ? "" : "Choose a word.";
  showWords();
}

/** Show the sentence, and the substitutes of a word that stands at a place of it. */
function look(place) {
  begin(place);
  writeOwnState();
  return chosen ? show(typedWords()) : undefined;
}

function choose({ text, word }) {
  bring("words", { text });
  const start = text.indexOf(word);
  return look({ start, end: start + word.length });
}

/** Show the sentence in the box and the word that the address names in it; the first example where nobody has ever typed. */
export function open(isAgain = true) {
  if (isUntouched("words") && sentences.length) return choose(sentences[0]);
  if (!isAgain && byId("word-buttons").hasChildNodes()) return writeOwnState();
  const { text, at } = readState();
  const place = text === field.value && /^(\d+)-(\d+)$/.exec(at ?? ""); // else it is a place of another sentence
  return look(place && { start: Number(place[1]), end: Number(place[2]) });
}

field.addEventListener("input", () => begin(null));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  look(null);
});
byId("typed-form").addEventListener("submit", (event) => {
  event.preventDefault();
  writeOwnState();
  show(typedWords());
});
offerExamples(byId("words-examples"), sentences, choose);
