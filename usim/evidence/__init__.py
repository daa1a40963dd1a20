"""The comparison of two analysed sentences: what changed, why the meaning may have moved, features of the pair.

::

    comparison = compare(source, output)  # two analyses, see usim.judge.Analyser
    detect_findings(comparison)  # why the meaning may have moved
    compute_features(comparison)  # what a trained judge reads
"""

from usim.evidence._analysis import Analysis, PackedVectors, Sentence
from usim.evidence._comparison import Comparison, compare
from usim.evidence._features import FEATURE_SCHEMA, compute_features, feature_names
from usim.evidence._finders.besides import reweighed
from usim.evidence._finders.detect import detect_findings
from usim.evidence._finders.finding import KINDS, Finding, make_finding, say
from usim.evidence._findings import LIGHT_WEIGHT, LONGEST_WORD, Evidence, gather, show
from usim.evidence._ledger.build import Fact, Ledger, SoftLink, build_ledger
from usim.evidence._places import stretches
from usim.evidence._sentence import SentenceView

__all__ = [
    "FEATURE_SCHEMA",
    "KINDS",
    "LIGHT_WEIGHT",
    "LONGEST_WORD",
    "Analysis",
    "Comparison",
    "Evidence",
    "Fact",
    "Finding",
    "Ledger",
    "PackedVectors",
    "Sentence",
    "SentenceView",
    "SoftLink",
    "build_ledger",
    "compare",
    "compute_features",
    "detect_findings",
    "feature_names",
    "gather",
    "make_finding",
    "reweighed",
    "say",
    "show",
    "stretches",
]
