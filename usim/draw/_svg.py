"""The drawing as SVG: the caption, the rows with the graph of the source above its words, the legend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from textwrap import wrap
from xml.sax.saxutils import escape, quoteattr

from usim.draw._content import Caption, DrawnGraph, Note
from usim.draw._layout import (
    BESIDE,
    BOX_HEIGHT,
    LABEL_SIZE,
    MARK_SIZE,
    TOKEN_HEIGHT,
    TOKEN_SIZE,
    Box,
    Part,
    Row,
    lay_out,
    text_width,
)
from usim.text import printable
from usim.ucca import CATEGORIES, legend

_MARGIN = 18
_NAMES = 56  # for the names of the two sides, left of the words
_ROW_GAP = 24
_LINE = 19
_FORK = 8  # from a box to where its lines part
_BETWEEN = 52  # between the words of the source and those of the output
_ONWARD = 10  # how far the line of a unit that goes on in another row sticks out


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _style() -> str:
    """Return the rules without colours, and those with the names of colours, each in light and in dark.

    The colours are written out because many programs that show SVG know no CSS variables.
    """
    _, *rows = (line.split("\t") for line in _read("colours.tsv").splitlines())
    rules = Template(_read("colours.css"))
    light, dark = (rules.substitute({row[0]: row[column] for row in rows}) for column in (1, 2))
    return f"\n{_read('shapes.css')}{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


#: The style sheet of all drawings; its rules begin with ``svg.usim`` and change nothing else in a page.
STYLE = _style()


def svg_document(
    sides: Sequence[DrawnGraph],
    width: float,
    *,
    aligned: Sequence[tuple[int, int]] = (),
    soft: Sequence[tuple[int, int]] = (),
    notes: Sequence[Note] = (),
    caption: Caption | None = None,
    style: bool = True,
) -> str:
    """Return a drawing of one graph or two as an SVG document; the arguments are as for :func:`usim.draw.draw_pair`."""
    left = float(_MARGIN + _NAMES * (len(sides) > 1))
    rows = lay_out(sides, aligned, left, max(width - left - _MARGIN, 1.0))
    summary = f"{caption.verdict}, {caption.figures}" if caption else ""
    links = [("soft", i, j) for i, j in soft]
    words = [[token.lower() for token in side.graph.tokens] for side in sides]
    links += [("align" if words[0][i] == words[1][j] else "align changed", i, j) for i, j in aligned]
    meanings = _meanings(sides, {kind for kind, _, _ in links}, has_notes=bool(notes))
    lines = [(summary, TOKEN_SIZE), *((f"{sign} {meaning}", LABEL_SIZE) for _, sign, meaning in meanings)]
    right = max(row.right for row in rows)
    right = max(right, *(_MARGIN + text_width(line, size) for line, size in lines))
    shapes, y = _caption(caption, notes, right) if caption else ([], float(_MARGIN))
    for row in rows:
        row_shapes, y = _paint_row(sides, row, y, links)
        shapes += row_shapes
        y += _ROW_GAP
    for kind, sign, meaning in meanings:
        sign = f'<tspan class={_quoted(kind)}><tspan class="label">{_text(sign)}</tspan></tspan>'
        shapes.append(_line_of_text("key small start", _MARGIN, y + 10, f"{sign} {_text(meaning)}"))
        y += _LINE
    size = f"{right + _MARGIN:.0f}", f"{y + _MARGIN:.0f}"
    box = f'width="{size[0]}" height="{size[1]}"'
    described = [f"{summary}."] if caption else []
    described += [f"{number}. {note.text}." for number, note in enumerate(notes, 1)]
    described += [f"{side.name}: {side.graph}" for side in sides]
    elements = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="usim" viewBox="0 0 {" ".join(size)}" {box} role="img">',
        f"<title>{_text(' → '.join(side.graph.text() for side in sides))}</title>",
        f"<desc>{_text(' '.join(described))}</desc>",
        *([f"<style>{escape(STYLE)}</style>"] if style else []),
        f'<rect class="paper" {box}/>',
        *shapes,
        "</svg>",
        "",
    ]
    return "\n".join(elements)


def _meanings(sides: Sequence[DrawnGraph], links: set[str], *, has_notes: bool) -> list[tuple[str, str, str]]:
    """Return the legend: the categories and the other signs of a drawing, each with its class and what it means."""
    edges = [edge for side in sides for edge in side.graph.edges]
    categories = [(f"of-{category}", category, meaning) for category, meaning in legend(edges)]
    is_alone = any(side.is_alone(t) for side in sides for t in range(len(side.graph.tokens)))
    signs = [
        (any(side.graph.remotes for side in sides), "", "*", "remote: also takes part here"),
        (any(side.unmatched for side in sides), "lost", "red", "no counterpart in the other"),
        ("align changed" in links, "changed", "│", "words that differ"),
        ("soft" in links, "changed", "┊", "most alike in meaning, not aligned"),
        (is_alone, "lost", "w", "a word without a counterpart"),
        (has_notes, "", "w¹", "in the finding with this number"),
    ]
    return categories + [(kind, sign, meaning) for is_used, kind, sign, meaning in signs if is_used]


def _caption(caption: Caption, notes: Sequence[Note], right: float) -> tuple[list[str], float]:
    """Return the verdict and the notes, and where they end."""
    y = _MARGIN + 14.0
    verdict = f"<tspan class={_quoted(f'verdict {caption.verdict}')}>{_text(caption.verdict)}</tspan>"
    shapes = [_line_of_text("start", _MARGIN, y, f'{verdict}<tspan class="faint">, {_text(caption.figures)}</tspan>')]
    for number, note in enumerate(notes, 1):
        for k, line in enumerate(wrap(note.text, max(12, int((right - _MARGIN) / 8)))):
            y += _LINE
            if not k:
                shapes.append(_line_of_text("raised end", _MARGIN + 16, y + 1, str(number)))
            shapes.append(_line_of_text("small start", _MARGIN + 22, y + 4, _text(line)))
    return shapes, y + 4 + _ROW_GAP


def _paint_row(
    sides: Sequence[DrawnGraph], row: Row, top: float, links: Iterable[tuple[str, int, int]]
) -> tuple[list[str], float]:
    """Return the shapes of a row, and where it ends."""
    y = top + row.parts[0].height
    below = y + TOKEN_HEIGHT + _BETWEEN
    painters = [_Painter(side, row, part, at) for side, part, at in zip(sides, row.parts, (y, below), strict=False)]
    shapes = []
    if len(sides) > 1:
        shapes = [_line_of_text("small faint start", _MARGIN, each.top + 17, each.side.name) for each in painters]
        source, output = (part.tokens for part in row.parts)
        start, middle = y + TOKEN_HEIGHT, y + TOKEN_HEIGHT + _BETWEEN / 2
        for kind, i, j in links:
            if i in source and j in output:
                x1, x2 = source[i], output[j]
                way = f"M{x1:.1f} {start:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} {x2:.1f} {below:.1f}"
                shapes.append(f'<path class="{kind}"{_data({"source": i, "output": j})} d="{way}"/>')
    shapes += [shape for painter in painters for shape in painter.shapes()]
    return shapes, y + TOKEN_HEIGHT if len(sides) == 1 else below + TOKEN_HEIGHT + row.parts[1].height


@dataclass(frozen=True)
class _Painter:
    """Paints what a graph has in a row: above its words, or, for the output, below them; ``top`` is that of words."""

    side: DrawnGraph
    row: Row
    part: Part
    top: float

    def shapes(self) -> list[str]:
        """Return the lines from each unit to those below it and to its words, then the units, then the words."""
        units = self.part.units
        lines, lost, boxes = [], [], []
        for u in sorted(units):
            placed, edge = units[u], self.side.incoming(u)
            y = self._y(placed.height)
            if u:
                way = self._way(edge.parent, placed.x, self._y(placed.height + BOX_HEIGHT))
                line = f'{_data({"side": self.side.name, "unit": u})} d="{way}"/>'
                # What has no counterpart comes last, over the others.
                if edge in self.side.unmatched:
                    lost.append(f'<path class="edge lost"{line}')
                else:
                    lines.append(f'<path class="edge"{line}')
            for t in self.side.graph.units[u].terminals:
                if t in self.part.tokens:
                    lines.append(f'<path d="{self._way(u, self.part.tokens[t], self._y(0))}"/>')
            ends = (self.row.left - _ONWARD, placed.before), (self.row.right + _ONWARD, placed.after)
            lines += [f'<path class="onward" d="{self._way(u, x)}"/>' for x, goes_on in ends if goes_on]
            left = placed.left
            for box in placed.boxes:
                boxes.append(self._box(box, left + box.width / 2, y))
                left += box.width + BESIDE
        return [*lines, *lost, *boxes, *(self._token(t, x) for t, x in sorted(self.part.tokens.items()))]

    def _y(self, height: float) -> float:
        """Return where something of this height above the words of the source, or below those of the output, is."""
        return self.top + TOKEN_HEIGHT + height if self.side.name == "output" else self.top - height

    def _way(self, unit: int, x: float, end: float | None = None) -> str:
        """Return the way of a line from a unit: towards the words, along to ``x``, and on to its end."""
        placed = self.part.units[unit]
        fork = f"M{placed.x:.1f} {self._y(placed.height):.1f}V{self._y(placed.height - _FORK):.1f}H{x:.1f}"
        return fork if end is None else f"{fork}V{end:.1f}"

    def _box(self, box: Box, x: float, bottom: float) -> str:
        """Return the box of the edge into a unit, or of a remote edge."""
        side, graph, edge = self.side, self.side.graph, box.edge
        names = " and ".join(CATEGORIES.get(category, category) for category in edge.categories)
        title = f"{names}{', remote' * edge.is_remote}: {graph.text(edge.child) or 'implicit'}"
        data: dict[str, object] = {"side": side.name, "parent": edge.parent}
        if edge.is_remote:
            kind = "remote"
            data["child"] = edge.child
        else:
            kind = "unit" if graph.yields[edge.child] else "unit implicit"
            data |= {"unit": edge.child, "words": graph.positions(edge.child), "notes": side.unit_notes(edge.child)}
            if len(side.partners):
                data["partner"] = int(side.partners[edge.child])
        y = bottom if side.name == "output" else bottom - BOX_HEIGHT
        shapes = [
            f'<rect class="box" x="{x - box.width / 2:.1f}" y="{y:.1f}" width="{box.width:.1f}" '
            f'height="{BOX_HEIGHT}" rx="{BOX_HEIGHT / 2}"/>',
            _line_of_text("label", x, y + 13, _text(box.label)),
        ]
        kind += f" of-{edge.categories[0]}{' lost' * (edge in side.unmatched)}"
        return _group(kind, title, data, shapes)

    def _token(self, position: int, x: float) -> str:
        side, text, raised = self.side, self.side.graph.tokens[position], self.side.mark(position)
        mark = f'<tspan class="raised" dy="-6">{raised}</tspan>' if raised else ""
        width = text_width(printable(text), TOKEN_SIZE) + text_width(raised, MARK_SIZE) + 6
        kind = f"token{' marked' * bool(raised)}{' alone' * side.is_alone(position)}"
        data: dict[str, object] = {"side": side.name, "word": position, "notes": side.notes.get(position, ())}
        if side.word_partners and position in side.word_partners:
            data["partner"] = side.word_partners[position]
        shapes = [
            f'<rect class="hit" x="{x - width / 2:.1f}" y="{self.top + 2:.1f}" width="{width:.1f}" '
            f'height="{TOKEN_HEIGHT - 4}" rx="4"/>',
            f'<text x="{x:.1f}" y="{self.top + 17:.1f}">{_text(text)}{mark}</text>',
        ]
        return _group(kind, text, data, shapes)


def _text(text: str) -> str:
    """Return a text escaped, and without the characters that XML cannot hold."""
    return escape(printable(text))


def _quoted(text: str) -> str:
    """Return a text as the value of an attribute, in quotes."""
    return quoteattr(printable(text))


def _line_of_text(kind: str, x: float, y: float, content: str) -> str:
    """Return a line of text, given as XML; ``y`` is its base."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{content}</text>'


def _data(values: Mapping[str, object]) -> str:
    """Return attributes with data for programs; the items of a list are separated by blanks."""
    texts = {
        name: " ".join(map(str, value)) if isinstance(value, list | tuple) else value for name, value in values.items()
    }
    return "".join(f" data-{name}={_quoted(str(text))}" for name, text in texts.items())


def _group(kind: str, title: str, data: Mapping[str, object], shapes: list[str]) -> str:
    """Return shapes as a group with a title, which is shown when it is pointed at."""
    return "\n".join([f"<g class={_quoted(kind)}{_data(data)}>", f"<title>{_text(title)}</title>", *shapes, "</g>"])
