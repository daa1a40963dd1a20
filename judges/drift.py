"""Train the model of reworded pairs (:mod:`usim.judge.drift`).

The trees learn which tokens drifted from rewrites, whose authors marked them: a drift that ``added`` or ``changed``
something in the output, one that ``lost`` something in the source. The regression learns from reworded pairs that the
networks have not learned from, and the trees neither: of others, what either says is too good. Writes ``drift.npz``
into the folder of the judge, and prints the AUC of each data set with and without the model, where it learned from the
other parts of the set alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from judges.calibrate import weights_of
from judges.corrections.train import export_trees
from judges.data import commented_table
from training.statistics import auc
from usim.evidence import Ledger, SentenceView
from usim.judge import Analyser
from usim.judge.drift import DRIFT_FILE, drift_figures, pair_figures
from usim.judge.trained import ReadPair, TrainedJudge
from usim.parsing import load
from usim.registry import find_model
from usim.spelling.trees import Trees
from usim.text.checksums import digest_of
from usim.text.files import written_beside
from usim.verdicts.nouns import REWORDED

#: The version of the model: raised whenever it is trained anew.
VERSION = 1
#: The data set whose words are marked, and the sets that the regression learns from: people's and authors' pairs.
REWRITES = "rewrites"
SETS = (REWRITES, "clear", "corrections", "mqm")
#: Into so many parts, stretches of a table, pairs are cut; an author wrote a stretch.
FOLDS = 4
#: Pairs from this label on are faithful.
FAITHFUL = 0.5
#: Of the tokens that did not drift this share is learned from, and counts for all.
_UNMARKED = 0.3
#: The strength of the regression: the inverse of the penalty.
_STRENGTH = 0.01
#: So many pairs are read together.
_TOGETHER = 64
_SETTINGS = {
    "max_leaf_nodes": 12, "learning_rate": 0.05, "max_iter": 300, "min_samples_leaf": 80, "l2_regularization": 5.0,
    "max_features": 0.4, "early_stopping": False,
}  # fmt: skip


Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class Example(NamedTuple):
    """A pair that the model learns from.

    Attributes:
        origin: its data set.
        fold: its part, below :data:`FOLDS`.
        tokens: the figures of the tokens of the source, and of the output.
        drifted: which of them drifted; None for a side of which nobody knows.
        label: how likely people would say that the meaning is preserved, in [0, 1]; NaN for rewrites whose words alone
            are learned from.
        logits: what the networks say.
        ledger: the facts of both.
    """

    origin: str
    fold: int
    tokens: tuple[np.ndarray, np.ndarray]
    drifted: tuple[Bools | None, Bools | None] = (None, None)
    label: float = math.nan
    logits: Sequence[float] = ()
    ledger: Ledger = Ledger()


def marked(view: SentenceView, places: Sequence[int], marks: str) -> Bools:
    """Return which tokens of a sentence are marked: by words of it, several of them between bars."""
    found = np.zeros(len(places), bool)
    for mark in filter(None, map(str.strip, marks.split("|"))):
        start = view.text.find(mark)
        for k, place in enumerate(places):
            span = view.spans[place]
            found[k] |= start >= 0 and span is not None and span[0] < start + len(mark) and span[1] > start
    return found


def drifted(pair: ReadPair, row: Mapping[str, str]) -> tuple[Bools | None, Bools | None]:
    """Return which tokens of either side of a rewrite drifted, by a row of the table; None where nobody knows."""
    source, output = pair.sides
    none = np.zeros(len(source.places), bool), np.zeros(len(output.places), bool)
    if float(row["label"]) >= FAITHFUL:
        return none
    if row["direction"] == "lost":
        return marked(source.view, source.places, row["marks"]), none[1]
    of_output = marked(output.view, output.places, row["marks"])
    return none[0] if row["direction"] == "added" else None, of_output


def fit_trees(examples: Sequence[Example], seed: int) -> Trees:
    """Fit the trees to the tokens of marked rewrites."""
    rng = np.random.default_rng(seed)
    figures, labels, weights = [], [], []
    for example in examples:
        for rows, of_side in zip(example.tokens, example.drifted, strict=True):
            if of_side is not None:
                chosen = of_side | (rng.random(len(of_side)) < _UNMARKED)
                figures.append(rows[chosen])
                labels.append(of_side[chosen])
                weights.append(np.where(of_side[chosen], 1.0, 1 / _UNMARKED))
    model = HistGradientBoostingClassifier(**_SETTINGS, random_state=seed)
    x, y, counts = map(np.concatenate, (figures, labels, weights))
    return export_trees(model.fit(x, y, sample_weight=counts))


def read_figures(examples: Sequence[Example], trees: Trees) -> Floats:
    """Return what the regression reads of pairs, (pairs, figures)."""
    return np.array(
        [[*e.logits, *pair_figures([trees(rows) for rows in e.tokens], e.tokens, e.ledger)] for e in examples]
    )


def fit_regression(figures: Floats, examples: Sequence[Example]) -> tuple[Floats, float]:
    """Return the weights (figures,) and the bias of the regression; all sets count the same."""
    label, share = np.array([e.label for e in examples]), weights_of([e.origin for e in examples])
    mean, deviation = figures.mean(0), np.maximum(figures.std(0), 1e-3)
    # A label between 0 and 1 counts for both.
    scaled, labels = np.concatenate([(figures - mean) / deviation] * 2), np.repeat([1, 0], len(figures))
    counts = np.concatenate([share * label, share * (1 - label)]) * len(figures)
    model = LogisticRegression(C=_STRENGTH, max_iter=1000).fit(scaled, labels, sample_weight=counts)
    weights = model.coef_[0] / deviation
    return weights, float(model.intercept_[0] - weights @ mean)


def crossed(figures: Floats, examples: Sequence[Example]) -> Floats:
    """Return what regressions say of each pair that learned from the other parts alone, (pairs,)."""
    said = np.zeros(len(examples))
    fold = np.array([e.fold for e in examples])
    for k in np.unique(fold):
        weights, bias = fit_regression(figures[fold != k], [e for e in examples if e.fold != k])
        said[fold == k] = figures[fold == k] @ weights + bias
    return said


def train(
    marked_rewrites: Sequence[Example], examples: Sequence[Example], seed: int = 1
) -> tuple[dict[str, np.ndarray], Floats]:
    """Return the arrays of the model, and what the crossed one says of the examples, (pairs,)."""
    trees = fit_trees(marked_rewrites, seed)
    figures = read_figures(examples, trees)
    weights, bias = fit_regression(figures, examples)
    arrays = {name: np.asarray(value) for name, value in trees._asdict().items()}
    arrays |= {"weights": weights, "bias": np.array(bias), "version": np.array(VERSION)}
    return arrays, crossed(figures, examples)


def figures_by_set(examples: Sequence[Example], said: Floats) -> dict[str, dict[str, float]]:
    """Return for each data set the number of pairs, and the AUC of the networks and of the model."""
    found = {}
    for origin in sorted({e.origin for e in examples}):
        some = [k for k, e in enumerate(examples) if e.origin == origin]
        label = np.array([examples[k].label >= FAITHFUL for k in some], bool)
        if label.any() and not label.all():
            scores = {"networks": np.array([examples[k].logits[0] for k in some]), "model": said[some]}
            areas = {name: round(auc(values[label], values[~label]), 4) for name, values in scores.items()}
            found[origin] = {"pairs": len(some), **areas}
    return found


def read_pairs(pairs: Sequence[tuple[str, str]], judge: TrainedJudge, analyser: Analyser) -> Iterator[ReadPair]:
    """Yield pairs as the judge reads them."""
    for at in range(0, len(pairs), _TOGETHER):
        texts = list(dict.fromkeys(text for pair in pairs[at : at + _TOGETHER] for text in pair))
        analyses = dict(zip(texts, analyser.analyse(texts), strict=True))
        yield from judge.read([(analyses[source], analyses[output]) for source, output in pairs[at : at + _TOGETHER]])


def tokens_of(pair: ReadPair) -> tuple[np.ndarray, np.ndarray]:
    """Return the figures of the tokens of both sides."""
    source, output = pair.sides
    return drift_figures(source, output), drift_figures(output, source)


def make(holdout: Path, written: Path, model: str, folder: Path, seed: int) -> None:
    """Train the model of a judge on the pairs in ``holdout`` and on marked rewrites, and write it into its folder."""
    judge = TrainedJudge(folder)
    analyser = Analyser(load(find_model(model).parser), judge.encoder)
    rows = commented_table(written)
    held = [json.loads(line) for line in holdout.read_text(encoding="utf-8").splitlines()]
    held = [row for row in held if row["origin"] in SETS]
    unlearned = {(row["source"], row["target"]) for row in held}
    rows = [row for row in rows if (row["source"], row["output"]) not in unlearned]
    texts = [(row["source"], row["output"]) for row in rows]
    rewrites = [
        Example(REWRITES, 0, tokens_of(pair), drifted(pair, row))
        for row, pair in zip(rows, read_pairs(texts, judge, analyser), strict=True)
    ]
    texts = [(row["source"], row["target"]) for row in held]
    folds = [k * FOLDS // len(held) for k in range(len(held))]
    examples = [
        Example(row["origin"], fold, tokens_of(pair), (None, None), row["label"], pair.logits, pair.ledger)
        for row, fold, pair in zip(held, folds, read_pairs(texts, judge, analyser), strict=True)
        if pair.band in REWORDED
    ]
    arrays, said = train(rewrites, examples, seed)
    save(folder, arrays)
    print(json.dumps(figures_by_set(examples, said), indent=1))


def save(folder: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write the model into the folder of a judge, whose settings get its digest."""
    path = folder / DRIFT_FILE
    with written_beside(path) as file:
        np.savez_compressed(file, **arrays)
    settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    settings["sha256"][DRIFT_FILE] = digest_of(path)
    (folder / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
