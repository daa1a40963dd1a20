"""Table 1 of the USim paper, beside what usim gets on the same annotation.

    python -m experiments.table1 --annotations DIR [--format text|json]

Choshen & Abend (2018), "Reference-less Measure of Faithfulness for Grammatical Error Correction", annotated learner
essays and their corrections with UCCA and asked two things: do annotators agree on learner language (DAG F), and does a
correction that keeps the meaning keep the structure (USim, DistSim)? This module asks the same of their annotation.

The files are named by annotator and essay: ``amittaic`` and ``tree`` are the annotators, 12xx and 13xx the essays of
learners, and 100 less is the correction of each (1297 → 1197, 1301 → 1201). A pair is of the *same* annotator or of
*different* ones; *agreement* compares the annotators on a learner's essay. ``borgr*`` are copies: they are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from usim.counts import Counts
from usim.errors import InputError, UsimError
from usim.formats import parse_xml, read_xml
from usim.graph import Graph
from usim.measures import PRESETS, dag_f, dist_sim, usim_score

ANNOTATORS = ("amittaic", "tree")
FIRST_LEARNER = 1297  # below are the corrections, from 1197
_NAME = re.compile(rf"({'|'.join(ANNOTATORS)})(1[123]\d\d)\.xml")

#: The paper's figures. USim: source to output, output to source, their mean.
PAPER: dict[str, Any] = {
    "dag_f": {"f": 0.845, "precision": 0.834, "recall": 0.857},
    "dist_sim": {"A+D": {"same": 0.97, "different": 0.96}, "Scenes": {"same": 0.96, "different": 0.93}},
    "usim": {"same": (0.92, 0.91, 0.92), "different": (0.85, 0.83, 0.84), "agreement": (0.85, 0.81, 0.83)},
}
CATEGORIES = {"A+D": ("A", "D"), "Scenes": ("H",)}

Annotation = dict[tuple[str, int], Graph]
Pairs = dict[str, list[tuple[Graph, Graph]]]


def read_annotation(path: Path) -> Annotation:
    """The graphs by annotator and number, from a folder with the xml files or an archive (``.tar.xz``) of it.

    Raises:
        InputError: the path does not exist, or there is no annotation in it.
        FormatError: a file is not UCCA XML.
    """
    found: Annotation = {}
    if path.is_dir():
        for file in sorted(path.rglob("*.xml")):
            if match := _NAME.fullmatch(file.name):
                found[match[1], int(match[2])] = read_xml(file)
    else:
        try:
            with tarfile.open(path) as archive:
                for member in archive:
                    match = _NAME.fullmatch(Path(member.name).name)
                    content = archive.extractfile(member) if match else None
                    if match and content:
                        found[match[1], int(match[2])] = parse_xml(content.read(), path=f"{path}/{member.name}")
        except (OSError, tarfile.TarError) as e:
            raise InputError(f"neither a folder nor an archive of annotation: {e}", path=path) from e
    if not found:
        raise InputError(f"no annotation in it: files like {ANNOTATORS[0]}1297.xml are looked for", path=path)
    return found


def pairs(annotation: Annotation) -> Pairs:
    """The pairs that the table compares: learner and correction of the same and of different annotators; agreement."""
    found: Pairs = {"same": [], "different": [], "agreement": []}
    for (annotator, number), graph in sorted(annotation.items()):
        for other in ANNOTATORS:
            if number >= FIRST_LEARNER and (correction := annotation.get((other, number - 100))):
                found["same" if other == annotator else "different"].append((graph, correction))
    for (annotator, number), graph in sorted(annotation.items()):
        twice = annotation.get((ANNOTATORS[1], number))
        if annotator == ANNOTATORS[0] and number >= FIRST_LEARNER and twice:
            found["agreement"].append((graph, twice))
    return found


def table1(compared: Pairs) -> dict[str, Any]:
    """All figures of the table, in the form of :data:`PAPER`; USim for each preset."""
    total = sum((dag_f(a, b, labels="equivalent") for a, b in compared["agreement"]), Counts())
    return {
        "pairs": {kind: len(found) for kind, found in compared.items()},
        "dag_f": {"f": total.f, "precision": total.precision, "recall": total.recall},
        "dist_sim": {
            row: {kind: dist_sim(compared[kind], categories).f for kind in ("same", "different")}
            for row, categories in CATEGORIES.items()
        },
        "usim": {
            name: {"signature": preset.signature} | {kind: usim_row(found, name) for kind, found in compared.items()}
            for name, preset in PRESETS.items()
        },
    }


def usim_row(compared: Iterable[tuple[Graph, Graph]], preset: str) -> tuple[float, float, float]:
    """The mean over pairs of F from source to output, from output to source, and of both."""
    scores = [usim_score(a, b, PRESETS[preset]) for a, b in compared]
    if not scores:
        return (float("nan"),) * 3
    n = len(scores)
    return sum(s.s2r.f for s in scores) / n, sum(s.r2s.f for s in scores) / n, sum(s.f for s in scores) / n


def as_text(found: dict[str, Any]) -> str:
    """The table, with the paper's figures in a column of their own."""
    lines = [f"{'Table 1':32}{'paper':>22}{'usim':>24}"]

    def line(name: str, paper: Iterable[float], usim: Iterable[float]) -> None:
        there = " ".join(f"{x:.3g}".replace("0.", ".") for x in paper)
        here = " ".join(f"{x:.4f}".replace("0.", ".") for x in usim)
        lines.append(f"{name:32}{there:>22}{here:>24}")

    line("IAA: DAG F, precision, recall", PAPER["dag_f"].values(), found["dag_f"].values())
    for row, kinds in PAPER["dist_sim"].items():
        line(f"DistSim {row}: same, different", kinds.values(), found["dist_sim"][row].values())
    for name in PRESETS:
        lines.append(f"USim ({name}): source → output, output → source, mean")
        for kind, figures in PAPER["usim"].items():
            line(f"  {kind}", figures, found["usim"][name][kind])
    lines.append("")
    lines += [f"{name}: {found['usim'][name]['signature']}" for name in PRESETS]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for input that cannot be read."""
    parser = argparse.ArgumentParser(prog="experiments.table1", description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "--annotations", type=Path, required=True, help="the folder of the xml files, or an archive (.tar.xz) of it"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args(arguments)
    try:
        found = table1(pairs(read_annotation(options.annotations)))
    except UsimError as e:
        print(e, file=sys.stderr)
        return 2
    print(json.dumps({"paper": PAPER, "usim": found}, indent=2) if options.format == "json" else as_text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
