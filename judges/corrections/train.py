"""Train the trees that tell right corrections from wrong ones, and export them as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from judges.corrections.make import Made
from usim.judge.corrections.edits import find_edits, written_words
from usim.judge.corrections.features import Tables, edit_features
from usim.judge.corrections.gate import is_correction
from usim.judge.corrections.trees import Trees
from usim.text import tokenise

Floats = npt.NDArray[np.float32]

#: How much a suggestion counts, by its origin.
WEIGHTS = {"harper": 1.0, "near": 0.4, "form": 0.4, "right": 0.4, "fine": 0.3}
SETTINGS: dict[str, Any] = {
    "max_iter": 250, "learning_rate": 0.08, "max_depth": 6, "max_leaf_nodes": 31, "min_samples_leaf": 30,
    "l2_regularization": 2.0, "max_bins": 63, "early_stopping": False, "random_state": 1,
}  # fmt: skip


#: One sentence in so many is held out, to calibrate and to measure on.
HELD_OUT = 10


class Trained(NamedTuple):
    """What came out of a training.

    Attributes:
        trees: the trees.
        calibration: slope and shift of the logit.
        figures: AUC, wrong ones dropped and first right on the checker's suggestions for the sentences held out.
        count: how many suggestions the trees were trained on.
    """

    trees: Trees
    calibration: tuple[float, float]
    figures: dict[str, float]
    count: int


def train(tables: Tables, suggestions: Iterable[Made]) -> Trained:
    """Train the trees on suggestions, and calibrate them on those of the sentences held out."""
    rows, kept = [], []
    for made in suggestions:
        row = features_of(tables, made)
        if row is not None:
            rows.append(row)
            kept.append(made)
    x, y = np.array(rows), np.array([made.label for made in kept])
    held = np.array([int(made.group[:8], 16) % HELD_OUT == 0 for made in kept])
    weights = np.array([WEIGHTS[made.origin] for made in kept])
    trees = exported(fit(x[~held], y[~held], weights[~held]))
    checked = [k for k, made in enumerate(kept) if held[k] and made.origin == "harper"]
    logits, labels = np.array([trees(x[k]) for k in checked]), y[checked]
    if len(set(labels.tolist())) < 2:  # only where there are next to no sentences
        return Trained(trees, (1.0, 0.0), {}, int((~held).sum()))
    names = ("auc", "wrong dropped", "first right")
    lists = [(kept[k].group, kept[k].place) for k in checked]
    values = figures(logits.tolist(), (labels > 0).tolist(), lists)
    rounded = {name: round(value, 4) for name, value in zip(names, values, strict=True)}
    return Trained(trees, _calibration(logits, labels), rounded, int((~held).sum()))


def _calibration(logits: npt.NDArray[np.float64], y: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Return slope and shift of Platt's calibration."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6).fit(logits[:, None], y)
    return round(float(model.coef_[0, 0]), 5), round(float(model.intercept_[0]), 5)


def features_of(tables: Tables, made: Made) -> Floats | None:
    """Return the features of a suggestion; None where it is not a single correction of a misspelling."""
    source, target = words_of_text(made.source), words_of_text(made.target)
    edits = find_edits(source, target)
    if len(edits) != 1 or not is_correction(tables.words, source, target, edits[0]):
        return None
    return edit_features(tables, source, target, edits[0])


@lru_cache(64)  # a text stands in several suggestions, one after the other
def words_of_text(text: str) -> tuple[str, ...]:
    """Return the words of a text as the judge of corrections reads them."""
    return tuple(word.text for word in written_words([token.text for token in tokenise(text)]))


def fit(x: Floats, y: npt.NDArray[np.int64], weights: npt.NDArray[np.float64], **settings: Any) -> Any:
    """Fit boosted trees.

    Args:
        x: (suggestions, features).
        y: (suggestions,): 1 for right ones.
        weights: (suggestions,).
        settings: in place of some of :data:`SETTINGS`.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(**{**SETTINGS, **settings}).fit(x, y, sample_weight=weights)


def exported(model: Any) -> Trees:
    """Return the trees of a model of scikit-learn."""
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    right: list[int] = []
    value: list[float] = []
    root: list[int] = []
    depth = 0
    for (predictor,) in model._predictors:
        start = len(feature)
        root.append(start)
        depth = max(depth, int(predictor.nodes["depth"].max()))
        for k, node in enumerate(predictor.nodes):
            is_leaf = bool(node["is_leaf"])
            feature.append(0 if is_leaf else int(node["feature_idx"]))
            threshold.append(float("inf") if is_leaf else float(node["num_threshold"]))
            left.append(start + (k if is_leaf else int(node["left"])))
            right.append(start + (k if is_leaf else int(node["right"])))
            value.append(float(node["value"]) if is_leaf else 0.0)
    return Trees(
        np.array(feature, np.int16), np.array(threshold, np.float32), np.array(left, np.int32),
        np.array(right, np.int32), np.array(value, np.float32), np.array(root, np.int32), depth,
        float(np.ravel(model._baseline_prediction)[0]),
    )  # fmt: skip


def figures(score: Sequence[float], right: Sequence[bool], lists: Sequence[object]) -> tuple[float, float, float]:
    """Return AUC, the share of wrong ones dropped where 95 % of the right are kept, and how often the first is right.

    Args:
        score: of each suggestion.
        right: whether each is right.
        lists: the list that each stands in.
    """
    f, y = np.array(score), np.array(right, bool)
    places: dict[object, list[int]] = {}
    for k, key in enumerate(lists):
        places.setdefault(key, []).append(k)
    mixed = [p for p in places.values() if len(set(y[p].tolist())) == 2]
    above = (f[y][:, None] > f[~y]).mean() + 0.5 * (f[y][:, None] == f[~y]).mean()
    dropped = (f[~y] < np.quantile(f[y], 0.05)).mean()
    first = np.mean([y[max(p, key=lambda k: f[k])] for p in mixed])
    return float(above), float(dropped), float(first)
