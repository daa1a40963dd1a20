"""Does the text around a sentence help the screen?

    python -m experiments.context SWORDS [--targets 60] [--out DIR]

Targets of SWORDS (Lee et al. 2021), whose contexts are of up to three sentences, are drawn at random; all substitutes
that people judged are screened twice: each sentence by itself, and together with the text around it
(``usim.Screen(…, context=True)``). The AUC tells acceptable substitutes (half of their votes or more) from the others
over all targets, GAP is that of the benchmark's ranking; the intervals draw targets again, the same for both.

The second half of the table does without the judge: it takes the cosine of the target's vector and the substitute's,
each in its sentence, by the encoder of the judge.

The judge that comes with usim was trained on the sentences of SWORDS dev by themselves, so that on these data the
comparison favours them that way.
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

from experiments.common.command import Command, Option, drawing, known_judge
from experiments.common.statistics import Draws, Places, Values, auc
from experiments.common.study import Row, Study, Table
from usim.benchmarks import swords
from usim.errors import InputError, SuggestionError
from usim.judge import DEFAULT_JUDGE
from usim.judge.trained import SHIPPED, load_encoder
from usim.parsing import load
from usim.screen import Screen
from usim.stats import Interval
from usim.suggestions import Inflector, Suggestion, check_span, put
from usim.suggestions.swords import Target, read_targets
from usim.text import context_of, sentence_around, tokenise

#: Substitutes that are screened before the clock starts.
_WARM = 3


@dataclass(frozen=True)
class Ranked:
    """A target: for each substitute the share of its votes that accept it, their number, and its faithfulness."""

    shares: Values
    votes: Mapping[str, float]
    faithfulness: Mapping[str, float]

    @property
    def gap(self) -> float:
        """Generalised average precision, in [0, 1]; NaN where no substitute is accepted."""
        ranked = sorted(self.faithfulness, key=lambda substitute: -self.faithfulness[substitute])
        return swords.generalised_average_precision(self.votes, ranked)


def draw_targets(gold: swords.Gold, targets: Mapping[str, Target], count: int, seed: int) -> list[str]:
    """Draw the names of so many targets that can be replaced, or of all; in the order of the data.

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
    sample = set(random.Random(seed).sample(names, min(count, len(names))))
    return [name for name in names if name in sample]


def screen_targets(
    screen: Screen, names: Sequence[str], gold: swords.Gold, targets: Mapping[str, Target]
) -> tuple[list[Ranked], float]:
    """Screen the substitutes of targets, and measure the processor time in seconds."""
    texts = []
    for name in names:
        target = targets[name]
        about = {} if target.pos is None else {"pos": target.pos}
        span = target.start, target.end
        texts.append((target.text, [Suggestion(label, span, about=about) for label in gold[name].labels]))
    list(screen.screen_texts([(text, some[:_WARM]) for text, some in texts[:_WARM]]))
    began = time.process_time()
    results = list(screen.screen_texts(texts))
    seconds = time.process_time() - began
    ranked = [
        _ranked(gold[name], dict(zip(gold[name].labels, (r.faithfulness for r in own), strict=True)))
        for name, own in zip(names, results, strict=True)
    ]
    return ranked, seconds


def rank_by_cosine(
    names: Sequence[str], gold: swords.Gold, targets: Mapping[str, Target], *, context: bool, threads: int = 1
) -> list[Ranked]:
    """Rank the substitutes of targets by the cosines of their vectors with the target's, in place of faithfulness."""
    encode, inflect = load_encoder(SHIPPED / "en" / "judge"), Inflector()
    ranked = []
    for name in names:
        text, start, end, pos = targets[name]
        placed = {word: put(text, start, end, inflect(word, text, start, end, pos)) for word in gold[name].labels}
        places = [(text, sentence_around(text, start, end), (start, end))]
        places += [(place.text, place.around(text)[1], (place.start, place.end)) for place in placed.values()]
        tokens = [tokenise(whole[slice(*sentence)]) for whole, sentence, _ in places]
        vectors = encode(
            [[token.text for token in own] for own in tokens],
            [context_of(whole, *sentence) if context else None for whole, sentence, _ in places],
        )
        means = []
        for rows, own, (_, (begin, _), (first, last)) in zip(vectors, tokens, places, strict=True):
            inside = [k for k, token in enumerate(own) if token.end + begin > first and token.start + begin < last]
            mean = rows[inside or range(len(own))].mean(axis=0)
            means.append(mean / np.linalg.norm(mean))
        cosines = {word: float(means[0] @ mean) for word, mean in zip(placed, means[1:], strict=True)}
        ranked.append(_ranked(gold[name], cosines))
    return ranked


def _ranked(target: swords.Target, scores: Mapping[str, float]) -> Ranked:
    labels = target.labels
    votes = {word: float(sum(label in swords.POSITIVE for label in labels[word])) for word in labels}
    return Ranked(np.array([votes[word] / len(labels[word]) for word in labels]), votes, scores)


def figures(ranked: Sequence[Ranked]) -> tuple[float, float]:
    """Compute the AUC over the substitutes of all targets, and the mean GAP of those that have one; both in [0, 1]."""
    shares = np.concatenate([target.shares for target in ranked])
    scores = np.array([value for target in ranked for value in target.faithfulness.values()])
    gaps = [gap for target in ranked if not math.isnan(gap := target.gap)]
    return auc(scores[shares >= 0.5], scores[shares < 0.5]), float(np.mean(gaps)) if gaps else math.nan


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
    """Study the targets of one file.

    Args:
        path: data in the SWORDS format.
        parser: the name of the parser.
        judge: the name of the judge.
        targets: the number of targets that are drawn.
        threads: of the parser and the judge.
        seed: for the targets and the intervals.
        resamples: of the bootstrap.

    Raises:
        InputError: the file cannot be read; there is no such judge.
        FormatError: the file is not of that form.
    """
    gold, places = swords.read_gold(path), read_targets(path)
    names = draw_targets(gold, places, targets, seed)
    loaded = load(parser, threads=threads)
    ways: dict[str, list[Ranked]] = {}
    times: dict[str, float] = {}
    signatures: dict[str, str] = {}
    for name, context in (("sentence alone", False), ("with context", True)):
        with known_judge():
            screen = Screen(loaded, judge, threads=threads, inflect=True, context=context)
        ways[name], times[name] = screen_targets(screen, names, gold, places)
        signatures[name] = screen.signature
    suggestions = sum(len(gold[name].labels) for name in names)

    draws = Draws(range(len(names)), resamples, seed)

    def interval(which: int, *of: tuple[Sequence[Ranked], int]) -> Interval:
        """Compute a figure, or the difference of two ways, each with its sign."""

        def figure(drawn: Places) -> float:
            return sum(sign * figures([ranked[k] for k in drawn.tolist()])[which] for ranked, sign in of)

        return draws.interval(figure)

    def row(by: str, name: str, time: float | None, *of: tuple[Sequence[Ranked], int]) -> Row:
        return by, name, interval(0, *of), interval(1, *of), None if time is None else 1000 * time / suggestions

    cosines = [rank_by_cosine(names, gold, places, context=context, threads=threads) for context in (False, True)]
    rows: list[Row] = []
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
    """Count the targets that have more text than their sentence."""
    texts = [targets[name] for name in names]
    return sum(context_of(t.text, *sentence_around(t.text, t.start, t.end)) is not None for t in texts)


main = Command(
    "context",
    __doc__,
    lambda given: run(
        given.swords,
        parser=given.parser,
        judge=given.judge,
        targets=given.targets,
        threads=given.threads,
        **drawing(given),
    ),
    Option("swords", type=Path, metavar="SWORDS", help="data in the SWORDS format"),
    Option("--targets", type=int, default=60, help="how many are drawn (default: %(default)s)"),
)

if __name__ == "__main__":
    sys.exit(main())
