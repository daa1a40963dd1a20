"""Train the model that says which words of an output say something else (:mod:`usim.judge.unsupported`).

Learns from the words of wrong translations, of which professionals marked some: it is asked only where a pair is not
judged faithful. The threshold is the one with the best F1 on the words that it learned from; the F1 on the talks that
are held out is printed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from judges.encode import load_block
from usim.judge.unsupported import UnsupportedModel


def train(figures: np.ndarray, is_marked: np.ndarray) -> dict[str, object]:
    """Return the settings of :class:`usim.judge.unsupported.UnsupportedModel`, without a threshold."""
    mean, deviation = figures.mean(0), np.maximum(figures.std(0), 1e-3)
    model = LogisticRegression(max_iter=500).fit(((figures - mean) / deviation).clip(-4, 4), is_marked)
    arrays = {"mean": mean, "deviation": deviation, "weights": model.coef_[0]}
    rounded = {name: [float(f"{v:.5g}") for v in array.tolist()] for name, array in arrays.items()}
    return {**rounded, "bias": round(float(model.intercept_[0]), 5)}


def f1(said: np.ndarray, marked: np.ndarray) -> float:
    """Return the F1 of predicted wrong words against marked ones."""
    right = float((said & marked).sum())
    return 2 * right / max(1.0, float(said.sum() + marked.sum()))


def make(mqm: Path, out: Path) -> None:
    """Train the model on translations with marked errors, as :mod:`judges.encode` read them."""
    block = load_block(mqm)
    held = np.array([pair.is_held_out for pair in block.pairs])[block.of_marked]
    wrong = np.array([bool(pair.marks) for pair in block.pairs])[block.of_marked]
    own, others = ~held & wrong, held & wrong
    settings = train(block.unsupported[own], block.is_marked[own])
    said = UnsupportedModel(settings | {"threshold": 0.5})(block.unsupported)
    best = max(np.arange(0.05, 0.8, 0.01), key=lambda t: f1(said[own] >= t, block.is_marked[own]))
    about = {"threshold": round(float(best), 2), "f1": round(f1(said[others] >= best, block.is_marked[others]), 4)}
    print(json.dumps(about), file=sys.stderr, flush=True)
    out.write_text(json.dumps(settings | {"threshold": about["threshold"]}) + "\n", encoding="utf-8")
