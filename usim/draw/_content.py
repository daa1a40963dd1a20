"""What is to be drawn: one graph or a pair, with all that is known of them, and notes on their words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from usim.ucca import CATEGORIES, Edge, Graph
from usim.ucca.yields import bit_set

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


@dataclass(frozen=True)
class Caption:
    """What stands above a drawing.

    Attributes:
        verdict: a verdict, such as ``keep``.
        figures: the figures that belong to it.
    """

    verdict: str
    figures: str


@dataclass(frozen=True)
class Content:
    """One graph, or the source and the output of a change; the fields are as for :func:`usim.draw.draw_pair`."""

    graphs: tuple[Graph, ...]
    aligned: Sequence[tuple[int, int]] = ()
    unmatched: tuple[Collection[Edge], ...] = ((),)
    partners: tuple[Sequence[int], ...] = ((), ())
    notes: Sequence[Note] = ()
    soft: Sequence[tuple[int, int]] = ()
    caption: Caption | None = None

    @cached_property
    def word_notes(self) -> list[dict[int, list[int]]]:
        """For each graph the numbers of the notes on its terminals, from 1."""
        return [_numbered(self._noted(side)) for side in range(len(self.graphs))]

    @cached_property
    def unit_notes(self) -> list[dict[int, list[int]]]:
        """For each graph the numbers of the notes on its units.

        A note is about the smallest unit that has all of its words, about what that unit has of them, and about the
        phrase that it is a part of.
        """
        return [
            _numbered(_units(graph, positions) for positions in self._noted(side))
            for side, graph in enumerate(self.graphs)
        ]

    def _noted(self, side: int) -> list[tuple[int, ...]]:
        return [note.output if side else note.source for note in self.notes]

    @cached_property
    def word_partners(self) -> list[dict[int, int]]:
        """For each graph the partners of its terminals."""
        return [dict(self.aligned), {j: i for i, j in self.aligned}]

    def is_changed(self, i: int, j: int) -> bool:
        """Return whether two aligned terminals differ, apart from case."""
        source, output = self.graphs
        return source.tokens[i].lower() != output.tokens[j].lower()

    def has_no_counterpart(self, side: int, position: int) -> bool:
        """Return whether a terminal of a pair is not aligned."""
        return len(self.graphs) > 1 and position not in self.word_partners[side]

    @cached_property
    def categories(self) -> list[str]:
        """The categories of all edges, in the order of the guidelines; unknown ones at the end."""
        used = {category for graph in self.graphs for edge in graph.edges for category in edge.categories}
        return [*(c for c in CATEGORIES if c in used), *sorted(used - CATEGORIES.keys())]


def _numbered(of_notes: Iterable[Sequence[int]]) -> dict[int, list[int]]:
    """Return the numbers of the notes, from 1, by what they are about."""
    numbers: dict[int, list[int]] = {}
    for number, items in enumerate(of_notes, 1):
        for item in items:
            numbers.setdefault(item, []).append(number)
    return numbers


def _units(graph: Graph, positions: Iterable[int]) -> list[int]:
    words = bit_set(positions)
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
