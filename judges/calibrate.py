"""Calibrate a judge and choose its thresholds on pairs that it was not trained on; draw the reliability diagram.

::

    python -m judges.calibrate runs/judge/holdout.jsonl --out runs/judge [--measured tmu …]

Writes ``calibration.json`` (slope and shift of each logit, thresholds, what they mean, figures of each data set) and
``reliability.svg``. Data sets that are only ``--measured`` have no part in the calibration and the thresholds. Every
data set counts the same.

Of the thresholds for all pairs, the one below which is dropped is chosen on suggestions alone, as to lose a good one is
what users would mind; the one from which is kept on corrections alone, half of which are wrong, as too few other
suggestions are surely right. Those of each policy, band and risk are chosen by :mod:`judges.risk`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from judges.data import SAYS, digest
from usim.errors import InputError
from usim.judge.tuning import fit_map, platt

Floats = npt.NDArray[np.float64]

#: The data sets of suggestions for a sentence, by which the thresholds are chosen.
SUGGESTIONS = ("swords", "step")
#: The kinds of made pairs that should be dropped: plain negations.
NEGATIONS = "ends.negated"
#: The share of people that makes a suggestion acceptable.
ACCEPTED = 0.5
#: The data set on which the threshold ``keep`` is chosen.
CORRECTIONS = "step"
#: The share of acceptable suggestions that may be dropped, and of wrong ones among the corrections that are kept.
DROPPED = 0.05
KEPT = 0.10
#: In how many parts a data set is cut to calibrate it by itself.
FOLDS = 5
#: With how many pairs of a data set ``usim tune`` is tried.
TUNED_WITH = (50, 100, 200, 400)


def weights_of(origins: Sequence[str]) -> Floats:
    """Return weights with which every data set counts the same."""
    names, counts = np.unique(np.array(origins), return_counts=True)
    share = dict(zip(names.tolist(), (1 / counts / len(names)).tolist(), strict=True))
    return np.array([share[name] for name in origins])


def thresholds(
    said: Floats,
    label: Floats,
    suggestions: Sequence[npt.NDArray[np.bool_]] = (),
    corrections: npt.NDArray[np.bool_] | None = None,
) -> dict[str, float]:
    """Return the largest ``drop`` and the least ``keep`` that stay within the error rates.

    Args:
        suggestions: the pairs of each data set that ``drop`` is chosen on; all count the same. By default everything.
        corrections: the pairs that ``keep`` is chosen on; by default everything. It is .5 at the least: nothing is kept
            that is more likely wrong.
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


def tenths(said: Floats) -> npt.NDArray[np.int64]:
    """Return in which tenth of the scale each pair is, 0 to 9."""
    return np.minimum((said * 10).astype(int), 9)


def reliability(said: Floats, label: Floats, weight: Floats) -> list[dict[str, float]]:
    """Return by tenths what the judge said and what people said."""
    number = tenths(said)
    rows = []
    for k in np.unique(number):
        here = number == k
        w = weight[here] / weight[here].sum()
        rows.append({"said": float(w @ said[here]), "people": float(w @ label[here]), "share": weight[here].sum()})
    return rows


def calibration_error(said: Floats, label: Floats) -> float:
    """Return the expected calibration error: how far what was said is from what holds, by tenths."""
    return _distance(reliability(said, label, np.full(len(said), 1 / len(said))))


def _distance(bars: Sequence[dict[str, float]]) -> float:
    return float(sum(bar["share"] * abs(bar["said"] - bar["people"]) for bar in bars))


def calibration_noise(said: Floats, label: Floats) -> float:
    """Return the expected calibration error that chance alone would give a calibrated judge on pairs like these.

    In each tenth the mean of n labels deviates from what it should be by s * sqrt(2 / (π * n)) in the mean, where s is
    the deviation of a single label from what was said, beyond what the tenth has in common.
    """
    number = tenths(said)
    noise = 0.0
    for k in np.unique(number):
        rest = (label - said)[number == k]
        # A single pair says nothing of the deviation: a half is the most that it can be.
        spread = float(rest.std(ddof=1)) if len(rest) > 1 else 0.5
        noise += len(rest) / len(said) * spread * math.sqrt(2 / (math.pi * len(rest)))
    return noise


def error_of_own(logit: Floats, label: Floats, folds: npt.NDArray[np.int64]) -> float:
    """Return the expected calibration error with slope and shift of the set's own, fitted without the pair's fold."""
    said = np.zeros(len(logit))
    for fold in np.unique(folds):
        here = folds == fold
        others = ~here if (~here).any() else here
        slope, shift = platt(logit[others], label[others], np.full(others.sum(), 1 / others.sum()))
        said[here] = 1 / (1 + np.exp(-(slope * logit[here] + shift)))
    return calibration_error(said, label)


def errors_when_tuned(said: Floats, label: Floats, draws: int = 30, seed: int = 1) -> dict[str, float]:
    """Return the expected calibration error on labels of 0 and 1, as it is and with ``usim tune`` before.

    The mean over some draws of so many pairs to tune with; the others are measured, a third of all at the least.
    """
    rng = np.random.default_rng(seed)
    accepted = label >= ACCEPTED
    errors = {"0": calibration_error(said, accepted.astype(float))}
    for count in (c for c in TUNED_WITH if c <= len(said) * 2 / 3):
        tried = []
        for _ in range(draws):
            order = rng.permutation(len(said))
            some, rest = order[:count], order[count:]
            try:
                tuned = fit_map(said[some].tolist(), accepted[some].tolist())
            except InputError:  # what was drawn does not rise
                continue
            values = np.array([tuned(value) for value in said[rest].tolist()])
            tried.append(calibration_error(values, accepted[rest].astype(float)))
        if tried:
            errors[str(count)] = float(np.mean(tried))
    return {count: round(error, 4) for count, error in errors.items()}


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


def _by_data_set(rows: Sequence[dict[str, Any]], slope: float, shift: float) -> dict[str, dict[str, Any]]:
    """Return the calibration errors of each data set, see the module's text."""
    figures: dict[str, dict[str, Any]] = {}
    for origin in sorted({r["origin"] for r in rows}):
        own = [r for r in rows if r["origin"] == origin]
        logit, label = _logits(own), np.array([r["label"] for r in own])
        said = 1 / (1 + np.exp(-(slope * logit + shift)))
        folds = np.array([int(digest(r["source"]), 16) % FOLDS for r in own])
        values = {
            "error": calibration_error(said, label),
            "by chance": calibration_noise(said, label),
            "calibrated by itself": error_of_own(logit, label, folds),
        }
        figures[origin] = {name: round(value, 4) for name, value in values.items()}
        figures[origin] |= {"tuned": errors_when_tuned(said, label), "pairs": len(own)}
    return figures


def main(argv: Sequence[str] | None = None) -> None:
    """Calibrate a judge."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("holdout", type=Path)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--measured", nargs="*", default=[], help="data sets in it that are measured, and not fitted to")
    args = p.parse_args(argv)
    rows: list[dict[str, Any]] = [json.loads(line) for line in args.holdout.read_text(encoding="utf-8").splitlines()]
    # For identical sentences nothing is computed.
    rows = [r for r in rows if r["source"] != r["target"]]
    measured = [r for r in rows if r["origin"] in args.measured]
    rows = [r for r in rows if r["origin"] not in args.measured]
    fitted = fit_outputs(rows)
    rows = [r for r in rows if "same" in r["wanted"]]
    measured = [r for r in measured if "same" in r["wanted"]]
    logit, label = _logits(rows), np.array([r["label"] for r in rows])
    weight = weights_of([r["origin"] for r in rows])
    slope, shift = fitted["same"]
    calibrated = 1 / (1 + np.exp(-(slope * logit + shift)))
    bars = reliability(calibrated, label, weight)
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
        "calibration": [[round(value, 5) for value in fitted[output]] for output in SAYS],
        "thresholds": chosen,
        "suggestions": of_suggestions,
        "wrong among corrections kept": _share(((label < ACCEPTED) & kept).astype(float), kept.astype(float)),
        "plain negations dropped": float(drop[negated].mean()) if negated.any() else 0.0,
        "faithful dropped": _share(good[drop], good),
        "unfaithful dropped": _share(bad[drop], bad),
        "unfaithful among kept": _share(bad[keep], weight[keep]),
        "faithful kept": _share(good[keep], good),
        "expected calibration error": _distance(bars),
        "by data set": _by_data_set([*rows, *measured], slope, shift),
        "pairs": len(rows),
        "reliability": bars,
    }
    (args.out / "calibration.json").write_text(json.dumps(calibration, indent=1) + "\n", encoding="utf-8")
    draw(bars, args.out / "reliability.svg")
    print(json.dumps({k: v for k, v in calibration.items() if k != "reliability"}, indent=1))


if __name__ == "__main__":
    main()
