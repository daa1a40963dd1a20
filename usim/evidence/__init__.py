"""The comparison of two analysed sentences: what changed, why the meaning may have moved, features of the pair.

::

    comparison = compare(source, target)  # two analyses, see usim.judge.Analyser
    find_reasons(comparison)  # why the meaning may have moved
    compute_features(comparison)  # what a trained judge reads
"""

from __future__ import annotations

from usim.evidence._analysis import Analysis, PackedVectors, Sentence
from usim.evidence._comparison import Comparison, compare
from usim.evidence._features import FEATURE_SCHEMA, compute_features, feature_names
from usim.evidence._ledger.build import Entry, Ledger, build_ledger, ledger_reasons
from usim.evidence._places import stretches
from usim.evidence._reasons.detect import find_reasons
from usim.evidence._reasons.reason import KINDS, Reason, locate_reasons, mark_shown, say
from usim.evidence._reasons.telling import CLEAR_WEIGHT, untellable
from usim.evidence._restated import Restated, restated
from usim.evidence._sentence import SentenceView

__all__ = [
    "CLEAR_WEIGHT",
    "FEATURE_SCHEMA",
    "KINDS",
    "Analysis",
    "Comparison",
    "Entry",
    "Ledger",
    "PackedVectors",
    "Reason",
    "Restated",
    "Sentence",
    "SentenceView",
    "build_ledger",
    "compare",
    "compute_features",
    "feature_names",
    "find_reasons",
    "ledger_reasons",
    "locate_reasons",
    "mark_shown",
    "restated",
    "say",
    "stretches",
    "untellable",
]
