"""The comparison of two analysed sentences: what changed, why the meaning may have moved, features of the pair.

::

    comparison = compare(source, target)  # two analyses, see usim.judge.Analyser
    find_reasons(comparison)  # why the meaning may have moved
    compute_features(comparison)  # what a trained judge reads
"""

from __future__ import annotations

from usim.compare._analysis import Analysis, PackedVectors, Sentence
from usim.compare._comparison import Comparison, compare
from usim.compare._features import FEATURE_SCHEMA, compute_features, feature_names
from usim.compare._ledger.build import Entry, Ledger, build_ledger, ledger_reasons
from usim.compare._places import stretches
from usim.compare._reasons.detect import find_reasons
from usim.compare._reasons.reason import KINDS, Reason, locate_reasons, mark_shown, say
from usim.compare._reasons.telling import CLEAR_WEIGHT, untellable
from usim.compare._restated import Restated, restated
from usim.compare._sentence import SentenceView

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
