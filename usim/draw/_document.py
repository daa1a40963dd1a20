"""The whole drawing: the caption above, the rows, and the legend below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from usim.draw._content import Caption, Content
from usim.draw._layout import LABEL_SIZE, TOKEN_SIZE, Box, label_width, lay_out
from usim.draw._lettering import text_width, wrapped
from usim.draw._rows import SIDES, paint_row
from usim.draw._shapes import STYLE, label, line_of_text, text_of
from usim.text import printable
from usim.ucca import CATEGORIES, DESCRIPTIONS

_MARGIN = 18
_NAMES = 56  # for the names of the two sides, left of the words
_ROOM_FOR_NAMES = 600  # narrower drawings have no names
_ROW_GAP = 24
_LINE = 19
_LONGEST_DESCRIPTION = 2000  # characters of a graph in brackets; a longer one is described by its words


@dataclass(frozen=True)
class SvgDocument:
    """A drawing; the fields are as for :func:`usim.draw.draw_pair`."""

    content: Content
    width: float
    caption: Caption | None = None
    has_style: bool = True

    def svg(self) -> str:
        """Return the drawing as an SVG document."""
        content = self.content
        has_names = len(content.graphs) > 1 and self.width >= _ROOM_FOR_NAMES
        left = float(_MARGIN + (_NAMES if has_names else 0))
        marks = [{p: ",".join(map(str, numbers)) for p, numbers in notes.items()} for notes in content.word_notes]
        rows = lay_out(content.graphs, content.aligned, marks, left, self.width - left - _MARGIN)
        entries = _legend_entries(content)
        ends = [max(row.right for row in rows), *(_MARGIN + entry.width for entry in entries)]
        if self.caption is not None:
            ends.append(_MARGIN + text_width(f"{self.caption.verdict}, {self.caption.figures}", TOKEN_SIZE))
        right = max(ends)
        shapes, y = self._caption(right)
        for row in rows:
            row_shapes, y = paint_row(content, row, y, float(_MARGIN) if has_names else None)
            shapes += row_shapes
            y += _ROW_GAP
        if entries:
            legend, y = _legend(entries, right, y)
            shapes += legend
        return self._document(right + _MARGIN, y - _ROW_GAP + _MARGIN, shapes)

    def _document(self, width: float, height: float, shapes: Sequence[str]) -> str:
        title = " → ".join(graph.text() for graph in self.content.graphs)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="usim" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img">',
            f"<title>{text_of(title)}</title>",
            f"<desc>{text_of(self._description())}</desc>",
            *([f"<style>{escape(STYLE)}</style>"] if self.has_style else []),
            f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
            *shapes,
            "</svg>",
            "",
        ]
        return "\n".join(lines)

    def _description(self) -> str:
        parts = [f"{self.caption.verdict}, {self.caption.figures}."] if self.caption else []
        parts += [f"{number}. {note.text}." for number, note in enumerate(self.content.notes, 1)]
        names = SIDES if len(self.content.graphs) > 1 else ("graph",)
        for name, graph in zip(names, self.content.graphs, strict=True):
            brackets = str(graph)
            parts.append(f"{name}: {brackets if len(brackets) <= _LONGEST_DESCRIPTION else graph.text()}")
        return " ".join(parts)

    def _caption(self, right: float) -> tuple[list[str], float]:
        if self.caption is None:
            return [], float(_MARGIN)
        kind, y = quoteattr(printable(f"verdict {self.caption.verdict}")), _MARGIN + 14.0
        shapes = [
            f'<text class="start" x="{_MARGIN}" y="{y}"><tspan class={kind}>{text_of(self.caption.verdict)}</tspan>'
            f'<tspan class="faint">, {text_of(self.caption.figures)}</tspan></text>'
        ]
        y += 4
        for number, note in enumerate(self.content.notes, 1):
            for k, line in enumerate(wrapped(note.text, LABEL_SIZE, right - _MARGIN - 28)):
                y += _LINE
                if k == 0:
                    shapes.append(line_of_text(_MARGIN + 16, y - 3, str(number), "raised end"))
                shapes.append(line_of_text(_MARGIN + 22, y, line, "small start"))
        return shapes, y + _ROW_GAP


class _LegendEntry(NamedTuple):
    """An entry of the legend: a sign, its width, and what it means."""

    sign: list[str]
    sign_width: float
    text: str

    @property
    def width(self) -> float:
        """The width of sign and text."""
        return self.sign_width + 8 + text_width(self.text, LABEL_SIZE)


def _legend(entries: Sequence[_LegendEntry], right: float, y: float) -> tuple[list[str], float]:
    """Return the legend in columns, from the top to the bottom, and where it ends."""
    step = max(entry.width for entry in entries) + 20
    count = max(1, int((right + 20 - _MARGIN) // step))
    length = -(-len(entries) // count)
    shapes = []
    for place, entry in enumerate(entries):
        column, line = divmod(place, length)
        at = f"translate({_MARGIN + column * step:.1f} {y + 10 + line * 24:.1f})"
        text = line_of_text(entry.sign_width + 8, 4, entry.text, "small start")
        shapes += [f'<g class="key" transform="{at}">', *entry.sign, text, "</g>"]
    return shapes, y + length * 24 + _ROW_GAP


def _legend_entries(content: Content) -> list[_LegendEntry]:
    entries = []
    for category in content.categories:
        width = label_width(category)
        box = label(Box(width / 2, width, category), 0)
        name, about = CATEGORIES.get(category, category), DESCRIPTIONS.get(category)
        sign = [f"<g class={quoteattr(printable(f'of-{category}'))}>", *box, "</g>"]
        entries.append(_LegendEntry(sign, width, f"{name}: {about}" if about else name))
    return entries + [_LegendEntry(sign, 26.0, text) for sign, text in _signs(content)]


def _signs(content: Content) -> list[tuple[list[str], str]]:
    """Return the other signs of a drawing, with what they mean."""
    graphs = content.graphs
    signs = []
    if any(edge.is_remote for graph in graphs for edge in graph.edges):
        box = label(Box(13, 26, "A*"), 0)
        signs.append((['<g class="remote">', *box, "</g>"], "remote: also takes part here"))
    if any(unit.is_implicit for graph in graphs for unit in graph.units):
        signs.append((['<circle class="implicit" cx="13" cy="0" r="3"/>'], "implicit: not mentioned"))
    if any(content.lost):
        signs.append((['<path class="lost" d="M0 0H26"/>'], "no counterpart in the other"))
    if any(content.is_changed(i, j) for i, j in content.aligned):
        signs.append((['<path class="align changed" d="M13 -9V9"/>'], "words that differ"))
    if content.soft:
        signs.append((['<path class="soft" d="M13 -9V9"/>'], "most alike in meaning, not aligned"))
    if any(content.has_no_counterpart(s, t) for s, graph in enumerate(graphs) for t in range(len(graph.terminals))):
        signs.append((['<g class="alone"><text x="13" y="5">w</text></g>'], "a word without a counterpart"))
    if content.notes:
        rect = '<rect class="hit" x="0" y="-10" width="26" height="20" rx="4"/>'
        word = '<text x="13" y="5">w<tspan class="raised" dy="-6">1</tspan></text>'
        signs.append((['<g class="marked">', rect, word, "</g>"], "in the reason with this number"))
    return signs
