"""The effect of screening on a system's output: a benchmark's scorer before and after.

Each suggestion is judged in its sentence (:class:`usim.screen.Screen`), those with the verdict ``drop`` are taken
out of the predictions, and the benchmark's scorer scores both. :class:`Effect` says how the figures changed, with
paired bootstrap intervals, which suggestions were dropped rightly and wrongly, and the effect of every threshold.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, Unpack

import numpy as np

from usim.benchmarks.case import LABELS, Case, Key, Label, Place
from usim.benchmarks.result import BenchmarkResult, Bootstrap, FigureComparison, Ratio, Tally, compare
from usim.errors import SuggestionError
from usim.judge import Verdict
from usim.screen import Screened
from usim.suggestions import Suggestion, check_span

if TYPE_CHECKING:
    from usim.benchmarks.benchmark import Benchmark

P = TypeVar("P")


class Count(NamedTuple):
    """Suggestions of one kind: how many there were, and how many were dropped."""

    total: int
    dropped: int

    @property
    def share(self) -> float:
        """The share that was dropped, in [0, 1]; not-a-number without suggestions."""
        return _share(self.dropped, self.total)


class Suggested(NamedTuple):
    """A suggestion with its label and its verdict, which is None where it could not be judged."""

    target: Hashable
    word: str
    substitute: str
    label: Label
    screened: Screened | None


class Screening(Protocol):
    """The part of :class:`usim.screen.Screen` that is needed here."""

    @property
    def signature(self) -> str: ...

    def screen_texts(self, texts: Iterable[tuple[str, Sequence[Suggestion]]]) -> Iterator[list[Screened]]: ...


@dataclass(frozen=True)
class Effect:
    """The effect of screening on a system's output on a benchmark.

    Attributes:
        comparison: the benchmark's figures before and after, and two more: ``precision_judged``, acceptable suggestions
            among the judged ones, and ``precision_all``, among all, whatever their rank.
        counts: how many were dropped of the ``acceptable`` (wrongly), the ``wrong`` (rightly) and the ``unjudged``.
        shares: ``acceptable_kept`` and ``wrong_dropped``, in [0, 1], with their intervals.
        verdicts: verdict → number of suggestions.
        unscreened: the number of suggestions that could not be judged; they stay.
        suggestions: all of them.
        curve: the effect of other thresholds.
    """

    comparison: FigureComparison
    counts: dict[Label, Count]
    shares: BenchmarkResult
    verdicts: dict[Verdict, int]
    unscreened: int
    suggestions: list[Suggested]
    curve: list[Point]

    @property
    def signature(self) -> str:
        """The signature of the figures after screening, which names the screen."""
        return self.comparison.after.signature

    def at_kept(self, share: float = 0.95) -> Point:
        """Return the point of the curve that keeps this share of the acceptable suggestions, see :func:`at_kept`."""
        return at_kept(self.curve, share)


def judge_cases(cases: Iterable[Case], screen: Screening) -> dict[Key, Screened]:
    """Screen all suggestions; those whose target cuts a word of its text are left out.

    Raises:
        ParsingError: a sentence cannot be parsed.
    """
    fitting = [case for case in cases if case.labels and _fits(case.place)]
    texts = ((case.place.text, [case.suggestion(substitute) for substitute in case.labels]) for case in fitting)
    return {
        key: suggestion
        for case, screened in zip(fitting, screen.screen_texts(texts), strict=True)
        for key, suggestion in zip(case.keys, screened, strict=True)
    }


def _fits(place: Place) -> bool:
    try:
        check_span(place.text, place.start, place.end)
    except SuggestionError:
        return False
    return True


def folded(signature: str) -> str:
    """Return the signature of a screen as a part of another one.

    >>> folded("usim|parser:en|judge:en|v:1")
    'parser=en,judge=en'
    """
    parts = (part for part in signature.split("|") if part != "usim" and not part.startswith("v:"))
    return ",".join(part.replace(":", "=", 1) for part in parts)


def screened(benchmark: Benchmark[P], predictions: P, screen: Screening, **bootstrap: Unpack[Bootstrap]) -> Effect:
    """Score a system before and after screening; see :meth:`usim.benchmarks.benchmark.Benchmark.screen`."""
    cases = benchmark.cases(predictions)
    judged = judge_cases(cases, screen)
    dropped = {key for key, suggestion in judged.items() if suggestion.verdict == "drop"}
    left = benchmark.changed(predictions, lambda target, own: [s for s in own if (target, s) not in dropped])
    before, after = benchmark.tally(predictions), benchmark.tally(left)
    by = {"screen": folded(screen.signature)}
    after = replace(after, parts={**after.parts, **by})
    records: list[Counter[str]] = [Counter() for _ in before.records]
    suggestions, faithfulness = [], []
    verdicts: dict[Verdict, int] = {"keep": 0, "review": 0, "drop": 0}
    for case in cases:
        for key, label in zip(case.keys, case.labels.values(), strict=True):
            records[case.record][label] += 1
            records[case.record][f"{label} left"] += key not in dropped
            suggestion = judged.get(key)
            suggestions.append(Suggested(case.target, case.place.word, key[1], label, suggestion))
            # A suggestion that could not be judged is never dropped, whatever the threshold.
            faithfulness.append(1.0 if suggestion is None else suggestion.faithfulness)
            if suggestion is not None:
                verdicts[suggestion.verdict] += 1
    comparison = compare(
        _with_precision(before, records, "", benchmark.scale),
        _with_precision(after, records, " left", benchmark.scale),
        **bootstrap,
    )
    for record in records:
        record["wrong dropped"] = record["wrong"] - record["wrong left"]
    figures = {
        "acceptable_kept": Ratio("acceptable left", "acceptable"),
        "wrong_dropped": Ratio("wrong dropped", "wrong"),
    }
    shares = Tally(benchmark.name, records, figures, by).result(**bootstrap)
    total = sum(records, Counter[str]())
    counts = {label: Count(total[label], total[label] - total[f"{label} left"]) for label in LABELS}
    unscreened = len(suggestions) - sum(verdicts.values())
    points = curve([suggestion.label for suggestion in suggestions], faithfulness)
    return Effect(comparison, counts, shares, verdicts, unscreened, suggestions, points)


def _with_precision(tally: Tally, records: Iterable[Counter[str]], which: str, scale: float) -> Tally:
    """Return the tally with the precision of all suggestions, whatever their rank."""
    merged = [
        {
            **record,
            "screen acceptable": counts["acceptable" + which],
            "screen judged": counts["acceptable" + which] + counts["wrong" + which],
            "screen all": sum(counts[label + which] for label in LABELS),
        }
        for record, counts in zip(tally.records, records, strict=True)
    ]
    figures = {
        "precision_judged": Ratio("screen acceptable", "screen judged", scale),
        "precision_all": Ratio("screen acceptable", "screen all", scale),
    }
    return replace(tally, records=merged, figures={**tally.figures, **figures})


class Point(NamedTuple):
    """What is left when all suggestions below a threshold are dropped.

    Attributes:
        threshold: of faithfulness; a suggestion of just this faithfulness stays.
        acceptable_kept: share of the acceptable suggestions that are left, in [0, 1].
        wrong_dropped: share of the wrong ones that are not, in [0, 1].
        precision: acceptable ones among the judged that are left, in [0, 1].
        precision_all: acceptable ones among all that are left, in [0, 1].
        left: how many are left, whatever they are.

    Shares and precisions are not-a-number where there is nothing to divide by.
    """

    threshold: float
    acceptable_kept: float
    wrong_dropped: float
    precision: float
    precision_all: float
    left: int


def curve(labels: Sequence[Label], faithfulness: Sequence[float]) -> list[Point]:
    """Return a point for each threshold that makes a difference, the lowest first; at the first nothing is dropped."""
    values = np.asarray(faithfulness, dtype=np.float64)
    by_label = [np.sort(values[[other == label for other in labels]]) for label in LABELS]
    all_acceptable, all_wrong, _ = map(len, by_label)
    points = []
    for threshold in (0.0, *np.unique(values)[1:].tolist()):
        left = [len(scores) - int(np.searchsorted(scores, threshold)) for scores in by_label]
        acceptable, wrong, _ = left
        kept, dropped = _share(acceptable, all_acceptable), _share(all_wrong - wrong, all_wrong)
        precision, precision_all = _share(acceptable, acceptable + wrong), _share(acceptable, sum(left))
        points.append(Point(threshold, kept, dropped, precision, precision_all, sum(left)))
    return points


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def at_kept(points: Iterable[Point], share: float) -> Point:
    """Return the point of the highest threshold that keeps a share of the acceptable suggestions, or the first point.

    >>> points = curve(["acceptable", "wrong", "acceptable", "wrong"], [0.9, 0.2, 0.6, 0.7])
    >>> [(point.threshold, point.acceptable_kept, point.wrong_dropped) for point in points]
    [(0.0, 1.0, 0.0), (0.6, 1.0, 0.5), (0.7, 0.5, 0.5), (0.9, 0.5, 1.0)]
    >>> at_kept(points, 0.95).threshold
    0.6
    """
    first, *rest = points
    return [first, *takewhile(lambda point: not point.acceptable_kept < share, rest)][-1]
