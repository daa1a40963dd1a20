"""UCCA graphs: the value that flows through usim, and its file formats."""

from usim.ucca._categories import CATEGORIES, DESCRIPTIONS, EQUIVALENTS, legend
from usim.ucca._graph import Edge, FoundUnit, Graph, Linkage, Terminal, Unit
from usim.ucca._mrp import from_mrp, mrp_line, to_mrp, write_mrp
from usim.ucca._xml import parse_xml, read_xml, storable_in_xml, to_xml, write_xml

__all__ = [
    "CATEGORIES",
    "DESCRIPTIONS",
    "EQUIVALENTS",
    "Edge",
    "FoundUnit",
    "Graph",
    "Linkage",
    "Terminal",
    "Unit",
    "from_mrp",
    "legend",
    "mrp_line",
    "parse_xml",
    "read_xml",
    "storable_in_xml",
    "to_mrp",
    "to_xml",
    "write_mrp",
    "write_xml",
]
