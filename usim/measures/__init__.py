"""Measures of how much of the structure of one text is found in another: USim and DAG F."""

from __future__ import annotations

from usim.measures._align import LEAVES, Alignment, align_graphs, align_tokens
from usim.measures._arrays import graph_arrays
from usim.measures._usim import (
    DEFAULT,
    PAPER,
    PAPER_PLAIN,
    PRESETS,
    REFERENCE,
    Preset,
    Scores,
    UsimScore,
    dag_f,
    usim_score,
)
from usim.measures.soft import SoftAlignment

__all__ = [
    "DEFAULT",
    "LEAVES",
    "PAPER",
    "PAPER_PLAIN",
    "PRESETS",
    "REFERENCE",
    "Alignment",
    "Preset",
    "Scores",
    "SoftAlignment",
    "UsimScore",
    "align_graphs",
    "align_tokens",
    "dag_f",
    "graph_arrays",
    "usim_score",
]
