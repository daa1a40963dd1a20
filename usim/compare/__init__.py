"""The comparison of two analysed sentences: what changed, why the meaning may have moved, features of the pair.

::

    comparison = compare(source, target)              # two analyses, see :class:`usim.judge.Analyser`
    [reason.kind for reason in find_reasons(comparison)]
"""

from __future__ import annotations

from usim.compare.analysis import Analysis, Sentence, Vectors
from usim.compare.comparison import Comparison, compare
from usim.compare.reasons import FEATURE_NAMES, KINDS, Change, Reason, compute_features, find_changes, find_reasons

__all__ = [
    "FEATURE_NAMES",
    "KINDS",
    "Analysis",
    "Change",
    "Comparison",
    "Reason",
    "Sentence",
    "Vectors",
    "compare",
    "compute_features",
    "find_changes",
    "find_reasons",
]
