"""UCCA graphs: the value that flows through usim, and its file formats."""

from __future__ import annotations

from usim.ucca.categories import CATEGORIES, EQUIVALENTS
from usim.ucca.counts import Counts
from usim.ucca.formats import from_mrp, mrp_line, parse_xml, read_mrp, read_xml, to_mrp, to_xml, write_mrp, write_xml
from usim.ucca.graph import Edge, Graph, Linkage, Terminal, Unit, bits

__all__ = [
    "CATEGORIES",
    "EQUIVALENTS",
    "Counts",
    "Edge",
    "Graph",
    "Linkage",
    "Terminal",
    "Unit",
    "bits",
    "from_mrp",
    "mrp_line",
    "parse_xml",
    "read_mrp",
    "read_xml",
    "to_mrp",
    "to_xml",
    "write_mrp",
    "write_xml",
]
