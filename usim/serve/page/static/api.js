// Questions to the service, or to stored answers where the page is a demo without one.

import { byId } from "./dom.js";

const demo = document.querySelector('meta[name="usim-demo"]')?.content;
let key = "";
let stored;

export const isDemo = Boolean(demo);

byId("key").addEventListener("submit", (event) => {
  event.preventDefault();
  key = byId("key-field").value.trim();
  byId("key").hidden = true;
  document.dispatchEvent(new CustomEvent("key"));
});

async function fromStore(path, body, signal) {
  stored ??= fetch(demo).then((answer) => answer.json());
  const { answers } = await stored;
  signal?.throwIfAborted();
  const found = answers[path]?.find(({ request }) => Object.entries(request).every(([name, value]) =>
    JSON.stringify(body[name]) === JSON.stringify(value)));
  if (!found) throw new Error("This is a demo with stored answers: choose an example, or run usim serve on your machine.");
  return found.answer;
}

async function send(path, options) {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: { ...options.headers, ...(key && { "X-API-Key": key }) } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The service does not answer. Is it still running?");
  }
  if (!answer.ok) {
    if (answer.status === 401) {
      byId("key").hidden = false;
      byId("key-field").focus();
      throw new Error(key ? "The service does not know this key." : "The service needs a key: type it above.");
    }
    const problem = await answer.json().catch(() => null);
    const detail = problem?.detail ?? `The service answered ${answer.status}.`;
    throw Object.assign(new Error(detail[0].toUpperCase() + detail.slice(1)), { status: answer.status });
  }
  return answer;
}

/** Return whether the service has a checker. */
export async function hasChecker() {
  return isDemo || (await fetch("v2/healthcheck")).ok;
}

/** Post JSON, and return the JSON that comes back, until `signal` says that nobody waits any more. */
export async function ask(path, body, signal) {
  if (demo) return fromStore(path, body, signal);
  const answer = await send(path, {
    method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal,
  });
  return answer.json();
}

/** Check a text in a variety of English by LanguageTool's protocol. */
export async function check(text, english, signal) {
  if (demo) return fromStore("v2/check", { text }, signal);
  const body = new URLSearchParams({ text, language: "auto", preferredVariants: english });
  return (await send("v2/check", { method: "POST", body, signal })).json();
}

/** Post JSON lines, and return the file that comes back. */
export async function convert(path, file, signal) {
  if (demo) throw new Error("This is a demo without a service: usim report makes reports on your machine.");
  return (await send(path, { method: "POST", body: file, headers: { "Content-Type": "application/x-ndjson" }, signal })).blob();
}
