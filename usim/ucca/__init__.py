"""UCCA graphs: the value that flows through usim, and its file formats; graphs of other frameworks in the same form."""

from __future__ import annotations

from usim.ucca.amr import AmrBlock, amr_blocks, parse_amr, read_amr
from usim.ucca.anchored import AnchoredEdge, graph_of_anchored
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
from usim.ucca.frameworks import ANCHORED, from_anchored_mrp
from usim.ucca.graph import Edge, Graph, Linkage, Terminal, Unit, bit_set, bits, collect_yields

__all__ = [
    "ANCHORED",
    "CATEGORIES",
    "DESCRIPTIONS",
    "EQUIVALENTS",
    "STYLE",
    "AmrBlock",
    "AnchoredEdge",
    "Caption",
    "Counts",
    "Edge",
    "Graph",
    "Linkage",
    "Note",
    "Terminal",
    "Unit",
    "amr_blocks",
    "bit_set",
    "bits",
    "collect_yields",
    "draw_graph",
    "draw_pair",
    "from_anchored_mrp",
    "from_mrp",
    "graph_of_anchored",
    "inline_svg",
    "is_drawable",
    "mrp_line",
    "parse_amr",
    "parse_xml",
    "read_amr",
    "read_mrp",
    "read_xml",
    "storable_in_xml",
    "to_mrp",
    "to_xml",
    "write_mrp",
    "write_xml",
]
