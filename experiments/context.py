"""Is the text around a sentence of use to the screen?

    python -m experiments.context SWORDS [--targets 60] [--out DIR]

Targets of SWORDS (Lee et al. 2021), whose contexts are of up to three sentences, are drawn at random; all substitutes
that people judged are screened twice: each sentence read by itself, and together with the text around it
(``usim.Screen(…, context=True)``). The AUC tells acceptable substitutes (half of their votes or more) from the others
over all targets, GAP is that of the benchmark's ranking; the intervals draw targets again, the same for both.

The judge that comes with usim was trained on the sentences of SWORDS dev by themselves, so that on these data the
comparison favours reading them that way.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from experiments._command import finish, options
from experiments._report import Study, Table
from experiments._stats import auc, bootstrap_places
from usim.context import context_of
from usim.errors import InputError, SuggestionError
from usim.judge import DEFAULT_JUDGE
from usim.parsing import load
from usim.scorers import swords
from usim.screening import Screen
from usim.stats import Interval
from usim.suggestions import Suggestion, check_span
from usim.suggestions.context import sentence_around
from usim.suggestions.swords import Target, read_targets

#: Substitutes that are screened before the clock starts.
_WARM = 3


@dataclass(frozen=True)
class Ranked:
    """A target: of each substitute the share of its votes that accept it, their number, and its faithfulness."""

    shares: np.ndarray
    votes: Mapping[str, float]
    faithfulness: Mapping[str, float]

    @property
    def gap(self) -> float:
        """Generalised average precision, in [0, 1]; NaN where nobody accepts anything."""
        ranked = sorted(self.faithfulness, key=lambda substitute: -self.faithfulness[substitute])
        return swords.generalised_average_precision(self.votes, ranked)


def drawn(gold: swords.Gold, targets: Mapping[str, Target], count: int, seed: int) -> list[str]:
    """The names of so many targets that can be replaced, or of all; in the order of the data.

    Raises:
        InputError: there is none.
    """

    def fits(target: Target) -> bool:
        try:
            check_span(target.text, target.start, target.end)
        except SuggestionError:
            return False
        return True

    names = [name for name in gold if gold[name].labels and fits(targets[name])]
    if not names:
        raise InputError("no target that can be replaced")
    chosen = set(random.Random(seed).sample(names, min(count, len(names))))
    return [name for name in names if name in chosen]


def screened(
    screen: Screen, names: Sequence[str], gold: swords.Gold, targets: Mapping[str, Target]
) -> tuple[list[Ranked], float]:
    """What the screen makes of the substitutes of targets, and its processor time in seconds."""
    work = []
    for name in names:
        target = targets[name]
        about = {} if target.pos is None else {"pos": target.pos}
        span = target.start, target.end
        work.append((target.text, [Suggestion(one, span, about=about) for one in gold[name].labels]))
    list(screen.screen_texts([(text, some[:_WARM]) for text, some in work[:_WARM]]))
    began = time.process_time()
    found = list(screen.screen_texts(work))
    seconds = time.process_time() - began
    ranked = []
    for name, some in zip(names, found, strict=True):
        labels = gold[name].labels
        votes = {one: float(sum(label in swords.POSITIVE for label in labels[one])) for one in labels}
        shares = np.array([votes[one] / len(labels[one]) for one in labels])
        ranked.append(Ranked(shares, votes, dict(zip(labels, (one.faithfulness for one in some), strict=True))))
    return ranked, seconds


def figures(ranked: Sequence[Ranked]) -> tuple[float, float]:
    """AUC over the substitutes of all targets, and the mean GAP of those that have one; both in [0, 1]."""
    shares = np.concatenate([one.shares for one in ranked])
    said = np.array([value for one in ranked for value in one.faithfulness.values()])
    gaps = [gap for one in ranked if not math.isnan(gap := one.gap)]
    return auc(said[shares >= 0.5], said[shares < 0.5]), float(np.mean(gaps)) if gaps else math.nan


def run(
    path: Path,
    *,
    parser: str = "en",
    judge: str = DEFAULT_JUDGE,
    targets: int = 60,
    threads: int = 1,
    seed: int = 0,
    resamples: int = 1000,
) -> Study:
    """The study.

    Args:
        path: data in the SWORDS format.
        parser: who makes the graphs.
        judge: who judges.
        targets: how many are drawn.
        threads: of the parser and the judge.
        seed: for the targets and the intervals.
        resamples: of the bootstrap.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form; there is no such judge.
    """
    gold, places = swords.read_gold(path), read_targets(path)
    names = drawn(gold, places, targets, seed)
    made = load(parser, threads=threads)
    ways: dict[str, list[Ranked]] = {}
    times: dict[str, float] = {}
    signatures: dict[str, str] = {}
    for name, context in (("sentence alone", False), ("with context", True)):
        try:
            screen = Screen(made, judge, threads=threads, inflect=True, context=context)
        except ValueError as e:  # there is no such judge
            raise InputError(str(e)) from e
        ways[name], times[name] = screened(screen, names, gold, places)
        signatures[name] = screen.signature
    suggestions = sum(len(gold[name].labels) for name in names)

    def interval(which: int, *of: tuple[Sequence[Ranked], int]) -> Interval:
        """A figure, or the difference of two ways: each with its sign."""

        def figure(drawn: np.ndarray) -> float:
            return sum(sign * figures([ranked[k] for k in drawn.tolist()])[which] for ranked, sign in of)

        return bootstrap_places(len(names), figure, resamples=resamples, seed=seed)

    alone, within = ways.values()
    rows = tuple(
        (name, interval(0, (ranked, 1)), interval(1, (ranked, 1)), 1000 * times[name] / suggestions)
        for name, ranked in ways.items()
    )
    change = (
        "change",
        interval(0, (within, 1), (alone, -1)),
        interval(1, (within, 1), (alone, -1)),
        1000 * (times["with context"] - times["sentence alone"]) / suggestions,
    )
    return Study(
        "context",
        "Is the text around a sentence of use?",
        (
            Table(
                "context",
                f"{suggestions} substitutes of {len(names)} targets, {_with_context(names, places)} of which have text "
                "around their sentence",
                ("read", "AUC", "GAP", "ms a suggestion"),
                (*rows, change),
                "[95% interval, targets drawn again]; time of the processor, parser and judge included",
            ),
        ),
        signatures,
        {"swords": path.name, "targets": len(names), "seed": seed, "resamples": resamples},
    )


def _with_context(names: Sequence[str], targets: Mapping[str, Target]) -> int:
    """How many targets have more text than their sentence."""
    texts = [targets[name] for name in names]
    return sum(context_of(t.text, *sentence_around(t.text, t.start, t.end)) is not None for t in texts)


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for input that cannot be read."""
    parser = options("context", __doc__)
    parser.add_argument("swords", type=Path, metavar="SWORDS", help="data in the SWORDS format")
    parser.add_argument("--targets", type=int, default=60, help="how many are drawn (default: %(default)s)")
    given = parser.parse_args(arguments)
    return finish(
        given,
        lambda: run(
            given.swords,
            parser=given.parser,
            judge=given.judge or DEFAULT_JUDGE,
            targets=given.targets,
            threads=given.threads,
            seed=given.seed,
            resamples=given.resamples,
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
