"""A system before and after screening, side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from usim.benchmarks.result import Comparison, Figure, Ratio, Result, Tally, collect, compare
from usim.benchmarks.screening.cases import LABELS, Case, Key, Label
from usim.benchmarks.screening.curve import Point, at_kept, curve
from usim.errors import SuggestionError
from usim.judge import Verdict
from usim.screen import Screened
from usim.suggestions import Suggestion, check_span


class Opinion(NamedTuple):
    """What the judge says of a suggestion: its faithfulness, in [0, 1], and its verdict."""

    faithfulness: float
    verdict: Verdict


#: What the judge says of each suggestion that it could judge.
Opinions = Mapping[Key, Opinion]


class Count(NamedTuple):
    """Suggestions of one kind: how many there were, and how many were dropped."""

    total: int
    dropped: int

    @property
    def share(self) -> float:
        """How many of them were dropped, in [0, 1]; not-a-number where there were none."""
        return self.dropped / self.total if self.total else math.nan


class Suggested(NamedTuple):
    """A suggestion with all that is said of it; ``opinion`` is None where it could not be judged."""

    target: Hashable
    word: str
    substitute: str
    label: Label
    opinion: Opinion | None


class Screening(Protocol):
    """What is needed of a :class:`usim.screen.Screen`."""

    @property
    def signature(self) -> str: ...

    def screen_texts(self, texts: Iterable[tuple[str, Sequence[Suggestion]]]) -> Iterator[list[Screened]]: ...


@dataclass(frozen=True)
class Effect:
    """What screening did to a system's output on a benchmark.

    Attributes:
        comparison: the benchmark's figures before and after, and two more: ``precision_judged``, acceptable suggestions
            among the judged ones, and ``precision_all``, among all, whatever their rank.
        counts: what was dropped: of the ``acceptable`` (wrongly), the ``wrong`` (rightly) and the ``unjudged``.
        shares: ``acceptable_kept`` and ``wrong_dropped``, in [0, 1], with their intervals.
        verdicts: verdict → suggestions.
        unscreened: suggestions that could not be judged; they stay.
        suggestions: each of them.
        curve: what other thresholds would do.
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
        """That of the figures after screening, which says how it was done."""
        return self.comparison.after.signature

    def at_kept(self, share: float = 0.95) -> Point:
        """The point of the curve that keeps this share of the acceptable suggestions, see :func:`at_kept`."""
        return at_kept(self.curve, share)


def opinions(cases: Iterable[Case], screen: Screening) -> dict[Key, Opinion]:
    """What a screen says of all that was suggested; targets that cut a word of their text are left out.

    Raises:
        ParsingError: a sentence cannot be parsed.
    """
    fit = [case for case in cases if case.substitutes and _fits(case)]
    texts = (
        (
            case.text,
            [
                Suggestion(substitute, (case.start, case.end), about={"pos": case.pos} if case.pos else {})
                for substitute in case.substitutes
            ],
        )
        for case in fit
    )
    said: dict[Key, Opinion] = {}
    for case, found in zip(fit, screen.screen_texts(texts), strict=True):
        said |= {key: Opinion(one.faithfulness, one.verdict) for key, one in zip(case.keys, found, strict=True)}
    return said


def _fits(case: Case) -> bool:
    try:
        check_span(case.text, case.start, case.end)
    except SuggestionError:
        return False
    return True


def dropped(said: Opinions) -> frozenset[Key]:
    """The suggestions that are to go."""
    return frozenset(key for key, opinion in said.items() if opinion.verdict == "drop")


def report(
    before: Tally,
    after: Tally,
    cases: Sequence[Case],
    said: Opinions,
    *,
    scale: float = 1,
    screen: str = "",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Effect:
    """Put a system before and after screening side by side.

    Args:
        before, after: what the benchmark's scorer makes of the two.
        cases: all that was suggested, in the order of the records of the tallies.
        said: what the judge said.
        scale: of the benchmark's figures, 100 for per cent.
        screen: the signature of the screen that said so.
        resamples, confidence, seed: of the bootstrap intervals over records; no intervals with 0 resamples.

    Raises:
        InputError: the gold data have no record.
    """
    gone = dropped(said)
    screen = ",".join(part.replace(":", "=", 1) for part in screen.split("|") if part != "usim" and part[:2] != "v:")
    records: list[Counter[str]] = [Counter() for _ in before.records]
    for case in cases:
        for key, label in zip(case.keys, case.labels, strict=True):
            records[case.record][label] += 1
            records[case.record][f"{label} left"] += key not in gone
    drawn = {"resamples": resamples, "confidence": confidence, "seed": seed}
    comparison = compare(
        _with_precision(before, records, "", scale),
        _with_precision(replace(after, parts={**after.parts, "screen": screen}), records, " left", scale),
        **drawn,  # type: ignore[arg-type]
    )
    for record in records:
        record["wrong dropped"] = record["wrong"] - record["wrong left"]
    figures = {
        "acceptable_kept": Ratio("acceptable left", "acceptable"),
        "wrong_dropped": Ratio("wrong dropped", "wrong"),
    }
    shares = collect(before.benchmark, records, figures, {"screen": screen}, **drawn)  # type: ignore[arg-type]
    total = sum(records, Counter[str]())
    counts = {label: Count(total[label], total[label] - total[f"{label} left"]) for label in LABELS}
    suggestions = [
        Suggested(key[0], case.text[case.start : case.end], key[1], label, said.get(key))
        for case in cases
        for key, label in zip(case.keys, case.labels, strict=True)
    ]
    verdicts: dict[Verdict, int] = {"keep": 0, "review": 0, "drop": 0}
    for one in suggestions:
        if one.opinion is not None:
            verdicts[one.opinion.verdict] += 1
    return Effect(
        comparison,
        counts,
        shares,
        verdicts,
        len(suggestions) - sum(verdicts.values()),
        suggestions,
        # What could not be judged is never dropped, whatever the threshold.
        curve(
            [one.label for one in suggestions],
            [1.0 if one.opinion is None else one.opinion.faithfulness for one in suggestions],
        ),
    )


def _with_precision(tally: Tally, records: Iterable[Counter[str]], which: str, scale: float) -> Tally:
    """The tally with the precision of all suggestions, whatever their rank."""
    added = [
        {
            "screen acceptable": record["acceptable" + which],
            "screen judged": record["acceptable" + which] + record["wrong" + which],
            "screen all": sum(record[label + which] for label in LABELS),
        }
        for record in records
    ]
    figures: dict[str, Figure] = {
        **tally.figures,
        "precision_judged": Ratio("screen acceptable", "screen judged", scale),
        "precision_all": Ratio("screen acceptable", "screen all", scale),
    }
    merged = [{**record, **more} for record, more in zip(tally.records, added, strict=True)]
    return replace(tally, records=merged, figures=figures)
