// Examples to choose; the first of each list is there when its part of the page is opened.

const none = { pairs: [], rewrites: [], texts: [], sentences: [] };

export const { pairs, rewrites, texts, sentences } = await fetch("page/examples.json")
  .then((answer) => (answer.ok ? answer.json() : none), () => none);
