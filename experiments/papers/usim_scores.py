"""USim of pairs of sentences, parsed by usim's own parser."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from experiments.common.statistics import Values
from usim.scorer import Scorer


@cache
def scorer() -> Scorer:
    """Return what parses and scores, by the default preset."""
    return Scorer(judge="usim")


def usim_scores(pairs: Sequence[tuple[str, str]]) -> Values:
    """Return USim of each pair of a source and an output, shape (pairs,)."""
    return np.array([result.usim.f for result in scorer().score_pairs(pairs)])
