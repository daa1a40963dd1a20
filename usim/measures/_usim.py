"""USim: how much of the structure of one text is found in another.

*USim* (Choshen & Abend 2018, "Reference-less Measure of Faithfulness for Grammatical Error Correction") compares the
UCCA graphs of a source and of an output. The words are aligned, then the units (``usim.measures._align``); an edge
matches if the unit that it enters is aligned to a unit that an edge of the same label enters.

- *recall*: the share of the edges of the **source** that have a match in the output: what was kept.
- *precision*: the share of the edges of the **output** that have a match in the source: what was there before.

Units can be aligned from either side, so there are two directions, ``s2r`` (each unit of the source is given one of the
output; *r* as in *reference*, the paper's word) and ``r2s``. Recall is about the source and precision about the output
in both. In ``s2r`` an edge of the output has a match if an edge of the source that matches it is aligned to it.

The details of USim are settled by a :class:`Preset`: :data:`DEFAULT`, :data:`PAPER` (the formula as printed; with words
aligned as printed too: :data:`PAPER_PLAIN`) or :data:`REFERENCE` (the authors' published code).
``docs/explanation/measures.md`` has the evidence for the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from usim.errors import AlignmentError
from usim.measures._align import LEAVES, Alignment, NodeAlignment, align_graphs, align_rows, check_lengths, label_pairs
from usim.measures._arrays import BoolArray, EdgeTable, IntArray, View
from usim.signature import Signature
from usim.ucca import Edge, Graph

#: The settings of a preset that have names, and the values that each can have.
_SETTINGS = {
    "leaf": LEAVES,
    "node": ("touched", "f", "exact", "f-float", "cover"),
    "ties": ("label", "size+label", "first"),
    "units": ("yields", "units", "phrases"),
    "edges": ("primary", "all", "incoming"),
    "labels": ("equivalent", "strict", "none"),
    "count": ("image", "own"),
}


@dataclass(frozen=True)
class Preset:
    """A variant of USim: all settings that a score depends on.

    Args:
        name: what it is called.
        leaf: how words are aligned, see ``usim.measures._align``: ``"anchor+lev"``, ``"lev"``, ``"lev+pos"`` or
            ``"published"``. An alignment that is given takes its place.
        node: the weight of a unit *u* as the partner of *v*; the greatest wins, and *v* has none if no word of it is
            aligned. ``|v|`` is the number of terminals in the yield of *v*, ``|v ∩ u|`` the number of aligned pairs
            between the two. ``"f"``: ``2|v ∩ u| / (|v| + |u|)``. ``"touched"``: the same, but if every word of *v* and
            of *u* is aligned to an equal word, so that nothing was edited, only units of the same words are partners.
            ``"exact"``: only units of the same words ever are. ``"f-float"``: ``"f"`` as 2pr / (p + r) in floating
            point, for the ties of the published scorer. ``"cover"``: ``|v ∩ u| / |u|``, the formula of the USim paper.
        ties: between units of the same weight. ``"label"``: one whose edges match, then (where several units of one
            yield count) one of the same place among those of its yield, then the first in canonical order.
            ``"first"``: the first in canonical order. ``"size+label"`` (for ``"cover"``): as ``"label"``, but first of
            all the one of the greatest ``|v ∩ u|``.
        units: what is counted. ``"units"``: each unit. ``"yields"``: units of the same yield count once, as in DAG F,
            and their labels match if any two do. ``"phrases"``: each unit of more than one terminal.
        edges: by which edges. ``"primary"``, ``"all"``: remote ones too, which match remote ones. ``"incoming"``: a
            unit counts once, with the labels of all edges into it and of linkages.
        labels: ``"strict"``: the same category. ``"equivalent"``: P and S, H and C, L and N, F and R are the same too.
            ``"none"``: any category matches any other, so that only the units count.
        punctuation: whether punctuation counts among the words of a unit.
        count: what is divided by what. ``"image"``: as this module's text says. ``"own"``: each side through the
            alignment from its own side, so that both directions have the same scores; 0 where a side has no units.

    Raises:
        ValueError: a setting that does not exist.

    >>> print(DEFAULT.signature)
    leaf:anchor+lev|node:touched|ties:label|units:yields|edges:primary|labels:equivalent|punct:out|count:image
    """

    name: str
    node: str = "touched"
    ties: str = "label"
    units: str = "yields"
    edges: str = "primary"
    labels: str = "equivalent"
    punctuation: bool = False
    count: str = "image"
    leaf: str = "anchor+lev"

    def __post_init__(self) -> None:
        for name, values in _SETTINGS.items():
            if (value := getattr(self, name)) not in values:
                raise ValueError(f"{name} is {value!r}; it can be {', '.join(values)}")
        if self.ties == "size+label" and self.node != "cover":
            raise ValueError("ties by size+label are for the node weight cover")

    @cached_property
    def view(self) -> View:
        """The settings that decide which units and edges are counted."""
        return View(self.units, self.edges, self.punctuation)

    def fields(self) -> dict[str, str]:
        """Return the settings by their names in the signature."""
        fields = {name: getattr(self, name) for name in ("leaf", "node", "ties", "units", "edges", "labels")}
        return fields | {"punct": "in" if self.punctuation else "out", "count": self.count}

    @cached_property
    def signature(self) -> Signature:
        """The settings as a part of a signature."""
        return Signature.of(self.fields())


#: Chosen by evidence (docs/explanation/measures.md): closest to Table 1 of the paper, and equal to DAG F where nothing
#: was edited.
DEFAULT = Preset("default")
#: The formula as printed. It leaves ties open, and nearly all is ties: here the unit with most words in common, then
#: one with the same label, then the first.
PAPER = Preset("paper", node="cover", ties="size+label", edges="all", labels="strict")
#: The same to the letter: edges count, also into units with the same yield (several remote ones into one unit as one),
#: and words are aligned by edit distance alone. Optimal alignments are not unique: of those of the same cost and
#: distance in place, between the essay 1297 by one annotator and its correction, up to 69 of 519 links differ, and F is
#: .714 to .733.
PAPER_PLAIN = replace(PAPER, name="paper-plain", leaf="lev", units="units")
#: What the authors' published code does (``scripts/distances/align.py`` of the ``ucca`` toolkit), its alignment of the
#: words included.
REFERENCE = Preset(
    "reference", "f-float", units="phrases", edges="incoming", punctuation=True, count="own", leaf="published"
)
#: The presets by name.
PRESETS: Mapping[str, Preset] = MappingProxyType({p.name: p for p in (DEFAULT, PAPER, PAPER_PLAIN, REFERENCE)})


@dataclass(frozen=True)
class Scores:
    """Recall, precision and their harmonic mean; each in [0, 1]."""

    recall: float
    precision: float
    f: float

    @classmethod
    def of(cls, recall: float, precision: float) -> Scores:
        """Compute F from recall and precision; it is 0 where both are 0.

        >>> Scores.of(0.5, 1.0).f
        0.6666666666666666
        """
        # This order of operations is the published scorer's, to the last bit.
        f = 2 * (precision * recall) / (precision + recall) if precision + recall else 0.0
        return cls(recall, precision, f)


class UsimScore:
    """The USim of two graphs, and the alignment that it was computed from.

    Attributes:
        s2r: recall, precision and F where the units of the source are aligned to those of the output.
        r2s: the same where the units of the output are aligned to those of the source.
    """

    def __init__(self, source: Graph, output: Graph, preset: Preset, token_alignment: Alignment) -> None:
        self.source, self.output, self.preset, self.token_alignment = source, output, preset, token_alignment
        a, b = source.kept(preset.view), output.kept(preset.view)
        self._tables = a, b
        self._rows = out, back = align_rows(a, b, token_alignment, preset.node, preset.ties, preset.labels)
        # For each kind of edges, which rows of either table match.
        self._hits: tuple[list[BoolArray], list[BoolArray]] = ([], [])
        if len(out) and len(back):
            for masks_a, masks_b in label_pairs(a, b, preset.labels):
                # Equivalence is symmetric, so one expanded side is enough, in either direction.
                self._hits[0].append(((masks_a & masks_b[out]) != 0) & (out >= 0))
                self._hits[1].append(((masks_a[back] & masks_b) != 0) & (back >= 0))
        self.s2r, self.r2s = _directions(self._tables, self._rows, self._hits, preset.count)

    @property
    def f(self) -> float:
        """The mean of the F of both directions."""
        return (self.s2r.f + self.r2s.f) / 2

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return ``{"s2r": {"recall": …, "precision": …, "f": …}, "r2s": {…}}``, ready for JSON."""
        return {"s2r": asdict(self.s2r), "r2s": asdict(self.r2s)}

    @cached_property
    def nodes(self) -> NodeAlignment:
        """The partner of each unit, in each direction; -1 for the root and for units that are not counted."""
        (a, b), (out, back) = self._tables, self._rows
        return NodeAlignment(_of_units(a, b, out), _of_units(b, a, back))

    @cached_property
    def unmatched_source(self) -> list[Edge]:
        """The edges of the source without a match in the output (in ``s2r``), in canonical order: what was lost."""
        return _unmatched(self._tables[0], self._hits[0])

    @cached_property
    def unmatched_output(self) -> list[Edge]:
        """The edges of the output without a match in the source (in ``r2s``), in canonical order: what is new."""
        return _unmatched(self._tables[1], self._hits[1])

    def __eq__(self, other: object) -> bool:
        """Return whether the same graphs were compared in the same way: all else follows from that."""
        return self._inputs() == other._inputs() if isinstance(other, UsimScore) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.source, self.output, self.preset))

    def __reduce__(self) -> tuple[Any, ...]:
        return usim_score, self._inputs()

    def _inputs(self) -> tuple[Graph, Graph, Preset, Alignment]:
        return self.source, self.output, self.preset, self.token_alignment

    def __repr__(self) -> str:
        return f"<UsimScore s2r {self.s2r.f:.3f}, r2s {self.r2s.f:.3f} ({self.preset.name})>"


def usim_score(
    source: Graph, output: Graph, preset: Preset = DEFAULT, token_alignment: Alignment | None = None
) -> UsimScore:
    """Compute the USim of two graphs, in both directions.

    Their terminals are by default aligned by :func:`usim.measures.align_graphs` in the preset's way.

    A graph in which nothing is counted (no words, or punctuation alone) is faithful to another such graph: all scores
    are 1. Against any other graph all scores are 0. (The published scorer, and so :data:`REFERENCE`, gives 0 in both
    cases.)

    Raises:
        AlignmentError: ``token_alignment`` is an alignment of texts of other lengths.
    """
    found = align_graphs(source, output, preset.leaf) if token_alignment is None else token_alignment
    n, m = len(source.terminals), len(output.terminals)
    check_lengths(n, m)
    if (found.n_source, found.n_output) != (n, m):
        aligned = f"{found.n_source} and {found.n_output} tokens"
        raise AlignmentError(f"an alignment of {aligned} for graphs of {n} and {m} terminals")
    return UsimScore(source, output, preset, found)


def _of_units(a: EdgeTable, b: EdgeTable, to: IntArray) -> IntArray:
    """Turn an alignment of rows into one of units."""
    partners = np.append(np.where(to >= 0, b.units[to] if len(b.units) else -1, -1), -1)
    units: IntArray = partners[a.row_of]
    return units


def _directions(
    both: tuple[EdgeTable, EdgeTable], to: NodeAlignment, hits: tuple[list[BoolArray], list[BoolArray]], count: str
) -> tuple[Scores, Scores]:
    n, m = (table.count for table in both)
    if not n or not m:
        same = Scores.of(1.0, 1.0) if n == m and count != "own" else Scores.of(0.0, 0.0)
        return same, same
    own, own_back = (sum(int(np.count_nonzero(hit)) for hit in side) for side in hits)
    if count == "own":
        scores = Scores.of(own / n, own_back / m)
        return scores, scores
    # A row that several reach counts once.
    reached, reached_back = (
        sum(len(set(rows[hit].tolist())) for hit in side) for rows, side in zip(to, hits, strict=True)
    )
    return Scores.of(own / n, reached / m), Scores.of(reached_back / n, own_back / m)


def _unmatched(table: EdgeTable, hits: list[BoolArray]) -> list[Edge]:
    return sorted(
        edge
        for row, kinds in enumerate(table.edges)
        for kind, edges in enumerate(kinds)
        if kind >= len(hits) or not hits[kind][row]
        for edge in edges
    )
