"""Where everything in a drawing stands.

A column holds a word of the source, a word of the output, or both, so that words that belong together stand above each
other. Columns are wrapped into rows.

Each unit is a box with its label. Boxes of one level never meet, because each stands over columns that no other unit of
that level has, and columns are widened where a box is wider than they are. Remote edges and units without words are
boxes beside that of their parent: lines across the drawing would run through other boxes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, zip_longest
from math import ceil
from typing import NamedTuple

from usim.draw._content import DrawnGraph
from usim.text import printable
from usim.ucca import Edge

TOKEN_SIZE = 15  # of the font, in pixels
LABEL_SIZE = 12
MARK_SIZE = 10
TOKEN_HEIGHT = 24
BOX_HEIGHT = 18
BESIDE = 4  # between a box and the one beside it
_LEVEL = 44  # between levels of units
_LEAD = 20  # from the words to the lowest boxes
_GAP = 12  # between words
_LONGEST = 18  # characters of words in a box
_NARROW = frozenset("iIjlftr.,:;'’‘|!()[]{}-` ")
_WIDE = frozenset("mwMWQO@%&")


class Box(NamedTuple):
    """A box with the label of an edge."""

    edge: Edge
    label: str

    @property
    def width(self) -> float:
        """The width of the box."""
        return max(22.0, text_width(self.label, LABEL_SIZE) + 12)


@dataclass
class PlacedUnit:
    """A unit in a row, or the part of it that is in the row.

    Attributes:
        level: from 1, counted from the words.
        home: its first and its last column in the row.
        boxes: the box of the edge into it, then those of its remote edges and of what is below it without words.
        before, after: whether it has words in rows before and after.
        left: where the first box begins.
    """

    unit: int
    level: int
    home: tuple[int, int]
    boxes: Sequence[Box]
    before: bool
    after: bool
    left: float = 0.0

    @property
    def height(self) -> float:
        """The height of its box above the words."""
        return _LEAD + (self.level - 1) * _LEVEL

    @property
    def width(self) -> float:
        """The width of all its boxes."""
        return sum(box.width + BESIDE for box in self.boxes) - BESIDE

    @property
    def x(self) -> float:
        """The middle of its own box."""
        return self.left + self.boxes[0].width / 2


@dataclass(frozen=True)
class Part:
    """What a graph has in a row: the middles of its words, and its units."""

    tokens: Mapping[int, float]
    units: Mapping[int, PlacedUnit]

    @property
    def height(self) -> float:
        """The height of everything above the words."""
        return max((placed.height for placed in self.units.values()), default=0.0) + BOX_HEIGHT


class Row(NamedTuple):
    """A row of a drawing: where it begins and ends, and the part of each graph."""

    left: float
    right: float
    parts: Sequence[Part]


def text_width(text: str, size: float) -> float:
    """Return how wide a text may be in pixels: an estimate for the widest of the usual fonts in this size."""
    shares = (1.1 if not c.isascii() else 0.42 if c in _NARROW else 1.0 if c in _WIDE else 0.7 for c in text)
    return size * sum(shares)


def lay_out(sides: Sequence[DrawnGraph], aligned: Iterable[tuple[int, int]], left: float, width: float) -> list[Row]:
    """Lay out one graph or two, with the alignment of their terminals, in rows from ``left`` on, at most so wide."""
    columns = columns_of([len(side.graph.terminals) for side in sides], aligned)
    widths = [max(_token_width(side, t) for side, t in zip(sides, column, strict=True) if t >= 0) for column in columns]
    ends = [*accumulate(widths)]
    count = ceil(ends[-1] / width) if ends else 0
    row_of = [int((end - own / 2) / ends[-1] * count) for end, own in zip(ends, widths, strict=True)]
    rows = [[*row] for _, row in groupby(range(len(columns)), key=row_of.__getitem__)]
    return [_row(sides, [columns[c] for c in row], [widths[c] for c in row], left) for row in rows or [[]]]


def columns_of(lengths: Sequence[int], aligned: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the columns of one graph or of two: for each graph the position of its word, -1 for none.

    Most aligned pairs that do not cross stand in one column each, with what is between them; ``lengths`` says how many
    terminals each graph has.
    """
    if len(lengths) == 1:
        return [(position,) for position in range(lengths[0])]
    runs: list[list[tuple[int, int]]] = []  # for each length a run of so many pairs that do not cross
    for pair in sorted(aligned):
        k = bisect_left(runs, pair[1], key=lambda run: run[-1][1])
        runs[k : k + 1] = [[*(runs[k - 1] if k else ()), pair]]
    columns: list[tuple[int, ...]] = []
    at = to = 0
    for i, j in [*(runs[-1] if runs else ()), lengths]:
        columns += zip_longest(range(at, i), range(to, j), fillvalue=-1)
        columns.append((i, j))
        at, to = i + 1, j + 1
    return columns[:-1]


def _token_width(side: DrawnGraph, position: int) -> float:
    token = max(20.0, text_width(printable(side.graph.tokens[position]), TOKEN_SIZE))
    return token + 2 * text_width(side.mark(position), MARK_SIZE) + _GAP


def _row(sides: Sequence[DrawnGraph], columns: Sequence[tuple[int, ...]], widths: list[float], left: float) -> Row:
    """Lay out a row; its columns are widened where boxes need it."""
    places = [{column[k]: c for c, column in enumerate(columns) if column[k] >= 0} for k in range(len(sides))]
    units = [_units(*side, widths) for side in zip(sides, places, strict=True)]
    edges = [*accumulate(widths, initial=left)]  # of the columns
    parts = []
    for column_of, placed in zip(places, units, strict=True):
        for unit in placed:
            unit.left = (edges[unit.home[0]] + edges[unit.home[1] + 1] - unit.width) / 2
        tokens = {t: (edges[c] + edges[c + 1]) / 2 for t, c in column_of.items()}
        parts.append(Part(tokens, {unit.unit: unit for unit in placed}))
    return Row(left, edges[-1], parts)


def _units(side: DrawnGraph, places: Mapping[int, int], widths: list[float]) -> list[PlacedUnit]:
    """Choose the level of each unit of a row, and widen columns for boxes, the lowest units first."""
    skyline = [0] * len(widths)
    units = []
    for unit in range(len(side.graph.units) - 1, -1, -1):
        everywhere = side.graph.positions(unit)
        here = [position for position in everywhere if position in places]
        if not here:
            continue
        before, after = here[0] != everywhere[0], here[-1] != everywhere[-1]
        first, last = 0 if before else places[here[0]], len(widths) - 1 if after else places[here[-1]]
        level = 1 + max(skyline[first : last + 1])
        skyline[first : last + 1] = [level] * (last + 1 - first)
        placed = PlacedUnit(unit, level, (first, last), _boxes(side, unit, has_beside=not before), before, after)
        units.append(placed)
        columns = range(first, last + 1)
        lack = placed.width + 8 - sum(widths[c] for c in columns)
        for c in columns:
            widths[c] += max(lack, 0.0) / len(columns)
    return units


def _boxes(side: DrawnGraph, unit: int, *, has_beside: bool) -> list[Box]:
    """Return the box of a unit and, if asked for, those beside it: of remote edges and of what has no words."""
    graph, own = side.graph, side.incoming(unit)
    boxes = [Box(own, own.label)]
    edges = [*graph.children(unit)] if has_beside else []
    for edge in edges:
        if edge.is_remote:
            words = printable(graph.text(edge.child)) or "implicit"
            words = words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"
            boxes.append(Box(edge, f"{edge.label}* {words}"))
        elif not graph.yields[edge.child]:
            boxes.append(Box(edge, f"{edge.label} implicit"))
            edges.extend(graph.children(edge.child))
    return boxes
