"""A row of a drawing: the graph of the source above its words, the graph of the output below its own."""

from __future__ import annotations

from collections.abc import Sequence

from usim.draw._content import Content
from usim.draw._layout import MARK_SIZE, PILL_HEIGHT, STEM, TOKEN_HEIGHT, TOKEN_SIZE, Box, PlacedUnit, Row
from usim.draw._lettering import text_width
from usim.draw._shapes import group, label, line_of_text, text_of
from usim.text import printable
from usim.ucca import CATEGORIES, Edge

SIDES = ("source", "output")
_BETWEEN = 52  # between the words of the source and those of the output
_ONWARD = 10  # how far the line of a unit that goes on in another row sticks out


def paint_row(content: Content, row: Row, top: float, names_at: float | None) -> tuple[list[str], float]:
    """Return the shapes of a row, and where it ends; the names of the two sides begin at ``names_at``, if at all."""
    y = top + row.parts[0].height
    if len(row.parts) == 1:
        return _paint_part(content, row, 0, y), y + TOKEN_HEIGHT
    below = y + TOKEN_HEIGHT + _BETWEEN
    shapes = []
    if names_at is not None:
        for name, at in zip(SIDES, (y, below), strict=True):
            shapes.append(line_of_text(names_at, at + 17, name, "small faint start"))
    shapes += _paint_alignment(content, row, y + TOKEN_HEIGHT, below)
    shapes += [*_paint_part(content, row, 0, y), *_paint_part(content, row, 1, below)]
    return shapes, below + TOKEN_HEIGHT + row.parts[1].height


def _paint_alignment(content: Content, row: Row, top: float, bottom: float) -> list[str]:
    source, output = (part.tokens for part in row.parts)
    links = [("soft", i, j) for i, j in content.soft]
    links += [("align changed" if content.is_changed(i, j) else "align", i, j) for i, j in content.aligned]
    shapes = []
    for kind, i, j in links:
        if i in source and j in output:
            x1, x2, middle = source[i], output[j], (top + bottom) / 2
            bend = f"{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} {x2:.1f} {bottom:.1f}"
            way = f"V{bottom:.1f}" if abs(x1 - x2) < 0.1 else f"C{bend}"
            shapes.append(f'<path class="{kind}" data-source="{i}" data-output="{j}" d="M{x1:.1f} {top:.1f} {way}"/>')
    return shapes


def _paint_part(content: Content, row: Row, side: int, top: float) -> list[str]:
    painter = _PartPainter(content, side, row, top)
    return [*painter.edges(), *painter.units(), *painter.tokens()]


class _PartPainter:
    """Paints what a graph has in a row: side 0 above its words, side 1 below; ``top`` is that of the words."""

    def __init__(self, content: Content, side: int, row: Row, top: float) -> None:
        self._content = content
        self._graph = content.graphs[side]
        self._side = side
        self._row = row
        self._part = row.parts[side]
        self._top = top

    def _y(self, height: float) -> float:
        """Return where something of this height above the words of the source, or below those of the output, is."""
        return self._top + TOKEN_HEIGHT + height if self._side else self._top - height

    def _label_y(self, placed: PlacedUnit) -> float:
        return self._y(placed.height + STEM + PILL_HEIGHT / 2)

    def edges(self) -> list[str]:
        """Return the lines from each unit to those below it; what has no counterpart comes last, over the others."""
        graph, side = self._graph, self._side
        lines: tuple[list[str], list[str]] = [], []
        for u, placed in sorted(self._part.units.items()):
            if u:
                edge = graph.primary[u - 1]
                above = self._part.units[edge.parent]
                is_lost = edge in self._content.lost[side]
                way = _elbow(
                    (above.label.x, self._y(above.height)),
                    (placed.label.x, self._y(placed.height + STEM + PILL_HEIGHT)),
                )
                kind = "edge lost" if is_lost else "edge"
                lines[is_lost].append(f'<path class="{kind}" data-side="{SIDES[side]}" data-unit="{u}" d="{way}"/>')
        return [*lines[0], *lines[1]]

    def units(self) -> list[str]:
        """Return the units with their labels and with the lines to their words."""
        return [shape for u in sorted(self._part.units) for shape in self._unit(self._part.units[u])]

    def _unit(self, placed: PlacedUnit) -> list[str]:
        graph, u, side = self._graph, placed.unit, self._side
        x, y = placed.label.x, self._y(placed.height)
        shapes = []
        kind, title = "unit", f"root: {graph.text()}"
        if u:
            categories = graph.category(u)
            lost = " lost" if graph.primary[u - 1] in self._content.lost[side] else ""
            kind = f"unit of-{categories[0]}{lost}{' again' if placed.before else ''}"
            title = f"{_category_names(categories)}: {graph.text(u) or 'implicit'}"
            label_y = self._label_y(placed)
            shapes.append(f'<path class="stem" d="M{x:.1f} {label_y:.1f}V{y:.1f}"/>')
            shapes += label(placed.label, label_y)
        shapes += [
            f'<path class="onward" d="M{x:.1f} {y:.1f}H{end:.1f}"/>'
            for end, goes_on in ((self._row.left - _ONWARD, placed.before), (self._row.right + _ONWARD, placed.after))
            if goes_on
        ]
        for position in graph.units[u].terminals:
            if position in self._part.tokens:
                way = _elbow((x, y), (self._part.tokens[position], self._y(0)))
                shapes.append(f'<path class="leaf" d="{way}"/>')
        hollow = ' class="implicit"' if graph.units[u].is_implicit else ""
        shapes.append(f'<circle{hollow} cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
        data: dict[str, object] = {"side": SIDES[side], "unit": u, "parent": graph.parents[u]}
        data |= {"words": _join(graph.positions(u)), "notes": _join(self._content.unit_notes[side].get(u, ()))}
        if len(partners := self._content.partners[side]):
            data["partner"] = int(partners[u])
        return [group(kind, title, data, shapes), *(self._remote(placed, *remote) for remote in placed.remotes)]

    def _remote(self, placed: PlacedUnit, edge: Edge, box: Box) -> str:
        graph, side = self._graph, self._side
        lost = " lost" if edge in self._content.lost[side] else ""
        words = graph.text(edge.child) or "implicit"
        title = f"{_category_names(edge.categories)}, remote: {words}"
        data: dict[str, object] = {
            "side": SIDES[side],
            "parent": placed.unit,
            "child": edge.child,
            "words": _join(graph.positions(edge.child)),
        }
        y = self._label_y(placed)
        start = box.x - box.width / 2
        shapes = [f'<path class="edge" d="M{start - 4:.1f} {y:.1f}H{start:.1f}"/>', *label(box, y)]
        return group(f"remote of-{edge.categories[0]}{lost}", title, data, shapes)

    def tokens(self) -> list[str]:
        """Return the words."""
        return [self._token(position, x) for position, x in sorted(self._part.tokens.items())]

    def _token(self, position: int, at: float) -> str:
        content, side = self._content, self._side
        text = self._graph.terminals[position].text
        numbers = content.word_notes[side].get(position, [])
        raised = ",".join(map(str, numbers))
        mark = f'<tspan class="raised" dy="-6">{raised}</tspan>' if raised else ""
        width = text_width(printable(text), TOKEN_SIZE) + text_width(raised, MARK_SIZE) + 6
        kind = "token" + (" marked" if numbers else "")
        kind += " alone" if content.has_no_counterpart(side, position) else ""
        title = "; ".join(content.notes[number - 1].text for number in numbers) or text
        data: dict[str, object] = {"side": SIDES[side], "word": position, "notes": _join(numbers)}
        if (partner := content.word_partners[side].get(position)) is not None:
            data["partner"] = partner
        shapes = [
            f'<rect class="hit" x="{at - width / 2:.1f}" y="{self._top + 2:.1f}" width="{width:.1f}" '
            f'height="{TOKEN_HEIGHT - 4}" rx="4"/>',
            f'<text x="{at:.1f}" y="{self._top + 17:.1f}">{text_of(text)}{mark}</text>',
        ]
        return group(kind, title, data, shapes)


def _elbow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the way of a line that goes along first, and then towards the words."""
    (x1, y1), (x2, y2) = start, end
    bend = min(6.0, abs(x2 - x1))
    if bend < 0.1:
        return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"
    corner = x2 - bend if x2 > x1 else x2 + bend
    down = y1 + (bend if y2 > y1 else -bend)
    return f"M{x1:.1f} {y1:.1f}H{corner:.1f}Q{x2:.1f} {y1:.1f} {x2:.1f} {down:.1f}V{y2:.1f}"


def _join(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _category_names(categories: tuple[str, ...]) -> str:
    """Return the names of categories, joined by *and*; a category without a name stands for itself.

    >>> _category_names(("A", "S"))
    'Participant and State'
    """
    return " and ".join(CATEGORIES.get(category, category) for category in categories)
