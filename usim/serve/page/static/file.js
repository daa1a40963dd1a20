// A file of pairs, suggestions or results: its report, in place and to be saved.

import { ask, convert, isDemo } from "./api.js";
import { decoded } from "./document.js";
import { busily, byId, element, offerExamples } from "./dom.js";
import { pairs } from "./examples.js";
import { writeState } from "./state.js";

const form = byId("file-form");
const status = byId("file-status");
let address = null;
const TOGETHER = 32; // lines that are judged together

export const open = () => writeState("file");

/** Return what is asked about the JSON of a line, which has this number. */
const ITEMS = {
  pairs: ({ source, output, before, after }) => ({ source, output, before, after }),
  records: (record, line) => ({ id: String(line), ...record }),
};

/** Return the results of lines; a line that costs the others theirs has an error in its place. */
async function results(path, kind, lines, signal) {
  try {
    const items = lines.map(({ line, text }) => ITEMS[kind](JSON.parse(text), line));
    const answer = await ask(path, { [kind]: items }, signal);
    return answer.results.map((result, place) => ({ ...result, line: lines[place].line }));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError || [413, 422].includes(error.status))) throw error;
    if (lines.length === 1) return [{ line: lines[0].line, error: error.message }];
    const half = Math.ceil(lines.length / 2);
    return [...await results(path, kind, lines.slice(0, half), signal), ...await results(path, kind, lines.slice(half), signal)];
  }
}

/** Return the results of a file, which is judged where it is not yet. */
async function judged(file, signal) {
  const lines = (await decoded(file)).split("\n").map((text, place) => ({ text, line: place + 1 }))
    .filter(({ text }) => text.trim());
  const first = lines[0]?.text ?? "";
  if (isDemo || /"(?:score|usim|error)"/.test(first) || first.trim() === "{") return file;
  const [path, kind] = /"output"/.test(first) ? ["v1/score", "pairs"] : ["v1/screen", "records"];
  const found = [];
  for (let start = 0; start < lines.length; start += TOGETHER) {
    found.push(...await results(path, kind, lines.slice(start, start + TOGETHER), signal));
    status.textContent = `Judging … ${found.length} of ${lines.length}`;
  }
  return new Blob(found.map((result) => `${JSON.stringify(result)}\n`));
}

/** Show a report, which is a page of its own, in this one, which has the same look already. */
function show(html) {
  const report = new DOMParser().parseFromString(html.replace(/<style>[^]*?<\/style>/, ""), "text/html");
  byId("report").replaceChildren(...report.querySelectorAll("main > *, #about, #pairs"),
    element("script", { src: "page/report.js" }));
}

const make = (file, name) => busily(form, status, "Judging …", async (signal) => {
  byId("report").replaceChildren();
  const report = await convert("v1/report", await judged(file, signal), signal);
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
