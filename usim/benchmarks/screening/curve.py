"""The effect of screening at each threshold: the precision of what is left, and the share of the good that is kept.

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
from itertools import takewhile
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
    """Return a point for each threshold that makes a difference, the lowest first; at the first nothing is dropped.

    Args:
        labels: of the suggestions.
        faithfulness: of each suggestion, in [0, 1].
    """
    values = np.asarray(faithfulness, dtype=np.float64)
    by_label = {label: np.sort(values[[other == label for other in labels]]) for label in LABELS}
    all_acceptable, all_wrong = len(by_label["acceptable"]), len(by_label["wrong"])
    points = []
    for threshold in (0.0, *np.unique(values)[1:].tolist()):
        left = {label: len(scores) - int(np.searchsorted(scores, threshold)) for label, scores in by_label.items()}
        acceptable, wrong, total = left["acceptable"], left["wrong"], sum(left.values())
        kept, dropped = _share(acceptable, all_acceptable), _share(all_wrong - wrong, all_wrong)
        precision, precision_all = _share(acceptable, acceptable + wrong), _share(acceptable, total)
        points.append(Point(threshold, kept, dropped, precision, precision_all, total))
    return points


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def at_kept(points: Iterable[Point], share: float) -> Point:
    """Return the point of the highest threshold that keeps a share of the acceptable suggestions, or the first point.

    Args:
        points: of :func:`curve`.
        share: in [0, 1].
    """
    first, *rest = points
    return [first, *takewhile(lambda point: not point.acceptable_kept < share, rest)][-1]


def as_tsv(points: Iterable[Point]) -> str:
    """Return the points as a table, a row each under a header; not-a-number is an empty cell."""

    def cell(value: float) -> str:
        return "" if math.isnan(value) else repr(value)

    rows = ["\t".join(Point._fields), *("\t".join(map(cell, point)) for point in points)]
    return "\n".join(rows) + "\n"
