"""A graph as numpy arrays, on which the measures compute.

For each way of counting (:class:`View`) an :class:`EdgeTable` has what is counted, one row each, with its terminals and
its labels as bit masks. So comparing two graphs takes a handful of array operations and no loop over units. A graph
keeps its tables for as long as it lives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from usim.ucca import CATEGORIES, EQUIVALENTS, Edge, Graph
from usim.ucca.yields import bits

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

#: Each category has a bit of its own, LR and LA of linkages too; those that UCCA does not have share one.
_BIT = {category: 1 << i for i, category in enumerate([*CATEGORIES, "LR", "LA"])}
_FOREIGN = 1 << len(_BIT)


@dataclass(frozen=True)
class View:
    """A way of counting edges, see :class:`usim.measures.Preset`; ``graph.kept(view)`` is the table of a graph."""

    units: str
    edges: str
    punctuation: bool

    def __call__(self, graph: Graph) -> EdgeTable:
        """Compute the table of a graph."""
        yields = graph.yields if self.punctuation else [covered & ~graph.punctuation for covered in graph.yields]
        linked = _linkage_labels(graph) if self.edges == "incoming" else {}
        rows: dict[int, int] = {}
        row_of = [-1] * len(graph.units)
        units: list[int] = []
        edges: list[tuple[list[Edge], list[Edge]]] = []
        masks: tuple[list[int], list[int]] = ([], [])
        for edge in graph.edges:
            u, remote = edge.child, edge.is_remote
            unit = graph.units[u]
            is_mark = unit.is_punct or ("U" in edge.categories and not self.punctuation)
            if unit.is_implicit or is_mark or (self.edges == "primary" and remote):
                continue
            if self.units == "phrases" and yields[u].bit_count() < 2:
                continue
            row = rows.setdefault(yields[u] if self.units == "yields" else u, len(units))
            if row == len(units):
                units.append(u)
                edges.append(([], []))
                masks[0].append(linked.get(u, 0))
                masks[1].append(0)
            row_of[u] = row
            kind = remote and self.edges != "incoming"
            edges[row][kind].append(edge)
            for category in edge.categories if self.edges != "incoming" else edge.categories[:1]:
                masks[kind][row] |= _BIT.get(category, _FOREIGN)
        sizes = np.array([yields[u].bit_count() for u in units], np.float64)
        members = np.zeros((len(graph.terminals), len(units)), np.float32)
        for row, u in enumerate(units):
            members[list(bits(yields[u])), row] = 1
        empty = (sizes == 0).astype(np.float64)
        kinds = masks[: 1 + any(masks[1])]
        return EdgeTable(
            words_of(graph),
            members,
            sizes + empty,
            empty if empty.any() else None,
            tuple(np.array(kind, np.int64) for kind in kinds),
            tuple(np.array([*map(_expand, kind)], np.int64) for kind in kinds),
            tuple((tuple(p), tuple(r)) for p, r in edges),
            np.array(row_of, np.int64),
            np.array(units, np.int64),
            _ranks([yields[u] for u in units]) if self.units == "units" else None,
        )


@dataclass(frozen=True)
class EdgeTable:
    """What is counted in one graph: ``g`` rows over ``m`` terminals.

    Attributes:
        words: the tokens of the graph as they are compared.
        members: float32 (m, g): 1 where the terminal is in the row's yield.
        sizes: float64 (g,); the terminals in each yield; 1 for an empty one (over nothing but implicit units).
        empty: float64 (g,); 1 where the yield is empty; ``None`` if none is.
        labels: int64 (g,) each; the categories of the primary edges into the rows (or of all, see ``"incoming"`` of
            :class:`View`), one bit each; then of the remote ones, if they are counted and the graph has any.
        expanded: the same with all equivalent categories.
        edges: for each row its edges that count among the primary ones, and among the remote ones.
        row_of: int64 (n,); for each unit its row, -1 where it is not counted.
        units: int64 (g,); the first unit of each row.
        ranks: int64 (g,); how many rows of the same yield come before each; ``None`` where no yield has two rows.
    """

    words: tuple[str, ...]
    members: npt.NDArray[np.float32]
    sizes: FloatArray
    empty: FloatArray | None
    labels: tuple[IntArray, ...]
    expanded: tuple[IntArray, ...]
    edges: tuple[tuple[tuple[Edge, ...], tuple[Edge, ...]], ...]
    row_of: IntArray
    units: IntArray
    ranks: IntArray | None

    @property
    def count(self) -> int:
        """How many edges are counted: one for each kind of them into a row."""
        return sum(int(np.count_nonzero(masks)) for masks in self.labels)


def words_of(graph: Graph) -> tuple[str, ...]:
    """Return the tokens of a graph as they are compared: in lower case, without blanks around them."""
    return graph.kept(_words)


def _words(graph: Graph) -> tuple[str, ...]:
    return tuple(comparable(t.text) for t in graph.terminals)


def comparable(token: str) -> str:
    """Return a token as it is compared: lower-cased, without blanks around it."""
    return token.strip().lower()


def _ranks(keys: list[int]) -> IntArray | None:
    """Return for each key how often it occurs before; ``None`` where all keys differ."""
    seen: Counter[int] = Counter()
    ranks = []
    for key in keys:
        ranks.append(seen[key])
        seen[key] += 1
    return np.array(ranks, np.int64) if len(seen) < len(keys) else None


@lru_cache(4096)
def _expand(mask: int) -> int:
    for a, b in EQUIVALENTS:
        pair = _BIT[a] | _BIT[b]
        if mask & pair:
            mask |= pair
    return mask


def _linkage_labels(graph: Graph) -> dict[int, int]:
    labels: dict[int, int] = {}
    for linkage in graph.linkages:
        for kind, ends in (("LR", linkage.relations), ("LA", linkage.arguments)):
            for u in ends:
                labels[u] = labels.get(u, 0) | _BIT[kind]
    return labels
