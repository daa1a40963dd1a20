"""Graphs drawn as SVG: one graph, or a pair with the source on top, the output upside down below, and the alignment.

::

          ●                 root of the source
         ╱ ╲                units, edges with their categories
        He goes home        terminals of the source
         │    ╲   ╲         alignment of the terminals
        She went home       terminals of the output
         ╲ ╱
          ●                 root of the output

An edge that has no counterpart on the other side is red, a remote edge is dashed, an implicit unit is hollow.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from usim.text import printable

if TYPE_CHECKING:
    from usim.ucca.graph import Edge, Graph

_CHARACTER = 8.2  # width of a character of the font below, in pixels
_FONT = 14
_GAP = 16  # between tokens
_LEVEL = 56  # between levels of units
_BETWEEN = 70  # between the two rows of tokens
_MARGIN = 24
_STYLE = """
  text { font: 14px 'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif; fill: #222; text-anchor: middle }
  text.label { font-size: 11px; fill: #345; paint-order: stroke; stroke: #fff; stroke-width: 4px }
  text.lost { fill: #b3261e; font-weight: bold }
  line { stroke: #8a94a6; stroke-width: 1.3 }
  line.lost { stroke: #d93025; stroke-width: 2 }
  line.remote { stroke-dasharray: 5 4 }
  line.leaf { stroke: #5b8def; stroke-width: 1.2; opacity: .7 }
  line.leaf.changed { stroke: #e37400; stroke-width: 1.8; opacity: 1 }
  circle { fill: #345 } circle.implicit { fill: #fff; stroke: #345 }
"""
#: The same rules for a drawing inside of a page, where they must not reach other drawings.
_SCOPED_STYLE = re.sub(r"(^  |(?<=} ))(?=\w)", r"\1svg.usim ", _STYLE, flags=re.MULTILINE)
_LARGEST = 200  # terminals; a larger graph is not drawn in a notebook


@dataclass
class _Layout:
    """Where the tokens and units of one graph stand. Heights count upwards from the row of tokens."""

    tokens: list[float]
    x: list[float]
    height: list[float]
    width: float

    @classmethod
    def of(cls, graph: Graph) -> _Layout:
        """Lay a graph out."""
        tokens, right = [], float(_MARGIN)
        for terminal in graph.terminals:
            width = max(24.0, _CHARACTER * len(terminal.text))
            tokens.append(right + width / 2)
            right += width + _GAP
        n = len(graph.units)
        x, level = [0.0] * n, [1] * n
        for u in range(n - 1, -1, -1):
            below = graph.children(u, remote=False)
            level[u] = 1 + max((level[e.child] for e in below), default=0)
            ends = [tokens[t] for t in graph.positions(u)]
            x[u] = (ends[0] + ends[-1]) / 2 if ends else right
        taken: dict[int, float] = {}
        for u in range(1, n):  # implicit units stand to the right of their parent, one beside the other
            if not graph.yields[u]:
                parent = graph.parents[u]
                x[u] = taken[parent] = taken.get(parent, x[parent] + 10) + 34
        return cls(tokens, x, [_LEVEL * (k - 0.35) for k in level], max([right, *(v + _MARGIN for v in x)]))


def draw_graph(graph: Graph, unmatched: Collection[Edge] = ()) -> str:
    """Draw a graph as an SVG document.

    Args:
        graph: the graph.
        unmatched: edges to be drawn in red.
    """
    layout = _Layout.of(graph)
    row = max(layout.height) + _MARGIN + _FONT
    shapes = _graph(graph, layout, row, -1, frozenset(unmatched))
    return _document(graph.text(), layout.width + _MARGIN, row + _MARGIN, shapes)


def draw_pair(
    source: Graph,
    output: Graph,
    aligned: Iterable[tuple[int, int]],
    unmatched_source: Collection[Edge] = (),
    unmatched_output: Collection[Edge] = (),
) -> str:
    """Draw two graphs and their alignment as an SVG document.

    Args:
        source: drawn on top.
        output: drawn below, upside down.
        aligned: the alignment of the terminals, as pairs of positions.
        unmatched_source: edges of ``source`` to be drawn in red.
        unmatched_output: edges of ``output`` to be drawn in red.
    """
    top, bottom = _Layout.of(source), _Layout.of(output)
    first_row = max(top.height) + _MARGIN + _FONT
    second_row = first_row + _BETWEEN
    width = max(top.width, bottom.width) + _MARGIN
    height = second_row + max(bottom.height) + _MARGIN + _FONT
    shapes = []
    for i, j in aligned:
        same = source.terminals[i].text.lower() == output.terminals[j].text.lower()
        kind = "leaf" if same else "leaf changed"
        shapes.append(_line(top.tokens[i], first_row + 6, bottom.tokens[j], second_row - _FONT - 2, kind))
    shapes += _graph(source, top, first_row, -1, frozenset(unmatched_source))
    shapes += _graph(output, bottom, second_row, 1, frozenset(unmatched_output))
    return _document(f"{source.text()} → {output.text()}", width, height, shapes)


def inline_svg(drawing: str) -> str:
    """Return an SVG document as a part of a page; its style applies to nothing else there."""
    return drawing.replace(_STYLE, _SCOPED_STYLE, 1).replace(
        "<svg ", '<svg class="usim" style="max-width: 100%; height: auto" ', 1
    )


def is_drawable(graph: Graph) -> bool:
    """Return whether a graph is small enough to be drawn in a notebook."""
    return len(graph.terminals) <= _LARGEST


def graph_html(graph: Graph) -> str:
    """Return a graph for a notebook: drawn, or in brackets if it is too large to be drawn."""
    return inline_svg(draw_graph(graph)) if is_drawable(graph) else f"<pre>{_text(str(graph))}</pre>"


def _document(title: str, width: float, height: float, shapes: Iterable[str]) -> str:
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img">',
        f"<title>{_text(title)}</title>",
        f"<style>{_STYLE}</style>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    return "\n".join([*head, *shapes, "</svg>", ""])


def _graph(graph: Graph, layout: _Layout, row: float, direction: int, lost: frozenset[Edge]) -> list[str]:
    near = row - _FONT - 3 if direction < 0 else row + 7  # where the lines leave the tokens

    def y(unit: int) -> float:
        return near + direction * layout.height[unit]

    lines, labels, marks = [], [], []
    for edge in graph.edges:
        kind = " ".join(k for k, on in (("lost", edge in lost), ("remote", edge.is_remote)) if on)
        ends = layout.x[edge.parent], y(edge.parent), layout.x[edge.child], y(edge.child)
        lines.append(_line(*ends, kind))
        # Nearer to the child: there the edges have spread, and labels do not meet.
        at_x, at_y = (0.35 * a + 0.65 * b for a, b in ((ends[0], ends[2]), (ends[1], ends[3])))
        label = edge.label + ("*" if edge.is_remote else "")
        labels.append(_label(at_x, at_y + 4, label, "label lost" if edge in lost else "label"))
    for u, unit in enumerate(graph.units):
        kind = ' class="implicit"' if unit.is_implicit else ""
        marks.append(f'<circle cx="{layout.x[u]:.1f}" cy="{y(u):.1f}" r="3.5"{kind}/>')
        lines += [_line(layout.x[u], y(u), layout.tokens[t], near, "") for t in unit.terminals]
    tokens = [_label(x, row, t.text, "") for x, t in zip(layout.tokens, graph.terminals, strict=True)]
    return lines + marks + labels + tokens


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"' + (f' class="{kind}"/>' if kind else "/>")


def _label(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"' + (f' class="{kind}"' if kind else "") + f">{_text(text)}</text>"


def _text(text: str) -> str:
    """Return a text escaped, and without the characters that XML cannot hold."""
    return escape(printable(text))
