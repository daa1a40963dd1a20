"""The effect of screening on a system's output: a benchmark's scorer before and after.

Each suggestion is judged in its sentence (:class:`usim.screen.Screen`), those with the verdict ``drop`` are taken
out of the predictions, and the benchmark's scorer scores both
(:meth:`usim.benchmarks.benchmark.Benchmark.screen`). :class:`Effect` says how the figures changed, with paired
bootstrap intervals, which suggestions were dropped rightly and wrongly, and the effect of every threshold:

>>> points = curve(["acceptable", "wrong", "acceptable", "wrong"], [0.9, 0.2, 0.6, 0.7])
>>> for point in points:
...     print(point.threshold, point.acceptable_kept, point.wrong_dropped, round(point.precision, 3), point.left)
0.0 1.0 0.0 0.5 4
0.6 1.0 0.5 0.667 3
0.7 0.5 0.5 0.5 2
0.9 0.5 1.0 1.0 1
>>> at_kept(points, 0.95).threshold
0.6
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple, Protocol, Unpack

import numpy as np

from usim.benchmarks.case import LABELS, Case, Key, Label, Place
from usim.benchmarks.result import Bootstrap, Comparison, Ratio, Result, Tally, compare
from usim.errors import SuggestionError
from usim.judge import Verdict
from usim.screen import Screened
from usim.suggestions import Suggestion, check_span


class Opinion(NamedTuple):
    """The judge's opinion of a suggestion: its faithfulness, in [0, 1], and its verdict."""

    faithfulness: float
    verdict: Verdict


#: The judge's opinion of each suggestion that it could judge.
Opinions = Mapping[Key, Opinion]


class Count(NamedTuple):
    """Suggestions of one kind: how many there were, and how many were dropped."""

    total: int
    dropped: int

    @property
    def share(self) -> float:
        """The share that was dropped, in [0, 1]; not-a-number without suggestions."""
        return self.dropped / self.total if self.total else math.nan


class Suggested(NamedTuple):
    """A suggestion with its label and the judge's opinion, which is None where it could not be judged."""

    target: Hashable
    word: str
    substitute: str
    label: Label
    opinion: Opinion | None


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

    comparison: Comparison
    counts: dict[Label, Count]
    shares: Result
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


def opinions(cases: Iterable[Case], screen: Screening) -> dict[Key, Opinion]:
    """Screen all suggestions; those whose target cuts a word of its text are left out.

    Raises:
        ParsingError: a sentence cannot be parsed.
    """
    fitting = [case for case in cases if case.labels and _fits(case.place)]
    texts = ((case.place.text, [case.suggestion(substitute) for substitute in case.labels]) for case in fitting)
    judged: dict[Key, Opinion] = {}
    for case, screened in zip(fitting, screen.screen_texts(texts), strict=True):
        judged |= {
            key: Opinion(suggestion.faithfulness, suggestion.verdict)
            for key, suggestion in zip(case.keys, screened, strict=True)
        }
    return judged


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


def dropped(judged: Opinions) -> frozenset[Key]:
    """Return the suggestions with the verdict ``drop``."""
    return frozenset(key for key, opinion in judged.items() if opinion.verdict == "drop")


def report(
    before: Tally,
    after: Tally,
    cases: Sequence[Case],
    judged: Opinions,
    *,
    scale: float = 1,
    screen: str = "",
    **bootstrap: Unpack[Bootstrap],
) -> Effect:
    """Put a system before and after screening side by side.

    Args:
        before, after: the benchmark's tallies of the two outputs.
        cases: all suggestions, in the order of the records of the tallies.
        judged: the judge's opinions.
        scale: of the benchmark's figures, 100 for per cent.
        screen: the signature of the screen that judged.
        bootstrap: settings of the intervals over records, see :class:`~usim.benchmarks.result.Bootstrap`.

    Raises:
        InputError: the gold data have no record.
    """
    gone = dropped(judged)
    screen = folded(screen)
    records: list[Counter[str]] = [Counter() for _ in before.records]
    for case in cases:
        for substitute, label in case.labels.items():
            records[case.record][label] += 1
            records[case.record][f"{label} left"] += (case.target, substitute) not in gone
    after = replace(after, parts={**after.parts, "screen": screen})
    comparison = compare(
        _with_precision(before, records, "", scale), _with_precision(after, records, " left", scale), **bootstrap
    )
    for record in records:
        record["wrong dropped"] = record["wrong"] - record["wrong left"]
    figures = {
        "acceptable_kept": Ratio("acceptable left", "acceptable"),
        "wrong_dropped": Ratio("wrong dropped", "wrong"),
    }
    shares = Tally(before.benchmark, records, figures, {"screen": screen}).result(**bootstrap)
    total = sum(records, Counter[str]())
    counts = {label: Count(total[label], total[label] - total[f"{label} left"]) for label in LABELS}
    suggestions = [
        Suggested(case.target, case.place.word, substitute, label, judged.get((case.target, substitute)))
        for case in cases
        for substitute, label in case.labels.items()
    ]
    verdicts: dict[Verdict, int] = {"keep": 0, "review": 0, "drop": 0}
    faithfulness = []
    for suggestion in suggestions:
        # A suggestion that could not be judged is never dropped, whatever the threshold.
        faithfulness.append(1.0 if suggestion.opinion is None else suggestion.opinion.faithfulness)
        if suggestion.opinion is not None:
            verdicts[suggestion.opinion.verdict] += 1
    points = curve([suggestion.label for suggestion in suggestions], faithfulness)
    unscreened = len(suggestions) - sum(verdicts.values())
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
    """Return a point for each threshold that makes a difference, the lowest first; at the first nothing is dropped.

    Args:
        labels: of the suggestions.
        faithfulness: of each suggestion, in [0, 1].
    """
    values = np.asarray(faithfulness, dtype=np.float64)
    by_label = {label: np.sort(values[[other == label for other in labels]]) for label in LABELS}
    all_acceptable, all_wrong = len(by_label["acceptable"]), len(by_label["wrong"])
    points = []
    for threshold in (0.0, *np.unique(values)[1:].tolist()):
        left = {label: len(scores) - int(np.searchsorted(scores, threshold)) for label, scores in by_label.items()}
        acceptable, wrong, total = left["acceptable"], left["wrong"], sum(left.values())
        kept, dropped = _share(acceptable, all_acceptable), _share(all_wrong - wrong, all_wrong)
        precision, precision_all = _share(acceptable, acceptable + wrong), _share(acceptable, total)
        points.append(Point(threshold, kept, dropped, precision, precision_all, total))
    return points


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def at_kept(points: Iterable[Point], share: float) -> Point:
    """Return the point of the highest threshold that keeps a share of the acceptable suggestions, or the first point.

    Args:
        points: of :func:`curve`.
        share: in [0, 1].
    """
    first, *rest = points
    return [first, *takewhile(lambda point: not point.acceptable_kept < share, rest)][-1]
