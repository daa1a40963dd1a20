"""The effect of screening on a system's output: a benchmark's scorer before and after.

Each suggestion is judged in its sentence (:class:`usim.screen.Screen`), those with the verdict ``drop`` are taken
out of the predictions, and the benchmark's scorer scores both. :class:`Effect` says how the figures changed, with
paired bootstrap intervals, and which suggestions were dropped rightly and wrongly.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar, get_args

from usim.benchmarks.case import LABELS, Case, Key, Label, Place
from usim.benchmarks.result import BenchmarkResult, FigureComparison, Ratio, Tally, compare
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
        return self.dropped / self.total if self.total else math.nan


class Suggested(NamedTuple):
    """A suggestion with its label and its verdict, which is None where it could not be judged."""

    target: Hashable
    word: str
    substitute: str
    label: Label
    screened: SuggestionResult | None

    @property
    def is_dropped(self) -> bool:
        """Whether screening takes it out."""
        return self.screened is not None and self.screened.verdict == "drop"


@dataclass(frozen=True)
class Effect:
    """The effect of screening on a system's output on a benchmark.

    Attributes:
        comparison: the benchmark's figures before and after, and two more: ``precision_judged``, acceptable suggestions
            among the judged ones, and ``precision_all``, among all, whatever their rank.
        shares: ``acceptable_kept`` and ``wrong_dropped``, in [0, 1], with their intervals.
    """

    comparison: FigureComparison
    shares: BenchmarkResult
    suggestions: list[Suggested]

    @property
    def counts(self) -> dict[Label, Count]:
        """How many were dropped of the ``acceptable`` (wrongly), the ``wrong`` (rightly) and the ``unjudged``."""
        of_label = {label: [s.is_dropped for s in self.suggestions if s.label == label] for label in LABELS}
        return {label: Count(len(are_dropped), sum(are_dropped)) for label, are_dropped in of_label.items()}

    @property
    def verdicts(self) -> dict[Verdict, int]:
        """How many suggestions have each verdict."""
        own = Counter(s.screened.verdict for s in self.suggestions if s.screened is not None)
        return {verdict: own[verdict] for verdict in get_args(Verdict)}

    @property
    def unscreened(self) -> int:
        """The number of suggestions that could not be judged; they stay."""
        return sum(s.screened is None for s in self.suggestions)


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


def screened(benchmark: Benchmark[P], predictions: P, screen: Screen, *, resamples: int = 1000) -> Effect:
    """Score a system before and after screening: without the suggestions that ``screen`` would drop.

    Raises:
        InputError: nothing to score, predictions for a record that is not in the gold data, or a target without a text.
    """
    cases = benchmark.cases(predictions)
    judged = judge_cases(cases, screen)
    suggestions = []
    dropped: set[Key] = set()
    records = defaultdict[int, Counter[str]](Counter)
    for case in cases:
        for key, label in zip(case.keys, case.labels.values(), strict=True):
            suggested = Suggested(case.target, case.place.word, key[1], label, judged.get(key))
            suggestions.append(suggested)
            kinds = [label, "all"] if label == "unjudged" else [label, "judged", "all"]
            records[case.record].update(kinds)
            records[case.record].update(f"{kind} {'dropped' if suggested.is_dropped else 'left'}" for kind in kinds)
            if suggested.is_dropped:
                dropped.add(key)
    left = benchmark.changed(predictions, lambda target, own: [s for s in own if (target, s) not in dropped])
    before, after = benchmark.tally(predictions), benchmark.tally(left)
    by = {"screen": folded(screen.signature)}
    after = replace(after, parts={**after.parts, **by})
    of_records = [records[place] for place in range(len(before.records))]
    comparison = compare(
        _with_precision(before, of_records, "", benchmark.scale),
        _with_precision(after, of_records, " left", benchmark.scale),
        resamples=resamples,
    )
    figures = {
        "acceptable_kept": Ratio("acceptable left", "acceptable"),
        "wrong_dropped": Ratio("wrong dropped", "wrong"),
    }
    shares = Tally(benchmark.name, of_records, figures, by).result(resamples=resamples)
    return Effect(comparison, shares, suggestions)


def _with_precision(tally: Tally, records: Iterable[Counter[str]], which: str, scale: float) -> Tally:
    """Return the tally with the precision of all suggestions, whatever their rank."""
    merged = [{**record, **counts} for record, counts in zip(tally.records, records, strict=True)]
    figures = {
        "precision_judged": Ratio("acceptable" + which, "judged" + which, scale),
        "precision_all": Ratio("acceptable" + which, "all" + which, scale),
    }
    return replace(tally, records=merged, figures={**tally.figures, **figures})
