"""The comparison of two analysed sentences: what changed, why the meaning may have moved, features of the pair.

::

    comparison = compare(source, target)  # two analyses, see usim.judge.Analyser
    find_reasons(comparison)  # why the meaning may have moved
    compute_features(comparison)  # what a trained judge reads
"""

from __future__ import annotations

from usim.compare.analysis import Analysis, Sentence
from usim.compare.changes import stretches
from usim.compare.comparison import Comparison, compare
from usim.compare.features import FEATURE_SCHEMA, READABLE_SCHEMAS, compute_features, feature_families, feature_names
from usim.compare.reasons import KINDS, Reason, find_reasons, locate_reasons, make_reason, mark_shown, say
from usim.compare.vectors import PackedVectors

__all__ = [
    "FEATURE_SCHEMA",
    "KINDS",
    "READABLE_SCHEMAS",
    "Analysis",
    "Comparison",
    "PackedVectors",
    "Reason",
    "Sentence",
    "compare",
    "compute_features",
    "feature_families",
    "feature_names",
    "find_reasons",
    "locate_reasons",
    "make_reason",
    "mark_shown",
    "say",
    "stretches",
]
