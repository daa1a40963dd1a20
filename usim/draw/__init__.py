"""Graphs drawn as SVG: one graph, or a pair with the source on top, the output upside down below, and the alignment.

::

        (root)              source
       ┌──┴──┐
      (A)   (P)             units, each with the categories of the edge into it
       │     │
       He   goes  home      words of the source
       │     │     │        alignment
       She  went  home      words of the output
       │     │
      (A)   (P)
       └──┬──┘
        (root)              output

Words that belong together stand above each other, so that the lines between them are upright; only words that have
moved are joined by slanting lines, if they stand in one row. Dashed lines join words that are most alike without
being aligned. Long sentences are wrapped into rows; a unit that goes on in another row has a dotted line towards it.
An edge that has no counterpart on the other side is red. Beside the box of a unit stand those of its remote edges,
dashed, and of its implicit units. Elements have ``data-`` attributes that say which unit or word they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

from usim.draw._content import Caption, DrawnGraph, Note, numbered
from usim.draw._svg import STYLE, svg_document
from usim.text import printable
from usim.ucca import Edge, Graph

__all__ = ["STYLE", "Caption", "Note", "draw_graph", "draw_pair", "graph_html", "is_drawable"]

_WIDTH = 1080.0
_LARGEST = 200  # terminals; a larger graph is not drawn in a notebook


def draw_graph(graph: Graph) -> str:
    """Draw a graph as an SVG document."""
    return svg_document([DrawnGraph(graph)], _WIDTH)


def draw_pair(
    source: Graph,
    output: Graph,
    aligned: Iterable[tuple[int, int]],
    unmatched_source: Collection[Edge] = (),
    unmatched_output: Collection[Edge] = (),
    *,
    partners: tuple[Sequence[int], Sequence[int]] = ((), ()),
    soft: Sequence[tuple[int, int]] = (),
    notes: Sequence[Note] = (),
    caption: Caption | None = None,
    width: float = _WIDTH,
    style: bool = True,
) -> str:
    """Draw two graphs and their alignment as an SVG document.

    Args:
        aligned: the alignment of the terminals, as pairs of positions.
        unmatched_source, unmatched_output: their edges to be drawn in red.
        partners: for each unit of either graph its partner in the other, -1 for none; for ``data-partner``.
        soft: words that are most alike though they are not aligned; they are joined by dashed lines.
        notes: what is to be said about words, such as the findings of a verdict.
        caption: what stands on top, above the notes; without it the notes stand only at their words.
        width: at which rows are wrapped, in pixels.
        style: whether the drawing brings its style sheet; otherwise a page must have :data:`STYLE`.
    """
    pairs = [(int(i), int(j)) for i, j in aligned]
    of_source, of_output = numbered(note.source for note in notes), numbered(note.output for note in notes)
    sides = [
        DrawnGraph(source, "source", frozenset(unmatched_source), partners[0], dict(pairs), of_source),
        DrawnGraph(output, "output", frozenset(unmatched_output), partners[1], {j: i for i, j in pairs}, of_output),
    ]
    return svg_document(sides, width, aligned=pairs, soft=soft, notes=notes, caption=caption, style=style)


def is_drawable(graph: Graph) -> bool:
    """Return whether a graph is small enough to be drawn in a notebook."""
    return len(graph.terminals) <= _LARGEST


def graph_html(graph: Graph) -> str:
    """Return a graph for a notebook: drawn, or in brackets if it is too large to be drawn."""
    return draw_graph(graph) if is_drawable(graph) else f"<pre>{escape(printable(str(graph)))}</pre>"
