"""USim, DAG F and DistSim: how much of the structure of one text is found in another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from usim._arrays import EdgeTable, FloatArray, IntArray, Labels, View, tables
from usim.align import Alignment, align_graphs
from usim.errors import AlignmentError
from usim.graph import Edge, Graph


@dataclass(frozen=True)
class Preset:
    """A reading of the measure. Together with the alignment of the leaves it settles every score."""

    name: str
    leaf: str = "lev+pos"
    node: str = "f"
    ties: str = "label"
    units: str = "units"
    edges: str = "primary"
    labels: str = "equivalent"
    punctuation: bool = False
    counts: str = "image"

    @cached_property
    def view(self) -> View:
        return View(self.units, self.edges, self.punctuation)

    def signature(self) -> dict[str, str]:
        """The fields of the signature, in order."""
        return {
            "leaf": self.leaf,
            "node": self.node,
            "ties": self.ties,
            "units": self.units,
            "edges": self.edges,
            "labels": self.labels,
            "punct": "in" if self.punctuation else "out",
            "count": self.counts,
        }

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in self.signature().items())


DEFAULT = Preset("default")
REFERENCE = Preset("reference", units="phrases", edges="incoming", punctuation=True, counts="own", node="f2")
PAPER = Preset("paper", node="cover", labels="strict", ties="first", edges="all")
PRESETS: Mapping[str, Preset] = MappingProxyType({p.name: p for p in (DEFAULT, REFERENCE, PAPER)})


@dataclass(frozen=True)
class Scores:
    """Recall, precision and their harmonic mean, each in [0, 1]."""

    recall: float
    precision: float
    f: float

    @classmethod
    def of(cls, recall: float, precision: float) -> Scores:
        both = recall + precision
        return cls(recall, precision, 2 * recall * precision / both if both else 0.0)

    def as_dict(self) -> dict[str, float]:
        return {"recall": self.recall, "precision": self.precision, "f": self.f}


@dataclass(frozen=True)
class _Direction:
    """One direction of the unit alignment: for each row of one table its row in the other, and what matches."""

    to: IntArray
    hits: tuple[npt.NDArray[np.bool_], ...]


@dataclass(frozen=True, eq=False)
class UsimScore:
    """The USim of a pair of graphs."""

    source: Graph
    output: Graph
    leaves: Alignment
    preset: Preset
    s2r: Scores
    r2s: Scores
    _tables: tuple[EdgeTable, EdgeTable] = field(repr=False)
    _directions: tuple[_Direction, _Direction] = field(repr=False)

    @property
    def f(self) -> float:
        """The mean of the F of both directions."""
        return (self.s2r.f + self.r2s.f) / 2

    def as_dict(self) -> dict[str, dict[str, float]]:
        return {"s2r": self.s2r.as_dict(), "r2s": self.r2s.as_dict()}

    @cached_property
    def nodes(self) -> tuple[IntArray, IntArray]:
        a, b = self._tables
        out, back = self._directions
        return _lift(a, b, out.to), _lift(b, a, back.to)

    @cached_property
    def _lists(self) -> tuple[list[tuple[Edge, Edge]], list[Edge], list[Edge]]:
        a, b = self._tables
        out, back = self._directions
        matched: list[tuple[Edge, Edge]] = []
        for kind, hits in enumerate(out.hits):
            for row in np.flatnonzero(hits):
                matched += zip(a.edges[row][kind], b.edges[out.to[row]][kind])
        lost = _unmatched(a, out)
        new = _unmatched(b, back)
        return sorted(matched), lost, new

    @property
    def matched(self) -> list[tuple[Edge, Edge]]:
        return self._lists[0]

    @property
    def unmatched_source(self) -> list[Edge]:
        return self._lists[1]

    @property
    def unmatched_output(self) -> list[Edge]:
        return self._lists[2]


def _unmatched(table: EdgeTable, direction: _Direction) -> list[Edge]:
    found: list[Edge] = []
    for row, kinds in enumerate(table.edges):
        for kind, edges in enumerate(kinds):
            if kind >= len(direction.hits) or not direction.hits[kind][row]:
                found += edges
    return sorted(found)


def _lift(a: EdgeTable, b: EdgeTable, to: IntArray) -> IntArray:
    units = np.append(b.units, -1)
    rows = np.append(to, -1)
    return units[rows[a.row_of]]


def usim_score(source: Graph, output: Graph, preset: Preset = DEFAULT, leaves: Alignment | None = None) -> UsimScore:
    """The USim of two graphs, in both directions."""
    if leaves is None:
        leaves = align_graphs(source, output)
    elif (leaves.n_source, leaves.n_output) != (len(source.terminals), len(output.terminals)):
        raise AlignmentError(
            f"an alignment of {leaves.n_source} and {leaves.n_output} tokens "
            f"for graphs of {len(source.terminals)} and {len(output.terminals)}"
        )
    a, b = tables(source, output, preset.view)
    overlap = a.membership[:, leaves.source] @ b.membership[:, leaves.output].T
    out, back = _align_rows(a, b, overlap.astype(np.float64), preset)
    s2r, r2s = _scores(a, b, out, back, preset)
    return UsimScore(source, output, leaves, preset, s2r, r2s, (a, b), (out, back))


def _align_rows(a: EdgeTable, b: EdgeTable, overlap: FloatArray, preset: Preset) -> tuple[_Direction, _Direction]:
    if not (len(a.sizes) and len(b.sizes)):
        return _nothing(a), _nothing(b)
    if preset.node == "f2":
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall = overlap / b.sizes, overlap / a.sizes[:, None]
            weight = np.where(overlap > 0, 2 * (precision * recall) / (precision + recall), 0)
        forward, backward = weight, weight
    elif preset.node == "cover":
        forward = overlap / np.maximum(b.sizes, 1)
        backward = overlap / np.maximum(a.sizes[:, None], 1)
    else:
        weight = 2 * overlap / np.maximum(a.sizes[:, None] + b.sizes, 1)
        forward, backward = weight, weight
    if preset.ties == "label":
        # Twice the best if the labels agree: the order of the weights themselves is left as it is.
        compatible = _compatible(a, b, preset)
        best, worst = forward.max(axis=1, keepdims=True), backward.max(axis=0, keepdims=True)
        forward = (forward == best) * (1 + compatible)
        backward = (backward == worst) * (1 + compatible)
    return (
        _direction(a, b, forward.argmax(axis=1), overlap, preset),
        _direction(b, a, backward.argmax(axis=0), overlap.T, preset),
    )


def _nothing(table: EdgeTable) -> _Direction:
    g = len(table.sizes)
    return _Direction(np.full(g, -1), (np.zeros(g, np.bool_), np.zeros(g, np.bool_)))


def _kinds(a: EdgeTable, b: EdgeTable) -> list[tuple[Labels, Labels]]:
    kinds = [(a.primary, b.primary)]
    if a.remote is not None and b.remote is not None:
        kinds.append((a.remote, b.remote))
    return kinds


def _compatible(a: EdgeTable, b: EdgeTable, preset: Preset) -> npt.NDArray[np.bool_]:
    shared = 0
    for x, y in _kinds(a, b):
        mine = x.expanded if preset.labels == "equivalent" else x.masks
        shared = shared | (mine[:, None] & y.masks)
    return shared != 0


def _direction(a: EdgeTable, b: EdgeTable, to: IntArray, overlap: FloatArray, preset: Preset) -> _Direction:
    found = overlap[np.arange(len(to)), to] > 0
    hits = []
    for x, y in _kinds(a, b):
        mine = x.expanded if preset.labels == "equivalent" else x.masks
        hits.append(((mine & y.masks[to]) != 0) & found)
    return _Direction(np.where(found, to, -1), tuple(hits))


def _scores(a: EdgeTable, b: EdgeTable, out: _Direction, back: _Direction, preset: Preset) -> tuple[Scores, Scores]:
    if not a.total or not b.total:
        same = Scores.of(*[float(a.total == b.total)] * 2)
        return same, same
    own_a = sum(int(np.count_nonzero(h)) for h in out.hits)
    own_b = sum(int(np.count_nonzero(h)) for h in back.hits)
    if preset.counts == "own":
        scores = Scores.of(own_a / a.total, own_b / b.total)
        return scores, scores
    return (
        Scores.of(own_a / a.total, _reached(out, b) / b.total),
        Scores.of(_reached(back, a) / a.total, own_b / b.total),
    )


def _reached(direction: _Direction, other: EdgeTable) -> int:
    count = 0
    for hits in direction.hits:
        marks = np.zeros(len(other.sizes), np.bool_)
        marks[direction.to[hits]] = True
        count += int(np.count_nonzero(marks))
    return count


__all__ = ["DEFAULT", "PAPER", "PRESETS", "REFERENCE", "Preset", "Scores", "UsimScore", "usim_score"]
