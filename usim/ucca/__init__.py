"""UCCA graphs: the value that flows through usim, and its file formats."""

from __future__ import annotations

from usim.ucca.categories import CATEGORIES, DESCRIPTIONS, EQUIVALENTS
from usim.ucca.counts import Counts
from usim.ucca.drawing import STYLE, Caption, Note, draw_graph, draw_pair, inline_svg, is_drawable
from usim.ucca.formats import (
    from_mrp,
    mrp_line,
    parse_xml,
    read_mrp,
    read_xml,
    storable_in_xml,
    to_mrp,
    to_xml,
    write_mrp,
    write_xml,
)
from usim.ucca.graph import Edge, Graph, Linkage, Terminal, Unit, bit_set, bits, collect_yields

__all__ = [
    "CATEGORIES",
    "DESCRIPTIONS",
    "EQUIVALENTS",
    "STYLE",
    "Caption",
    "Counts",
    "Edge",
    "Graph",
    "Linkage",
    "Note",
    "Terminal",
    "Unit",
    "bit_set",
    "bits",
    "collect_yields",
    "draw_graph",
    "draw_pair",
    "from_mrp",
    "inline_svg",
    "is_drawable",
    "mrp_line",
    "parse_xml",
    "read_mrp",
    "read_xml",
    "storable_in_xml",
    "to_mrp",
    "to_xml",
    "write_mrp",
    "write_xml",
]
