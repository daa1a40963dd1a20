"""From features to the share of people who accept a substitute, learnt from SWORDS' development set."""

from __future__ import annotations

import ast
import csv
import gzip
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from judges.data import marked
from usim.errors import SuggestionError
from usim.suggestions import Inflector


@dataclass
class Judged:
    """A target of SWORDS with its substitutes, inflected, and the share of annotators who accept each."""

    context: str
    start: int
    end: int
    substitutes: list[str] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    @property
    def fold(self) -> int:
        """Return a number from 0 to 4 that depends on the context alone."""
        return int(hashlib.sha1(self.context.encode()).hexdigest()[:8], 16) % 5


def read_swords(path: Path) -> list[Judged]:
    """Read targets with all that was judged of them."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)
    inflect = Inflector()
    judged: dict[str, Judged] = {}
    for name, substitute in data["substitutes"].items():
        key = substitute["target_id"]
        target = data["targets"][key]
        text, start = data["contexts"][target["context_id"]]["context"], target["offset"]
        item = judged.setdefault(key, Judged(text, start, start + len(target["target"])))
        votes = data["substitute_labels"][name]
        item.substitutes.append(_inflected(inflect, substitute["substitute"], item, target.get("pos")))
        item.shares.append(sum(v.startswith("TRUE") for v in votes) / len(votes))
    return list(judged.values())


def read_prolex(path: Path) -> list[Judged]:
    """Read ProLex' test form: the share is 1 for substitutes that annotators accepted, 0 for those they rejected."""
    inflect = Inflector()
    judged = []
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            where = marked(row["Sentence"])
            if where is None:
                continue
            item = Judged(*where)
            for column, share in (("acc_subs", 1.0), ("unacc_subs", 0.0)):
                for substitute in ast.literal_eval(row[column]):
                    item.substitutes.append(_inflected(inflect, substitute, item, None))
                    item.shares.append(share)
            if item.substitutes:
                judged.append(item)
    return judged


def _inflected(inflect: Inflector, substitute: str, item: Judged, pos: str | None) -> str:
    try:
        return inflect(substitute, item.context, item.start, item.end, pos)
    except SuggestionError:
        return substitute


class Head:
    """The mean of boosted trees and of a ridge regression, cut to [0, 1]."""

    def __init__(self, seed: int = 0) -> None:
        self._trees = HistGradientBoostingRegressor(
            max_iter=150,
            learning_rate=0.05,
            max_leaf_nodes=15,
            min_samples_leaf=100,
            l2_regularization=5,
            max_features=0.3,
            random_state=seed,
        )
        self._ridge: Pipeline = make_pipeline(StandardScaler(), Ridge(10))

    def fit(self, features: np.ndarray, shares: np.ndarray) -> Head:
        """Fit both to rows of features."""
        self._trees.fit(features, shares)
        self._ridge.fit(features, shares)
        return self

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """Return the expected share of people who accept each row, in [0, 1]."""
        return np.clip((self._trees.predict(features) + self._ridge.predict(features)) / 2, 0.0, 1.0)


def cross_validated(judged: Sequence[Judged], features: Sequence[np.ndarray], seed: int = 0) -> list[np.ndarray]:
    """Return what heads say of each target that never saw its context."""
    folds = np.array([item.fold for item in judged])
    said: list[np.ndarray] = [np.empty(0)] * len(judged)
    for fold in sorted(set(folds.tolist())):
        seen = np.flatnonzero(folds != fold)
        head = Head(seed).fit(
            np.concatenate([features[k] for k in seen]), np.concatenate([judged[k].shares for k in seen])
        )
        for k in np.flatnonzero(folds == fold):
            said[k] = head(features[k])
    return said
