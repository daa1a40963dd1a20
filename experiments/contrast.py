"""Does a score tell pairs that keep the meaning from pairs that change it?

    python -m experiments.contrast [--scorer NAME …] [--threshold .5] [--format text|json|markdown]

``contrast_pairs.tsv`` holds minimal pairs of sentences, half of them unfaithful, each phenomenon with one label.
**Nothing may be trained or chosen by these pairs**: the figures are worth something only as long as no system has seen
them. The best threshold is chosen on the very pairs, so its accuracy is an upper bound; the AUC of a phenomenon sets
its pairs against all pairs of the other label.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.common import surface
from experiments.common.command import Command, Option
from experiments.common.statistics import auc
from experiments.common.study import Study
from usim.errors import FormatError, InputError, UsimError
from usim.report.tables import Table
from usim.scorer import Scorer
from usim.text.files import read_text

PAIRS = Path(__file__).with_name("contrast_pairs.tsv")
#: Pairs by another hand.
BLIND_PAIRS = PAIRS.with_name("contrast_pairs_blind.tsv")
COLUMNS = ("id", "phenomenon", "faithful", "source", "output")
_LABELS = {"yes": True, "no": False}


class Pair(NamedTuple):
    """A source, an output, and whether the output kept the meaning."""

    id: str
    phenomenon: str
    faithful: bool
    source: str
    output: str


def read_pairs(path: Path = PAIRS) -> list[Pair]:
    """Read the pairs of a TSV file with the columns :data:`COLUMNS`; lines that begin with ``#`` are left out.

    Raises:
        InputError: the file cannot be read, or has no pairs.
        FormatError: a line that is no pair, an id that is there twice, or a phenomenon with both labels.
    """
    numbered = enumerate(read_text(path).split("\n"), start=1)
    rows = [(number, line) for number, line in numbered if line and not line.startswith("#")]
    if not rows or rows[0][1].split("\t") != list(COLUMNS):
        raise FormatError(f"the columns must be {', '.join(COLUMNS)}", path=path, line=rows[0][0] if rows else None)
    pairs: dict[str, Pair] = {}
    labels: dict[str, bool] = {}
    for number, line in rows[1:]:
        fields = line.split("\t")
        if len(fields) != len(COLUMNS) or not all(fields) or fields[2] not in _LABELS:
            raise FormatError("a pair is id, phenomenon, yes or no, source, output", path=path, line=number, text=line)
        pair = Pair(fields[0], fields[1], _LABELS[fields[2]], fields[3], fields[4])
        if pair.id in pairs:
            raise FormatError("an id that is there twice", path=path, line=number, text=pair.id)
        if labels.setdefault(pair.phenomenon, pair.faithful) != pair.faithful:
            raise FormatError("a phenomenon with both labels", path=path, line=number, text=pair.phenomenon)
        pairs[pair.id] = pair
    if not pairs:
        raise InputError("no pairs in it", path=path)
    return list(pairs.values())


class PairScorer(NamedTuple):
    """A scorer of pairs: from (source, output) to scores, of which higher ones mean that more of the meaning was kept.

    Anything with a ``name`` and a method ``score`` will do. If it also has a ``signature``, reports carry it.
    """

    name: str
    score: Callable[[Sequence[tuple[str, str]]], list[float]]
    signature: object = ""

    @classmethod
    def of_usim(cls, name: str, scorer: Scorer) -> PairScorer:
        """Return USim (``usim``), or the faithfulness of the judge, of sentences that usim parses itself."""

        def score(pairs: Sequence[tuple[str, str]]) -> list[float]:
            results = scorer.score_pairs(pairs)
            return [result.score if name == "usim" else result.judgement.faithfulness for result in results]

        return cls(name, score, scorer.signature)


#: The scorers at hand by name, each built from the name of a parser, which only USim and the judge need.
SCORERS: dict[str, Callable[[str], PairScorer]] = {
    "judge": lambda parser: PairScorer.of_usim("judge", Scorer(parser, judge="en")),
    "usim": lambda parser: PairScorer.of_usim("usim", Scorer(parser, judge="usim")),
    "edit": lambda _: PairScorer("edit", surface.edit_similarities),
    "chrf": lambda _: PairScorer("chrf", surface.chrf_scores),
    "cosine": lambda _: PairScorer("cosine", surface.minilm_cosines),
}


def accuracy(scores: npt.ArrayLike, faithful: npt.ArrayLike, threshold: float) -> float:
    """Compute the share of pairs that are faithful and score at least the threshold, or neither.

    >>> accuracy([0.9, 0.4, 0.5], [True, True, False], 0.5)
    0.3333333333333333
    """
    kept = np.asarray(scores) >= threshold
    return float(np.mean(kept == np.asarray(faithful)))


def best_threshold(scores: npt.ArrayLike, faithful: npt.ArrayLike) -> float:
    """Find the threshold of highest accuracy: one of the scores, or just above all of them; the lowest among equals.

    >>> best_threshold([0.9, 0.4, 0.3], [True, True, False])
    0.4
    """
    values = np.unique(np.asarray(scores, dtype=np.float64))
    candidates: list[float] = [*values.tolist(), float(np.nextafter(values[-1], np.inf))]
    return max(candidates, key=lambda threshold: accuracy(scores, faithful, threshold))


class Figures(NamedTuple):
    """What a scorer makes of some pairs; the AUC is not-a-number where all pairs have one label."""

    accuracy: float
    best_accuracy: float
    auc: float


@dataclass(frozen=True)
class Report:
    """The figures of a scorer over all pairs, and by phenomenon in the order of the file."""

    name: str
    signature: str
    threshold: float
    best_threshold: float
    overall: Figures
    phenomena: dict[str, Figures]


def evaluate(scorer: PairScorer, pairs: Sequence[Pair], *, threshold: float = 0.5) -> Report:
    """Score the pairs and compare with their labels.

    Raises:
        ValueError: the scorer gave another number of scores than there are pairs, or a score that is not a number.
    """
    scores = np.asarray(scorer.score([(pair.source, pair.output) for pair in pairs]), dtype=np.float64)
    if len(scores) != len(pairs) or not np.isfinite(scores).all():
        raise ValueError(f"{scorer.name} must give one finite score a pair")
    faithful = np.array([pair.faithful for pair in pairs])
    best = best_threshold(scores, faithful)

    def figures(of: np.ndarray) -> Figures:
        # The pairs of a phenomenon have one label; all pairs of the other label stand against them.
        high, low = (scores[(faithful == label) & (of | (faithful[of] != label).all())] for label in (True, False))
        return Figures(*(accuracy(scores[of], faithful[of], at) for at in (threshold, best)), auc(high, low))

    phenomena = np.array([pair.phenomenon for pair in pairs])
    signature = str(getattr(scorer, "signature", "") or scorer.name)
    by_name = {name: figures(phenomena == name) for name in dict.fromkeys(phenomena.tolist())}
    return Report(scorer.name, signature, threshold, best, figures(np.ones(len(pairs), bool)), by_name)


def study(reports: Sequence[Report], pairs: Sequence[Pair]) -> Study:
    """Put the reports of scorers on the same pairs into tables."""
    overall = tuple(
        (r.name, r.threshold, r.overall.accuracy, r.best_threshold, r.overall.best_accuracy, r.overall.auc)
        for r in reports
    )
    labels = {pair.phenomenon: pair.faithful for pair in pairs}
    sizes = Counter(pair.phenomenon for pair in pairs)
    by_phenomenon = tuple(
        (name, "yes" if labels[name] else "no", sizes[name], *(x for r in reports for x in r.phenomena[name]))
        for name in sizes
    )
    columns = tuple(f"{r.name}: {figure}" for r in reports for figure in ("accuracy", "at the best", "AUC"))
    return Study(
        "contrast",
        f"Does a score tell pairs that keep the meaning from pairs that change it? {len(pairs)} pairs",
        (
            Table(
                "scorers",
                "All pairs",
                ("scorer", "threshold", "accuracy", "best threshold", "accuracy there", "AUC"),
                overall,
            ),
            Table(
                "phenomena",
                "By phenomenon: accuracy at the threshold, at the best one, AUC against all pairs of the other label",
                ("phenomenon", "faithful", "pairs", *columns),
                by_phenomenon,
                digits=2,
            ),
        ),
        {r.name: r.signature for r in reports},
        {},
    )


def run(names: Sequence[str] = (), *, parser: str = "en", threshold: float = 0.5, path: Path = PAIRS) -> Study:
    """Evaluate scorers of :data:`SCORERS` on contrast pairs.

    Without names those that are not available are left out with a warning.
    """
    pairs = read_pairs(path)
    reports = []
    for name in names or SCORERS:
        try:
            reports.append(evaluate(SCORERS[name](parser), pairs, threshold=threshold))
        except UsimError as e:
            if names:
                raise
            print(f"warning: left out {name}: {e}", file=sys.stderr)
    return study(reports, pairs)


main = Command(
    run,
    Option("--scorer", dest="names", action="append", choices=SCORERS, help="what to measure; again for more"),
    Option("--threshold", type=float, default=0.5, help="pairs that score at least this count as kept"),
    Option("--pairs", dest="path", type=Path, default=PAIRS, metavar="PAIRS", help="another file of pairs"),
    shared=("out", "parser"),
)

if __name__ == "__main__":
    sys.exit(main())
