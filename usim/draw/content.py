"""What is to be drawn: one graph or a pair, with all that is known of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from usim.draw.notes import Note, numbers_of_units, numbers_of_words
from usim.ucca import CATEGORIES

if TYPE_CHECKING:
    from usim.ucca import Edge, Graph


@dataclass(frozen=True)
class Content:
    """One graph, or the source and the output of a change.

    Attributes:
        graphs: one or two.
        aligned: the alignment of the terminals.
        unmatched: for each graph the edges that have no counterpart.
        partners: for each graph the partner of each of its units, -1 for none; nothing where they are not known.
        notes: what is said about words; their numbers count from 1.
        soft: terminals that are most alike though they are not aligned; drawn where they stand in one row.
    """

    graphs: tuple[Graph, ...]
    aligned: Sequence[tuple[int, int]] = ()
    unmatched: tuple[Collection[Edge], ...] = ((),)
    partners: tuple[Sequence[int], ...] = ((), ())
    notes: Sequence[Note] = ()
    soft: Sequence[tuple[int, int]] = ()

    @cached_property
    def word_notes(self) -> list[dict[int, list[int]]]:
        """For each graph the numbers of the notes on its terminals."""
        return [numbers_of_words(self.notes, side) for side in range(len(self.graphs))]

    @cached_property
    def unit_notes(self) -> list[dict[int, list[int]]]:
        """For each graph the numbers of the notes on its units."""
        return [numbers_of_units(graph, self.notes, side) for side, graph in enumerate(self.graphs)]

    @cached_property
    def lost(self) -> list[frozenset[Edge]]:
        """For each graph the edges that have no counterpart, as a set."""
        return [frozenset(edges) for edges in self.unmatched]

    @cached_property
    def word_partners(self) -> list[dict[int, int]]:
        """For each graph the partners of its terminals."""
        return [dict(self.aligned), {j: i for i, j in self.aligned}]

    def is_changed(self, i: int, j: int) -> bool:
        """Return whether two aligned terminals differ, apart from case."""
        source, output = self.graphs
        return source.terminals[i].text.lower() != output.terminals[j].text.lower()

    def has_no_counterpart(self, side: int, position: int) -> bool:
        """Return whether a terminal of a pair is not aligned."""
        return len(self.graphs) > 1 and position not in self.word_partners[side]

    @cached_property
    def categories(self) -> list[str]:
        """The categories of all edges, in the order of the guidelines; unknown ones at the end."""
        used = {category for graph in self.graphs for edge in graph.edges for category in edge.categories}
        return [*(c for c in CATEGORIES if c in used), *sorted(used - CATEGORIES.keys())]
