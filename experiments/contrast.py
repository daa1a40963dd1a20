"""Does a score tell pairs that keep the meaning from pairs that change it?

    python -m experiments.contrast [--scorer NAME …] [--threshold .5] [--format text|json|markdown]

``contrast_pairs.tsv`` holds minimal pairs of sentences, half of them unfaithful (roles swapped, a negation moved,
another number, …), half faithful (articles and spelling corrected, active and passive, …), each phenomenon with one
label. **Nothing may be trained or chosen by these pairs**: the figures are worth something only as long as no system
has seen them.

Anything with a ``name`` and a method ``score`` can be measured (:class:`~experiments.common.surface.PairScorer`);
:data:`SCORERS` are at hand. For each: the accuracy when pairs that score at least the threshold count as kept; the
threshold that would have been best, with its accuracy (chosen on the very pairs, so an upper bound); and the AUC, the
chance that a faithful pair scores above an unfaithful one. The AUC of a phenomenon sets its pairs against all pairs of
the other label.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.common.command import Command, Option
from experiments.common.statistics import auc
from experiments.common.study import markdown_table, plain
from experiments.common.surface import ChrfScorer, CosineScorer, EditScorer, PairScorer
from usim.errors import FormatError, InputError, UsimError
from usim.scorer import Scorer
from usim.text import aligned, read_text

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
    pairs: list[Pair] = []
    ids: set[str] = set()
    labels: dict[str, bool] = {}
    header = False
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line or line.startswith("#"):
            continue
        fields = tuple(line.split("\t"))
        if not header:
            if fields != COLUMNS:
                raise FormatError(f"the columns must be {', '.join(COLUMNS)}", path=path, line=number, text=line)
            header = True
            continue
        if len(fields) != len(COLUMNS) or not all(fields) or fields[2] not in _LABELS:
            raise FormatError("a pair is id, phenomenon, yes or no, source, output", path=path, line=number, text=line)
        pair = Pair(fields[0], fields[1], _LABELS[fields[2]], fields[3], fields[4])
        if pair.id in ids:
            raise FormatError("an id that is there twice", path=path, line=number, text=pair.id)
        if labels.setdefault(pair.phenomenon, pair.faithful) != pair.faithful:
            raise FormatError("a phenomenon with both labels", path=path, line=number, text=pair.phenomenon)
        ids.add(pair.id)
        pairs.append(pair)
    if not pairs:
        raise InputError("no pairs in it", path=path)
    return pairs


class UsimScorer:
    """USim: the mean of the F-scores of the two directions."""

    name = "usim"

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.signature = scorer.signature

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Score pairs, see :class:`~experiments.common.surface.PairScorer`."""
        return [result.score for result in self._scorer.score_pairs(pairs)]


class JudgeScorer(UsimScorer):
    """The faithfulness of a judge, of sentences that usim parses itself."""

    name = "judge"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Score pairs, see :class:`~experiments.common.surface.PairScorer`."""
        return [result.judgement.faithfulness for result in self._scorer.score_pairs(pairs)]


#: The scorers at hand by name, each built from the name of a parser, which only USim and the judge need.
SCORERS: dict[str, Callable[[str], PairScorer]] = {
    "judge": lambda parser: JudgeScorer(Scorer(parser, judge="en")),
    "usim": lambda parser: UsimScorer(Scorer(parser, judge="usim")),
    "edit": lambda _: EditScorer(),
    "chrf": lambda _: ChrfScorer(),
    "cosine": lambda _: CosineScorer(),
}


def accuracy(scores: Sequence[float], faithful: Sequence[bool], threshold: float) -> float:
    """Compute the share of pairs that are faithful and score at least the threshold, or neither.

    >>> accuracy([0.9, 0.4, 0.5], [True, True, False], 0.5)
    0.3333333333333333
    """
    kept = np.asarray(scores) >= threshold
    return float(np.mean(kept == np.asarray(faithful)))


def best_threshold(scores: Sequence[float], faithful: Sequence[bool]) -> float:
    """Find the threshold of highest accuracy: one of the scores, or just above all of them; the lowest among equals.

    >>> best_threshold([0.9, 0.4, 0.3], [True, True, False])
    0.4
    """
    values = np.unique(np.asarray(scores, dtype=np.float64))
    candidates: list[float] = [*values.tolist(), float(np.nextafter(values[-1], np.inf))]
    return max(candidates, key=lambda threshold: accuracy(scores, faithful, threshold))


@dataclass(frozen=True)
class Row:
    """The figures of a phenomenon."""

    pairs: int
    faithful: bool
    accuracy: float
    best_accuracy: float
    auc: float


@dataclass(frozen=True)
class Report:
    """The figures of a scorer over all pairs, and by phenomenon in the order of the file."""

    name: str
    signature: str
    pairs: int
    threshold: float
    accuracy: float
    best_threshold: float
    best_accuracy: float
    auc: float
    phenomena: dict[str, Row]


def evaluate(scorer: PairScorer, pairs: Sequence[Pair], *, threshold: float = 0.5) -> Report:
    """Score the pairs and compare with their labels.

    Raises:
        ValueError: the scorer gave another number of scores than there are pairs, or a score that is not a number.
    """
    scores = scorer.score([(pair.source, pair.output) for pair in pairs])
    if len(scores) != len(pairs) or not np.isfinite(scores).all():
        raise ValueError(f"{scorer.name} must give one finite score a pair")
    faithful = [pair.faithful for pair in pairs]
    sides = {
        label: [score for score, known in zip(scores, faithful, strict=True) if known == label]
        for label in (True, False)
    }
    best = best_threshold(scores, faithful)
    phenomena = {}
    for phenomenon in dict.fromkeys(pair.phenomenon for pair in pairs):
        label = next(pair.faithful for pair in pairs if pair.phenomenon == phenomenon)
        own = [score for score, pair in zip(scores, pairs, strict=True) if pair.phenomenon == phenomenon]
        labels = [label] * len(own)
        phenomena[phenomenon] = Row(
            len(own),
            label,
            accuracy(own, labels, threshold),
            accuracy(own, labels, best),
            auc(own, sides[False]) if label else auc(sides[True], own),
        )
    return Report(
        scorer.name,
        getattr(scorer, "signature", scorer.name),
        len(pairs),
        threshold,
        accuracy(scores, faithful, threshold),
        best,
        accuracy(scores, faithful, best),
        auc(sides[True], sides[False]),
        phenomena,
    )


_NOTE = "each: accuracy at the threshold / at the best threshold / AUC"


def _overall(reports: Iterable[Report]) -> list[list[str]]:
    rows = [["scorer", "threshold", "accuracy", "best threshold", "accuracy there", "AUC"]]
    for r in reports:
        figures = (r.threshold, r.accuracy, r.best_threshold, r.best_accuracy, r.auc)
        rows.append([r.name, *(f"{x:.3f}" for x in figures)])
    return rows


def _by_phenomenon(reports: Sequence[Report]) -> list[list[str]]:
    rows = [["phenomenon", "faithful", "pairs", *(r.name for r in reports)]]
    for phenomenon, row in reports[0].phenomena.items():
        cells = [r.phenomena[phenomenon] for r in reports]
        figures = (f"{c.accuracy:.2f} / {c.best_accuracy:.2f} / {c.auc:.2f}" for c in cells)
        rows.append([phenomenon, "yes" if row.faithful else "no", str(row.pairs), *figures])
    return rows


def as_text(reports: Sequence[Report]) -> str:
    """Return the figures in columns."""
    signatures = [f"{r.name}: {r.signature}" for r in reports if r.signature != r.name]
    return "\n".join([*aligned(_overall(reports)), "", *aligned(_by_phenomenon(reports)), _NOTE, *signatures])


def as_markdown(reports: Sequence[Report]) -> str:
    """Return the figures as two Markdown tables."""
    signatures = [f"- {r.name}: `{r.signature}`" for r in reports if r.signature != r.name]
    lines = [markdown_table(_overall(reports)), "", markdown_table(_by_phenomenon(reports)), "", f"({_NOTE})"]
    return "\n".join(lines + (["", *signatures] if signatures else []))


def as_json(reports: Sequence[Report]) -> str:
    """Return the figures with all digits; an AUC that is not defined, because all pairs have one label, is null."""
    return json.dumps([plain(asdict(report)) for report in reports], indent=2, allow_nan=False)


class Reports(tuple[Report, ...]):
    """The reports of several scorers on the same pairs."""

    def render(self, form: str) -> str:
        """Return the reports as ``text``, ``markdown`` or ``json``."""
        return {"text": as_text, "markdown": as_markdown, "json": as_json}[form](self)


def run(names: Sequence[str] = (), *, parser: str = "en", threshold: float = 0.5, path: Path = PAIRS) -> Reports:
    """Evaluate scorers on contrast pairs.

    Args:
        names: which of :data:`SCORERS`. By default all; those that are not available are left out with a warning.
        parser: the parser for USim and the judge.
        threshold: pairs that score at least this count as kept.
        path: the file of the pairs.

    Raises:
        UsimError: the file cannot be read, or a scorer that was asked for is not available.
    """
    pairs = read_pairs(path)
    reports = []
    for name in names or SCORERS:
        try:
            scorer = SCORERS[name](parser)
        except UsimError as e:
            if names:
                raise
            print(f"warning: left out {name}: {e}", file=sys.stderr)
            continue
        reports.append(evaluate(scorer, pairs, threshold=threshold))
    return Reports(reports)


main = Command(
    "contrast",
    __doc__,
    lambda given: run(given.scorer or (), parser=given.parser, threshold=given.threshold, path=given.pairs),
    Option("--scorer", action="append", choices=SCORERS, help="what to measure; again for more"),
    Option("--threshold", type=float, default=0.5, help="pairs that score at least this count as kept"),
    Option("--pairs", type=Path, default=PAIRS, help="another file of pairs"),
    shared=("parser",),
)

if __name__ == "__main__":
    sys.exit(main())
