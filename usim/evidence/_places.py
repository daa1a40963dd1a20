"""Places of words: neighbours together, items of two sides in pairs, and what is in order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

_First = TypeVar("_First")
_Second = TypeVar("_Second")


class Group(NamedTuple):
    """Changed words of one place: neighbours in either sentence that belong together."""

    source: tuple[int, ...]
    output: tuple[int, ...]


def stretches(places: Sequence[int]) -> list[tuple[int, ...]]:
    """Return neighbouring places together.

    >>> stretches([1, 2, 5])
    [(1, 2), (5,)]
    """
    runs = groupby(enumerate(places), lambda item: item[1] - item[0])  # neighbours are as far from their numbers
    return [tuple(place for _, place in run) for _, run in runs]


def pair_off(
    left: Iterable[_First], right: Iterable[_Second], same: Callable[[_First, _Second], object]
) -> tuple[list[tuple[_First, _Second]], list[_First], list[_Second]]:
    """Return the items that are the same, each with the first such item of the other side, and the rest of either.

    >>> pair_off([1, 2, 2], [2, 3], int.__eq__)
    ([(2, 2)], [1, 2], [3])
    """
    pairs, alone, rest = [], [], list(right)
    for x in left:
        k = next((k for k, y in enumerate(rest) if same(x, y)), -1)
        if k < 0:
            alone.append(x)
        else:
            pairs.append((x, rest.pop(k)))
    return pairs, alone, rest


def ascending(order: Sequence[int]) -> set[int]:
    """Return the places of a longest ascending subsequence."""
    runs: list[tuple[int, ...]] = [()]  # for each length, from 0, the run that ends with the least
    for k, value in enumerate(order):
        at = bisect_left(runs, value, lo=1, key=lambda run: order[run[-1]])
        runs[at : at + 1] = [(*runs[at - 1], k)]
    return set(runs[-1])
