"""Rankers of a system's substitutes.

A system proposes good substitutes in a bad order as often as bad ones. SWORDS therefore scores systems a second time
with their lists reranked (the rows with a dagger, Lee et al. 2021, section 5.2), and scores rankers alone on the
substitutes that people judged (Table 6), as ProLex does (Zhang et al. 2024, section 5.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from experiments.papers.swords_systems import sure_shares
from usim import Screen
from usim.benchmarks.benchmark import Benchmark
from usim.benchmarks.case import Case, Key
from usim.benchmarks.prolex import ASPECTS, ProLex
from usim.benchmarks.result import BenchmarkResult, Figure, FigureComparison, Ratio, Tally, compare
from usim.benchmarks.screening import folded, judge_cases
from usim.benchmarks.swords import Swords, generalised_average_precision


class Ranker(NamedTuple):
    """Gives substitutes scores, the higher the better, or none; the signature has no colon or bar."""

    signature: str
    scores: Callable[[Sequence[Case]], dict[Key, float]]


def by_faithfulness(screen: Screen) -> Ranker:
    """Rank by the faithfulness of the change, in [0, 1], as a :class:`usim.Screen` judges it."""

    def scores(cases: Sequence[Case]) -> dict[Key, float]:
        return {key: suggestion.faithfulness for key, suggestion in judge_cases(cases, screen).items()}

    return Ranker(folded(screen.signature), scores)


def shuffled(seed: int = 0) -> Ranker:
    """Rank by chance; the same seed gives the same order."""

    def scores(cases: Sequence[Case]) -> dict[Key, float]:
        rng = np.random.default_rng(seed)
        return {key: float(rng.random()) for case in cases for key in case.keys}

    return Ranker(f"random={seed}", scores)


def rerank(benchmark: Benchmark[Any], predictions: Any, ranker: Ranker, *, resamples: int = 1000) -> FigureComparison:
    """Score a system before and after a ranker gives its lists another order; what is in a list stays in it."""
    after = benchmark.tally(_ordered(benchmark, predictions, ranker))
    parts = {**after.parts, "rank": ranker.signature}
    return compare(benchmark.tally(predictions), replace(after, parts=parts), resamples=resamples)


def rank_swords(benchmark: Swords, ranker: Ranker, *, resamples: int = 1000) -> BenchmarkResult:
    """Score a ranker by ``gap`` and ``gap_rat`` (Table 6), in per cent, on substitutes of which somebody was sure."""
    judged = {name: [(s, 0.0) for s in sure_shares(target)] for name, target in benchmark.gold.items()}
    tally = benchmark.tally(_ordered(benchmark, judged, ranker))
    figures = {name: tally.figures[name] for name in ("gap", "gap_rat")}
    parts = {"set": "judged", "rank": ranker.signature, "lemma": tally.parts["lemma"]}
    return replace(tally, figures=figures, parts=parts).result(resamples=resamples)


def rank_prolex(benchmark: ProLex, ranker: Ranker, *, resamples: int = 1000) -> BenchmarkResult:
    """Score a ranker on all judged substitutes: ``gap_acceptable``, ``gap_proficient``, in [0, 1]."""
    judged = {n: tuple(dict.fromkeys((*t.acceptable, *t.unacceptable))) for n, t in benchmark.gold.items()}
    ranked = _ordered(benchmark, judged, ranker)
    records: list[dict[str, float]] = []
    for number, target in benchmark.gold.items():
        records.append({})
        for aspect in ASPECTS:
            gap = generalised_average_precision(dict.fromkeys(getattr(target, aspect), 1.0), ranked[number])
            if not math.isnan(gap):
                records[-1] |= {aspect: gap, f"{aspect} ranked": 1}
    figures: dict[str, Figure] = {f"gap_{aspect}": Ratio(aspect, f"{aspect} ranked") for aspect in ASPECTS}
    return Tally(benchmark.name, records, figures, {"set": "judged", "rank": ranker.signature}).result(
        resamples=resamples
    )


def _ordered(benchmark: Benchmark[Any], predictions: Any, ranker: Ranker) -> Any:
    """Return the predictions with each list in the ranker's order; what it cannot rank stays last."""
    scores = ranker.scores(benchmark.cases(predictions))

    def ranked(target: Hashable, substitutes: list[str]) -> list[str]:
        return sorted(substitutes, key=lambda substitute: -scores.get((target, substitute), float("-inf")))

    return benchmark.changed(predictions, ranked)
