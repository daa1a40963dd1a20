// A word clicked: substitutes of WordNet's or one's own, ranked.

import { ask } from "./api.js";
import { busily, byId, element, offerExamples, percent, verdictMark } from "./dom.js";
import { sentences } from "./examples.js";
import { writeState } from "./state.js";

const form = byId("words-form");
const field = byId("words-field");
let chosen = null; // the place of the word in the sentence

const own = () => ({
  tab: "words", text: field.value, at: chosen ? `${chosen.start}-${chosen.end}` : "", typed: byId("typed").value.trim(),
});

export const writeOwnState = () => writeState(own());

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
}

function use(substitute) {
  field.value = substitute.text;
  chosen = null;
  byId("typed-form").hidden = true;
  byId("substitutes").replaceChildren();
  byId("words-status").textContent = `Now: ${substitute.text}`;
  showWords();
  writeOwnState();
}

function item(substitute) {
  const { faithfulness, reasons, verdict } = substitute;
  const said = reasons.map((reason) => reason.text).join("; ");
  const button = element("button", { type: "button", textContent: substitute.substitute,
    attributes: { "aria-label": `Use ${substitute.substitute}` } });
  button.addEventListener("click", () => use(substitute));
  return element("li", {}, button, " ", verdictMark(verdict), ` ${percent(faithfulness)}`,
    said ? element("span", { className: "said", textContent: ` ${said}` }) : null);
}

async function rank(typed) {
  const text = field.value;
  const word = text.slice(chosen.start, chosen.end);
  const codePoints = (end) => [...text.slice(0, end)].length; // the service counts characters, the page UTF-16 units
  const place = { start: codePoints(chosen.start), end: codePoints(chosen.end) };
  const { results } = await ask("v1/substitutes", { text, ...place, substitutes: typed });
  byId("substitutes").replaceChildren(...results.map(item));
  byId("words-status").textContent = results.length
    ? `${results.length} substitutes for “${word}”, the most faithful first.`
    : `WordNet has no substitutes for “${word}”; type your own.`;
}

function pick(place) {
  chosen = place;
  byId("typed").value = "";
  byId("typed-form").hidden = false;
  showWords();
  writeOwnState();
  byId("word-buttons").querySelector('[aria-pressed="true"]')?.focus();
  busily(form, () => rank([]));
}

const typedOnes = () => byId("typed").value.split(",").map((each) => each.trim()).filter(Boolean);

export function restore({ text, at, typed, word }) {
  if (!text) return;
  field.value = text;
  const found = /^(\d+)-(\d+)$/.exec(at ?? "");
  const start = word ? text.indexOf(word) : -1;
  chosen = found ? { start: Number(found[1]), end: Number(found[2]) } : null;
  if (start >= 0) chosen = { start, end: start + word.length };
  byId("typed").value = typed ?? "";
  byId("typed-form").hidden = !chosen;
  byId("substitutes").replaceChildren();
  showWords();
  writeOwnState();
  if (chosen) busily(form, () => rank(typedOnes()));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  restore({ text: field.value });
});
byId("typed-form").addEventListener("submit", (event) => {
  event.preventDefault();
  writeOwnState();
  busily(form, () => rank(typedOnes()));
});
offerExamples(byId("words-example"), sentences, restore);
