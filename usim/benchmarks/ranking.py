"""Rankers of a system's substitutes.

A system proposes good substitutes in a bad order as often as bad ones. SWORDS therefore scores systems a second time
with their lists reranked (the rows with a dagger, Lee et al. 2021, section 5.2), and scores rankers alone on the
substitutes that people judged (Table 6): :meth:`usim.benchmarks.benchmark.Benchmark.rerank` and ``rank``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from usim.benchmarks.case import Case, Key
from usim.benchmarks.screening import folded, judge_cases
from usim.screen import Screen


@dataclass(frozen=True)
class Ranker:
    """Gives substitutes scores; the higher, the better.

    Attributes:
        signature: everything that is needed to get the same scores again, without a colon or a bar.
        scores: from cases to the scores of their substitutes; those that cannot be ranked are left out.
    """

    signature: str
    scores: Callable[[Sequence[Case]], dict[Key, float]]


def by_faithfulness(screen: Screen) -> Ranker:
    """Rank by the faithfulness of the change, in [0, 1], as a :class:`usim.screen.Screen` judges it."""

    def scores(cases: Sequence[Case]) -> dict[Key, float]:
        return {key: suggestion.faithfulness for key, suggestion in judge_cases(cases, screen).items()}

    return Ranker(folded(screen.signature), scores)


def shuffled(seed: int = 0) -> Ranker:
    """Rank by chance; the same seed gives the same order."""

    def scores(cases: Sequence[Case]) -> dict[Key, float]:
        rng = np.random.default_rng(seed)
        return {key: float(rng.random()) for case in cases for key in case.keys}

    return Ranker(f"random={seed}", scores)
