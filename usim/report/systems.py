"""Several systems on the same sentences: how they do, whether they differ, and where.

The first system is the baseline. Whether another one differs from it is tested by paired bootstrap resampling (Koehn
2004), as sacrebleu does it (Post 2018): sentences are drawn again with replacement, the same ones for every system.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, get_args

import numpy as np

from usim.compare import KINDS
from usim.errors import InputError
from usim.judge import Verdict
from usim.report.words import one_line
from usim.scorer import Result
from usim.signature import Signature
from usim.stats import Interval, PairedTest, bootstrap_interval, paired_bootstrap
from usim.text import aligned

_MOST_APART = 10  # sentences that are shown
#: The figures that are compared, with their names for people.
FIGURES = {"usim": "USim", "faithfulness": "faithfulness"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system made of a sentence, and what usim says about it; ``is_answered`` as a judgement has it."""

    output: str
    usim: float
    faithfulness: float
    verdict: Verdict
    reasons: tuple[tuple[str, str], ...]
    is_answered: bool = True

    @classmethod
    def of(cls, result: Result) -> Outcome:
        """Return the part of a result that systems are compared by; reasons are pairs of kind and text."""
        judgement = result.judgement
        reasons = tuple((reason.kind, reason.text) for reason in judgement.shown)
        judged = judgement.faithfulness, judgement.verdict, reasons, judgement.is_answered
        return cls(result.output, result.score, *judged)

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON values."""
        return {
            "output": self.output,
            "usim": self.usim,
            "faithfulness": self.faithfulness,
            "verdict": self.verdict,
            "reasons": [{"kind": kind, "text": text} for kind, text in self.reasons],
        }


@dataclass
class Systems:
    """The outcomes of several systems, sentence by sentence.

    Args:
        names: of the systems; the first is the baseline.
        signature: what the results are made with.
        resamples: how often the sentences are drawn again.
        seed: the same seed gives the same intervals and tests.
        most: how many of the sentences in which they differ most are shown.
    """

    names: Sequence[str]
    signature: Signature
    resamples: int = 1000
    seed: int = 0
    most: int = _MOST_APART
    lines: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    outcomes: list[tuple[Outcome, ...]] = field(default_factory=list)

    def add(self, line: int, results: Sequence[Result]) -> None:
        """Add a sentence: its line, and the result of each system."""
        self.lines.append(line)
        self.sources.append(results[0].source)
        self.outcomes.append(tuple(map(Outcome.of, results)))

    @property
    def full_signature(self) -> Signature:
        """The signature with the number of resamples and the seed, before the version."""
        return self.signature.extended({"bs": self.resamples, "seed": self.seed})

    def values(self, system: int, figure: str) -> list[float]:
        """Return a figure of each sentence for a system; the faithfulness where the judge answered for all systems.

        Raises:
            InputError: there is no such sentence.
        """
        outcomes = self.outcomes
        if figure == "faithfulness":
            outcomes = [each for each in outcomes if all(outcome.is_answered for outcome in each)]
        if self.outcomes and not outcomes:
            raise InputError("the judge answered for no sentence of all systems: there is no faithfulness to compare")
        return [float(getattr(each[system], figure)) for each in outcomes]

    def interval(self, system: int, figure: str) -> Interval:
        """Return the mean of a figure of a system, with its 95% interval."""
        return bootstrap_interval(self.values(system, figure), resamples=self.resamples, seed=self.seed)

    def test(self, system: int, figure: str) -> PairedTest:
        """Return whether a system differs from the baseline in a figure."""
        return paired_bootstrap(
            self.values(0, figure), self.values(system, figure), resamples=self.resamples, seed=self.seed
        )

    def difference(self, system: int, figure: str) -> Interval:
        """Return the mean difference of a figure from the baseline, sentence by sentence, with its 95% interval."""
        differences = np.subtract(self.values(system, figure), self.values(0, figure))
        return bootstrap_interval(differences, resamples=self.resamples, seed=self.seed)

    def higher_and_lower(self, system: int, figure: str) -> tuple[int, int]:
        """Return in how many sentences a figure is higher than that of the baseline, and in how many lower."""
        pairs = list(zip(self.values(0, figure), self.values(system, figure), strict=True))
        return sum(b > a for a, b in pairs), sum(b < a for a, b in pairs)

    def verdicts(self, system: int) -> dict[str, int]:
        """Return how often a system has each verdict."""
        counts = Counter(outcomes[system].verdict for outcomes in self.outcomes)
        return {verdict: counts[verdict] for verdict in get_args(Verdict)}

    def verdict_changes(self, system: int) -> dict[tuple[str, str], int]:
        """Return how often each pair of different verdicts occurs: that of the baseline, that of the system."""
        counts = Counter(
            (outcomes[0].verdict, outcomes[system].verdict)
            for outcomes in self.outcomes
            if outcomes[0].verdict != outcomes[system].verdict
        )
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def reasons(self, system: int) -> Counter[str]:
        """Return in how many sentences a system has reasons of each kind."""
        return Counter(kind for outcomes in self.outcomes for kind in {kind for kind, _ in outcomes[system].reasons})

    def kinds(self) -> list[str]:
        """Return the kinds of reasons that any system has, those first in which systems differ most."""
        counts = [self.reasons(system) for system in range(len(self.names))]
        kinds = [kind for kind in KINDS if any(kind in count for count in counts)]
        return sorted(kinds, key=lambda kind: -_spread([count[kind] for count in counts]))

    def most_apart(self) -> list[int]:
        """Return the sentences in whose faithfulness the systems differ most, the widest difference first."""
        spread = [_spread([outcome.faithfulness for outcome in outcomes]) for outcomes in self.outcomes]
        places = sorted(range(len(spread)), key=lambda place: (-spread[place], place))
        return [place for place in places[: self.most] if spread[place] > 0]

    def record(self, place: int) -> dict[str, Any]:
        """Return a sentence with all outcomes as JSON values."""
        outcomes = zip(self.names, self.outcomes[place], strict=True)
        return {
            "line": self.lines[place],
            "source": self.sources[place],
            "systems": {name: outcome.to_dict() for name, outcome in outcomes},
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        return {
            "sentences": len(self.outcomes),
            "baseline": self.names[0],
            "systems": {name: self._system(k) for k, name in enumerate(self.names)} if self.outcomes else {},
            "most_apart": [self.record(place) for place in self.most_apart()],
            "resamples": self.resamples,
            "seed": self.seed,
            "signature": self.full_signature,
        }

    def _system(self, system: int) -> dict[str, Any]:
        figures: dict[str, Any] = {}
        for figure in FIGURES:
            mean, low, high = self.interval(system, figure)
            figures[figure] = {"mean": mean, "interval": [low, high]}
            if system:
                test = self.test(system, figure)
                _, low, high = self.difference(system, figure)
                higher, lower = self.higher_and_lower(system, figure)
                figures[figure] |= {
                    "difference": test.difference,
                    "difference_interval": [low, high],
                    "p": test.p,
                    "higher": higher,
                    "lower": lower,
                }
        changes = self.verdict_changes(system).items()
        other = {"verdict_changes": [{"from": a, "to": b, "sentences": count} for (a, b), count in changes]}
        reasons = self.reasons(system)
        return {
            **figures,
            "verdicts": self.verdicts(system),
            **(other if system else {}),
            "reasons": {kind: reasons[kind] for kind in self.kinds() if reasons[kind]},
        }

    def text(self) -> Iterator[str]:
        """Yield the comparison as lines for the terminal."""
        if not self.outcomes:
            return
        width = max(len(name) for name in ("system", *self.names))
        head = ["system", "USim (95% interval)", "p", "faithfulness (95% interval)", "p", *get_args(Verdict)]
        rows = [head]
        for k, name in enumerate(self.names):
            figures = ((_interval(self.interval(k, f)), _p(self.test(k, f) if k else None)) for f in FIGURES)
            rows.append([name, *chain(*figures), *map(str, self.verdicts(k).values())])
        yield from aligned(rows, right={2, *range(4, len(head))})
        yield ""
        yield f"p: paired bootstrap against {self.names[0]}, {self.resamples} resamples, seed {self.seed}"
        yield from self._differences()
        yield from self._changes()
        yield from self._kinds()
        yield from self._apart(width)

    def _differences(self) -> Iterator[str]:
        for k, name in enumerate(self.names[1:], start=1):
            for figure, title in FIGURES.items():
                higher, lower = self.higher_and_lower(k, figure)
                difference = _interval(self.difference(k, figure), "+")
                yield f"{title}, {name} − {self.names[0]}: {difference}; higher in {higher}, lower in {lower}"

    def _changes(self) -> Iterator[str]:
        for k, name in enumerate(self.names[1:], start=1):
            changes = self.verdict_changes(k)
            words = ", ".join(f"{a} → {b} {count}" for (a, b), count in changes.items()) or "none"
            yield f"verdicts that differ, {self.names[0]} → {name}: {words}"

    def _kinds(self) -> Iterator[str]:
        kinds = self.kinds()
        if not kinds:
            return
        counts = [self.reasons(system) for system in range(len(self.names))]
        yield ""
        head = ["reasons, in sentences", *self.names]
        rows = [[f"  {kind}", *(str(count[kind]) for count in counts)] for kind in kinds]
        yield from aligned([head, *rows], right=range(1, len(head)))

    def _apart(self, width: int) -> Iterator[str]:
        places = self.most_apart()
        if not places:
            return
        yield ""
        yield "where the systems differ most"
        for place in places:
            yield f"  line {self.lines[place]}: {one_line(self.sources[place])}"
            for name, outcome in zip(self.names, self.outcomes[place], strict=True):
                why = f" ({one_line(outcome.reasons[0][1])})" if outcome.reasons else ""
                figures = f"{outcome.faithfulness:.3f} {outcome.verdict:6}"
                yield f"    {name:{width}}  {figures}  {one_line(outcome.output)}{why}"


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _interval(interval: Interval, sign: str = "") -> str:
    return f"{interval.value:{sign}.4f} ({interval.low:{sign}.4f} to {interval.high:{sign}.4f})"


def _p(test: PairedTest | None) -> str:
    return "" if test is None else f"{test.p:.4f}"
