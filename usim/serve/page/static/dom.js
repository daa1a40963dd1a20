// Small helpers for elements.

export const byId = (id) => document.getElementById(id);

/** Make an element with properties, attributes (in `attributes`) and children. */
export function element(name, { attributes = {}, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Say plainly what went wrong; nothing takes the message away. */
export function showProblem(message) {
  const place = byId("problem");
  place.textContent = message ?? "";
  place.hidden = !message;
}

/** The verdict as a word with its colour. */
export const verdictMark = (verdict) => element("strong", { className: `verdict ${verdict}`, textContent: verdict });

export const percent = (share) => share.toFixed(3);

/** Fill a list of examples; choosing one calls `choose` with it. */
export function offerExamples(select, examples, choose) {
  examples.forEach((example, place) =>
    select.append(element("option", { value: String(place), textContent: example.name })));
  select.addEventListener("change", () => {
    if (select.value !== "") choose(examples[Number(select.value)]);
  });
}

/** Run the work of a form: one at a time, with what goes wrong shown. */
export async function busily(form, work) {
  if (form.getAttribute("aria-busy") === "true") return;
  showProblem(null);
  form.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    showProblem(error.message);
  } finally {
    form.removeAttribute("aria-busy");
  }
}
