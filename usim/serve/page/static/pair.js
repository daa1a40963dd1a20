// Two sentences: the verdict in a sentence, marked words, reasons; both graphs on demand.

import { ask, isDemo } from "./api.js";
import { busily, byId, element, MEANINGS, offerExamples, verdictMark } from "./dom.js";
import { Drawing } from "./drawing.js";
import { pairs } from "./examples.js";
import { sentence } from "./sentence.js";
import { writeState } from "./state.js";

const form = byId("pair-form");
const NARROW = 600;

/** The width at which the drawing is wrapped: that of the page, in a few steps. */
function width() {
  const room = document.documentElement.clientWidth - 80;
  if (isDemo) return room < NARROW ? 300 : 1080;
  return Math.max(280, Math.min(1200, Math.floor(room / 40) * 40));
}

const own = () => ({ tab: "pair", source: byId("source").value.trim(), output: byId("output").value.trim() });

function show(answer) {
  const { reasons, tokens, verdict, cause, faithfulness, score } = answer;
  byId("answer").className = `card answer ${verdict}`;
  byId("pair-status").textContent = "";
  byId("verdict").replaceChildren(verdictMark(verdict, `This ${MEANINGS[verdict]}.`));
  byId("figures").replaceChildren(
    element("label", {}, "Faithfulness ", element("meter", { min: 0, max: 1, value: faithfulness }),
      ` ${faithfulness.toFixed(3)} · USim ${score.toFixed(3)} · ${verdict}: ${cause.text}`));
  byId("sentences").replaceChildren(
    sentence("source", "before", answer.source, tokens.source, reasons),
    sentence("output", "after", answer.output, tokens.output, reasons));
  byId("pair-answer").hidden = false;
  const drawing = new Drawing(byId("drawing"), answer.svg, { reasons, element: byId("pair-answer") });
  byId("reasons").replaceChildren(...reasons.map((reason, place) => {
    const button = element("button", { type: "button", className: "reason", textContent: reason.text });
    button.dataset.reason = place + 1;
    for (const event of ["pointerenter", "focus"])
      button.addEventListener(event, () => drawing.held || drawing.pointAtReason(place + 1));
    for (const event of ["pointerleave", "blur"])
      button.addEventListener(event, () => drawing.held || drawing.light([], []));
    return element("li", {}, button);
  }));
}

const compare = () => busily(form, byId("pair-status"), "Comparing …", async () => {
  const { source, output } = own();
  writeState(own());
  byId("pair-answer").hidden = true;
  show(await ask("v1/explain", { source, output, format: "view", width: width() }));
});

/** Compare two sentences, by default those of the first example if the fields are empty. */
export function open(state = {}) {
  const isEmpty = !byId("source").value && !byId("output").value;
  const { source, output } = isEmpty && !state.source && !state.output ? pairs[0] ?? {} : state;
  if (!source && !output) return writeState(own());
  byId("source").value = source ?? "";
  byId("output").value = output ?? "";
  return compare();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  compare();
});
offerExamples(byId("pair-examples"), pairs, open);
