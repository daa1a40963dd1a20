// A file of pairs, suggestions or results: its report, in place and to be saved.

import { convert } from "./api.js";
import { busily, byId, element, offerExamples } from "./dom.js";
import { pairs } from "./examples.js";
import { writeState } from "./state.js";

const form = byId("file-form");
const status = byId("file-status");
let address = null;

export const open = () => writeState({ tab: "file" });

/** Return the results of a file, which is judged where it is not yet. */
async function judged(file) {
  const line = (await file.text()).split("\n").find((each) => each.trim()) ?? "";
  if (/"(?:score|usim|error)"/.test(line) || line.trim() === "{") return file;
  const path = /"output"/.test(line) ? "v1/score/stream" : "v1/screen/stream";
  return convert(path, file, (lines) => { status.textContent = `Judging … ${lines}`; });
}

/** Show a report, which is a page of its own, in this one, which has the same look already. */
function show(html) {
  const report = new DOMParser().parseFromString(html.replace(/<style>[^]*?<\/style>/, ""), "text/html");
  byId("report").replaceChildren(...report.querySelectorAll("main > *, #about, #pairs"),
    element("script", { src: "page/report.js" }));
}

const make = (file, name) => busily(form, status, "Judging …", async () => {
  byId("report").replaceChildren();
  const report = await convert("v1/report", await judged(file));
  if (address) URL.revokeObjectURL(address);
  address = URL.createObjectURL(report);
  const saved = `${name.replace(/\.[^.]*$/, "")}-report.html`;
  status.replaceChildren(`${name}: the report is one file that needs nothing else. `,
    element("a", { href: address, download: saved, textContent: `Save ${saved}` }));
  show(await report.text());
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const [file] = byId("file-field").files;
  if (file) make(file, file.name);
});
const lines = pairs.map(({ source, output }) => `${JSON.stringify({ source, output })}\n`);
offerExamples(byId("file-examples"), [{ name: "four pairs" }], () => make(new Blob(lines), "pairs.jsonl"));
