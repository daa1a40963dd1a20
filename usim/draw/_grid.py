"""The columns of a drawing, and the rows that they are wrapped into.

A column holds a word of the source, a word of the output, or both, so that words that belong together stand above each
other. An implicit unit has a place of its own among the words, because its label needs room.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from usim.ucca import Graph

#: The two items of a column, as their places in the strands; -1 for none.
Column = tuple[int, int]
#: More columns than so many times the words of the longer sentence leave too much empty.
_EMPTIEST = 1.4


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


def columns_of(strands: Sequence[Strand], aligned: Iterable[tuple[int, int]]) -> list[Column]:
    """Return the columns of one graph or of two.

    Args:
        strands: one or two.
        aligned: the alignment of their terminals. Most pairs that do not cross stand in one column each; what is
            between two of them is spread evenly. If that would leave much empty, because a long phrase has moved,
            only what is equal at the beginning and at the end stands so.
    """
    if len(strands) == 1:
        return [(place, -1) for place in range(len(strands[0].items))]
    source, output = strands
    lengths = len(source.items), len(output.items)
    pairs = sorted((source.of_terminal[i], output.of_terminal[j]) for i, j in aligned)
    upright = _upright(pairs)
    columns = _anchor(upright, lengths)
    if len(columns) > _EMPTIEST * max(lengths):
        columns = _anchor(_ends(upright, lengths), lengths)
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


def _ends(pairs: Sequence[tuple[int, int]], lengths: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the pairs that continue from the beginning of both strands, or to the end of both, without a gap."""
    first = [pair for k, pair in enumerate(pairs) if pair == (k, k)]
    n, m = lengths
    last = [pair for k, pair in enumerate(reversed(pairs), 1) if pair == (n - k, m - k)]
    return sorted({*first, *last})


def _anchor(anchors: Sequence[tuple[int, int]], lengths: tuple[int, int]) -> list[Column]:
    """Return columns in which these pairs stand together; what is between two of them is spread evenly."""
    columns: list[Column] = []
    at = to = 0
    for i, j in [*anchors, lengths]:
        columns += _spread(range(at, i), range(to, j))
        if (i, j) != lengths:
            columns.append((i, j))
        at, to = i + 1, j + 1
    return columns


def _spread(source: range, output: range) -> list[Column]:
    count = max(len(source), len(output))
    columns = [[-1, -1] for _ in range(count)]
    for side, places in enumerate((source, output)):
        for k, place in enumerate(places):
            columns[int((k + 0.5) * count / len(places))][side] = place
    return [(i, j) for i, j in columns]


def rows_of(
    strands: Sequence[Strand], columns: Sequence[Column], widths: Sequence[float], width: float
) -> list[tuple[int, int]]:
    """Wrap columns into rows, as even as possible, cut where few units are cut.

    Returns:
        for each row its first column and the one after its last.
    """
    cuts = _cuts(strands, columns)
    rows = []
    start, rest = 0, sum(widths)
    while rest > width:
        count = ceil(rest / width)
        target = rest / count
        choices: list[tuple[float, int, float]] = []
        filled = 0.0
        for end in range(start + 1, len(columns)):
            filled += widths[end - 1]
            if filled > width and choices:
                break
            if rest - filled <= (count - 1) * width or filled > width:
                choices.append((cuts[end] + 8 * abs(filled - target) / target, end, filled))
        if not choices:
            break
        _, end, filled = min(choices)
        rows.append((start, end))
        start, rest = end, rest - filled
    rows.append((start, len(columns)))
    return rows


def _cuts(strands: Sequence[Strand], columns: Sequence[Column]) -> list[int]:
    """Return for each column how many units a cut before it would divide."""
    changes = [0] * (len(columns) + 2)
    for side, strand in enumerate(strands):
        column_of = {column[side]: c for c, column in enumerate(columns) if column[side] >= 0}
        for places in strand.of_unit:
            if places:
                changes[column_of[places[0]] + 1] += 1
                changes[column_of[places[-1]] + 1] -= 1
    cuts, total = [], 0
    for change in changes:
        total += change
        cuts.append(total)
    return cuts
