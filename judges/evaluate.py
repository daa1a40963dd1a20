"""How well a judge agrees with people: the figures of each data set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judges.data import Pair
from training.statistics import auc
from usim.benchmarks.measures import generalised_average_precision


def gap(relevance: np.ndarray, scores: np.ndarray) -> float:
    """Return the generalised average precision of a ranking (Kishida 2005), as SWORDS uses it."""
    weights = dict(enumerate(relevance.tolist()))
    return generalised_average_precision(weights, np.argsort(-scores, kind="stable").tolist())


def figures(pairs: Sequence[Pair], said: np.ndarray) -> dict[str, float]:
    """Return the figures of all data sets among the pairs, by name.

    Args:
        pairs: what people said about each.
        said: the shares of :data:`judges.data.SAYS`, (pairs, 3).
    """
    out: dict[str, float] = {}
    origins = np.array([p.origin for p in pairs])
    figure = np.array([p.figure for p in pairs])
    label = np.array([p.label for p in pairs])
    # Of entailment people said whether the source supports the output, not whether both say the same.
    is_entailment = origins == "entailment"
    label = np.where(is_entailment, figure, label)
    said = np.where(is_entailment, said[:, 1], said[:, 0])
    for origin in sorted(set(origins.tolist())):
        here = origins == origin
        f, s = figure[here], said[here]
        if origin == "swords":
            keys = [p.key for p, h in zip(pairs, here, strict=True) if h]
            of_key: dict[str, list[int]] = {}
            for k, key in enumerate(keys):
                of_key.setdefault(key, []).append(k)
            out["swords gap"] = 100 * float(np.nanmean([gap(f[k], s[k]) for k in of_key.values() if f[k].max() > 0]))
            out["swords auc"] = auc(s[f >= 0.5], s[f < 0.5])
        else:
            out[f"{origin} auc"] = auc(s[label[here] >= 0.5], s[label[here] < 0.5])
        out[f"{origin} brier"] = float(np.mean((said[here] - label[here]) ** 2))
    return {name: round(value, 4) for name, value in out.items()}
