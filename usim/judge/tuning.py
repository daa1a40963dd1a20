"""Thresholds and a calibration map from pairs that people have labelled.

Platt's map has the targets that Platt (1999) proposes, so that few pairs do not drive it to the extremes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from usim.errors import InputError
from usim.judge._base import Thresholds
from usim.judge.tuned import CalibrationMap, logit

Floats = npt.NDArray[np.float64]

#: Fewer pairs, or fewer of either label, say nothing.
FEWEST_PAIRS = 20
FEWEST_OF_LABEL = 5
_FOLDS = 5


@dataclass(frozen=True)
class CurvePoint:
    """What happens at a threshold.

    Attributes:
        threshold: pairs of this faithfulness or more are kept, the others dropped.
        kept: the share of all pairs that are kept.
        kept_wrong: the share of the kept pairs that people called unfaithful; None where none is kept.
        dropped_right: the share of the dropped pairs that people called faithful; None where none is dropped.
    """

    threshold: float
    kept: float
    kept_wrong: float | None
    dropped_right: float | None


def check_labels(labels: Sequence[bool]) -> None:
    """Raise an :class:`InputError` unless there are enough pairs, of both labels."""
    faithful = sum(labels)
    counts = f"{len(labels)} labelled pairs, {faithful} faithful and {len(labels) - faithful} not"
    if faithful in (0, len(labels)):
        raise InputError(f"{counts}: pairs of both labels are needed")
    if len(labels) < FEWEST_PAIRS or min(faithful, len(labels) - faithful) < FEWEST_OF_LABEL:
        raise InputError(f"{counts}: at least {FEWEST_PAIRS} are needed, and {FEWEST_OF_LABEL} of each label")


def fit_map(faithfulness: Sequence[float], labels: Sequence[bool]) -> CalibrationMap:
    """Fit Platt's map to faithfulness in [0, 1] and labels: whether people called each pair faithful.

    Raises:
        InputError: faithfulness falls where the labels rise, so that no map can help.
    """
    y = np.asarray(labels, np.float64)
    faithful = y.sum()
    targets = np.where(y > 0, (faithful + 1) / (faithful + 2), 1 / (len(y) - faithful + 2))
    slope, shift = platt(np.array([logit(value) for value in faithfulness]), targets, np.ones(len(y)))
    if not slope > 0:
        raise InputError("the judge gives unfaithful pairs the higher faithfulness: check the labels")
    return CalibrationMap(slope, shift)


def platt(logits: Floats, targets: Floats, weights: Floats) -> tuple[float, float]:
    """Return slope and shift of logits with the least cross-entropy to targets in [0, 1], with weights (Platt 1999)."""

    def loss(parameters: Floats) -> tuple[float, Floats]:
        z = parameters[0] * logits + parameters[1]
        error = weights * (1 / (1 + np.exp(-z)) - targets)
        value = float(np.sum(weights * (np.logaddexp(0, z) - targets * z)))
        return value, np.array([np.sum(error * logits), np.sum(error)])

    slope, shift = minimize(loss, np.array([1.0, 0.0]), jac=True, method="BFGS").x
    return float(slope), float(shift)


def curve(faithfulness: Sequence[float], labels: Sequence[bool]) -> list[CurvePoint]:
    """Return what happens at each threshold that tells pairs apart, ascending from 0."""
    order = np.argsort(np.asarray(faithfulness, np.float64), kind="stable")
    x, y = np.asarray(faithfulness, np.float64)[order], np.asarray(labels, bool)[order]
    points = []
    right_below = np.concatenate([[0], np.cumsum(y)])
    starts = [0, *(np.nonzero(x[1:] > x[:-1])[0] + 1).tolist()]
    for start in starts:
        kept, right = len(x) - start, int(right_below[start])
        wrong = kept - (int(right_below[-1]) - right)
        threshold = float(x[start]) if start else 0.0
        points.append(CurvePoint(threshold, kept / len(x), wrong / kept, right / start if start else None))
    return points


def brier(faithfulness: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the mean squared distance of faithfulness from the labels, in [0, 1]; lower is better."""
    return float(np.mean((np.asarray(faithfulness) - np.asarray(labels, np.float64)) ** 2))


def held_out(faithfulness: Sequence[float], labels: Sequence[bool]) -> list[float]:
    """Return the calibrated faithfulness of each pair by a map that was fitted to other pairs alone."""
    rng = np.random.default_rng(0)
    y = np.asarray(labels, bool)
    fold = np.empty(len(y), np.int64)
    for label in (False, True):
        places = rng.permutation(np.nonzero(y == label)[0])
        fold[places] = np.arange(len(places)) % _FOLDS
    calibrated = np.empty(len(y))
    for k in range(_FOLDS):
        rest = [i for i in range(len(y)) if fold[i] != k]
        fitted = fit_map([faithfulness[i] for i in rest], [labels[i] for i in rest])
        for i in np.nonzero(fold == k)[0].tolist():
            calibrated[i] = fitted(faithfulness[i])
    return [float(value) for value in calibrated]


def tuning_record(
    faithfulness: Sequence[float], labels: Sequence[bool], calibrated: Sequence[float], thresholds: Thresholds
) -> dict[str, Any]:
    """Return what thresholds do to the labelled pairs, as JSON values."""
    keep = [label for value, label in zip(calibrated, labels, strict=True) if value >= thresholds.keep]
    drop = [label for value, label in zip(calibrated, labels, strict=True) if value < thresholds.drop]
    total = len(labels)
    return {
        "pairs": total,
        "faithful": sum(labels),
        "keep": len(keep),
        "review": total - len(keep) - len(drop),
        "drop": len(drop),
        "kept_wrong": keep.count(False) / len(keep) if keep else None,
        "dropped_right": drop.count(True) / len(drop) if drop else None,
        "brier": brier(faithfulness, labels),
    }
