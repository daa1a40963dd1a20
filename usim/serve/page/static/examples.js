// Examples to choose.

const none = { pairs: [], texts: [], sentences: [] };

export const { pairs, texts, sentences } = await fetch("page/examples.json")
  .then((answer) => (answer.ok ? answer.json() : none), () => none);
