"""Is the text around a sentence of use to the screen?

    python -m experiments.context SWORDS [--targets 60] [--out DIR]

Targets of SWORDS (Lee et al. 2021), whose contexts are of up to three sentences, are drawn at random; all substitutes
that people judged are screened twice: each sentence read by itself, and together with the text around it
(``usim.Screen(…, context=True)``). The AUC tells acceptable substitutes (half of their votes or more) from the others
over all targets, GAP is that of the benchmark's ranking; the intervals draw targets again, the same for both.

Beside the judge's faithfulness stands what the vectors say without a judge: the cosine of the target's vector and the
substitute's, each in its sentence, by the encoder of the judge.

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
from experiments._report import Cell, Study, Table
from experiments._stats import auc, bootstrap_places
from usim.benchmarks import swords
from usim.errors import InputError, SuggestionError
from usim.judge import DEFAULT_JUDGE
from usim.judge.trained import SHIPPED, load_encoder
from usim.parsing import load
from usim.screen import Screen
from usim.stats import Interval
from usim.suggestions import Suggestion, check_span, put
from usim.suggestions.inflect import Inflector
from usim.suggestions.swords import Target, read_targets
from usim.text import context_of, sentence_around, tokenise

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
    ranked = [
        _ranked(gold[name], dict(zip(gold[name].labels, (one.faithfulness for one in some), strict=True)))
        for name, some in zip(names, found, strict=True)
    ]
    return ranked, seconds


def by_cosine(
    names: Sequence[str], gold: swords.Gold, targets: Mapping[str, Target], *, context: bool, threads: int = 1
) -> list[Ranked]:
    """The substitutes of targets, with the cosines of the vectors in the place of the faithfulness."""
    read, inflect = load_encoder(SHIPPED / "judge", threads), Inflector()
    ranked = []
    for name in names:
        text, start, end, pos = targets[name]
        placed = {one: put(text, start, end, inflect(one, text, start, end, pos)) for one in gold[name].labels}
        places = [(text, sentence_around(text, start, end), (start, end))]
        places += [(one.text, one.around(text)[1], (one.start, one.end)) for one in placed.values()]
        words = [tokenise(whole[slice(*sentence)]) for whole, sentence, _ in places]
        vectors = read(
            [[word.text for word in some] for some in words],
            [context_of(whole, *sentence) if context else None for whole, sentence, _ in places],
        )
        means = []
        for found, some, (_, (begin, _), (first, last)) in zip(vectors, words, places, strict=True):
            inside = [k for k, word in enumerate(some) if word.end + begin > first and word.start + begin < last]
            mean = found[inside or range(len(some))].mean(axis=0)
            means.append(mean / np.linalg.norm(mean))
        said = {one: float(means[0] @ mean) for one, mean in zip(placed, means[1:], strict=True)}
        ranked.append(_ranked(gold[name], said))
    return ranked


def _ranked(target: swords.Target, said: Mapping[str, float]) -> Ranked:
    labels = target.labels
    votes = {one: float(sum(label in swords.POSITIVE for label in labels[one])) for one in labels}
    return Ranked(np.array([votes[one] / len(labels[one]) for one in labels]), votes, said)


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

    def row(by: str, name: str, time: float | None, *of: tuple[Sequence[Ranked], int]) -> tuple[Cell, ...]:
        return by, name, interval(0, *of), interval(1, *of), None if time is None else 1000 * time / suggestions

    cosines = [by_cosine(names, gold, places, context=context, threads=threads) for context in (False, True)]
    rows: list[tuple[Cell, ...]] = []
    for by, (alone, within), (less, more) in (
        ("faithfulness", ways.values(), times.values()),
        ("cosine", cosines, (None, None)),
    ):
        rows += [
            row(by, "sentence alone", less, (alone, 1)),
            row(by, "with context", more, (within, 1)),
            row(by, "change", None if less is None or more is None else more - less, (within, 1), (alone, -1)),
        ]
    return Study(
        "context",
        "Is the text around a sentence of use?",
        (
            Table(
                "context",
                f"{suggestions} substitutes of {len(names)} targets, {_with_context(names, places)} of which have text "
                "around their sentence",
                ("by", "read", "AUC", "GAP", "ms a suggestion"),
                tuple(rows),
                "[95% interval, targets drawn again]; ms: time of the processor, parser and judge included",
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
