"""What is to be drawn: one graph or two, what is known of their words and units, and notes on their words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from usim.ucca import Edge, Graph

_ROOT = Edge(-1, 0, ("root",))


@dataclass(frozen=True)
class Note:
    """A text about some words: the terminals of the source, and of the output."""

    text: str
    source: tuple[int, ...] = ()
    output: tuple[int, ...] = ()


@dataclass(frozen=True)
class Caption:
    """What stands above a drawing: a verdict, and the figures that belong to it."""

    verdict: str
    figures: str


@dataclass(frozen=True)
class DrawnGraph:
    """A graph with what a drawing shows of it.

    Attributes:
        name: ``source``, ``output``, or ``graph`` for one that is alone.
        unmatched: the edges without a counterpart on the other side.
        partners: for each unit its partner on the other side, -1 for none.
        word_partners: the partners of its terminals; None for a graph that is alone.
        notes: the numbers of the notes on each terminal, from 1.
    """

    graph: Graph
    name: str = "graph"
    unmatched: Collection[Edge] = ()
    partners: Sequence[int] = ()
    word_partners: Mapping[int, int] | None = None
    notes: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def mark(self, position: int) -> str:
        """Return what stands beside a terminal: the numbers of its notes."""
        return ",".join(map(str, self.notes.get(position, ())))

    def is_alone(self, position: int) -> bool:
        """Return whether a terminal has no partner though there is another side."""
        return self.word_partners is not None and position not in self.word_partners

    def incoming(self, unit: int) -> Edge:
        """Return the primary edge into a unit; that into the root is called *root*."""
        return self.graph.primary[unit - 1] if unit else _ROOT

    def unit_notes(self, unit: int) -> list[int]:
        """Return the numbers of the notes on the terminals that a unit holds directly."""
        return sorted({number for t in self.graph.units[unit].terminals for number in self.notes.get(t, ())})


def numbered(of_notes: Iterable[Sequence[int]]) -> dict[int, list[int]]:
    """Return the numbers of notes, from 1, by the terminals that they are about."""
    numbers: dict[int, list[int]] = {}
    for number, positions in enumerate(of_notes, 1):
        for position in positions:
            numbers.setdefault(position, []).append(number)
    return numbers
