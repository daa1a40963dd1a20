"""Readings of USim compared: where the default comes from.

The paper leaves open how ties between units are broken, what is counted and how words are aligned. A reading changes
one setting of the default, or several. For each there are the USim rows of the paper's Table 1, the mean distance to
the paper's six figures, and the worked example of §4.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean

from rapidfuzz.distance import Levenshtein

from experiments.common.printed import Figure
from experiments.papers import usim_table_1 as table_1
from experiments.papers.usim_example import CORRECTOR, PRINTED, SOURCE, TUPA, Example
from experiments.papers.usim_example import REFERENCE as CORRECTION
from experiments.papers.usim_references import scorer
from usim.errors import InputError
from usim.measures import (
    DEFAULT,
    PAPER,
    PAPER_PLAIN,
    REFERENCE,
    Alignment,
    Preset,
    UsimScore,
    align_graphs,
    usim_score,
    words_of,
)
from usim.ucca import Graph

#: Aligns the words; None leaves that to the preset.
Aligner = Callable[[Graph, Graph], Alignment] | None
#: Why the figures of a reading may differ from the printed ones.
OPEN = "the paper leaves ties, what counts and the alignment of words open: --row readings"


def keep_links(source: Graph, output: Graph, keep: Callable[[str, str], bool]) -> Alignment:
    """Align by the default, with those links alone whose words may be kept."""
    a, b = words_of(source), words_of(output)
    links = [(i, j) for i, j in align_graphs(source, output).pairs if keep(a[i], b[j])]
    return Alignment.from_pairs(links, len(a), len(b))


def _are_alike(a: str, b: str) -> bool:
    """Return whether no more than half of two words differs."""
    return Levenshtein.normalized_distance(a, b) <= 0.5


#: Name, preset, alignment of the words.
READINGS: list[tuple[str, Preset, Aligner]] = [
    ("default", DEFAULT, None),
    ("units need not be equal anywhere (node:f)", replace(DEFAULT, node="f"), None),
    ("units are equal everywhere (node:exact)", replace(DEFAULT, node="exact"), None),
    ("ties: the first", replace(DEFAULT, ties="first"), None),
    ("each unit counts (units:units)", replace(DEFAULT, units="units"), None),
    ("units of several words (units:phrases)", replace(DEFAULT, units="phrases"), None),
    ("remote edges too (edges:all)", replace(DEFAULT, edges="all"), None),
    ("without labels (labels:none)", replace(DEFAULT, labels="none"), None),
    ("strict labels", replace(DEFAULT, labels="strict"), None),
    ("with punctuation", replace(DEFAULT, punctuation=True), None),
    ("words: lev+pos, whole passage", replace(DEFAULT, leaf="lev+pos"), None),
    ("words: by edit distance alone", replace(DEFAULT, leaf="lev"), None),
    ("words: like ones only", DEFAULT, partial(keep_links, keep=_are_alike)),
    ("words: equal ones only", DEFAULT, partial(keep_links, keep=str.__eq__)),
    ("node:f, ties: the first", replace(DEFAULT, node="f", ties="first"), None),
    ("node:f, units:units, edges:all", replace(DEFAULT, node="f", units="units", edges="all"), None),
    ("node:f, words: lev+pos", replace(DEFAULT, node="f", leaf="lev+pos"), None),
    ("paper", PAPER, None),
    ("paper, equivalent labels", replace(PAPER, labels="equivalent"), None),
    ("paper-plain", PAPER_PLAIN, None),
    ("paper, ties: the first", replace(PAPER, ties="first"), None),
    ("reference", REFERENCE, None),
    ("reference, words: as the default", replace(REFERENCE, leaf=DEFAULT.leaf), None),
]


def score(source: Graph, output: Graph, preset: Preset, aligner: Aligner = None) -> UsimScore:
    """Compute USim by a reading."""
    return usim_score(source, output, preset, aligner(source, output) if aligner else None)


def measure(annotations: Path) -> Iterator[Figure]:
    """Measure each reading on the annotation behind Table 1, and on the worked example parsed by TUPA and by usim."""
    compared = table_1.pairs(table_1.read_annotation(annotations))
    if not all(compared.values()):
        raise InputError("not all kinds of pairs are there", path=annotations)
    examples = {"tupa": TUPA, "en": Example(*scorer().parse([SOURCE, CORRECTION, CORRECTOR]))}
    for reading, preset, aligner in READINGS:
        row = f"readings: {reading}"
        figures, distances = [], []
        for kind, pairs in compared.items():
            scores = [score(a, b, preset, aligner) for a, b in pairs]
            means = {"s→r": mean(s.s2r.f for s in scores), "r→s": mean(s.r2s.f for s in scores)}
            for (way, value), printed in zip(means.items(), table_1.PAPER["usim"][kind], strict=False):
                figures.append(Figure(f"{kind}, {way}", value, OPEN, printed, row))
                distances.append(abs(value - printed))
        yield Figure("distance to Table 1", mean(distances), row=row)
        yield from figures
        for parsed_by, example in examples.items():
            for name, printed in PRINTED.items():
                value = score(example.source, getattr(example, name), preset, aligner).f
                yield Figure(f"{name}, {parsed_by}", value, OPEN, printed, row)
