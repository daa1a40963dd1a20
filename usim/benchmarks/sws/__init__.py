"""Smart Word Suggestions: which words could be better, and which words would be (Wang et al. 2023).

The gold data say which spans of a sentence two or more of ten annotators wanted to improve, what they suggested and how
often (*votes*), and of which of two types a target is. A system names spans and ranked suggestions for each. It is
scored for detection (the spans), for suggestion (the targets that were detected) and end to end.

Two definitions differ:

=============  ========================================  =========================================================
..             ``SCRIPT``: the published scorer, and     ``PAPER``: what the text of the paper describes
               the tables of the paper
=============  ========================================  =========================================================
NDCG           over all suggestions made; the ideal is   over the first m = 5 positions, for the system and for the
               cut to as many as the system made; a      ideal; a repeated suggestion gains once
               repeated suggestion gains each time
accuracy       pooled over detected targets              mean over sentences with a detected target
=============  ========================================  =========================================================

In both, what a suggestion gains is its number of votes, discounted by the logarithm of its position plus one (the base
of the logarithm does not matter to the ratio). :mod:`usim.benchmarks.sws.ndcg` has what the paper says of NDCG in three
places; :class:`Ndcg` takes other gains and discounts, and the signature names them.

>>> gold = {"1": Sentence(("An", "intimate", "friend"), (SwsTarget(1, 2, {"close": 3, "dear": 1}, 1),))}
>>> result = Sws(gold).score({"1": {(1, 2): ("dear", "close"), (2, 3): ("pal",)}}, resamples=0)
>>> result.figures["p_detection"], result.figures["r_detection"], result.figures["acc_recommendation"]
(0.5, 1.0, 1.0)
>>> result.signature
'usim|sws|def:script|ndcg:votes/log2,m=made,ideal=made|acc:pooled|n:1|v:...'
"""

from __future__ import annotations

from usim.benchmarks.sws.gold import (
    Annotation,
    Gold,
    Mark,
    Predictions,
    Sentence,
    SwsTarget,
    agreement,
    is_annotation_file,
    merge,
    read_annotations,
    read_gold,
    read_predictions,
)
from usim.benchmarks.sws.ndcg import PAPER, SCRIPT, Definition, Ndcg
from usim.benchmarks.sws.scoring import POSITIONS, Sws, one_against_the_others

__all__ = [
    "PAPER",
    "POSITIONS",
    "SCRIPT",
    "Annotation",
    "Definition",
    "Gold",
    "Mark",
    "Ndcg",
    "Predictions",
    "Sentence",
    "Sws",
    "SwsTarget",
    "agreement",
    "is_annotation_file",
    "merge",
    "one_against_the_others",
    "read_annotations",
    "read_gold",
    "read_predictions",
]
