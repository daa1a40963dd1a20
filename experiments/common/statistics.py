"""Statistics of the studies that :mod:`usim.stats` does not have: correlations, and a bootstrap over groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from training.statistics import auc, grouped
from usim.stats import Interval, percentile_interval

Values = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


def pearson(x: Values, y: Values) -> float:
    """Compute Pearson's correlation; NaN where one side is constant."""
    if len(x) < 2 or x.std() == 0 or y.std() == 0:
        return math.nan
    return float(np.corrcoef(x, y)[0, 1])


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Compute Spearman's correlation; NaN where one side is constant."""
    return pearson(rankdata(x), rankdata(y))


def prepare_area(said: Values, good: npt.NDArray[np.bool_]) -> Callable[[Places], float]:
    """Prepare the AUC of drawn places: what is said of the good ones against what is said of the others."""
    return lambda places: auc(said[places][good[places]], said[places][~good[places]])


def risk_coverage(likely: Values, labels: npt.NDArray[np.bool_], steps: int = 50) -> Iterator[tuple[float, float]]:
    """Yield shares of pairs, the surest first, and the share of wrong verdicts if these alone get one.

    A pair above .5 counts as kept, another as dropped; the surest are those farthest from .5.
    """
    order = np.argsort(-np.abs(likely - 0.5), kind="stable")
    wrong = np.cumsum((likely >= 0.5)[order] != labels[order])
    for count in sorted({max(1, round(len(labels) * k / steps)) for k in range(1, steps + 1)}):
        yield count / len(labels), float(wrong[count - 1] / count)


class Draws:
    """A bootstrap: the groups of a sample drawn again and again, each with all of its items.

    Figures that are computed from the same object see the same draws, so they can be compared draw by draw.

    Args:
        keys: for each item the group it belongs to; ``range(n)`` where every item is a group of its own.
        resamples: the number of draws.
        seed: the same seed gives the same draws.

    >>> Draws("aab", 100).interval(lambda places: 1.0)
    Interval(value=1.0, low=1.0, high=1.0)
    """

    def __init__(self, keys: Iterable[Hashable], resamples: int = 1000, seed: int = 0) -> None:
        groups = [np.array(places) for places in grouped((key, k) for k, key in enumerate(keys)).values()]
        rng = np.random.default_rng(seed)
        self._whole = np.arange(sum(map(len, groups)))
        self._drawn = [
            np.concatenate([groups[g] for g in rng.integers(0, len(groups), len(groups))]) for _ in range(resamples)
        ]

    def intervals(self, figures: Callable[[Places], Sequence[float]]) -> list[Interval]:
        """Compute figures from the places of items, each with its 95% interval over the draws that have it, or NaN."""
        values = figures(self._whole)
        drawn = np.array([figures(places) for places in self._drawn], dtype=np.float64)
        columns = drawn.reshape(-1, len(values)).T
        return [percentile_interval(float(value), column) for value, column in zip(values, columns, strict=True)]

    def interval(self, figure: Callable[[Places], float]) -> Interval:
        """Compute one figure as :meth:`intervals` does."""
        return self.intervals(lambda places: [figure(places)])[0]
