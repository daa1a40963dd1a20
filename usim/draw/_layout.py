"""Where everything in a drawing stands.

A column holds a word of the source, a word of the output, or both, so that words that belong together stand above each
other. Columns are wrapped into rows.

Each unit is a dot with its label above; labels of units on one level never meet, because each stands over words that
no other unit on that level has, and columns are widened where a label is wider than its words. Remote edges and units
without words are boxes beside the label of their parent: lines across the drawing would run through other labels.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from usim.draw._lettering import shortened, text_width
from usim.text import printable
from usim.ucca import Edge, Graph

TOKEN_SIZE = 15  # of the font, in pixels
LABEL_SIZE = 12
MARK_SIZE = 10
TOKEN_HEIGHT = 24
PILL_HEIGHT = 18
LEVEL = 42  # between levels of units
STEM = 6  # from a label to its dot
_LEAD = 16  # from the words to the lowest dots
_GAP = 12  # between words
_BESIDE = 4  # between a label and the box beside it
_LONGEST = 18  # characters of words in a box

#: The two words of a column, as their positions; -1 for none.
Column = tuple[int, int]


class Box(NamedTuple):
    """A label: its text, and the width of its box."""

    text: str
    width: float


@dataclass
class PlacedUnit:
    """A unit in a row, or the part of it that is in the row.

    Attributes:
        unit: its number.
        level: from 1, counted from the words.
        home: the first and the last column of its longest run of words.
        label: the label of the edge into it; the root's is empty.
        beside: the boxes of its remote edges and of its units without words, with the edges.
        before, after: whether it has words in rows before and after.
        left: where its label begins.
    """

    unit: int
    level: int
    home: tuple[int, int]
    label: Box
    beside: Sequence[tuple[Edge, Box]]
    before: bool
    after: bool
    left: float = 0.0

    @property
    def height(self) -> float:
        """The height of the dot above the words."""
        return _LEAD + (self.level - 1) * LEVEL

    @property
    def width(self) -> float:
        """The width of all its boxes."""
        return self.label.width + sum(_BESIDE + box.width for _, box in self.beside)

    @property
    def x(self) -> float:
        """The middle of its label, and of its dot."""
        return self.left + self.label.width / 2

    def places(self) -> Iterator[tuple[Edge, Box, float]]:
        """Yield the edges whose boxes stand beside its label, with each box and its middle."""
        at = self.left + self.label.width
        for edge, box in self.beside:
            yield edge, box, at + _BESIDE + box.width / 2
            at += _BESIDE + box.width


@dataclass(frozen=True)
class Part:
    """What a graph has in a row: the middles of its words, and its units."""

    tokens: Mapping[int, float]
    units: Mapping[int, PlacedUnit]

    @property
    def height(self) -> float:
        """The height of everything above the words."""
        return max((placed.height for placed in self.units.values()), default=0.0) + STEM + PILL_HEIGHT


class Row(NamedTuple):
    """A row of a drawing: where it begins and ends, and the part of each graph."""

    left: float
    right: float
    parts: Sequence[Part]


def label_width(text: str) -> float:
    """Return the width of the label of an edge."""
    return max(22.0, text_width(text, LABEL_SIZE) + 12)


def lay_out(
    graphs: Sequence[Graph],
    aligned: Iterable[tuple[int, int]],
    marks: Sequence[Mapping[int, str]],
    left: float,
    width: float,
) -> list[Row]:
    """Lay out one graph or two.

    Args:
        graphs: one or two.
        aligned: the alignment of their terminals.
        marks: for each graph what stands beside its terminals, raised.
        left: where rows begin, in pixels.
        width: at which they are wrapped.
    """
    columns = columns_of([len(graph.terminals) for graph in graphs], aligned)
    sides = [
        _Side(graph, [c for c, column in enumerate(columns) if column[side] >= 0]) for side, graph in enumerate(graphs)
    ]
    widths = [
        max(_token_width(graphs[side].tokens[t], marks[side].get(t, "")) for side, t in enumerate(column) if t >= 0)
        for column in columns
    ]
    rows = []
    for start, end in _rows_of(widths, width, [run for side in sides for run in side.spans()]):
        units = [side.units_in(start, end, widths) for side in sides]
        edges = [*accumulate(widths[start:end], initial=left)]  # of the columns
        parts = []
        for side, placed in zip(sides, units, strict=True):
            for unit in placed:
                unit.left = (edges[unit.home[0] - start] + edges[unit.home[1] + 1 - start] - unit.width) / 2
            places = {t: c - start for t, c in enumerate(side.columns) if start <= c < end}
            tokens = {t: (edges[c] + edges[c + 1]) / 2 for t, c in places.items()}
            parts.append(Part(tokens, {unit.unit: unit for unit in placed}))
        rows.append(Row(left, edges[-1], parts))
    return rows


def columns_of(lengths: Sequence[int], aligned: Iterable[tuple[int, int]]) -> list[Column]:
    """Return the columns of one graph or of two.

    Args:
        lengths: how many terminals each has.
        aligned: their alignment. Most pairs that do not cross stand in one column each; what is between two of them is
            spread evenly.
    """
    if len(lengths) == 1:
        return [(position, -1) for position in range(lengths[0])]
    columns: list[Column] = []
    at = to = 0
    for i, j in [*_upright(sorted(aligned)), lengths]:
        columns += _spread(range(at, i), range(to, j))
        columns.append((i, j))
        at, to = i + 1, j + 1
    return columns[:-1]


def _upright(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest run of pairs that do not cross."""
    last: list[int] = []  # for each length the least end of a run of that length, and its pair
    ends: list[int] = []
    before = [-1] * len(pairs)
    for k, (_, j) in enumerate(pairs):
        length = bisect_left(last, j)
        before[k] = ends[length - 1] if length else -1
        last[length : length + 1] = [j]
        ends[length : length + 1] = [k]
    run, k = [], ends[-1] if ends else -1
    while k >= 0:
        run.append(pairs[k])
        k = before[k]
    return run[::-1]


def _spread(source: range, output: range) -> list[Column]:
    count = max(len(source), len(output))
    columns = [[-1, -1] for _ in range(count)]
    for side, positions in enumerate((source, output)):
        for k, position in enumerate(positions):
            columns[int((k + 0.5) * count / len(positions))][side] = position
    return [(i, j) for i, j in columns]


def _rows_of(widths: Sequence[float], width: float, units: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Wrap columns into rows, as even as possible, cut where few units are cut.

    Args:
        widths: of the columns.
        width: that of a row.
        units: the first and the last column of each unit.

    Returns:
        for each row its first column and the one after its last.
    """
    filled = [0.0, *accumulate(widths)]
    rows: list[tuple[int, int]] = []
    start = 0
    while filled[-1] - filled[start] > width and start + 1 < len(widths):
        rest = filled[-1] - filled[start]
        target = rest / ceil(rest / width)
        ends = [end for end in range(start + 1, len(widths)) if filled[end] - filled[start] <= width]
        costs = {
            end: sum(first < end <= last for first, last in units)
            + 8 * abs(filled[end] - filled[start] - target) / target
            for end in ends or [start + 1]
        }
        end = min(costs, key=costs.__getitem__)
        rows.append((start, end))
        start = end
    return [*rows, (start, len(widths))]


def _token_width(token: str, mark: str) -> float:
    return max(20.0, text_width(printable(token), TOKEN_SIZE)) + 2 * text_width(mark, MARK_SIZE) + _GAP


class _Side:
    """A graph, and the column of each of its terminals."""

    def __init__(self, graph: Graph, columns: Sequence[int]) -> None:
        self.columns = columns
        self._graph = graph
        self._positions = [graph.positions(unit) for unit in range(len(graph.units))]

    def spans(self) -> list[tuple[int, int]]:
        """Return the first and the last column of each unit with words."""
        return [(self.columns[held[0]], self.columns[held[-1]]) for held in self._positions if held]

    def units_in(self, start: int, end: int, widths: list[float]) -> list[PlacedUnit]:
        """Choose the level and the home of each unit of a row, and widen columns for labels, the lowest first."""
        graph = self._graph
        skyline = [0] * (end - start)
        placed = []
        for unit in range(len(graph.units) - 1, -1, -1):
            everywhere = self._positions[unit]
            positions = everywhere[self._first(everywhere, start) : self._first(everywhere, end)]
            if not positions:
                continue
            before, after = positions[0] != everywhere[0], positions[-1] != everywhere[-1]
            left = start if before else self.columns[positions[0]]
            right = end - 1 if after else self.columns[positions[-1]]
            covered = slice(left - start, right - start + 1)
            level = 1 + max(skyline[covered])
            skyline[covered] = [level] * (right - left + 1)
            home = max(self._runs(positions), key=lambda run: (sum(widths[run[0] : run[1] + 1]), -run[0]))
            category = graph.primary[unit - 1].label if unit else ""
            label = Box(category, label_width(category) if unit else 0.0)
            beside = [] if before else [*self._beside(unit)]
            placed.append(PlacedUnit(unit, level, home, label, beside, before, after))
            lack = placed[-1].width + 8 - sum(widths[home[0] : home[1] + 1])
            for c in range(home[0], home[1] + 1):
                widths[c] += max(lack, 0.0) / (home[1] + 1 - home[0])
        return placed

    def _first(self, positions: Sequence[int], column: int) -> int:
        """Return the place of the first of some terminals that stands in a column or after it."""
        return bisect_left(positions, column, key=self.columns.__getitem__)

    def _runs(self, positions: Sequence[int]) -> list[tuple[int, int]]:
        """Return the runs of neighbours among terminals, by their first and last column."""
        runs: list[list[int]] = []
        for position in positions:
            if runs and runs[-1][1] == position - 1:
                runs[-1][1] = position
            else:
                runs.append([position, position])
        return [(self.columns[first], self.columns[last]) for first, last in runs]

    def _beside(self, unit: int) -> Iterator[tuple[Edge, Box]]:
        """Yield the remote edges of a unit, and the edges to what is below it without words, with their boxes."""
        edges = [*self._graph.children(unit)[::-1]]
        while edges:
            edge = edges.pop()
            if edge.is_remote:
                words = shortened(printable(self._graph.text(edge.child)) or "implicit", _LONGEST)
                text = f"{edge.label}* {words}"
            elif not self._graph.yields[edge.child]:
                text = f"{edge.label} implicit"
                edges += self._graph.children(edge.child)[::-1]
            else:
                continue
            yield edge, Box(text, text_width(text, LABEL_SIZE) + 12)
