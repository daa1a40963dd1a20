"""The work of several annotators: how far they agree, and what they say together."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations

from usim.benchmarks.result import Result
from usim.benchmarks.sws.gold import Annotations, Sentence, SwsTarget
from usim.signature import Signature
from usim.text import Span


def merge(annotations: Annotations, *, least: int = 2) -> dict[str, Sentence]:
    """Merge the work of several annotators to gold data.

    Targets with the same span are the same. A suggestion has as many votes as annotators made it. The type is that of
    most annotators, 1 where both are as frequent. Targets that fewer than ``least`` annotators marked are left out,
    however much those suggest; the paper leaves out those that one annotator marked.
    """
    gold = {}
    for name, annotation in annotations.items():
        votes: dict[Span, Counter[str]] = defaultdict(Counter)
        types: dict[Span, Counter[int]] = defaultdict(Counter)
        for marks in annotation.marks.values():
            for span, mark in marks.items():
                votes[span].update(mark.suggestions)
                types[span][mark.type] += 1
        targets = (
            SwsTarget(*span, dict(votes[span]), 1 if types[span][1] >= types[span][2] else 2)
            for span in sorted(votes)
            if types[span].total() >= least and votes[span]
        )
        gold[name] = Sentence(annotation.words, tuple(targets))
    return gold


def agreement(annotations: Annotations) -> dict[str, float]:
    """Compute how far two annotators agree, by shared over all (McCarthy and Navigli 2007), in [0, 1].

    ``pa_det``, PA(det): for each pair of annotators the mean, over all sentences that both saw, of the spans that both
    marked over the spans that either did; then the mean over pairs. A sentence in which neither marked anything counts
    among the sentences, as in the paper, and shares nothing. ``pa_sug``, PA(sug): for each pair the mean, over the
    targets that both marked, of the suggestions that both made over those that either did; then the mean over pairs
    with such targets. Not-a-number where no two annotators can be compared.
    """
    shared_spans: dict[tuple[str, str], list[float]] = defaultdict(list)
    shared_suggestions: dict[tuple[str, str], list[float]] = defaultdict(list)
    for annotation in annotations.values():
        for pair in combinations(sorted(annotation.marks), 2):
            first, second = (annotation.marks[annotator] for annotator in pair)
            shared_spans[pair].append(_overlap(first, second))
            for span in first.keys() & second.keys():
                if first[span].suggestions or second[span].suggestions:
                    shared_suggestions[pair].append(_overlap(first[span].suggestions, second[span].suggestions))
    return {"pa_det": _mean_of_means(shared_spans), "pa_sug": _mean_of_means(shared_suggestions)}


def _overlap(first: Iterable[object], second: Iterable[object]) -> float:
    either = set(first) | set(second)
    return len(set(first) & set(second)) / len(either) if either else 0.0


def _mean_of_means(by_pair: Mapping[tuple[str, str], list[float]]) -> float:
    means = [sum(values) / len(values) for values in by_pair.values()]
    return sum(means) / len(means) if means else math.nan


def report_agreement(annotations: Annotations) -> Result:
    """Report the agreement of annotators alone: figures ``pa_det`` and ``pa_sug``."""
    annotators = {annotator for annotation in annotations.values() for annotator in annotation.marks}
    parts = {"pa": "shared/either", "annotators": len(annotators), "n": len(annotations)}
    return Result("sws", agreement(annotations), {}, Signature.stamped("sws", parts))
