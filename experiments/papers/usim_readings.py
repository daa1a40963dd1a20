"""Readings of USim compared: where the default comes from.

The paper leaves open how ties between units are broken, what is counted and how words are aligned. A reading changes
one setting of the default, or several. For each there are the USim rows of the paper's Table 1, the mean distance to
the paper's six figures, and the worked example of §4.5.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from experiments.papers import usim_table_1 as table_1
from experiments.papers.usim_example import CORRECTOR, SOURCE, TUPA, Example
from experiments.papers.usim_example import REFERENCE as CORRECTION
from experiments.papers.usim_scores import parser
from usim.errors import InputError
from usim.measures import (
    DEFAULT,
    PAPER,
    PAPER_PLAIN,
    REFERENCE,
    Alignment,
    Preset,
    align_graphs,
    usim_score,
    words_of,
)
from usim.ucca import Graph

Aligner = Callable[[Graph, Graph], Alignment | None]


def by_preset(source: Graph, output: Graph) -> None:
    """Leave the alignment of the words to the preset."""


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
    ("words: lev+pos, whole passage", replace(DEFAULT, leaf="lev+pos"), by_preset),
    ("words: by edit distance alone", replace(DEFAULT, leaf="lev"), by_preset),
    ("words: like ones only", DEFAULT, partial(keep_links, keep=_are_alike)),
    ("words: equal ones only", DEFAULT, partial(keep_links, keep=str.__eq__)),
    ("node:f, ties: the first", replace(DEFAULT, node="f", ties="first"), by_preset),
    ("node:f, units:units, edges:all", replace(DEFAULT, node="f", units="units", edges="all"), by_preset),
    ("node:f, words: lev+pos", replace(DEFAULT, node="f", leaf="lev+pos"), by_preset),
    ("paper", PAPER, by_preset),
    ("paper, equivalent labels", replace(PAPER, labels="equivalent"), by_preset),
    ("paper-plain", PAPER_PLAIN, by_preset),
    ("paper, ties: the first", replace(PAPER, ties="first"), by_preset),
    ("reference", REFERENCE, by_preset),
    ("reference, words: as the default", replace(REFERENCE, leaf=DEFAULT.leaf), by_preset),
]


def example_scores(example: Example, preset: Preset, aligner: Aligner = by_preset) -> tuple[float, float]:
    """Compute USim of the source of the worked example with its reference and with the corrector's output."""
    reference, corrector = (
        usim_score(example.source, output, preset, aligner(example.source, output)).f
        for output in (example.reference, example.corrector)
    )
    return reference, corrector


class Measured(NamedTuple):
    """The figures of a reading.

    Attributes:
        usim: for each kind of pairs the means from source to output and from output to source.
        distance: the mean distance to the paper's six figures.
        examples: by the parser of the worked example's graphs, USim of the reference and of the corrector.
    """

    reading: str
    usim: dict[str, tuple[float, float]]
    distance: float
    examples: dict[str, tuple[float, float]]


def measure(annotations: Path) -> Iterator[Measured]:
    """Measure each reading on the annotation behind Table 1.

    Raises:
        InputError: there is no annotation, or a kind of pairs is missing.
    """
    compared = table_1.pairs(table_1.read_annotation(annotations))
    if not all(compared.values()):
        raise InputError("not all kinds of pairs are there", path=annotations)
    by_parser = {"tupa": TUPA, "en": Example(*parser().parse([SOURCE, CORRECTION, CORRECTOR]))}
    for reading, preset, aligner in READINGS:
        usim, distances = {}, []
        for kind, pairs in compared.items():
            scores = [usim_score(a, b, preset, aligner(a, b)) for a, b in pairs]
            usim[kind] = statistics.mean(s.s2r.f for s in scores), statistics.mean(s.r2s.f for s in scores)
            distances += [abs(x - y) for x, y in zip(usim[kind], table_1.PAPER["usim"][kind][:2], strict=True)]
        examples = {name: example_scores(example, preset, aligner) for name, example in by_parser.items()}
        yield Measured(reading, usim, statistics.mean(distances), examples)
