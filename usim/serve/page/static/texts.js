// Two texts: side by side, each block in a row, with what was found in the margin.

import { ask } from "./api.js";
import { busily, byId, element, offerExamples } from "./dom.js";
import { rewrites } from "./examples.js";
import { writeState } from "./state.js";

const form = byId("texts-form");
const status = byId("texts-status");

const own = () => ({ before: byId("before").value.trim(), after: byId("after").value.trim(), policy: byId("policy").value });

/** Show the rows of an answer. Their script, that of the pages of usim compare, walks from finding to finding. */
function show(rows) {
  const parsed = new DOMParser().parseFromString(rows, "text/html");
  byId("comparison").replaceChildren(...parsed.body.childNodes);
  if (!byId("walk")) document.body.append(element("script", { id: "walk", src: "page/compared.js" }));
}

/** Write the state, but for texts that are too long for an address. */
function writeOwnState() {
  const { before, after, policy } = own();
  const state = { tab: "texts", policy: policy === "same" ? "" : policy };
  writeState(before.length + after.length > 4000 ? state : { ...state, before, after });
}

const compare = () => busily(form, status, "Comparing …", async () => {
  writeOwnState();
  byId("comparison").replaceChildren();
  const { rows } = await ask("v1/compare", { ...own(), format: "view" });
  show(rows);
  status.textContent = "";
});

/** Compare two texts, by default those of the first example if the fields are empty. */
export function open(state = {}) {
  const isEmpty = !byId("before").value && !byId("after").value;
  const { before, after, policy } = isEmpty && !state.before && !state.after ? rewrites[0] ?? {} : state;
  if (!before && !after) return writeOwnState();
  byId("before").value = before ?? "";
  byId("after").value = after ?? "";
  byId("policy").value = policy ?? "same";
  return compare();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  compare();
});
offerExamples(byId("texts-examples"), rewrites, open);
