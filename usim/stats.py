"""Confidence intervals by the bootstrap (Efron 1979)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


class Interval(NamedTuple):
    """A statistic of a sample, and the interval that it lies in with the given confidence."""

    value: float
    low: float
    high: float


def _mean(values: Values) -> Values:
    mean: Values = values.mean(axis=-1)
    return mean


def bootstrap_interval(
    values: npt.ArrayLike,
    *,
    statistic: Callable[[Values], Values] = _mean,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """The percentile bootstrap interval of a statistic of a sample.

    Args:
        values: the sample, shape (n,), n > 0.
        statistic: a function from samples of shape (r, n) to figures of shape (r,); by default the mean.
        confidence: between 0 and 1.
        resamples: how often the sample is drawn again.
        seed: the same seed gives the same interval.

    Raises:
        ValueError: no values, or a confidence outside of (0, 1).

    >>> bootstrap_interval([0.5, 0.5, 0.5])
    Interval(value=0.5, low=0.5, high=0.5)
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or not sample.size:
        raise ValueError("a bootstrap needs a sample of one dimension with at least one value")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    rng = np.random.default_rng(seed)
    # Blocks keep memory flat: a million values a thousand times over would be eight gigabytes at once.
    block = max(1, 2**22 // sample.size)
    figures: list[Values] = []
    for start in range(0, resamples, block):
        drawn = rng.integers(0, sample.size, (min(block, resamples - start), sample.size))
        figures.append(np.asarray(statistic(sample[drawn]), dtype=np.float64))
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(figures), [tail, 1 - tail])
    return Interval(float(statistic(sample[None, :])[0]), float(low), float(high))
