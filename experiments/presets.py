"""Readings of USim compared: where the default comes from.

    python -m experiments.presets --annotations DIR [--sentences DIR] [--format text|json]

The paper leaves open how ties between units are broken, what is counted and how words are aligned. This study computes
the USim rows of the paper's Table 1 under one change of the default at a time and under some others, the mean distance
of each reading to the paper's six figures, and the worked example of §4.5. ``--sentences`` names a folder of UCCA XML
files, a sentence each, of which every two make an unrelated pair: their mean should be low.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from experiments import table1
from experiments.common.command import Command, Option
from experiments.papers.usim_example import EMBEDDED, TUPA, Example
from usim.errors import InputError
from usim.judge.trained import SHIPPED, load_encoder
from usim.measures import (
    DEFAULT,
    LEAVES,
    PAPER,
    PAPER_PLAIN,
    REFERENCE,
    Alignment,
    Preset,
    align_graphs,
    graph_arrays,
    usim_score,
)
from usim.measures.soft import Floats, unit_vectors
from usim.report.tables import markdown_table
from usim.ucca import Graph, read_xml

Aligner = Callable[[Graph, Graph], Alignment | None]


def by_preset(source: Graph, output: Graph) -> None:
    """Leave the alignment of the words to the preset."""


def keep_links(source: Graph, output: Graph, keep: Callable[[str, str], bool]) -> Alignment:
    """Align by the default, with those links alone whose words may be kept."""
    a, b = graph_arrays(source).words, graph_arrays(output).words
    links = [(i, j) for i, j in align_graphs(source, output).pairs if keep(a[i], b[j])]
    return Alignment.from_pairs(links, len(a), len(b))


def _are_alike(a: str, b: str) -> bool:
    """Return whether no more than half of two words differs."""
    return Levenshtein.normalized_distance(a, b) <= 0.5


def by_vectors(source: Graph, output: Graph, least: float = -1.0) -> Alignment:
    """Align by the cosines of the judge's vectors in place of edit distance: the best sum, and in doubt in order.

    Links with a cosine below ``least`` are left out.
    """
    return aligned_by_vectors(_vectors(source), _vectors(output), least)


def aligned_by_vectors(source: Floats, output: Floats, least: float = -1.0) -> Alignment:
    """Align words by the cosines of their vectors, float32 (words, width); see :func:`by_vectors`."""
    cosines = unit_vectors(source) @ unit_vectors(output).T
    n, m = cosines.shape
    places = np.abs(np.arange(n)[:, None] - np.arange(m)) / max(n, m, 1)
    rows, columns = linear_sum_assignment(1 - cosines + _IN_ORDER * places)
    links = [(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if cosines[i, j] >= least]
    return Alignment.from_pairs(links, n, m)


@lru_cache(maxsize=256)
def _vectors(graph: Graph) -> Floats:
    """Return the vectors of the tokens of a graph in the last layer of the default judge's encoder."""
    encoder = load_encoder(SHIPPED / "en" / "judge")
    (vectors,) = encoder([graph.tokens])
    return vectors[:, -encoder.lower :]


#: What a whole text of difference in place costs beside the cosine.
_IN_ORDER = 1e-3
#: Name, preset, alignment of the words.
READINGS: list[tuple[str, Preset, Aligner]] = [
    ("default", DEFAULT, by_preset),
    ("units need not be equal anywhere (node:f)", replace(DEFAULT, node="f"), by_preset),
    ("units are equal everywhere (node:exact)", replace(DEFAULT, node="exact"), by_preset),
    ("ties: the first", replace(DEFAULT, ties="first"), by_preset),
    ("each unit counts (units:units)", replace(DEFAULT, units="units"), by_preset),
    ("units of several words (units:phrases)", replace(DEFAULT, units="phrases"), by_preset),
    ("remote edges too (edges:all)", replace(DEFAULT, edges="all"), by_preset),
    ("without labels (labels:none)", replace(DEFAULT, labels="none"), by_preset),
    ("strict labels", replace(DEFAULT, labels="strict"), by_preset),
    ("with punctuation", replace(DEFAULT, punctuation=True), by_preset),
    ("words: as published, whole passage", replace(DEFAULT, leaf="lev+pos"), by_preset),
    ("words: by edit distance alone", replace(DEFAULT, leaf="lev"), by_preset),
    ("words: like ones only", DEFAULT, partial(keep_links, keep=_are_alike)),
    ("words: equal ones only", DEFAULT, partial(keep_links, keep=str.__eq__)),
    ("words: by vectors", DEFAULT, by_vectors),
    ("words: by vectors, a cosine of .5 or more", DEFAULT, partial(by_vectors, least=0.5)),
    ("node:f, ties: the first", replace(DEFAULT, node="f", ties="first"), by_preset),
    ("node:f, units:units, edges:all", replace(DEFAULT, node="f", units="units", edges="all"), by_preset),
    ("node:f, words: as published", replace(DEFAULT, node="f", leaf="lev+pos"), by_preset),
    ("paper", PAPER, by_preset),
    ("paper, equivalent labels", replace(PAPER, labels="equivalent"), by_preset),
    ("paper-plain", PAPER_PLAIN, by_preset),
    ("paper, ties: the first", replace(PAPER, ties="first"), by_preset),
    ("reference", REFERENCE, by_preset),
    ("reference, words: as published", replace(REFERENCE, leaf="lev+pos"), by_preset),
]


#: The worked example of §4.5, by the parser of its graphs.
EXAMPLES = {"tupa": TUPA, "en": EMBEDDED}


def combinations() -> Iterator[Preset]:
    """Yield all presets without punctuation, but for the tie-break of the formula as printed: 1,620."""
    for node, units, edges, labels, count, leaf, ties in product(
        ("touched", "f", "exact", "f-float", "cover"),
        ("yields", "phrases", "units"),
        ("primary", "all", "incoming"),
        ("equivalent", "strict", "none"),
        ("image", "own"),
        LEAVES,
        ("label", "first"),
    ):
        settings = {"node": node, "units": units, "edges": edges, "labels": labels, "count": count, "leaf": leaf}
        yield replace(DEFAULT, name="combination", ties=ties, **settings)


def example_scores(example: Example, preset: Preset) -> tuple[float, float]:
    """Compute USim of the source of the worked example with its reference and with the corrector's output."""
    reference, corrector = (usim_score(example.source, o, preset).f for o in (example.reference, example.corrector))
    return reference, corrector


def unrelated_pairs(folder: Path) -> list[tuple[Graph, Graph]]:
    """Read the sentences of a folder two by two, in the order of the file names; at most 200 pairs."""
    graphs = [read_xml(path) for path in sorted(folder.rglob("*.xml"))[:400]]
    return list(zip(graphs[::2], graphs[1::2], strict=False))


class Readings(list[dict[str, Any]]):
    """For each reading the USim rows of Table 1, the mean distance to the paper's, unrelated pairs, and the example."""

    def render(self, form: str) -> str:
        """Return the readings as a table in Markdown (``text``) or as ``json``."""
        if form == "json":
            return json.dumps(self, indent=2)
        kinds = ("same", "different", "agreement")
        header = ["reading", *(column for kind in kinds for column in (f"{kind} s→r", "r→s")), "distance", "unrelated"]
        header += ["TUPA: reference", "corrector", "en: reference", "corrector"]
        lines = [header, ["*paper*", ".92", ".91", ".85", ".83", ".85", ".81", "", "", ".71", ".33", "", ""]]
        for row in self:
            figures = [f"{x:.3f}" for kind in kinds for x in row[kind]]
            figures += [f"{row['distance']:.4f}", f"{row['unrelated']:.2f}" if "unrelated" in row else ""]
            figures += [f"{x:.3f}" for example in EXAMPLES for x in row[example]]
            lines.append([row["reading"], *(figure.removeprefix("0") for figure in figures)])
        return markdown_table(lines, range(1, len(header)))


def run(annotations: Path, sentences: Path | None = None) -> Readings:
    """Compute Table 1 under each reading; ``sentences`` is a folder of UCCA XML files for unrelated pairs.

    Raises:
        InputError: there is no annotation, or a kind of pairs is missing.
    """
    compared = table1.pairs(table1.read_annotation(annotations))
    if not all(compared.values()):
        raise InputError("not all kinds of pairs are there", path=annotations)
    unrelated = unrelated_pairs(sentences) if sentences else []
    rows = Readings()
    for reading, preset, aligner in READINGS:
        row: dict[str, Any] = {"reading": reading, "signature": preset.signature}
        distances = []
        for kind, pairs in compared.items():
            scores = [usim_score(a, b, preset, aligner(a, b)) for a, b in pairs]
            row[kind] = [statistics.mean(s.s2r.f for s in scores), statistics.mean(s.r2s.f for s in scores)]
            distances += [abs(x - y) for x, y in zip(row[kind], table1.PAPER["usim"][kind][:2], strict=True)]
        row["distance"] = statistics.mean(distances)
        if unrelated:
            row["unrelated"] = statistics.mean(usim_score(a, b, preset, aligner(a, b)).f for a, b in unrelated)
        for name, example in EXAMPLES.items():
            outputs = (example.reference, example.corrector)
            row[name] = [usim_score(example.source, o, preset, aligner(example.source, o)).f for o in outputs]
        rows.append(row)
    return rows


main = Command(
    run,
    table1.ANNOTATIONS,
    Option("--sentences", type=Path, help="a folder of UCCA XML files, a sentence each"),
    shared=(),
    forms=("text", "json"),
)

if __name__ == "__main__":
    sys.exit(main())
