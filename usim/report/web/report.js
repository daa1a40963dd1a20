"use strict";
// What the report shows: the figures in #about, and a pair in each line of #pairs. Both are JSON; a pair is [name, source,
// output, faithfulness, verdict, usim, findings, language, drawing], where a finding is [kind, text, weight, source spans,
// output spans].
{
const PAGE = 50;
const MEANINGS = { keep: "keeps the meaning", review: "may change the meaning", drop: "changes the meaning" };
const byId = (id) => document.getElementById(id);
const about = JSON.parse(byId("about").textContent);
const lines = byId("pairs").textContent.split("\n");
lines.pop();
const pairs = lines.map((line) => JSON.parse(line));
const names = about.verdicts.map(([name]) => name);
const [head, search, kind, order, previous, next] =
  ["report-head", "search", "kind", "order", "previous", "next"].map(byId);
let matches = [];
let first = 0;

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const number = (value) => value.toLocaleString("en");
const percent = (count) => `${(100 * count / about.results).toFixed(1)}%`;
const verdictMark = (verdict) => element("span", { className: `verdict ${verdict}`, textContent: verdict });

function tile([verdict, count]) {
  const says = element("span", {}, verdictMark(verdict), `: ${MEANINGS[verdict]}`);
  return element("li", { className: `card ${verdict}` }, element("b", { textContent: percent(count) }),
    says, element("div", { className: "quiet", textContent: `${number(count)} of ${number(about.results)}` }));
}

function table(caption, headings, rows) {
  const cells = (row, name) => row.map((text, place) => element(place ? name : "th", {
    textContent: text, className: headings[place] === "pairs" ? "number" : "",
    ...(name === "th" ? { scope: "col" } : place ? {} : { scope: "row" }),
  }));
  const all = element("table", {}, element("caption", { textContent: caption }),
    element("thead", {}, element("tr", {}, ...cells(headings, "th"))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row, "td")))));
  const place = element("div", { className: "wide", tabIndex: 0, ariaLabel: caption }, all);
  place.setAttribute("role", "group");
  return place;
}

function folded(title, ...children) {
  return element("details", {}, element("summary", { textContent: title }), ...children);
}

function distribution() {
  const { bars } = about;
  const highest = Math.max(1, ...bars);
  const made = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const drawn = made("svg", { class: "bars", viewBox: `0 0 ${bars.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" });
  drawn.append(...bars.map((count, k) =>
    made("rect", { x: k + .05, width: .9, y: 1 - count / highest, height: count / highest })));
  const step = (k) => (k / bars.length).toFixed(2);
  return folded("How faithfulness is distributed", drawn,
    element("div", { className: "axis quiet", ariaHidden: "true" }, ...["0", "0.5", "1"].map((text) => element("span", { textContent: text }))),
    folded("As a table", table("Faithfulness of the pairs", ["from, to", "pairs"],
      bars.map((count, k) => [`${step(k)} to ${step(k + 1)}`, number(count)]))));
}

function showFigures() {
  const kinds = [...about.kinds].sort((a, b) => b[1] - a[1]).map(([name, count, says]) => [name, number(count), says]);
  head.append(
    element("ul", { className: "tiles" }, ...about.verdicts.map(tile)), distribution(),
    kinds.length ? folded(`Findings by kind: ${kinds.length}`,
      table("Pairs with a finding of each kind", ["kind", "pairs", "what it says"], kinds)) : "");
  byId("verdict-filter").hidden = names.length < 2;
  byId("verdict-filter").append(...names.map((name) => element("label", {},
    element("input", { type: "checkbox", name: "verdict", value: name, checked: true }), name)));
  kind.append(...about.kinds.map(([name]) => element("option", { value: name, textContent: name })));
}

// Spans count characters as Python does, not UTF-16 units.
function marked(text, findings, side) {
  const characters = [...text];
  const notes = new Map();
  for (const finding of findings) {
    for (const [start, end] of finding[side]) {
      const key = `${start},${end}`;
      if (end > start) notes.set(key, [...(notes.get(key) || []), finding[1]]);
    }
  }
  const spans = [...notes.keys()].map((key) => key.split(",").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const parts = [];
  let place = 0;
  for (const [start, end] of spans) {
    if (start < place) continue;
    parts.push(characters.slice(place, start).join(""), element("mark", {
      textContent: characters.slice(start, end).join(""), title: notes.get(`${start},${end}`).join("; ") }));
    place = end;
  }
  return [...parts, characters.slice(place).join("")];
}

function sentence(label, text, findings, side) {
  return element("p", { className: "sentence" }, element("span", { className: "side", textContent: label }), " ",
    element("span", {}, ...marked(text, findings, side)));
}

function drawn(pair) {
  const details = folded("Graphs");
  details.addEventListener("toggle", () => {
    if (!details.open || details.querySelector("img")) return;
    details.append(element("figure", {}, element("img", {
      alt: `The graphs of “${pair[1]}” and “${pair[2]}”, aligned`,
      src: `data:image/svg+xml,${encodeURIComponent(about.drawings[pair[8]])}`,
    })));
  });
  return details;
}

const items = (findings) => element("ul", { className: "findings" }, ...findings.map((finding) => element("li", { textContent: `${finding[1]} ` },
  element("span", { className: "quiet", textContent: `(${finding[0]}, ${finding[2].toFixed(2)})` }))));

function shown(index) {
  const pair = pairs[index];
  const findings = pair[6];
  const figures = ` faithfulness ${pair[3].toFixed(3)} · USim ${pair[5].toFixed(3)} · ${pair[0]}`
    + (pair[7] ? ` · language: ${pair[7]}` : "");
  return element("li", { className: "card" },
    element("h3", {}, verdictMark(pair[4]), element("span", { className: "quiet", textContent: figures })),
    sentence("before", pair[1], findings, 3), sentence("after", pair[2], findings, 4), findings.length ? items(findings) : "",
    Number.isInteger(pair[8]) ? drawn(pair) : "");
}

function show() {
  byId("list").replaceChildren(...matches.slice(first, first + PAGE).map(shown));
  const last = Math.min(first + PAGE, matches.length);
  byId("status").textContent =
    matches.length ? `${first + 1} to ${last} of ${number(matches.length)} pairs` : "no pair matches";
  previous.disabled = first === 0;
  next.disabled = last >= matches.length;
}

// What is looked for stands in the lines as JSON writes it.
const needle = (text) => JSON.stringify(text.toLowerCase()).slice(1, -1).replace(/</g, "\\u003c");

function filter() {
  const words = needle(search.value.trim());
  const open = new Set([...document.querySelectorAll("[name=verdict]:checked")].map((box) => box.value));
  const wanted = kind.value;
  matches = [];
  for (let i = 0; i < lines.length; i++) {
    if (!open.has(pairs[i][4])) continue;
    if (wanted && !pairs[i][6].some(([kind]) => kind === wanted)) continue;
    if (words && !lines[i].toLowerCase().includes(words)) continue;
    matches.push(i);
  }
  if (order.value === "best") matches.reverse();
  if (order.value === "file") matches.sort((a, b) => about.order[a] - about.order[b]);
  first = 0;
  show();
}

let timer;
search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 150); });
byId("filters").addEventListener("change", (event) => event.target !== search && filter());
byId("filters").addEventListener("submit", (event) => { event.preventDefault(); filter(); });
function turn(by) { first += by; show(); byId("list-heading").focus(); }
previous.addEventListener("click", () => turn(-PAGE));
next.addEventListener("click", () => turn(PAGE));
window.onbeforeprint = () => { for (const each of head.querySelectorAll(":scope > details")) each.open = true; };
showFigures();
filter();
}
