// Files that people choose or drop: plain text, Markdown, and Word, which is unpacked here.

import { showProblem } from "./dom.js";

/** Return the part of a ZIP archive with this name, as text. */
async function unzipped(buffer, name) {
  const view = new DataView(buffer);
  const decoder = new TextDecoder();
  let end = buffer.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("This is no Word document.");
  let place = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const [packed, size] = [view.getUint16(place + 10, true), view.getUint32(place + 20, true)];
    const [named, extra, comment] = [28, 30, 32].map((at) => view.getUint16(place + at, true));
    if (decoder.decode(new Uint8Array(buffer, place + 46, named)) === name) {
      const local = view.getUint32(place + 42, true);
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const data = new Blob([new Uint8Array(buffer, start, size)]);
      return new Response(packed ? data.stream().pipeThrough(new DecompressionStream("deflate-raw")) : data).text();
    }
    place += 46 + named + extra + comment;
  }
  throw new Error("This is no Word document.");
}

/** Return the paragraphs of a Word document, a line each. */
async function words(buffer) {
  const xml = new DOMParser().parseFromString(await unzipped(buffer, "word/document.xml"), "application/xml");
  const signs = { t: null, tab: "\t", br: "\n" };
  return [...xml.getElementsByTagNameNS("*", "p")].map((paragraph) => [...paragraph.getElementsByTagNameNS("*", "*")]
    .filter((each) => each.localName in signs && each.parentElement.localName === "r")
    .map((each) => signs[each.localName] ?? each.textContent).join("")).join("\n");
}

/** Return the text of a file in UTF-8, as it is. */
export async function decoded(file) {
  const buffer = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(buffer);
  } catch {
    throw new Error(`${file.name} is not UTF-8: convert the file to UTF-8, and choose it again.`);
  }
}

/** Return the text of a file. */
async function textOf(file) {
  if (/\.docx$/i.test(file.name)) return words(await file.arrayBuffer());
  if (!/\.(txt|md|markdown)$/i.test(file.name) && !file.type.startsWith("text/")) {
    throw new Error(`${file.name} cannot be read: .txt, .md or .docx can.`);
  }
  return (await decoded(file)).replace(/\r\n?/g, "\n");
}

/** Let people choose a file, or drop one on a place, and give its text to `take`. */
export function offerFiles(chooser, place, take) {
  const read = async (file) => {
    try {
      showProblem(null);
      const text = await textOf(file);
      if (!text.trim()) throw new Error(`${file.name} has no text.`);
      take(text);
    } catch (error) {
      showProblem(error.message);
    }
  };
  chooser.addEventListener("change", async () => {
    if (chooser.files.length) await read(chooser.files[0]);
    chooser.value = ""; // so that the same file can be chosen again
  });
  place.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
  place.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
}
