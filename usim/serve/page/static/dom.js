// Small helpers for elements, and the words for verdicts.

import { advance } from "./state.js";

export const byId = (id) => document.getElementById(id);

/** Make an element with properties, attributes (in `attributes`) and children. */
export function element(name, { attributes = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** What verdicts say of a change. */
export const MEANINGS = {
  keep: "keeps the meaning", review: "may change the meaning", drop: "changes the meaning",
};

/** Words with the colour, the sign and the form of a verdict. */
export const verdictMark = (verdict, text) => element("span", { className: `verdict ${verdict}`, textContent: text });

/** What findings say, in one paragraph; null if they say nothing. */
export function why(findings) {
  const said = findings.filter((finding) => finding.shown !== false).map((finding) => finding.text).join("; ");
  return said ? element("p", { className: "why quiet", textContent: said }) : null;
}

const shownStatus = () => document.querySelector('[role="tabpanel"]:not([hidden]) [id$="-status"]');

/** Say plainly what went wrong, below a status, where the answer would stand, and return the place; nothing takes the
 * message away. */
export function showProblem(message, status = shownStatus()) {
  const place = status.nextElementSibling;
  place.textContent = message ?? "";
  place.hidden = !message;
  return place;
}

// A box that is still to be filled says so itself: what went wrong before is no answer to that.
document.addEventListener("invalid", () => showProblem(null), true);

/** Say that an answer is about what stood in the boxes before, or that it is not waited for any more. */
const OUTDATED = "You have changed what is compared: the answer below is about what stood there before.";
const STOPPED = "You have changed what is compared: press Compare.";

export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Offer examples as buttons; a click calls `choose` with one, and Back leads to what stood there before. What is pasted
 * into an example takes its place. */
export function offerExamples(place, examples, choose) {
  place.append(examples.length === 1 ? "Example:" : "Examples:", ...examples.map((example) => {
    const button = element("button", { type: "button", textContent: example.name });
    button.addEventListener("click", () => {
      advance();
      choose(example);
    });
    return button;
  }));
  place.closest("form").addEventListener("paste", ({ target }) =>
    examples.some((example) => example[target.name] === target.value) && target.select());
}

/** Show a result to somebody who asked for it, who can go on by keys; not while they type again. */
export function lead(result, asker) {
  if (!result || (document.activeElement !== asker && document.activeElement !== document.body)) return;
  result.tabIndex = -1;
  result.focus({ preventScroll: true });
  result.scrollIntoView({ block: "nearest" });
}

const underWay = new WeakMap(); // by its form, what stops the work that is under way

/** Stop the work of a form. */
export function stop(form) {
  underWay.get(form)?.abort();
  form.removeAttribute("aria-busy");
}

/** Run the work of a form in the place of what is under way there, until its signal says that nobody waits any more:
 * `status` says `doing` meanwhile; what goes wrong is shown. */
export async function busily(form, status, doing, work) {
  stop(form);
  const own = new AbortController();
  underWay.set(form, own);
  showProblem(null, status);
  form.setAttribute("aria-busy", "true");
  status.textContent = doing;
  try {
    await work(own.signal);
  } catch (error) {
    if (own.signal.aborted) return;
    status.textContent = "";
    showProblem(error.message, status).scrollIntoView({ block: "nearest" });
  } finally {
    if (underWay.get(form) === own) form.removeAttribute("aria-busy");
  }
}

/** Return what compares the boxes of a form, unless that is under way; and what is done once they have changed: an answer
 * that is shown says so, and one that is awaited is not waited for any more. `own` returns what stands in the boxes, `work`
 * shows the answer about it, and `isShown` tells whether there is one. */
export function comparer(form, status, own, isShown, work) {
  let asked = null;
  const isSame = () => asked === JSON.stringify(own());
  const isBusy = () => form.hasAttribute("aria-busy");
  const notice = () => {
    if (isBusy() && !isSame()) {
      stop(form);
      status.textContent = STOPPED;
    } else if (isShown()) status.textContent = isSame() ? "" : OUTDATED;
  };
  form.addEventListener("input", notice);
  const compare = async () => {
    if (isBusy() && isSame()) return;
    asked = JSON.stringify(own());
    await busily(form, status, "Comparing …", async (signal) => {
      await work(JSON.parse(asked), signal);
      status.textContent = "";
    });
  };
  return { compare, notice };
}
