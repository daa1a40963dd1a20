"""Statistics of the studies that :mod:`usim.stats` does not have: AUC with intervals, dependent correlations."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student

from usim.stats import Interval

Values = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


def auc(high: npt.ArrayLike, low: npt.ArrayLike) -> float:
    """The chance that a score of ``high`` is above one of ``low``; equal scores count half. NaN where one is empty.

    >>> auc([0.9, 0.4], [0.4, 0.1])
    0.875
    """
    up, down = np.ravel(np.asarray(high, dtype=np.float64)), np.sort(np.ravel(np.asarray(low, dtype=np.float64)))
    if not up.size or not down.size:
        return math.nan
    below = np.searchsorted(down, up, side="left") + np.searchsorted(down, up, side="right")
    return float(below.sum() / (2 * up.size * down.size))


def bootstrap_places(
    count: int,
    figure: Callable[[Places], float],
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """The percentile bootstrap interval of any figure of a sample that is given by the places of its members.

    Args:
        count: how many members there are, at least one.
        figure: from places, shape (count,), to the figure of the members there; NaN where it has none. Draws without
            the figure are left out.
        confidence: between 0 and 1.
        resamples: how often the members are drawn again.
        seed: the same seed gives the same draws, so that figures of the same sample can be compared draw by draw.

    >>> bootstrap_places(3, lambda places: 1.0)
    Interval(value=1.0, low=1.0, high=1.0)
    """
    rng = np.random.default_rng(seed)
    drawn = np.array([figure(rng.integers(0, count, count)) for _ in range(resamples)], dtype=np.float64)
    drawn = drawn[~np.isnan(drawn)]
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail]) if drawn.size else (math.nan, math.nan)
    return Interval(float(figure(np.arange(count))), float(low), float(high))


def williams(r_xz: float, r_yz: float, r_xy: float, count: int) -> float:
    """Williams' test of two correlations with the same third variable: the two-sided p that they are equal.

    Args:
        r_xz: the correlation of one measure with the human ratings.
        r_yz: that of the other measure.
        r_xy: the correlation of the two measures.
        count: how many items there are, more than 3.

    Returns:
        p in [0, 1]; 1 where both measures are the same. NaN where a correlation is not defined.

    Williams (1959), as Steiger (1980, "Tests for comparing elements of a correlation matrix", T2) recommends it and
    Graham and Baldwin (2014) brought it into the evaluation of measures.

    >>> round(williams(0.6, 0.5, 0.7, 103), 4)
    0.1084
    """
    if count <= 3 or any(math.isnan(r) for r in (r_xz, r_yz, r_xy)):
        return math.nan
    if r_xz == r_yz or r_xy >= 1:
        return 1.0
    determinant = 1 - r_xz**2 - r_yz**2 - r_xy**2 + 2 * r_xz * r_yz * r_xy
    spread = 2 * (count - 1) / (count - 3) * determinant + ((r_xz + r_yz) / 2) ** 2 * (1 - r_xy) ** 3
    t = (r_xz - r_yz) * math.sqrt((count - 1) * (1 + r_xy) / spread)
    return float(2 * student.sf(abs(t), count - 3))
