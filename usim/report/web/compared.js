// Two texts side by side: from finding to finding by j and k or by the buttons, with the words of each lit.

(() => {
  const main = document.querySelector("main");
  if (main.dataset.walks) return; // the page of the service loads this once for each answer
  main.dataset.walks = "true";
  // A finding is a block, as in the list above, and has one line or more; its first stands for it.
  const findings = () => [...main.querySelectorAll(".comparison .finding:first-child")].filter((each) => each.offsetParent);
  const at = (line) => findings().indexOf(line.parentElement.firstElementChild);
  let current = null;

  function light(finding) {
    for (const each of main.querySelectorAll(".comparison .lit")) each.classList.remove("lit");
    current = finding;
    if (!finding) return;
    finding.classList.add("lit");
    const number = finding.dataset.finding;
    for (const mark of finding.closest(".block").querySelectorAll("mark"))
      if (mark.dataset.notes.split(" ").includes(number)) mark.classList.add("lit");
    const place = main.querySelector(".comparison .place");
    place.textContent = `${at(finding) + 1} of ${findings().length}`;
  }

  function go(step) {
    const all = findings();
    if (!all.length) return;
    const place = current?.isConnected ? at(current) + step : step > 0 ? 0 : all.length - 1;
    const next = all[(place + all.length) % all.length];
    next.focus({ preventScroll: true });
    next.closest(".block").scrollIntoView({ block: "center" });
  }

  main.addEventListener("focusin", (event) => {
    const finding = event.target.closest?.(".comparison .finding");
    if (finding) light(finding);
  });
  main.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-step]");
    if (button) go(Number(button.dataset.step));
    const mark = event.target.closest(".comparison mark");
    if (mark) main.querySelector(`.comparison [data-finding="${mark.dataset.notes.split(" ")[0]}"]`)?.focus();
  });
  document.addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("textarea, select, input:not([type=checkbox])")) return;
    if (!findings().length) return;
    event.preventDefault();
    go(step);
  });
})();
