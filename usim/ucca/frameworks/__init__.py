"""Graphs of other frameworks than UCCA as units and edges: AMR, and of MRP: DM, PSD, EDS and PTG."""

from __future__ import annotations

from usim.ucca.frameworks._amr import amr_blocks, parse_amr
from usim.ucca.frameworks.anchored import AnchoredEdge, graph_of_anchored

__all__ = ["AnchoredEdge", "amr_blocks", "graph_of_anchored", "parse_amr"]
