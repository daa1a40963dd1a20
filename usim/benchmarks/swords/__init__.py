"""SWORDS: substitutes for a word in context, judged one by one by ten people (Lee et al. 2021).

A substitute's *share* is the part of its judges who would use it. It is *conceivable* from a share of .1, *acceptable*
above .5. A system is scored on its first k substitutes for each target, summed over targets; *lenient* leaves out
what nobody has judged, *strict* counts it as wrong. Both sides are lemmatised by the target's part of speech first,
what becomes equal is merged (labels of the gold put together, the best score of the system's), and what becomes the
target itself is dropped.

Beside these: generalised average precision for rankings, ``best`` and ``oot`` of SemEval-2007 task 10, and rank-biased
overlap between two annotations of the same targets. All figures are in per cent, as the published scorer has them.

>>> labels = {"frank": ("TRUE", "TRUE", "TRUE"), "honest": ("TRUE", "FALSE", "FALSE"), "loud": ("FALSE",)}
>>> gold = {"t": SwordsTarget("straightforward", "ADJ", labels)}
>>> system = {"t": [("frank", 3.0), ("loud", 2.0), ("odd", 1.0)]}
>>> result = Swords(gold, ks=(10,)).score(system, resamples=0)
>>> result.figures["lenient_a_p@10"], round(result.figures["strict_a_p@10"], 1), result.figures["strict_c_r@10"]
(50.0, 33.3, 50.0)
"""

from __future__ import annotations

from usim.benchmarks.swords.gold import (
    POSITIVE,
    THRESHOLDS,
    Gold,
    Predictions,
    SwordsTarget,
    are_answers,
    lemmatised_gold,
    lemmatised_predictions,
    positive_shares,
    read_answers,
    read_gold,
    read_predictions,
    sure_shares,
)
from usim.benchmarks.swords.scoring import Swords, compare_annotations

__all__ = [
    "POSITIVE",
    "THRESHOLDS",
    "Gold",
    "Predictions",
    "Swords",
    "SwordsTarget",
    "are_answers",
    "compare_annotations",
    "lemmatised_gold",
    "lemmatised_predictions",
    "positive_shares",
    "read_answers",
    "read_gold",
    "read_predictions",
    "sure_shares",
]
