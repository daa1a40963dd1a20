"""The comparison of two analysed sentences: what changed, why the meaning may have moved, features of the pair."""

from __future__ import annotations

from usim.compare.analysis import Analysis, Sentence, Vectors
from usim.compare.reasons import FEATURE_NAMES, KINDS, Change, Reason, changes_between, features, reasons_between

__all__ = [
    "FEATURE_NAMES",
    "KINDS",
    "Analysis",
    "Change",
    "Reason",
    "Sentence",
    "Vectors",
    "changes_between",
    "features",
    "reasons_between",
]
