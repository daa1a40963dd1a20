"""Notes on words of a pair of sentences, such as the reasons of a verdict, and the units that they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from usim.ucca import Graph

#: Parts of phrases: a note on one is also about the phrase.
_PARTS = frozenset("CEFNQR")


@dataclass(frozen=True)
class Note:
    """Something to be said about words.

    Attributes:
        text: what is said.
        source: the terminals of the source that it is about.
        output: the terminals of the output that it is about.
    """

    text: str
    source: tuple[int, ...] = ()
    output: tuple[int, ...] = ()

    def positions(self, side: int) -> tuple[int, ...]:
        """Return the terminals of one side: 0 for the source, 1 for the output."""
        return self.output if side else self.source


@dataclass(frozen=True)
class Caption:
    """What stands above a drawing.

    Attributes:
        verdict: a verdict, such as ``keep``.
        figures: the figures that belong to it.
    """

    verdict: str
    figures: str


def numbers_of_words(notes: Sequence[Note], side: int) -> dict[int, list[int]]:
    """Return for each terminal of one side the numbers, from 1, of the notes on it."""
    numbers: dict[int, list[int]] = {}
    for number, note in enumerate(notes, 1):
        for position in note.positions(side):
            numbers.setdefault(position, []).append(number)
    return numbers


def numbers_of_units(graph: Graph, notes: Sequence[Note], side: int) -> dict[int, list[int]]:
    """Return for each unit of one side the numbers, from 1, of the notes that it is in.

    A note is about the smallest unit that has all of its words, about what that unit has of them, and about the phrase
    that it is a part of.
    """
    numbers: dict[int, list[int]] = {}
    for number, note in enumerate(notes, 1):
        for unit in _units(graph, note.positions(side)):
            numbers.setdefault(unit, []).append(number)
    return numbers


def _units(graph: Graph, positions: Iterable[int]) -> list[int]:
    words = 0
    for position in positions:
        words |= 1 << position
    if not words:
        return []
    smallest = max(u for u, held in enumerate(graph.yields) if words & ~held == 0)
    units = [
        u
        for u, held in enumerate(graph.yields)
        if u >= smallest and held & words and held & ~graph.yields[smallest] == 0
    ]
    while smallest > 0 and _PARTS.issuperset(graph.category(smallest)):
        smallest = graph.parents[smallest]
        units.append(smallest)
    return sorted(unit for unit in units if unit)
