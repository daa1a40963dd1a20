"""USim and the faithfulness of pairs of sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments.common.statistics import Values
from usim.cli.output import progress
from usim.scorer import Scorer

TextPair = tuple[str, str]
#: The scores of a pair, and their titles in tables.
TITLES = {"usim": "USim", "judge": "faithfulness"}
KINDS = tuple(TITLES)


def score_pairs(scorer: Scorer, pairs: Sequence[TextPair]) -> dict[str, Values]:
    """Score pairs of a source and an output, equal ones once: for each of :data:`KINDS` an array (pairs,)."""
    distinct = list(dict.fromkeys(pairs))
    results = progress(scorer.score_pairs(distinct), len(distinct), "pairs", quiet=True)
    scored = {
        pair: (result.score, result.judgement.faithfulness) for pair, result in zip(distinct, results, strict=True)
    }
    values = np.array([scored[pair] for pair in pairs], dtype=np.float64).reshape(-1, len(KINDS))
    return dict(zip(KINDS, values.T, strict=True))
