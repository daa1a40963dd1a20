// The drawn graphs brought to life: units light their partners, their words and their findings.

import { byId } from "./dom.js";

const numbers = (text) => (text ? text.split(" ").map(Number) : []);
const other = (side) => (side === "source" ? "output" : "source");

export class Drawing {
  /** Show a drawing in a place. `around` holds the sentences and the findings that light up with it. */
  constructor(place, svg, around) {
    const drawn = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
    place.replaceChildren(drawn);
    this.svg = drawn;
    this.around = around;
    this.held = null;
    drawn.setAttribute("role", "group");
    this.units = new Map();
    for (const unit of drawn.querySelectorAll("g.unit")) {
      const key = `${unit.dataset.side} ${unit.dataset.unit}`;
      if (!this.units.has(key)) this.units.set(key, []);
      this.units.get(key).push(unit);
    }
    for (const [key, [first]] of this.units) {
      if (first.dataset.unit === "0") continue;
      first.setAttribute("role", "img");
      first.setAttribute("aria-label", this.describe(first));
      first.tabIndex = key.endsWith(" 1") ? 0 : -1;
    }
    for (const [event, light] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
      drawn.addEventListener(event, ({ target }) => {
        if (this.held) return;
        const thing = light ? target.closest("g.unit, g.remote, g.token, path.edge") : null;
        if (thing) this.point(thing);
        else this.light([], []);
      });
    }
    drawn.addEventListener("keydown", (event) => this.key(event));
    drawn.addEventListener("click", ({ target }) => this.hold(target.closest("g.unit, g.token, g.remote")));
  }

  unit(side, number) {
    return this.units.get(`${side} ${number}`)?.[0];
  }

  title(unit) {
    return unit.querySelector("title").textContent;
  }

  describe(unit) {
    const { side, partner, notes } = unit.dataset;
    const found = partner >= 0 ? this.unit(other(side), partner) : null;
    const parts = [`${side}, ${this.title(unit)}`, found ? `partner: ${this.title(found)}` : "no partner"];
    for (const number of numbers(notes)) parts.push(`finding ${number}: ${this.around.findings[number - 1].text}`);
    return parts.join("; ");
  }

  /** Light what belongs to a unit, a word, an edge or the box of a remote edge. */
  point(thing) {
    const { side } = thing.dataset;
    if (thing.matches(".token")) {
      const { word, partner, notes } = thing.dataset;
      this.light([{ side, word: Number(word) }, ...(partner ? [{ side: other(side), word: Number(partner) }] : [])], [],
        numbers(notes));
      return;
    }
    const unit = this.unit(side, thing.dataset.child ?? thing.dataset.unit);
    if (!unit || unit.dataset.unit === "0") return;
    const partner = unit.dataset.partner >= 0 ? this.unit(other(side), unit.dataset.partner) : null;
    const units = partner ? [unit, partner] : [unit];
    const words = units.flatMap((each) =>
      numbers(each.dataset.words).map((word) => ({ side: each.dataset.side, word })));
    this.light(words, units, numbers(unit.dataset.notes));
    byId("unit").textContent = this.describe(unit);
  }

  /** Light a finding: its words, and the units that it is about. */
  pointAtFinding(number) {
    const { source, output } = this.around.findings[number - 1];
    const words = [...source.map((word) => ({ side: "source", word })), ...output.map((word) => ({ side: "output", word }))];
    const units = [...this.units.values()].map(([first]) => first)
      .filter((unit) => numbers(unit.dataset.notes).includes(number));
    this.light(words, units, [number]);
  }

  light(words, units, findings = []) {
    byId("unit").textContent = "";
    for (const lit of [...this.svg.querySelectorAll(".lit"), ...this.around.element.querySelectorAll(".lit")])
      lit.classList.remove("lit");
    const isLit = new Set(words.map(({ side, word }) => `${side} ${word}`));
    const places = [...this.svg.querySelectorAll("g.token"), ...this.around.element.querySelectorAll(".word")];
    for (const place of places)
      if (isLit.has(`${place.dataset.side} ${place.dataset.word}`)) place.classList.add("lit");
    for (const unit of units) {
      const { side, unit: number } = unit.dataset;
      for (const part of this.units.get(`${side} ${number}`)) part.classList.add("lit");
      for (const edge of this.svg.querySelectorAll(`path.edge[data-side="${side}"][data-unit="${number}"]`))
        edge.classList.add("lit");
    }
    for (const line of this.svg.querySelectorAll("path.align"))
      if (isLit.has(`source ${line.dataset.source}`) && isLit.has(`output ${line.dataset.output}`))
        line.classList.add("lit");
    for (const number of findings) this.around.element.querySelector(`[data-finding="${number}"]`)?.classList.add("lit");
  }

  /** Hold what is lit, or let it go. */
  hold(thing) {
    const isSame = this.held === thing;
    this.held?.classList.remove("held");
    this.held = null;
    if (!thing || isSame) {
      this.light([], []);
      return;
    }
    this.point(thing);
    this.held = thing;
    thing.classList.add("held");
  }

  key(event) {
    const unit = event.target.closest("g.unit");
    if (!unit) return;
    const { side, parent, unit: number } = unit.dataset;
    const siblings = (of) => [...this.units.values()].map(([first]) => first)
      .filter((each) => each.dataset.side === side && each.dataset.parent === of);
    const among = siblings(parent);
    const place = among.indexOf(unit);
    const next = {
      ArrowLeft: () => among[place - 1],
      ArrowRight: () => among[place + 1],
      ArrowUp: () => (side === "source" ? this.unit(side, parent) : siblings(number)[0]),
      ArrowDown: () => (side === "source" ? siblings(number)[0] : this.unit(side, parent)),
      Enter: () => void this.hold(unit),
      " ": () => void this.hold(unit),
      Escape: () => void this.hold(null),
    }[event.key];
    if (!next) return;
    event.preventDefault();
    const goal = next();
    if (!goal || goal.dataset.unit === "0") return;
    this.hold(null);
    unit.tabIndex = -1;
    goal.tabIndex = 0;
    goal.focus();
  }
}
