// Two texts: side by side, each block in a row, with what was found in the margin.

import { ask } from "./api.js";
import { offerFiles } from "./document.js";
import { byId, comparer, element, lead, offerExamples } from "./dom.js";
import { rewrites } from "./examples.js";
import { advance, bring, isUntouched, writeState } from "./state.js";

const form = byId("texts-form");

const own = () => ({ before: byId("before").value.trim(), after: byId("after").value.trim(), policy: byId("policy").value });

/** Show the rows of an answer. Their script, that of the pages of usim compare, walks from finding to finding. */
function show(rows) {
  const parsed = new DOMParser().parseFromString(rows, "text/html");
  byId("comparison").replaceChildren(...parsed.body.childNodes);
  if (!byId("walk")) document.body.append(element("script", { id: "walk", src: "page/compared.js" }));
}

const isShown = () => byId("comparison").hasChildNodes();
const { compare, notice } = comparer(form, byId("texts-status"), own, isShown, async (asked, signal) => {
  writeState("texts");
  byId("comparison").replaceChildren();
  const { rows } = await ask("v1/compare", { ...asked, format: "view" }, signal);
  show(rows);
});

function choose(example) {
  bring("texts", example);
  return compare();
}

/** Compare what stands in the boxes, if it was not yet compared; the first example where nobody has ever typed. */
export function open(isAgain = true) {
  if (isUntouched("texts") && rewrites.length) return choose(rewrites[0]);
  writeState("texts");
  const { before, after } = own();
  return before && after && (isAgain || !isShown()) ? compare() : notice();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asker = document.activeElement;
  await compare();
  lead(byId("comparison").querySelector(".answer"), asker);
});
for (const box of [byId("before"), byId("after")]) {
  offerFiles(byId(`${box.id}-file`), box.parentElement, (text) => {
    advance();
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true })); // as if it had been typed
  });
}
offerExamples(byId("texts-examples"), rewrites, choose);
