"use strict";
// A pair is a line of JSON: [name, source, output, faithfulness, verdict, usim, reasons, language, drawing], where a
// reason is [kind, text, weight, source spans, output spans]. Lines are read when they are shown.
const PAGE = 50;
const about = JSON.parse(document.getElementById("about").textContent);
const lines = document.getElementById("pairs").textContent.split("\n");
lines.pop();
const verdictOf = about.verdictOf; // a digit for each pair: its place in about.verdicts
const kindsOf = about.kindsOf; // for each pair the places of its kinds in about.kinds, joined by commas
const list = document.getElementById("list");
const status = document.getElementById("status");
const search = document.getElementById("search");
const kind = document.getElementById("kind");
const order = document.getElementById("order");
const boxes = [...document.querySelectorAll("input[name=verdict]")];
const [previous, next] = [document.getElementById("previous"), document.getElementById("next")];
let matches = [];
let first = 0;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Spans count characters as Python does, not UTF-16 units.
function marked(text, reasons, side) {
  const characters = [...text];
  const notes = new Map();
  for (const reason of reasons) {
    for (const [start, end] of reason[side]) {
      const key = start + "," + end;
      if (end > start) notes.set(key, [...(notes.get(key) || []), reason[1]]);
    }
  }
  const spans = [...notes.keys()].map((key) => key.split(",").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const parts = [];
  let place = 0;
  for (const [start, end] of spans) {
    if (start < place) continue;
    parts.push(document.createTextNode(characters.slice(place, start).join("")));
    const mark = element("mark", characters.slice(start, end).join(""));
    mark.title = notes.get(start + "," + end).join("; ");
    parts.push(mark);
    place = end;
  }
  parts.push(document.createTextNode(characters.slice(place).join("")));
  return parts;
}

function sentence(label, text, reasons, side) {
  const paragraph = element("p");
  paragraph.append(element("span", label, "side"), " ");
  const words = element("span");
  words.append(...marked(text, reasons, side));
  paragraph.append(words);
  return paragraph;
}

function drawn(pair, item) {
  const details = element("details");
  details.append(element("summary", "Graphs"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.querySelector("img")) return;
    const figure = element("figure");
    const image = element("img");
    image.alt = `The graphs of “${pair[1]}” and “${pair[2]}”, aligned`;
    image.src = "data:image/svg+xml," + encodeURIComponent(about.drawings[pair[8]]);
    figure.append(image);
    details.append(figure);
  });
  item.append(details);
}

function shown(index) {
  const pair = JSON.parse(lines[index]);
  const item = element("li");
  const head = element("h3");
  const verdict = about.verdicts[verdictOf[index]];
  if (verdict !== "none") head.append(element("span", verdict, verdict), ` · faithfulness ${pair[3].toFixed(3)} · `);
  head.append(`USim ${pair[5].toFixed(3)} `, element("span", "· " + pair[0], "quiet"));
  if (pair[7]) head.append(element("span", ` · language: ${pair[7]}`, "quiet"));
  item.append(head, sentence("before", pair[1], pair[6], 3), sentence("after", pair[2], pair[6], 4));
  if (pair[6].length) {
    const reasons = element("ul");
    for (const reason of pair[6]) {
      const entry = element("li", reason[1]);
      entry.append(element("span", ` (${reason[0]}, ${reason[2].toFixed(2)})`, "quiet"));
      reasons.append(entry);
    }
    item.append(reasons);
  }
  if (pair[8] !== null && pair[8] !== undefined) drawn(pair, item);
  return item;
}

function show() {
  list.replaceChildren(...matches.slice(first, first + PAGE).map(shown));
  const last = Math.min(first + PAGE, matches.length);
  const count = matches.length.toLocaleString("en");
  status.textContent = matches.length ? `${first + 1} to ${last} of ${count} pairs` : "no pair matches";
  previous.disabled = first === 0;
  next.disabled = last >= matches.length;
}

// What is looked for stands in the lines as JSON writes it.
function needle(text) {
  return JSON.stringify(text.toLowerCase()).slice(1, -1).replace(/</g, "\\u003c");
}

function filter() {
  const words = needle(search.value.trim());
  const open = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const wanted = kind.value;
  matches = [];
  for (let i = 0; i < lines.length; i++) {
    if (boxes.length && !open.has(verdictOf[i])) continue;
    if (wanted && !("," + kindsOf[i] + ",").includes("," + wanted + ",")) continue;
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
for (const control of [kind, order, ...boxes]) control.addEventListener("change", filter);
document.getElementById("filters").addEventListener("submit", (event) => { event.preventDefault(); filter(); });
function turn(by) { first += by; show(); document.getElementById("list-heading").focus(); }
previous.addEventListener("click", () => turn(-PAGE));
next.addEventListener("click", () => turn(PAGE));
filter();
