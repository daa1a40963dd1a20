// Two sentences: the verdict in a sentence, marked words, findings; both graphs on demand.

import { ask, isDemo } from "./api.js";
import { byId, comparer, element, lead, MEANINGS, offerExamples, verdictMark } from "./dom.js";
import { Drawing } from "./drawing.js";
import { pairs } from "./examples.js";
import { sentence } from "./sentence.js";
import { bring, isUntouched, writeState } from "./state.js";

const form = byId("pair-form");
const NARROW = 600;

/** The width at which the drawing is wrapped: that of the page, in a few steps. */
function width() {
  const room = document.documentElement.clientWidth - 80;
  if (isDemo) return room < NARROW ? 300 : 1080;
  return Math.max(280, Math.min(1200, Math.floor(room / 40) * 40));
}

const own = () => ({ source: byId("source").value.trim(), output: byId("output").value.trim() });

function show(answer) {
  const { findings, tokens, verdict, cause, faithfulness, score } = answer;
  byId("answer").className = `card answer ${verdict}`;
  byId("verdict").replaceChildren(verdictMark(verdict, `This ${MEANINGS[verdict]}.`));
  const who = cause?.by === "model" ? "the judge that was asked says" : "the sentence that decided has";
  const other = [null, undefined, faithfulness].includes(cause?.compared) ? "" : ` · ${who} ${cause.compared.toFixed(3)}`;
  byId("figures").replaceChildren(
    element("label", {}, "Faithfulness ", element("meter", { min: 0, max: 1, value: faithfulness }),
      ` ${faithfulness.toFixed(3)} · USim ${score.toFixed(3)} · ${verdict}${cause ? `: ${cause.text}` : ""}${other}`));
  byId("sentences").replaceChildren(
    sentence("source", "before", answer.source, tokens.source, findings),
    sentence("output", "after", answer.output, tokens.output, findings));
  byId("pair-answer").hidden = false;
  const drawing = new Drawing(byId("drawing"), answer.svg, { findings, element: byId("pair-answer") });
  byId("findings").replaceChildren(...findings.map((finding, place) => {
    const button = element("button", { type: "button", className: "pair-finding", textContent: finding.text });
    button.dataset.finding = place + 1;
    for (const event of ["pointerenter", "focus"])
      button.addEventListener(event, () => drawing.held || drawing.pointAtFinding(place + 1));
    for (const event of ["pointerleave", "blur"])
      button.addEventListener(event, () => drawing.held || drawing.light([], []));
    return element("li", {}, button);
  }));
}

const isShown = () => !byId("pair-answer").hidden;
const { compare, notice } = comparer(form, byId("pair-status"), own, isShown, async (asked, signal) => {
  writeState("pair");
  byId("pair-answer").hidden = true;
  show(await ask("v1/explain", { ...asked, format: "view", width: width() }, signal));
});

function choose(example) {
  bring("pair", example);
  return compare();
}

/** Compare what stands in the boxes, if it was not yet compared; the first example where nobody has ever typed. */
export function open(isAgain = true) {
  if (isUntouched("pair") && pairs.length) return choose(pairs[0]);
  writeState("pair");
  const { source, output } = own();
  return source && output && (isAgain || !isShown()) ? compare() : notice();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asker = document.activeElement;
  await compare();
  lead(byId("answer"), asker);
});
offerExamples(byId("pair-examples"), pairs, choose);
