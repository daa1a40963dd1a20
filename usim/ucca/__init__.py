"""UCCA graphs: the value that flows through usim, and its file formats."""

from __future__ import annotations

from usim.ucca._categories import CATEGORIES, DESCRIPTIONS, EQUIVALENTS
from usim.ucca._counts import Counts
from usim.ucca._formats import (
    from_mrp,
    mrp_line,
    parse_xml,
    read_mrp,
    read_xml,
    read_xml_tokens,
    storable_in_xml,
    to_mrp,
    to_xml,
    write_mrp,
    write_xml,
)
from usim.ucca._graph import Edge, FoundUnit, Graph, Linkage, Terminal, Unit

__all__ = [
    "CATEGORIES",
    "DESCRIPTIONS",
    "EQUIVALENTS",
    "Counts",
    "Edge",
    "FoundUnit",
    "Graph",
    "Linkage",
    "Terminal",
    "Unit",
    "from_mrp",
    "mrp_line",
    "parse_xml",
    "read_mrp",
    "read_xml",
    "read_xml_tokens",
    "storable_in_xml",
    "to_mrp",
    "to_xml",
    "write_mrp",
    "write_xml",
]
