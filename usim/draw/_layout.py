"""Where everything in a drawing stands.

A column holds a word of the source, a word of the output, or both, so that words that belong together stand above each
other. An implicit unit has a place of its own among the words, because its label needs room. Columns are wrapped into
rows.

Each unit is a dot with its label above; labels of units on one level never meet, because each stands over words that
no other unit on that level has, and columns are widened where a label is wider than its words. Remote edges are boxes
beside the label of their parent: lines across the drawing would run through other labels.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
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
_BESIDE = 4  # between a label and the box of a remote edge
_IMPLICIT = 26
_LONGEST = 18  # characters in the box of a remote edge

#: The two items of a column, as their places in the strands; -1 for none.
Column = tuple[int, int]


@dataclass(frozen=True)
class Strand:
    """The items of a graph from left to right.

    Attributes:
        graph: the graph.
        items: its terminals, and -1 for each unit without words.
        of_terminal: for each terminal its place among the items.
        of_unit: for each unit the places of the items under it, ascending.
    """

    graph: Graph
    items: list[int]
    of_terminal: list[int]
    of_unit: list[list[int]]

    @classmethod
    def of(cls, graph: Graph) -> Strand:
        """Set out the items of a graph. Units without words follow the first words of the unit that they are in."""
        n = len(graph.terminals)
        following: dict[int, list[int]] = {}
        for u in range(1, len(graph.units)):
            if not graph.yields[u]:
                parent = graph.parents[u]
                while parent > 0 and not graph.yields[parent]:
                    parent = graph.parents[parent]
                following.setdefault(_end_of_first_run(graph.positions(parent)), []).append(u)
        items = [(-1, u) for u in following.get(-1, [])]  # the terminal, or the unit without words
        of_terminal = []
        for t in range(n):
            of_terminal.append(len(items))
            items += [(t, -1), *((-1, u) for u in following.get(t, []))]
        of_unit: list[list[int]] = [[of_terminal[t] for t in graph.positions(u)] for u in range(len(graph.units))]
        for place, (_, u) in enumerate(items):
            while u >= 0:
                of_unit[u].append(place)
                u = graph.parents[u]
        return cls(graph, [terminal for terminal, _ in items], of_terminal, [sorted(places) for places in of_unit])


def _end_of_first_run(positions: Sequence[int]) -> int:
    for position, following in pairwise(positions):
        if following != position + 1:
            return position
    return positions[-1] if positions else -1


class Box(NamedTuple):
    """A label: the middle of its box, and its width."""

    x: float
    width: float
    text: str


class PlacedUnit(NamedTuple):
    """A unit in a row, or the part of it that is in the row.

    Attributes:
        unit: its number.
        level: from 1, counted from the words.
        home: the first and the last column of its longest run of words.
        label: the label of the edge into it; the root's is empty.
        remotes: the boxes of its remote edges, with the edges.
        before, after: whether it has words in rows before and after.
    """

    unit: int
    level: int
    home: tuple[int, int]
    label: Box
    remotes: Sequence[tuple[Edge, Box]]
    before: bool
    after: bool

    @property
    def height(self) -> float:
        """The height of the dot above the words."""
        return _LEAD + (self.level - 1) * LEVEL

    @property
    def width(self) -> float:
        """The width of all its boxes."""
        return self.label.width + sum(box.width + _BESIDE for _, box in self.remotes)


@dataclass(frozen=True)
class Part:
    """What a graph has in a row: the middles of its words, and its units."""

    tokens: Mapping[int, float]
    units: Mapping[int, PlacedUnit]

    @property
    def height(self) -> float:
        """The height of everything above the words."""
        return max((placed.height for placed in self.units.values()), default=0.0) + STEM + PILL_HEIGHT


@dataclass(frozen=True)
class Row:
    """A row of a drawing: where it begins and ends, and the part of each graph."""

    left: float
    right: float
    parts: tuple[Part, ...]


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
    strands = [Strand.of(graph) for graph in graphs]
    columns = columns_of(strands, aligned)
    widths = [
        max(_item_width(strand, column[side], marks[side]) for side, strand in enumerate(strands) if column[side] >= 0)
        for column in columns
    ]
    units = []
    for side, strand in enumerate(strands):
        column_of = {column[side]: c for c, column in enumerate(columns)}
        units += [(column_of[places[0]], column_of[places[-1]]) for places in strand.of_unit if places]
    rows = _rows_of(widths, width, units)
    sides = [_Side(strand, side, columns, rows) for side, strand in enumerate(strands)]
    placed = []
    for number, (start, end) in enumerate(rows):
        drafts = [side.draft(number, widths) for side in sides]
        lefts = [0.0]
        for c in range(start, end):
            lefts.append(lefts[-1] + widths[c])
        parts = [side.place(number, draft, lefts, left) for side, draft in zip(sides, drafts, strict=True)]
        placed.append(Row(left, left + lefts[-1], tuple(parts)))
    return placed


def columns_of(strands: Sequence[Strand], aligned: Iterable[tuple[int, int]]) -> list[Column]:
    """Return the columns of one graph or of two.

    Args:
        strands: one or two.
        aligned: the alignment of their terminals. Most pairs that do not cross stand in one column each; what is
            between two of them is spread evenly.
    """
    if len(strands) == 1:
        return [(place, -1) for place in range(len(strands[0].items))]
    source, output = strands
    pairs = sorted((source.of_terminal[i], output.of_terminal[j]) for i, j in aligned)
    lengths = len(source.items), len(output.items)
    columns: list[Column] = []
    at = to = 0
    for i, j in [*_upright(pairs), lengths]:
        columns += _spread(range(at, i), range(to, j))
        if (i, j) != lengths:
            columns.append((i, j))
        at, to = i + 1, j + 1
    return columns


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
    for side, places in enumerate((source, output)):
        for k, place in enumerate(places):
            columns[int((k + 0.5) * count / len(places))][side] = place
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


def _item_width(strand: Strand, place: int, marks: Mapping[int, str]) -> float:
    terminal = strand.items[place]
    if terminal < 0:
        return _IMPLICIT + _GAP
    mark = text_width(marks.get(terminal, ""), MARK_SIZE)
    return max(20.0, text_width(printable(strand.graph.tokens[terminal]), TOKEN_SIZE)) + 2 * mark + _GAP


class _Side:
    """A graph and the rows that it is wrapped into."""

    def __init__(self, strand: Strand, side: int, columns: Sequence[Column], rows: Sequence[tuple[int, int]]) -> None:
        self._strand = strand
        self._rows = rows
        self._column_of = [0] * len(strand.items)
        row_of = [0] * len(strand.items)
        for number, (start, end) in enumerate(rows):
            for c in range(start, end):
                if (place := columns[c][side]) >= 0:
                    self._column_of[place] = c
                    row_of[place] = number
        self._in_row: list[dict[int, list[int]]] = [{} for _ in rows]  # for each row its units with their items in it
        for u in range(len(strand.of_unit) - 1, -1, -1):
            for place in strand.of_unit[u]:
                self._in_row[row_of[place]].setdefault(u, []).append(place)

    def draft(self, number: int, widths: list[float]) -> list[PlacedUnit]:
        """Choose the level and the home of each unit of a row, and widen columns for labels, the lowest first.

        Where the boxes stand can be said when all columns are wide enough.
        """
        graph = self._strand.graph
        start, end = self._rows[number]
        skyline = [0] * (end - start)
        drafts = []
        for u, places in self._in_row[number].items():
            everywhere = self._strand.of_unit[u]
            before, after = places[0] != everywhere[0], places[-1] != everywhere[-1]
            left = start if before else self._column_of[places[0]]
            right = end - 1 if after else self._column_of[places[-1]]
            covered = slice(left - start, right - start + 1)
            level = 1 + max(skyline[covered])
            skyline[covered] = [level] * (right - left + 1)
            home = max(self._runs(places), key=lambda run: (sum(widths[run[0] : run[1] + 1]), -run[0]))
            category = graph.primary[u - 1].label if u else ""
            label = Box(0.0, label_width(category) if u else 0.0, category)
            remotes = [] if before else [self._remote(edge) for edge in graph.children(u) if edge.is_remote]
            draft = PlacedUnit(u, level, home, label, remotes, before, after)
            drafts.append(draft)
            lack = draft.width + 8 - sum(widths[home[0] : home[1] + 1])
            if lack > 0:
                for c in range(home[0], home[1] + 1):
                    widths[c] += lack / (home[1] + 1 - home[0])
        return drafts

    def _remote(self, edge: Edge) -> tuple[Edge, Box]:
        words = shortened(printable(self._strand.graph.text(edge.child)) or "implicit", _LONGEST)
        text = f"{edge.label}* {words}"
        return edge, Box(0.0, text_width(text, LABEL_SIZE) + 12, text)

    def _runs(self, places: Sequence[int]) -> list[tuple[int, int]]:
        """Return the runs of neighbours among items, by their first and last column."""
        runs: list[list[int]] = []
        for place in places:
            if runs and runs[-1][1] == place - 1:
                runs[-1][1] = place
            else:
                runs.append([place, place])
        return [(self._column_of[first], self._column_of[last]) for first, last in runs]

    def place(self, number: int, drafts: Sequence[PlacedUnit], lefts: Sequence[float], margin: float) -> Part:
        """Give the words and units of a row their places."""
        start, _ = self._rows[number]
        tokens: dict[int, float] = {}
        units = {}
        for draft in drafts:
            left, right = lefts[draft.home[0] - start], lefts[draft.home[1] - start + 1]
            at = (left + right - draft.width) / 2
            label = draft.label._replace(x=margin + (at + draft.label.width / 2))
            at += label.width
            remotes = []
            for edge, box in draft.remotes:
                remotes.append((edge, box._replace(x=margin + (at + _BESIDE + box.width / 2))))
                at += _BESIDE + box.width
            units[draft.unit] = draft._replace(label=label, remotes=remotes)
        for place in self._in_row[number].get(0, ()):
            if (terminal := self._strand.items[place]) >= 0:
                c = self._column_of[place] - start
                tokens[terminal] = margin + (lefts[c] + lefts[c + 1]) / 2
        return Part(tokens, units)
