"""What screening is worth at each threshold: precision of what is left against what is kept of the good.

>>> points = curve(["acceptable", "wrong", "acceptable", "wrong"], [0.9, 0.2, 0.6, 0.7])
>>> for point in points:
...     print(point.threshold, point.acceptable_kept, point.wrong_dropped, round(point.precision, 3), point.left)
0.0 1.0 0.0 0.5 4
0.6 1.0 0.5 0.667 3
0.7 0.5 0.5 0.5 2
0.9 0.5 1.0 1.0 1
>>> at_kept(points, 0.95).threshold
0.6
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from usim.benchmarks.screening.cases import LABELS, Label


class Point(NamedTuple):
    """What is left when all suggestions below a threshold are dropped.

    Attributes:
        threshold: of faithfulness; a suggestion of just this faithfulness stays.
        acceptable_kept: share of the acceptable suggestions that are left, in [0, 1].
        wrong_dropped: share of the wrong ones that are not, in [0, 1].
        precision: acceptable ones among the judged that are left, in [0, 1].
        precision_all: acceptable ones among all that are left, in [0, 1].
        left: how many are left, whatever they are.

    Shares and precisions are not-a-number where there is nothing to divide by.
    """

    threshold: float
    acceptable_kept: float
    wrong_dropped: float
    precision: float
    precision_all: float
    left: int


def curve(labels: Sequence[Label], faithfulness: Sequence[float]) -> list[Point]:
    """A point for each threshold that makes a difference, the lowest first; at the first nothing is dropped.

    Args:
        labels: what the suggestions are.
        faithfulness: of each, in [0, 1].
    """
    scores = np.asarray(faithfulness, dtype=np.float64)
    of = {label: np.sort(scores[np.array([found == label for found in labels], dtype=bool)]) for label in LABELS}
    thresholds = [0.0, *np.unique(scores)[1:].tolist()]
    points = []
    for threshold in thresholds:
        left = {label: len(found) - int(np.searchsorted(found, threshold)) for label, found in of.items()}
        acceptable, wrong, total = left["acceptable"], left["wrong"], sum(left.values())
        points.append(
            Point(
                threshold,
                _share(acceptable, len(of["acceptable"])),
                _share(len(of["wrong"]) - wrong, len(of["wrong"])),
                _share(acceptable, acceptable + wrong),
                _share(acceptable, total),
                total,
            )
        )
    return points


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def at_kept(points: Iterable[Point], share: float) -> Point:
    """The highest threshold that still keeps this share of the acceptable suggestions; the lowest where there is none.

    Args:
        points: of :func:`curve`.
        share: in [0, 1].
    """
    first, *rest = points
    good = first
    for point in rest:
        if point.acceptable_kept < share:
            break
        good = point
    return good


def as_tsv(points: Iterable[Point]) -> str:
    """The points as a table, a row each under a header; what is not a number is an empty cell."""

    def cell(value: float) -> str:
        return "" if math.isnan(value) else repr(value)

    rows = ["\t".join(Point._fields), *("\t".join(map(cell, point)) for point in points)]
    return "\n".join(rows) + "\n"
