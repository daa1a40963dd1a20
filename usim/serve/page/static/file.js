// A file of results: its report, to be saved.

import { convert } from "./api.js";
import { busily, byId, element } from "./dom.js";
import { writeState } from "./state.js";

const form = byId("file-form");
let address = null;

export const writeOwnState = () => writeState({ tab: "file" });

export const restore = () => {};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  busily(form, async () => {
    const [file] = byId("file-field").files;
    if (!file) return;
    byId("file-status").textContent = "";
    const report = await convert("v1/report", file);
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(report);
    const name = `${file.name.replace(/\.[^.]*$/, "")}-report.html`;
    byId("file-status").replaceChildren(
      "The report is one file that needs nothing else: ",
      element("a", { href: address, download: name, textContent: `save ${name}` }));
  });
});
