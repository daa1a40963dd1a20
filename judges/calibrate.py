"""Calibrate a judge and choose its thresholds on pairs that it was not trained on.

Writes ``calibration.json``: slope and shift of each logit, and thresholds. Every data set counts the same.

Of the thresholds for all pairs, the one below which is dropped is chosen on suggestions alone, as to lose a good one is
what users would mind; the one from which is kept on corrections alone, half of which are wrong, as too few other
suggestions are surely right. Those of each policy, band and risk are chosen by :mod:`judges.risk`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from judges.data import SAYS

Floats = npt.NDArray[np.float64]

#: The data sets of suggestions for a sentence, by which the thresholds are chosen.
SUGGESTIONS = ("swords", "step")
#: The share of people that makes a suggestion acceptable.
ACCEPTED = 0.5
#: The data set on which the threshold ``keep`` is chosen.
CORRECTIONS = "step"
#: The share of acceptable suggestions that may be dropped, and of wrong ones among the corrections that are kept.
DROPPED = 0.05
KEPT = 0.10


def weights_of(origins: Sequence[str]) -> Floats:
    """Return weights with which every data set counts the same."""
    names, counts = np.unique(np.array(origins), return_counts=True)
    share = dict(zip(names.tolist(), (1 / counts / len(names)).tolist(), strict=True))
    return np.array([share[name] for name in origins])


def platt(logits: Floats, targets: Floats, weights: Floats) -> tuple[float, float]:
    """Return slope and shift of logits with the least cross-entropy to targets in [0, 1], with weights (Platt 1999)."""

    def loss(parameters: Floats) -> tuple[float, Floats]:
        z = parameters[0] * logits + parameters[1]
        error = weights * (1 / (1 + np.exp(-z)) - targets)
        value = float(np.sum(weights * (np.logaddexp(0, z) - targets * z)))
        return value, np.array([np.sum(error * logits), np.sum(error)])

    slope, shift = minimize(loss, np.array([1.0, 0.0]), jac=True, method="BFGS").x
    return float(slope), float(shift)


def thresholds(
    said: Floats,
    label: Floats,
    suggestions: Sequence[npt.NDArray[np.bool_]] = (),
    corrections: npt.NDArray[np.bool_] | None = None,
) -> dict[str, float]:
    """Return the largest ``drop`` and the least ``keep`` that stay within the error rates.

    ``drop`` is chosen on the ``suggestions`` of each data set, which count the same, ``keep`` on the ``corrections``,
    both by default on everything. ``keep`` is .5 at the least: nothing is kept that is more likely wrong.
    """
    good = label >= ACCEPTED
    grid = np.round(np.arange(0.02, 0.981, 0.01), 2)
    accepted = [said[some & good] for some in suggestions if (some & good).any()] or [said[good]]
    drop = max((t for t in grid if np.mean([(values < t).mean() for values in accepted]) <= DROPPED), default=0.02)
    some = np.ones(len(said), bool) if corrections is None or not corrections.any() else corrections

    def wrong(t: float) -> float:
        kept = some & (said >= t)
        return float((~good[kept]).mean()) if kept.any() else 0.0

    keep = min((t for t in grid if t >= max(drop, ACCEPTED) and wrong(t) <= KEPT), default=max(drop, 0.98))
    return {"keep": float(keep), "drop": float(drop)}


def calibration_error(said: Floats, label: Floats) -> float:
    """Return the expected calibration error: how far what was said is from what holds, by tenths."""
    number = np.minimum((said * 10).astype(int), 9)
    return float(sum(abs(np.sum(said[number == k] - label[number == k])) for k in range(10)) / len(said))


def _logits(rows: Sequence[dict[str, Any]], output: str = "same") -> Floats:
    said = np.array([r["said"][output] for r in rows]).clip(1e-6, 1 - 1e-6)
    return np.log(said / (1 - said))


def fit_outputs(rows: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return slope and shift of the logit of each output, from the pairs whose label is known."""
    fitted = {}
    for output in SAYS:
        known = [r for r in rows if output in r["wanted"]]
        labels = np.array([r["wanted"][output] for r in known])
        fitted[output] = platt(_logits(known, output), labels, weights_of([r["origin"] for r in known]))
    return fitted


def make(holdout: Path, out: Path, measured: Sequence[str]) -> None:
    """Calibrate a judge by ``holdout.jsonl`` of :mod:`judges.head`; nothing is fitted to the sets that are measured."""
    every: list[dict[str, Any]] = [json.loads(line) for line in holdout.read_text(encoding="utf-8").splitlines()]
    # For identical sentences nothing is computed.
    rows = [r for r in every if r["source"] != r["target"] and r["origin"] not in measured]
    fitted = fit_outputs(rows)
    rows = [r for r in rows if "same" in r["wanted"]]
    logit, label = _logits(rows), np.array([r["label"] for r in rows])
    slope, shift = fitted["same"]
    calibrated = 1 / (1 + np.exp(-(slope * logit + shift)))
    origins = np.array([r["origin"] for r in rows])
    calibration = {
        "calibration": [[round(value, 5) for value in fitted[output]] for output in SAYS],
        "thresholds": thresholds(calibrated, label, [origins == s for s in SUGGESTIONS], origins == CORRECTIONS),
        "pairs": len(rows),
    }
    (out / "calibration.json").write_text(json.dumps(calibration, indent=1) + "\n", encoding="utf-8")
