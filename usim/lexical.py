"""What happened to the words: reasons why the meaning of a pair of sentences may have moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from usim.graph import bits

if TYPE_CHECKING:
    from usim.align import Alignment
    from usim.analysis import Analysis
    from usim.graph import Graph
    from usim.measures import UsimScore


@dataclass(frozen=True)
class Reason:
    """One thing that speaks against a change.

    Attributes:
        kind: what it is, one of :data:`KINDS`.
        text: in words, for people.
        source: the tokens of the source that it is about, by their places from 0.
        target: the tokens of the changed sentence that it is about.
        units: the categories of the units that it is about, with their words, e.g. ``"A: the red car"``.
        weight: how grave, in [0, 1].
    """

    kind: str
    text: str
    source: tuple[int, ...] = ()
    target: tuple[int, ...] = ()
    units: tuple[str, ...] = ()
    weight: float = 0.5

    def as_dict(self) -> dict[str, Any]:
        """The reason as JSON values."""
        return {
            "kind": self.kind,
            "text": self.text,
            "source": list(self.source),
            "target": list(self.target),
            "units": list(self.units),
            "weight": self.weight,
        }


def reasons_between(source: Analysis, target: Analysis, leaves: Alignment, score: UsimScore) -> tuple[Reason, ...]:
    """What speaks against a change, the gravest first."""
    found = []
    for edge in score.unmatched_source:
        words, places = _unit(source.graph, edge.child)
        found.append(Reason("lost", f"lost: {words}", source=places, units=(f"{edge.label}: {words}",)))
    for edge in score.unmatched_output:
        words, places = _unit(target.graph, edge.child)
        found.append(Reason("added", f"added: {words}", target=places, units=(f"{edge.label}: {words}",)))
    return tuple(found)


def _unit(graph: Graph, unit: int) -> tuple[str, tuple[int, ...]]:
    return graph.text(unit), tuple(bits(graph.yields[unit]))
