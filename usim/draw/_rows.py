"""A row of a drawing: the graph of the source above its words, the graph of the output below its own."""

from __future__ import annotations

from usim.draw._content import Content
from usim.draw._layout import MARK_SIZE, PILL_HEIGHT, STEM, TOKEN_HEIGHT, TOKEN_SIZE, PlacedUnit, Row
from usim.draw._lettering import text_width
from usim.draw._shapes import group, label, line_of_text, text_of
from usim.text import printable
from usim.ucca import CATEGORIES

SIDES = ("source", "output")
_BETWEEN = 52  # between the words of the source and those of the output
_ONWARD = 10  # how far the line of a unit that goes on in another row sticks out


def paint_row(content: Content, row: Row, top: float, names_at: float | None) -> tuple[list[str], float]:
    """Return the shapes of a row, and where it ends; the names of the two sides begin at ``names_at``, if at all."""
    y = top + row.parts[0].height
    source = _PartPainter(content, 0, row, y).shapes()
    if len(row.parts) == 1:
        return source, y + TOKEN_HEIGHT
    below = y + TOKEN_HEIGHT + _BETWEEN
    shapes = []
    if names_at is not None:
        shapes += [line_of_text(names_at, at + 17, SIDES[at == below], "small faint start") for at in (y, below)]
    shapes += _paint_alignment(content, row, y + TOKEN_HEIGHT, below)
    return [*shapes, *source, *_PartPainter(content, 1, row, below).shapes()], below + TOKEN_HEIGHT + row.parts[
        1
    ].height


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


class _PartPainter:
    """Paints what a graph has in a row: side 0 above its words, side 1 below; ``top`` is that of the words."""

    def __init__(self, content: Content, side: int, row: Row, top: float) -> None:
        self._content = content
        self._graph = content.graphs[side]
        self._side = side
        self._row = row
        self._tokens, self._units = row.parts[side].tokens, row.parts[side].units
        self._top = top

    def shapes(self) -> list[str]:
        """Return the lines from each unit to those below it, then the units, then the words."""
        units = [self._units[u] for u in sorted(self._units)]
        # What has no counterpart comes last, over the others.
        lines = sorted((self._line(placed) for placed in units if placed.unit), key=lambda line: 'lost"' in line)
        shapes = [shape for placed in units for shape in (self._unit(placed), *self._beside(placed))]
        return [*lines, *shapes, *(self._token(position, x) for position, x in sorted(self._tokens.items()))]

    def _y(self, height: float) -> float:
        """Return where something of this height above the words of the source, or below those of the output, is."""
        return self._top + TOKEN_HEIGHT + height if self._side else self._top - height

    def _label_y(self, placed: PlacedUnit) -> float:
        return self._y(placed.height + STEM + PILL_HEIGHT / 2)

    def _lost(self, unit: int) -> str:
        """Return what is added to the class of a unit whose edge has no counterpart."""
        return " lost" if self._graph.primary[unit - 1] in self._content.unmatched[self._side] else ""

    def _line(self, placed: PlacedUnit) -> str:
        """Return the line from the unit above to a unit."""
        u = placed.unit
        above = self._units[self._graph.parents[u]]
        way = _elbow(above.x, self._y(above.height), placed.x, self._y(placed.height + STEM + PILL_HEIGHT))
        return f'<path class="edge{self._lost(u)}" data-side="{SIDES[self._side]}" data-unit="{u}" d="{way}"/>'

    def _unit(self, placed: PlacedUnit) -> str:
        """Return a unit with its label and with the lines to its words."""
        graph, u, x, y = self._graph, placed.unit, placed.x, self._y(placed.height)
        shapes = []
        kind, title = "unit", f"root: {graph.text()}"
        if u:
            categories = graph.category(u)
            kind = f"unit of-{categories[0]}{self._lost(u)}{' again' if placed.before else ''}"
            title = f"{_category_names(categories)}: {graph.text(u)}"
            label_y = self._label_y(placed)
            shapes.append(f'<path class="stem" d="M{x:.1f} {label_y:.1f}V{y:.1f}"/>')
            shapes += label(placed.label, x, label_y)
        shapes += [
            f'<path class="onward" d="M{x:.1f} {y:.1f}H{end:.1f}"/>'
            for end, goes_on in ((self._row.left - _ONWARD, placed.before), (self._row.right + _ONWARD, placed.after))
            if goes_on
        ]
        for position in graph.units[u].terminals:
            if position in self._tokens:
                shapes.append(f'<path class="leaf" d="{_elbow(x, y, self._tokens[position], self._y(0))}"/>')
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
        return group(kind, title, self._unit_data(u), shapes)

    def _unit_data(self, u: int) -> dict[str, object]:
        notes = self._content.unit_notes[self._side].get(u, ())
        data: dict[str, object] = {"side": SIDES[self._side], "unit": u, "parent": self._graph.parents[u]}
        data |= {"words": self._graph.positions(u), "notes": notes}
        if len(partners := self._content.partners[self._side]):
            data["partner"] = int(partners[u])
        return data

    def _beside(self, placed: PlacedUnit) -> list[str]:
        """Return the boxes of the remote edges of a unit, and of what is below it without words."""
        graph, y = self._graph, self._label_y(placed)
        shapes = []
        for edge, box, x in placed.places():
            start = x - box.width / 2
            line = f'<path class="edge" d="M{start - 4:.1f} {y:.1f}H{start:.1f}"/>'
            names = _category_names(edge.categories)
            if edge.is_remote:
                lost = " lost" if edge in self._content.unmatched[self._side] else ""
                kind = f"remote of-{edge.categories[0]}{lost}"
                title = f"{names}, remote: {graph.text(edge.child) or 'implicit'}"
                data: dict[str, object] = {"side": SIDES[self._side], "parent": placed.unit, "child": edge.child}
                data["words"] = graph.positions(edge.child)
            else:
                kind = f"unit implicit of-{edge.categories[0]}{self._lost(edge.child)}"
                title, data = f"{names}: implicit", self._unit_data(edge.child)
            shapes.append(group(kind, title, data, [line, *label(box, x, y)]))
        return shapes

    def _token(self, position: int, at: float) -> str:
        content, side = self._content, self._side
        text = self._graph.tokens[position]
        numbers = content.word_notes[side].get(position, [])
        raised = ",".join(map(str, numbers))
        mark = f'<tspan class="raised" dy="-6">{raised}</tspan>' if raised else ""
        width = text_width(printable(text), TOKEN_SIZE) + text_width(raised, MARK_SIZE) + 6
        kind = "token" + (" marked" if numbers else "")
        kind += " alone" if content.has_no_counterpart(side, position) else ""
        title = "; ".join(content.notes[number - 1].text for number in numbers) or text
        data: dict[str, object] = {"side": SIDES[side], "word": position, "notes": numbers}
        if (partner := content.word_partners[side].get(position)) is not None:
            data["partner"] = partner
        shapes = [
            f'<rect class="hit" x="{at - width / 2:.1f}" y="{self._top + 2:.1f}" width="{width:.1f}" '
            f'height="{TOKEN_HEIGHT - 4}" rx="4"/>',
            f'<text x="{at:.1f}" y="{self._top + 17:.1f}">{text_of(text)}{mark}</text>',
        ]
        return group(kind, title, data, shapes)


def _elbow(x1: float, y1: float, x2: float, y2: float) -> str:
    """Return the way of a line that goes along first, and then towards the words."""
    bend = min(6.0, abs(x2 - x1))
    if bend < 0.1:
        return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"
    corner = x2 - bend if x2 > x1 else x2 + bend
    down = y1 + (bend if y2 > y1 else -bend)
    return f"M{x1:.1f} {y1:.1f}H{corner:.1f}Q{x2:.1f} {y1:.1f} {x2:.1f} {down:.1f}V{y2:.1f}"


def _category_names(categories: tuple[str, ...]) -> str:
    """Return the names of categories, joined by *and*; a category without a name stands for itself.

    >>> _category_names(("A", "S"))
    'Participant and State'
    """
    return " and ".join(CATEGORIES.get(category, category) for category in categories)
