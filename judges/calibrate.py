"""Calibrate a judge and choose its thresholds on pairs that it was not trained on; draw the reliability diagram.

::

    python -m judges.calibrate runs/judge/holdout.jsonl --out runs/judge

Writes ``calibration.json`` (slope and shift of the logit, thresholds, what they mean, figures) and
``reliability.svg``. Every data set counts the same: what a data set says most often would otherwise be taken for what
people say; what is in :data:`TEACHERS` is left out. The threshold below which is dropped is chosen on
suggestions alone, :data:`SUGGESTIONS`, which count the same: to lose a good one is what users would mind. The one from
which is kept is chosen on corrections alone, half of which are wrong, as too few other suggestions are surely right.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

Floats = npt.NDArray[np.float64]

#: The data sets of suggestions for a sentence, by which the thresholds are chosen.
SUGGESTIONS = ("swords", "step")
#: Data sets whose labels are no measure: a teacher gave them, or how much of a sentence is left.
TEACHERS = ("taught", "simple")
#: The kinds of made pairs that should be dropped: plain negations.
NEGATIONS = "ends.negated"
#: A suggestion is acceptable if so many of those who judged it say so.
ACCEPTED = 0.5
#: The data set that the threshold from which is kept is chosen on.
CORRECTIONS = "step"
#: The share of acceptable suggestions that may be dropped, and of wrong ones among the corrections that are kept.
DROPPED = 0.05
KEPT = 0.10


def weights_of(origins: Sequence[str]) -> Floats:
    """Return weights with which every data set counts the same."""
    names, counts = np.unique(np.array(origins), return_counts=True)
    share = dict(zip(names.tolist(), (1 / counts / len(names)).tolist(), strict=True))
    return np.array([share[name] for name in origins])


def fit(logit: Floats, label: Floats, weight: Floats) -> tuple[float, float]:
    """Return slope and shift of the logit with the least cross-entropy (Platt 1999), for labels in [0, 1]."""

    def loss(x: Floats) -> float:
        z = x[0] * logit + x[1]
        return float((weight * (np.logaddexp(0, z) - label * z)).sum())

    best = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    return float(best[0]), float(best[1])


def thresholds(
    said: Floats,
    label: Floats,
    suggestions: Sequence[npt.NDArray[np.bool_]] = (),
    corrections: npt.NDArray[np.bool_] | None = None,
) -> dict[str, float]:
    """Return the largest ``drop`` and the least ``keep`` that stay within the error rates.

    Args:
        said: what the judge says, calibrated.
        label: what holds.
        suggestions: the pairs of each data set that ``drop`` is chosen on; all count the same. By default everything.
        corrections: the pairs that ``keep`` is chosen on; by default everything. It is .5 at the least: nothing is kept
            that is more likely wrong.
    """
    good = label >= ACCEPTED
    everything = np.ones(len(said), bool)
    grid = np.round(np.arange(0.02, 0.981, 0.01), 2)
    accepted = [said[some & good] for some in suggestions if (some & good).any()] or [said[good]]
    drop = max((t for t in grid if np.mean([(values < t).mean() for values in accepted]) <= DROPPED), default=0.02)
    some = everything if corrections is None or not corrections.any() else corrections

    def wrong(t: float) -> float:
        kept = some & (said >= t)
        return float((~good[kept]).mean()) if kept.any() else 0.0

    keep = min((t for t in grid if t >= max(drop, ACCEPTED) and wrong(t) <= KEPT), default=max(drop, 0.98))
    return {"keep": float(keep), "drop": float(drop)}


def reliability(said: Floats, label: Floats, weight: Floats, bins: int = 10) -> list[dict[str, float]]:
    """Return by tenths what the judge said and what people said."""
    number = np.minimum((said * bins).astype(int), bins - 1)
    rows = []
    for k in range(bins):
        here = number == k
        if here.any():
            w = weight[here] / weight[here].sum()
            rows.append({"said": float(w @ said[here]), "people": float(w @ label[here]), "share": weight[here].sum()})
    return rows


def calibration_error(said: Floats, label: Floats) -> float:
    """Return the expected calibration error: how far what was said is from what holds, by tenths."""
    bars = reliability(said, label, np.full(len(said), 1 / len(said)))
    return float(sum(bar["share"] * abs(bar["said"] - bar["people"]) for bar in bars))


def _share(part: Floats, whole: Floats) -> float:
    total = whole.sum()
    return float(part.sum() / total) if total else 0.0


def draw(rows: Sequence[dict[str, float]], path: Path) -> None:
    """Draw the reliability diagram."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "usim"
    figure, axes = plt.subplots(figsize=(4.2, 4.2))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.plot([r["said"] for r in rows], [r["people"] for r in rows], marker="o")
    for r in rows:
        axes.annotate(f"{100 * r['share']:.0f} %", (r["said"], r["people"]), textcoords="offset points", xytext=(6, -9))
    axes.set(xlabel="faithfulness", ylabel="people: meaning preserved", xlim=(0, 1), ylim=(0, 1))
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("holdout", type=Path)
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args(argv)
    rows: list[dict[str, Any]] = [json.loads(line) for line in args.holdout.read_text(encoding="utf-8").splitlines()]
    # For identical sentences nothing is computed.
    rows = [r for r in rows if r["source"] != r["target"] and r["origin"] not in TEACHERS]
    said = np.array([r["said"] for r in rows]).clip(1e-6, 1 - 1e-6)
    label = np.array([r["label"] for r in rows])
    weight = weights_of([r["origin"] for r in rows])
    logit = np.log(said / (1 - said))
    slope, shift = fit(logit, label, weight)
    calibrated = 1 / (1 + np.exp(-(slope * logit + shift)))
    bars = reliability(calibrated, label, weight)
    error = {
        origin: round(calibration_error(calibrated[here], label[here]), 4)
        for origin in sorted({r["origin"] for r in rows})
        if (here := np.array([r["origin"] == origin for r in rows])).any()
    }
    origins = np.array([r["origin"] for r in rows])
    chosen = thresholds(calibrated, label, [origins == name for name in SUGGESTIONS], origins == CORRECTIONS)
    good, bad = weight * label, weight * (1 - label)
    keep, drop = calibrated >= chosen["keep"], calibrated < chosen["drop"]
    kept = (origins == CORRECTIONS) & keep
    negated = np.array([r.get("kind") == NEGATIONS for r in rows])
    of_suggestions = {}
    for name in SUGGESTIONS:
        both = [(origins == name) & ((label >= ACCEPTED) == wanted) for wanted in (True, False)]
        shares = [float(drop[some].mean()) if some.any() else 0.0 for some in both]
        of_suggestions[name] = dict(zip(("acceptable dropped", "others dropped"), shares, strict=True))
    calibration = {
        "calibration": [round(slope, 5), round(shift, 5)],
        "thresholds": chosen,
        "suggestions": of_suggestions,
        "wrong among corrections kept": _share(((label < ACCEPTED) & kept).astype(float), kept.astype(float)),
        "plain negations dropped": float(drop[negated].mean()) if negated.any() else 0.0,
        "faithful dropped": _share(good[drop], good),
        "unfaithful dropped": _share(bad[drop], bad),
        "unfaithful among kept": _share(bad[keep], weight[keep]),
        "faithful kept": _share(good[keep], good),
        "expected calibration error": float(sum(r["share"] * abs(r["said"] - r["people"]) for r in bars)),
        "by data set": error,
        "pairs": len(rows),
        "reliability": bars,
    }
    (args.out / "calibration.json").write_text(json.dumps(calibration, indent=1) + "\n", encoding="utf-8")
    draw(bars, args.out / "reliability.svg")
    print(json.dumps({k: v for k, v in calibration.items() if k != "reliability"}, indent=1))


if __name__ == "__main__":
    main()
