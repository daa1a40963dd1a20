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
from usim.stats import bootstrap_interval, paired_bootstrap
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
        verdicts = Counter(outcomes[system].verdict for outcomes in self.outcomes)
        reasons = self.reasons(system)
        return {
            **{figure: self._figure(system, figure) for figure in FIGURES},
            "verdicts": {verdict: verdicts[verdict] for verdict in get_args(Verdict)},
            **({"verdict_changes": self._verdict_changes(system)} if system else {}),
            "reasons": {kind: reasons[kind] for kind in self.kinds() if reasons[kind]},
        }

    def _figure(self, system: int, figure: str) -> dict[str, Any]:
        """Return the mean of a figure with its interval, and how it differs from that of the baseline."""
        draws: dict[str, Any] = {"resamples": self.resamples, "seed": self.seed}
        values, baseline = self.values(system, figure), self.values(0, figure)
        mean, *interval = bootstrap_interval(values, **draws)
        if not system:
            return {"mean": mean, "interval": interval}
        test = paired_bootstrap(baseline, values, **draws)
        _, *difference = bootstrap_interval(np.subtract(values, baseline), **draws)
        return {
            "mean": mean,
            "interval": interval,
            "difference": test.difference,
            "difference_interval": difference,
            "p": test.p,
            "higher": sum(b > a for a, b in zip(baseline, values, strict=True)),
            "lower": sum(b < a for a, b in zip(baseline, values, strict=True)),
        }

    def _verdict_changes(self, system: int) -> list[dict[str, Any]]:
        """Return how often each pair of different verdicts occurs: that of the baseline, that of the system."""
        pairs = ((outcomes[0].verdict, outcomes[system].verdict) for outcomes in self.outcomes)
        counts = Counter((a, b) for a, b in pairs if a != b)
        changes = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [{"from": a, "to": b, "sentences": count} for (a, b), count in changes]

    def text(self) -> Iterator[str]:
        """Yield the comparison as lines for the terminal."""
        if not self.outcomes:
            return
        record = self.to_dict()
        systems, baseline = record["systems"], record["baseline"]
        others = {name: system for name, system in systems.items() if name != baseline}
        head = ["system", "USim (95% interval)", "p", "faithfulness (95% interval)", "p", *get_args(Verdict)]
        rows = [head]
        for name, system in systems.items():
            known = (system[figure] for figure in FIGURES)
            cells = ((_interval(f["mean"], f["interval"]), f"{f['p']:.4f}" if "p" in f else "") for f in known)
            rows.append([name, *chain(*cells), *map(str, system["verdicts"].values())])
        yield from aligned(rows, right={2, *range(4, len(head))})
        yield ""
        yield f"p: paired bootstrap against {baseline}, {self.resamples} resamples, seed {self.seed}"
        for name, system in others.items():
            for figure, title in FIGURES.items():
                f = system[figure]
                difference = _interval(f["difference"], f["difference_interval"], "+")
                yield f"{title}, {name} − {baseline}: {difference}; higher in {f['higher']}, lower in {f['lower']}"
        for name, system in others.items():
            changes = ("{from} → {to} {sentences}".format(**change) for change in system["verdict_changes"])
            yield f"verdicts that differ, {baseline} → {name}: {', '.join(changes) or 'none'}"
        if kinds := self.kinds():
            yield ""
            head = ["reasons, in sentences", *systems]
            rows = [[f"  {kind}", *(str(each["reasons"].get(kind, 0)) for each in systems.values())] for kind in kinds]
            yield from aligned([head, *rows], right=range(1, len(head)))
        if record["most_apart"]:
            yield ""
            yield "where the systems differ most"
        width = max(len(name) for name in ("system", *systems))
        for sentence in record["most_apart"]:
            yield f"  line {sentence['line']}: {one_line(sentence['source'])}"
            for name, outcome in sentence["systems"].items():
                why = f" ({one_line(outcome['reasons'][0]['text'])})" if outcome["reasons"] else ""
                figures = f"{outcome['faithfulness']:.3f} {outcome['verdict']:6}"
                yield f"    {name:{width}}  {figures}  {one_line(outcome['output'])}{why}"


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _interval(value: float, bounds: Sequence[float], sign: str = "") -> str:
    return f"{value:{sign}.4f} ({bounds[0]:{sign}.4f} to {bounds[1]:{sign}.4f})"
