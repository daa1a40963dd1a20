"""The whole drawing: the caption above, the rows, and the legend below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from usim.draw._content import Content
from usim.draw._layout import LABEL_SIZE, TOKEN_SIZE, Box, label_width, lay_out
from usim.draw._lettering import text_width, wrapped
from usim.draw._rows import SIDES, paint_row
from usim.draw._shapes import STYLE, label, line_of_text, quoted, text_of
from usim.ucca import CATEGORIES, DESCRIPTIONS

_MARGIN = 18
_NAMES = 56  # for the names of the two sides, left of the words
_ROOM_FOR_NAMES = 600  # narrower drawings have no names
_ROW_GAP = 24
_LINE = 19
_LONGEST_DESCRIPTION = 2000  # characters of a graph in brackets; a longer one is described by its words


def svg_document(content: Content, width: float, *, has_style: bool = True) -> str:
    """Return a drawing as an SVG document; the arguments are as for :func:`usim.draw.draw_pair`."""
    has_names = len(content.graphs) > 1 and width >= _ROOM_FOR_NAMES
    left = float(_MARGIN + (_NAMES if has_names else 0))
    marks = [{p: ",".join(map(str, numbers)) for p, numbers in notes.items()} for notes in content.word_notes]
    rows = lay_out(content.graphs, content.aligned, marks, left, width - left - _MARGIN)
    entries = _legend_entries(content)
    ends = [max(row.right for row in rows), *(_MARGIN + entry.width for entry in entries)]
    if content.caption is not None:
        ends.append(_MARGIN + text_width(_summary(content), TOKEN_SIZE))
    right = max(ends)
    shapes, y = _caption(content, right)
    for row in rows:
        row_shapes, y = paint_row(content, row, y, float(_MARGIN) if has_names else None)
        shapes += row_shapes
        y += _ROW_GAP
    if entries:
        legend, y = _legend(entries, right, y)
        shapes += legend
    size = f"{right + _MARGIN:.0f}", f"{y - _ROW_GAP + _MARGIN:.0f}"
    box = f'width="{size[0]}" height="{size[1]}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="usim" viewBox="0 0 {" ".join(size)}" {box} role="img">',
        f"<title>{text_of(' → '.join(graph.text() for graph in content.graphs))}</title>",
        f"<desc>{text_of(_description(content))}</desc>",
        *([f"<style>{escape(STYLE)}</style>"] if has_style else []),
        f'<rect class="paper" {box}/>',
        *shapes,
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def _summary(content: Content) -> str:
    return f"{content.caption.verdict}, {content.caption.figures}" if content.caption else ""


def _description(content: Content) -> str:
    parts = [f"{_summary(content)}."] if content.caption else []
    parts += [f"{number}. {note.text}." for number, note in enumerate(content.notes, 1)]
    names = SIDES if len(content.graphs) > 1 else ("graph",)
    for name, graph in zip(names, content.graphs, strict=True):
        brackets = str(graph)
        parts.append(f"{name}: {brackets if len(brackets) <= _LONGEST_DESCRIPTION else graph.text()}")
    return " ".join(parts)


def _caption(content: Content, right: float) -> tuple[list[str], float]:
    """Return the verdict and the notes, and where they end."""
    if content.caption is None:
        return [], float(_MARGIN)
    verdict, figures = content.caption.verdict, content.caption.figures
    kind, y = quoted(f"verdict {verdict}"), _MARGIN + 14.0
    shapes = [
        f'<text class="start" x="{_MARGIN}" y="{y}"><tspan class={kind}>{text_of(verdict)}</tspan>'
        f'<tspan class="faint">, {text_of(figures)}</tspan></text>'
    ]
    y += 4
    for number, note in enumerate(content.notes, 1):
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
    """Return the categories of a drawing, and the other signs in it."""
    graphs = content.graphs
    entries = []
    for category in content.categories:
        box = Box(category, label_width(category))
        sign = [f"<g class={quoted(f'of-{category}')}>", *label(box, box.width / 2, 0), "</g>"]
        name, about = CATEGORIES.get(category, category), DESCRIPTIONS.get(category)
        entries.append(_LegendEntry(sign, box.width, f"{name}: {about}" if about else name))

    def add(is_used: bool, meaning: str, *sign: str) -> None:
        if is_used:
            entries.append(_LegendEntry([*sign], 26.0, meaning))

    remote = ['<g class="remote">', *label(Box("A*", 26), 13, 0), "</g>"]
    add(any(graph.remotes for graph in graphs), "remote: also takes part here", *remote)
    add(any(content.unmatched), "no counterpart in the other", '<path class="lost" d="M0 0H26"/>')
    is_changed = any(content.is_changed(i, j) for i, j in content.aligned)
    add(is_changed, "words that differ", '<path class="align changed" d="M13 -9V9"/>')
    add(bool(content.soft), "most alike in meaning, not aligned", '<path class="soft" d="M13 -9V9"/>')
    is_alone = any(content.has_no_counterpart(s, t) for s, graph in enumerate(graphs) for t in range(len(graph.tokens)))
    add(is_alone, "a word without a counterpart", '<g class="alone"><text x="13" y="5">w</text></g>')
    rect = '<rect class="hit" x="0" y="-10" width="26" height="20" rx="4"/>'
    word = '<text x="13" y="5">w<tspan class="raised" dy="-6">1</tspan></text>'
    add(bool(content.notes), "in the reason with this number", '<g class="marked">', rect, word, "</g>")
    return entries
