"""Rank-biased overlap between two rankings, by which SWORDS compares annotations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

#: A ranking: groups of items, best group first; the items of a group are tied.
Ranking = Sequence[Collection[str]]


def rank_biased_overlap(first: Ranking, second: Ranking, *, p: float = 0.9) -> float:
    """Compute how far two rankings agree, the top counting most: extrapolated RBO (Webber et al. 2010).

    The agreement at depth d is the share of items that both rankings have among their first d; depth d weighs
    p^(d − 1); beyond the end of the shorter ranking its agreement is taken to go on. Tied items share the place of the
    first of them, and the agreement at a depth is 2 · shared / (sum of the two counts).

    Args:
        first, second: the rankings, each item once in each.
        p: in (0, 1); the smaller, the more the top counts.

    Returns:
        a figure in [0, 1]; not-a-number where a ranking is empty.

    >>> rank_biased_overlap([["a"], ["b"], ["c"]], [["a"], ["b"], ["c"]])
    1.0
    >>> rank_biased_overlap([["a"], ["b"]], [["b"], ["a"]], p=0.5)
    0.5
    """
    shorter, longer = sorted((_places(first), _places(second)), key=len)
    if not shorter:
        return math.nan
    agreement, total = 0.0, 0.0
    at_end = 0.0
    both = [max(place, longer[item]) for item, place in shorter.items() if item in longer]
    tops = zip(*(_up_to(places, len(longer)) for places in (both, shorter.values(), longer.values())), strict=True)
    for depth, (shared, *counts) in enumerate(tops, 1):
        if depth <= len(shorter):
            agreement = at_end = 2 * shared / sum(counts)
        else:
            # What the shorter ranking would have shown further down is expected to agree as much as what it shows.
            agreement = (shared + at_end * (depth - len(shorter))) / depth
        total += agreement * p ** (depth - 1)
    return (1 - p) * total + agreement * p ** len(longer)


def _up_to(places: Iterable[int], deepest: int) -> Iterable[int]:
    counts = Counter(places)
    return accumulate(counts[depth] for depth in range(1, deepest + 1))


def _places(ranking: Ranking) -> dict[str, int]:
    places: dict[str, int] = {}
    for group in ranking:
        place = len(places) + 1
        places |= dict.fromkeys(group, place)
    return places
