"""Confidence intervals by the bootstrap (Efron 1979)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

#: The confidence of all intervals.
CONFIDENCE = 0.95


class Interval(NamedTuple):
    """A statistic of a sample, and the bounds of its confidence interval."""

    value: float
    low: float
    high: float


def _drawn_sums(rows: Values, resamples: int, seed: int) -> Values:
    """Return the column sums of a table whose rows are drawn again so many times, shape (resamples, columns)."""
    rng, size = np.random.default_rng(seed), len(rows)
    sums = [np.bincount(rng.integers(0, size, size), minlength=size) @ rows for _ in range(resamples)]
    return np.array(sums, np.float64).reshape(resamples, rows.shape[1])


def percentile_interval(value: float, drawn: Values) -> Interval:
    """Return the interval of a figure from those of the draws, (r,); draws without the figure (NaN) are left out.

    Its bounds are not-a-number where no draw has the figure.
    """
    tail, defined = (1 - CONFIDENCE) / 2, drawn[~np.isnan(drawn)]
    low, high = np.quantile(defined, [tail, 1 - tail]) if defined.size else (np.nan, np.nan)
    return Interval(value, float(low), float(high))


def bootstrap_sums(
    table: npt.ArrayLike, statistics: Sequence[Callable[[Values], Values]], *, resamples: int = 1000, seed: int = 0
) -> list[Interval]:
    """Return the percentile bootstrap intervals of figures of sums over records, such as a precision over a corpus.

    Records are drawn again and summed. All figures see the same draws.

    Args:
        table: what each record adds, shape (records, columns), at least one record.
        statistics: functions from sums of shape (r, columns) to figures of shape (r,), not-a-number where a figure is
            not defined; see :func:`percentile_interval`.
        resamples: how often the records are drawn again.
        seed: the same seed gives the same intervals.

    Raises:
        ValueError: no records.

    >>> bootstrap_sums([[1, 2], [1, 2]], [lambda sums: sums[:, 0] / sums[:, 1]])
    [Interval(value=0.5, low=0.5, high=0.5)]
    """
    rows = np.asarray(table, dtype=np.float64)
    if rows.ndim != 2 or not len(rows):
        raise ValueError("a bootstrap needs a sample with at least one record")
    sums, total = _drawn_sums(rows, resamples, seed), rows.sum(axis=0)[None, :]
    return [percentile_interval(float(statistic(total)[0]), statistic(sums)) for statistic in statistics]


def bootstrap_interval(values: npt.ArrayLike, *, resamples: int = 1000, seed: int = 0) -> Interval:
    """Return the interval of the mean of a sample, shape (n,), see :func:`bootstrap_sums`.

    >>> bootstrap_interval([0.5, 0.5, 0.5])
    Interval(value=0.5, low=0.5, high=0.5)
    """
    rows = np.asarray(values, dtype=np.float64)[..., None]
    (interval,) = bootstrap_sums(rows, [lambda sums: sums[:, 0] / len(rows)], resamples=resamples, seed=seed)
    return interval


def paired_bootstrap(
    baseline: npt.ArrayLike, system: npt.ArrayLike, *, resamples: int = 1000, seed: int = 0
) -> tuple[Interval, float]:
    """Test by paired bootstrap resampling whether a system differs from a baseline (Koehn 2004), as sacrebleu does.

    The same sentences are drawn for both. The sizes of the drawn differences are moved to a mean of 0; p is the share
    of them that are greater than the real one, with one added to both counts. A difference of 0 has p 1.

    Args:
        baseline, system: a figure of each sentence, shape (n,) each, n > 0.
        resamples, seed: see :func:`bootstrap_sums`.

    Returns:
        the mean of the system less that of the baseline, and p.

    Raises:
        ValueError: no values, or not as many of either.

    >>> paired_bootstrap([0.5, 0.7], [0.5, 0.7])
    (Interval(value=0.0, low=0.0, high=0.0), 1.0)
    """
    before, after = np.asarray(baseline, dtype=np.float64), np.asarray(system, dtype=np.float64)
    if before.ndim != 1 or before.shape != after.shape or not before.size:
        raise ValueError("a paired test needs two samples of the same size, with at least one value")
    difference = float((after - before).mean())
    drawn = _drawn_sums((after - before)[:, None], resamples, seed)[:, 0] / before.size
    sizes = np.abs(drawn)
    greater = np.count_nonzero(sizes - sizes.mean() > abs(difference))
    return percentile_interval(difference, drawn), (int(greater) + 1) / (resamples + 1) if difference else 1.0


def holm(p: Sequence[float]) -> list[float]:
    """Correct p values for their number (Holm 1979).

    >>> [round(value, 3) for value in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p)), key=p.__getitem__)
    corrected, highest = [0.0] * len(p), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p) - rank) * p[place]))
        corrected[place] = highest
    return corrected
