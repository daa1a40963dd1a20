"""The effect of screening on a system's output: a benchmark's scorer before and after.

Each suggestion is judged in its sentence (:class:`usim.screen.Screen`), those with the verdict ``drop`` are taken
out of the predictions, and the benchmark's scorer scores both. :class:`Effect` says how the figures changed, with
paired bootstrap intervals, and which suggestions were dropped rightly and wrongly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar, Unpack

from usim.benchmarks.case import LABELS, Case, Key, Label, Place
from usim.benchmarks.result import BenchmarkResult, Bootstrap, FigureComparison, Ratio, Tally, compare
from usim.errors import SuggestionError
from usim.judge import Verdict
from usim.screen import Screen, SuggestionResult
from usim.suggestions import check_span

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
    screened: SuggestionResult | None


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
    """

    comparison: FigureComparison
    counts: dict[Label, Count]
    shares: BenchmarkResult
    verdicts: dict[Verdict, int]
    unscreened: int
    suggestions: list[Suggested]

    @property
    def signature(self) -> str:
        """The signature of the figures after screening, which names the screen."""
        return self.comparison.after.signature


def judge_cases(cases: Iterable[Case], screen: Screen) -> dict[Key, SuggestionResult]:
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


def screened(benchmark: Benchmark[P], predictions: P, screen: Screen, **bootstrap: Unpack[Bootstrap]) -> Effect:
    """Score a system before and after screening; see :meth:`usim.benchmarks.benchmark.Benchmark.screen`."""
    cases = benchmark.cases(predictions)
    judged = judge_cases(cases, screen)
    dropped = {key for key, suggestion in judged.items() if suggestion.verdict == "drop"}
    left = benchmark.changed(predictions, lambda target, own: [s for s in own if (target, s) not in dropped])
    before, after = benchmark.tally(predictions), benchmark.tally(left)
    by = {"screen": folded(screen.signature)}
    after = replace(after, parts={**after.parts, **by})
    records: list[Counter[str]] = [Counter() for _ in before.records]
    suggestions = []
    verdicts: dict[Verdict, int] = {"keep": 0, "review": 0, "drop": 0}
    for case in cases:
        for key, label in zip(case.keys, case.labels.values(), strict=True):
            records[case.record][label] += 1
            records[case.record][f"{label} left"] += key not in dropped
            suggestion = judged.get(key)
            suggestions.append(Suggested(case.target, case.place.word, key[1], label, suggestion))
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
    return Effect(comparison, counts, shares, verdicts, unscreened, suggestions)


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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
