"""Measures of how much of the structure of one text is found in another: USim."""

from usim.measures._align import LEAVES, Alignment, align_graphs, align_tokens, assignment
from usim.measures._arrays import words_of
from usim.measures._usim import DEFAULT, PAPER, PAPER_PLAIN, PRESETS, REFERENCE, Preset, Scores, UsimScore, usim_score
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
    "assignment",
    "usim_score",
    "words_of",
]
