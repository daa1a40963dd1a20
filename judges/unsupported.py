"""Train the model that says which words of an output say something else (:mod:`usim.judge.unsupported`).

::

    python -m judges.unsupported runs/judge/mqm.pkl --out runs/judge/unsupported.json

Learns from the words of wrong translations, of which professionals marked some: it is asked only where a pair is not
judged faithful. The threshold is the one with the best F1 on the words that it learned from; the F1 on the talks that
are held out is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
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


def main(argv: Sequence[str] | None = None) -> None:
    """Train the model."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("mqm", type=Path, help="translations with marked errors, of judges.encode")
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    block = load_block(args.mqm)
    held = np.array([pair.is_held_out for pair in block.pairs])[block.of_marked]
    wrong = np.array([bool(pair.marks) for pair in block.pairs])[block.of_marked]
    own, others = ~held & wrong, held & wrong
    settings = train(block.unsupported[own], block.is_marked[own])
    said = UnsupportedModel(settings | {"threshold": 0.5})(block.unsupported)
    best = max(np.arange(0.05, 0.8, 0.01), key=lambda t: f1(said[own] >= t, block.is_marked[own]))
    about = {"threshold": round(float(best), 2), "f1": round(f1(said[others] >= best, block.is_marked[others]), 4)}
    print(json.dumps(about), file=sys.stderr, flush=True)
    args.out.write_text(json.dumps(settings | {"threshold": about["threshold"]}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
