// Two sentences: verdict, reasons, marked words, both graphs.

import { ask, isDemo } from "./api.js";
import { busily, byId, element, offerExamples, percent, verdictMark } from "./dom.js";
import { Drawing } from "./drawing.js";
import { pairs } from "./examples.js";
import { sentence } from "./sentence.js";
import { writeState } from "./state.js";

const form = byId("pair-form");
const NARROW = 600;

/** The width at which the drawing is wrapped: that of the page, in a few steps. */
function width() {
  const room = document.documentElement.clientWidth - 32;
  if (isDemo) return room < NARROW ? 340 : 1080;
  return Math.max(320, Math.min(1400, Math.floor(room / 40) * 40));
}

const own = () => ({ tab: "pair", source: byId("source").value.trim(), output: byId("output").value.trim() });

export const writeOwnState = () => writeState(own());

function show(answer) {
  const { reasons, tokens, verdict, faithfulness, score } = answer;
  byId("verdict").replaceChildren(verdictMark(verdict));
  byId("figures").replaceChildren(
    element("label", {}, "faithfulness ", element("meter", { min: 0, max: 1, value: faithfulness }),
      ` ${percent(faithfulness)}`), `, USim ${percent(score)}`);
  byId("sentences").replaceChildren(
    sentence("source", "before", answer.source, tokens.source, reasons),
    sentence("output", "after", answer.output, tokens.output, reasons));
  byId("pair-answer").hidden = false;
  const drawing = new Drawing(byId("drawing"), answer.svg, { reasons, element: byId("pair-answer") });
  byId("reasons").replaceChildren(...reasons.map((reason, place) => {
    const button = element("button", { type: "button", className: "reason", textContent: reason.text },
      element("span", { className: "kind", textContent: ` (${reason.kind})` }));
    button.dataset.reason = place + 1;
    for (const event of ["pointerenter", "focus"])
      button.addEventListener(event, () => drawing.held || drawing.pointAtReason(place + 1));
    for (const event of ["pointerleave", "blur"])
      button.addEventListener(event, () => drawing.held || drawing.light([], []));
    return element("li", {}, button);
  }));
  if (!reasons.length) byId("reasons").append(element("li", { textContent: "Nothing speaks against the change." }));
}

const compare = () => busily(form, async () => {
  const { source, output } = own();
  if (!source || !output) return;
  writeOwnState();
  show(await ask("v1/view", { source, output, width: width() }));
});

export function restore({ source, output }) {
  if (!source && !output) return;
  byId("source").value = source ?? "";
  byId("output").value = output ?? "";
  compare();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  compare();
});
offerExamples(byId("pair-example"), pairs, restore);
