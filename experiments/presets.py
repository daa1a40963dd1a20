"""Readings of USim compared: where the default comes from.

    python -m experiments.presets --annotations DIR [--sentences DIR] [--format text|json]

The paper leaves open how ties between units are broken, what is counted and how words are aligned. This module
computes the USim rows of the paper's Table 1 under one change of the default at a time, and some others, and gives
for each reading its mean distance to the paper's six figures. ``--sentences`` names a folder of UCCA XML files of one
sentence each: the first is paired with the second, the third with the fourth, and so on. Such pairs have nothing to do
with each other; their mean should be low.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from experiments import table1
from usim.errors import UsimError
from usim.measures import DEFAULT, PAPER, REFERENCE, Alignment, Preset, align_graphs, graph_arrays, usim_score
from usim.ucca import Graph, read_xml

Aligner = Callable[[Graph, Graph], Alignment]


def whole_passage(source: Graph, output: Graph) -> Alignment:
    """The published cost, over the whole passage: edit distance, and how far apart the words are in it."""
    a, b = graph_arrays(source).words, graph_arrays(output).words
    if not (a and b):
        return Alignment.from_pairs([], len(a), len(b))
    longer = max(len(a), len(b))
    cost = cdist(a, b, scorer=Levenshtein.distance, dtype=np.int64) * longer
    cost += np.abs(np.subtract.outer(np.arange(len(a)), np.arange(len(b))))
    rows, columns = linear_sum_assignment(cost)
    return Alignment.from_pairs(zip(rows.tolist(), columns.tolist(), strict=True), len(a), len(b))


def like_words_only(source: Graph, output: Graph) -> Alignment:
    """The default, less the links between words of which more than half differs."""
    found = align_graphs(source, output)
    a, b = graph_arrays(source).words, graph_arrays(output).words
    like = [(i, j) for i, j in found.pairs if Levenshtein.normalized_distance(a[i], b[j]) <= 0.5]
    return Alignment.from_pairs(like, len(a), len(b))


def equal_words_only(source: Graph, output: Graph) -> Alignment:
    """The default, less the links between words that are not equal."""
    found = align_graphs(source, output)
    a, b = graph_arrays(source).words, graph_arrays(output).words
    return Alignment.from_pairs([(i, j) for i, j in found.pairs if a[i] == b[j]], len(a), len(b))


#: Name, preset, alignment of the words.
READINGS: list[tuple[str, Preset, Aligner]] = [
    ("default", DEFAULT, align_graphs),
    ("units need not be equal anywhere (node:f)", replace(DEFAULT, node="f"), align_graphs),
    ("units are equal everywhere (node:exact)", replace(DEFAULT, node="exact"), align_graphs),
    ("ties: the first", replace(DEFAULT, ties="first"), align_graphs),
    ("each unit counts (units:units)", replace(DEFAULT, units="units"), align_graphs),
    ("units of several words (units:phrases)", replace(DEFAULT, units="phrases"), align_graphs),
    ("remote edges too (edges:all)", replace(DEFAULT, edges="all"), align_graphs),
    ("strict labels", replace(DEFAULT, labels="strict"), align_graphs),
    ("with punctuation", replace(DEFAULT, punctuation=True), align_graphs),
    ("words: as published, whole passage", DEFAULT, whole_passage),
    ("words: like ones only", DEFAULT, like_words_only),
    ("words: equal ones only", DEFAULT, equal_words_only),
    ("node:f, ties: the first", replace(DEFAULT, node="f", ties="first"), align_graphs),
    ("node:f, units:units, edges:all", replace(DEFAULT, node="f", units="units", edges="all"), align_graphs),
    ("node:f, words: as published", replace(DEFAULT, node="f"), whole_passage),
    ("paper", PAPER, align_graphs),
    ("paper, equivalent labels", replace(PAPER, labels="equivalent"), align_graphs),
    ("paper, ties: the first", replace(PAPER, ties="first"), align_graphs),
    ("reference", REFERENCE, align_graphs),
    ("reference, words: as published", REFERENCE, whole_passage),
]


def unrelated_pairs(folder: Path) -> list[tuple[Graph, Graph]]:
    """The sentences of a folder, two by two, in the order of the file names; at most 200 pairs."""
    graphs = [read_xml(path) for path in sorted(folder.rglob("*.xml"))[:400]]
    return list(zip(graphs[::2], graphs[1::2], strict=False))


def readings(compared: table1.Pairs, unrelated: list[tuple[Graph, Graph]]) -> list[dict[str, Any]]:
    """For each reading the USim rows of Table 1, the mean distance to the paper's, and the mean of unrelated pairs."""
    found = []
    for name, preset, aligner in READINGS:
        row: dict[str, Any] = {"reading": name, "signature": preset.signature}
        off = []
        for kind, pairs in compared.items():
            scores = [usim_score(a, b, preset, aligner(a, b)) for a, b in pairs]
            row[kind] = [statistics.mean(s.s2r.f for s in scores), statistics.mean(s.r2s.f for s in scores)]
            off += [abs(x - y) for x, y in zip(row[kind], table1.PAPER["usim"][kind][:2], strict=True)]
        row["distance"] = statistics.mean(off)
        if unrelated:
            row["unrelated"] = statistics.mean(usim_score(a, b, preset, aligner(a, b)).f for a, b in unrelated)
        found.append(row)
    return found


def as_text(found: list[dict[str, Any]]) -> str:
    """The readings as a table in Markdown."""
    lines = [
        "| reading | same s→r | r→s | different s→r | r→s | agreement s→r | r→s | distance | unrelated |",
        "| --- " + "| ---: " * 8 + "|",
        "| *paper* | .92 | .91 | .85 | .83 | .85 | .81 | | |",
    ]
    for row in found:
        cells = [x for kind in ("same", "different", "agreement") for x in row[kind]] + [row["distance"]]
        shown = [f"{x:.3f}".removeprefix("0") for x in cells]
        shown[-1] = f"{row['distance']:.4f}".removeprefix("0")
        shown.append(f"{row['unrelated']:.2f}".removeprefix("0") if "unrelated" in row else "")
        lines.append(f"| {row['reading']} | {' | '.join(shown)} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for input that cannot be read."""
    parser = argparse.ArgumentParser(prog="experiments.presets", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--annotations", type=Path, required=True, help="as for experiments.table1")
    parser.add_argument("--sentences", type=Path, help="a folder of UCCA XML files, a sentence each")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args(arguments)
    try:
        compared = table1.pairs(table1.read_annotation(options.annotations))
        if not all(compared.values()):
            print(f"{options.annotations}: not all kinds of pairs are there", file=sys.stderr)
            return 2
        found = readings(compared, unrelated_pairs(options.sentences) if options.sentences else [])
    except UsimError as e:
        print(e, file=sys.stderr)
        return 2
    print(json.dumps(found, indent=2) if options.format == "json" else as_text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
