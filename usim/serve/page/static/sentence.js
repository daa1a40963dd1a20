// A sentence with the words of findings marked.

import { element } from "./dom.js";

/** Return where tokens stand in their text; where one is not found as it is, blanks part the tokens. */
export function spacesBefore(text, tokens) {
  const spaces = [];
  let end = 0;
  for (const token of tokens) {
    const start = text.indexOf(token, end);
    if (start < 0 || text.slice(end, start).trim() !== "") return tokens.map((_, place) => (place ? " " : ""));
    spaces.push(text.slice(end, start) && " ");
    end = start + token.length;
  }
  spaces[0] = "";
  return spaces;
}

/** Return a sentence as a paragraph. Each token is a `span`; one in findings is a `mark` with their numbers. */
export function sentence(side, name, text, tokens, findings) {
  const spaces = spacesBefore(text, tokens);
  const words = tokens.flatMap((token, place) => {
    const numbers = findings.flatMap((finding, number) => (finding[side].includes(place) ? [number + 1] : []));
    const word = element(numbers.length ? "mark" : "span", { className: "word", textContent: token });
    Object.assign(word.dataset, { side, word: place, notes: numbers.join(" ") });
    if (numbers.length) {
      word.title = numbers.map((number) => findings[number - 1].text).join("; ");
      word.append(element("sup", { textContent: numbers.join(",") }));
    }
    return [spaces[place], word];
  });
  return element("p", { className: "sentence" }, element("span", { className: "side", textContent: name }), ...words);
}
