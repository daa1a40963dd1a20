"""Train the trees that tell right corrections from wrong ones, and export them as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from judges.calibrate import platt
from judges.corrections.make import Labelled
from training.statistics import auc
from usim.spelling.edits import find_edits, is_correction, words_in, written_words
from usim.spelling.features import Tables, edit_features, is_same_word
from usim.spelling.trees import Trees
from usim.text import tokenise

Floats = npt.NDArray[np.float32]

#: How much a suggestion counts, by its origin.
WEIGHTS = {
    "harper": 1.0, "near": 0.4, "form": 0.4, "right": 0.4, "fine": 0.3, "whole": 0.4, "name": 1.0, "slip": 0.4,
    "written": 5.0,
}  # fmt: skip
#: How much the suggestions of an origin count together for the calibration.
CALIBRATED = {"whole": 1.0, "written": 1.0}
SETTINGS: dict[str, Any] = {
    "max_iter": 250, "learning_rate": 0.08, "max_depth": 6, "max_leaf_nodes": 31, "min_samples_leaf": 30,
    "l2_regularization": 2.0, "max_bins": 63, "early_stopping": False, "random_state": 1,
}  # fmt: skip

#: One sentence in so many is held out, to calibrate and to measure on.
HELD_OUT = 10


class Trained(NamedTuple):
    """What came out of a training: slope and shift of the logit, figures by origin, and how many were learned from."""

    trees: Trees
    calibration: tuple[float, float]
    figures: dict[str, dict[str, float]]
    count: int


def train(tables: Tables, suggestions: Iterable[Labelled]) -> Trained:
    """Train the trees on suggestions, and calibrate them on those of the sentences held out."""
    rows = [(*row, suggestion) for suggestion in suggestions for row in labelled_features(tables, suggestion)]
    x, y = np.array([row for row, _, _ in rows]), np.array([label for _, label, _ in rows])
    held = np.array([int(suggestion.group[:8], 16) % HELD_OUT == 0 for _, _, suggestion in rows])
    origins = np.array([suggestion.origin for _, _, suggestion in rows])
    weights = np.array([WEIGHTS[origin] for origin in origins])
    trees = export_trees(fit(x[~held], y[~held], weights[~held]))
    count = int((~held).sum())
    logits = trees(x[held])
    labels, parts = y[held], origins[held]
    used = np.isin(parts, list(CALIBRATED))
    if len(set(labels[used].tolist())) < 2:  # only where there are next to no sentences
        return Trained(trees, (1.0, 0.0), {}, count)
    shares = np.array([CALIBRATED.get(origin, 0.0) / max(1, (parts == origin).sum()) for origin in parts])
    slope, shift = platt(logits[used], labels[used].astype(float), shares[used] / shares.sum())
    measured: dict[str, dict[str, float]] = {}
    for origin in sorted(set(parts.tolist())):
        right, wrong = (slope * logits[(parts == origin) & (labels == label)] + shift for label in (1, 0))
        if len(right) and len(wrong):
            values = {"auc": auc(right, wrong), "right kept": (right >= 0).mean(), "wrong kept": (wrong >= 0).mean()}
            measured[origin] = {name: round(float(value), 4) for name, value in values.items()}
    return Trained(trees, (round(slope, 5), round(shift, 5)), measured, count)


def labelled_features(tables: Tables, suggestion: Labelled) -> Iterator[tuple[Floats, int]]:
    """Yield features and labels of the corrections in a suggestion, which is a single edit if labelled as a whole."""
    source, output = words_of_text(suggestion.source), words_of_text(suggestion.output)
    edits = find_edits(source, output)
    if not suggestion.right and len(edits) != 1:
        return
    for edit in edits:
        if not is_correction(tables.words, source, output, edit):
            continue
        label = suggestion.label
        if suggestion.right:
            options = {
                " ".join(words_in(right[slice(*other.output)]))
                for right in map(words_of_text, suggestion.right)
                for other in find_edits(source, right)
                if other.source == edit.source
            }
            new = " ".join(words_in(output[slice(*edit.output)]))
            if not options and suggestion.origin != "name":
                continue
            label = int(any(is_same_word(new, option) for option in options))
        yield edit_features(tables, source, output, edit, len(edits)), label


@lru_cache(64)  # a text stands in several suggestions, one after the other
def words_of_text(text: str) -> tuple[str, ...]:
    """Return the words of a text as the judge of corrections reads them."""
    return tuple(word.text for word in written_words([token.text for token in tokenise(text)]))


def fit(x: Floats, y: npt.NDArray[np.int64], weights: npt.NDArray[np.float64], **settings: Any) -> Any:
    """Fit boosted trees to features, (suggestions, features), and labels, 1 for right ones."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(**{**SETTINGS, **settings}).fit(x, y, sample_weight=weights)


def export_trees(model: Any) -> Trees:
    """Return the trees of a model of scikit-learn."""
    columns: list[tuple[int, float, int, int, float]] = []
    root: list[int] = []
    depth = 0
    for (predictor,) in model._predictors:
        start = len(columns)
        root.append(start)
        depth = max(depth, int(predictor.nodes["depth"].max()))
        for k, node in enumerate(predictor.nodes):
            if node["is_leaf"]:
                columns.append((0, np.inf, start + k, start + k, node["value"]))
            else:
                left, right = start + int(node["left"]), start + int(node["right"])
                columns.append((node["feature_idx"], node["num_threshold"], left, right, 0.0))
    types = (np.int16, np.float32, np.int32, np.int32, np.float32)
    arrays = (np.array(column, kind) for column, kind in zip(zip(*columns, strict=True), types, strict=True))
    return Trees(*arrays, np.array(root, np.int32), depth, float(np.ravel(model._baseline_prediction)[0]))
