"""The words of two sentences that were kept, left out, put in and moved, by the alignment of their tokens alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from usim.compare._sentence import SentenceView
from usim.measures import UsimScore

Floats = npt.NDArray[np.float32]
_First = TypeVar("_First")
_Second = TypeVar("_Second")


class Group(NamedTuple):
    """Changed words of one place: neighbours in either sentence that belong together."""

    source: tuple[int, ...]
    target: tuple[int, ...]


class Changes:
    """What the alignment of two sentences says of their words.

    Attributes:
        source, target: the sentences.
        alignment: the alignment of their tokens.
        score: their USim.
        to: for each source token its partner, -1 for none.
        kept: the aligned pairs of equal words.
        kept_source, kept_target: their tokens on either side.
        gone, new: the other positions of either side.
        is_same: whether all words are kept, in order.
    """

    def __init__(self, source: SentenceView, target: SentenceView, score: UsimScore) -> None:
        self.source, self.target = source, target
        self.alignment, self.score = score.token_alignment, score
        a, b = source.words, target.words
        self.to: list[int] = self.alignment.to_output.tolist()
        self.kept = [(i, j) for i, j in enumerate(self.to) if j >= 0 and a[i] == b[j]]
        self.kept_source = {i for i, _ in self.kept}
        self.kept_target = {j for _, j in self.kept}
        self.gone = [i for i in range(len(a)) if i not in self.kept_source]
        self.new = [j for j in range(len(b)) if j not in self.kept_target]
        self.is_same = not self.gone and not self.new and len(a) == len(b) and self.to == list(range(len(a)))

    def __repr__(self) -> str:
        counts = f"{len(self.kept)} kept, {len(self.gone)} gone, {len(self.new)} new"
        return f"<Comparison of {len(self.source.words)} and {len(self.target.words)} words: {counts}>"

    @cached_property
    def groups(self) -> list[Group]:
        """The changed words, place by place, in the order of the source."""
        target_runs = stretches(self.new)
        run_of = {j: run for run in target_runs for j in run}
        by_last = {run[0] - 1: run for run in target_runs}  # the last kept target token before a run
        by_next = {run[-1] + 1: run for run in target_runs}
        to_of_kept = {-1: -1, len(self.source.words): len(self.target.words)} | dict(self.kept)
        places: list[tuple[tuple[int, ...], set[tuple[int, ...]]]] = []
        for run in stretches(self.gone):
            around = by_last.get(to_of_kept[run[0] - 1]), by_next.get(to_of_kept[run[-1] + 1])
            linked = {other for other in (*around, *(run_of.get(self.to[i]) for i in run)) if other}
            # Runs that share a run of the other side are one place.
            joined = [place for place in places if not linked.isdisjoint(place[1])]
            places = [place for place in places if linked.isdisjoint(place[1])]
            at = (i for source in (*(place[0] for place in joined), run) for i in source)
            places.append((tuple(sorted(at)), linked.union(*(place[1] for place in joined))))
        linked = {run for _, runs in places for run in runs}
        groups = [Group(at, tuple(sorted(j for run in runs for j in run))) for at, runs in sorted(places)]
        return groups + [Group((), run) for run in target_runs if run not in linked]

    @cached_property
    def moved(self) -> list[tuple[int, int]]:
        """The kept pairs that are out of order: those beside a longest ascending run."""
        order = [j for _, j in self.kept]
        if all(x < y for x, y in pairwise(order)):
            return []
        inside = _ascending(order)
        return [pair for k, pair in enumerate(self.kept) if k not in inside]

    @property
    def moved_runs(self) -> list[list[tuple[int, int]]]:
        """The kept pairs that are out of order, neighbours together."""
        runs: list[list[tuple[int, int]]] = []
        for i, j in self.moved:
            if runs and runs[-1][-1] == (i - 1, j - 1):
                runs[-1].append((i, j))
            else:
                runs.append([(i, j)])
        return runs

    @cached_property
    def crossing(self) -> float:
        """The share of pairs of kept words that are in another order (Kendall's distance), in [0, 1]."""
        if not self.moved:
            return 0.0
        order = np.array([j for _, j in self.kept])
        turned = int(np.triu(np.greater.outer(order, order)).sum())
        return turned / (len(order) * (len(order) - 1) / 2)

    @cached_property
    def cosines(self) -> Floats | None:
        """The cosines of all token vectors of the source and of the target, (tokens, tokens); None without vectors."""
        a, b = self.source.unit_vectors, self.target.unit_vectors
        return None if a is None or b is None else a @ b.T

    def cosine(self, i: int, j: int) -> float:
        """Return the cosine of the vectors of a source token and a target token; NaN without vectors."""
        return float("nan") if self.cosines is None else float(self.cosines[i, j])

    @cached_property
    def best_cosines(self) -> tuple[Floats, Floats] | None:
        """For each token of either side its highest cosine with one of the other side; None without vectors."""
        return None if self.cosines is None else (self.cosines.max(axis=1), self.cosines.max(axis=0))

    @cached_property
    def topics(self) -> frozenset[str]:
        """What the changed words may be about, of :data:`usim.lexicon.topics.TOPICS`."""
        a, b = self.source.entries, self.target.entries
        return frozenset[str]().union(*(a[i].topics for i in self.gone), *(b[j].topics for j in self.new))

    def is_one_place(self, i: int, j: int) -> bool:
        """Return whether a source token gave way to a target token: aligned to it, or among the same changed words."""
        if self.to[i] == j:
            return True
        places = self._places
        return i in places[0] and places[0][i] == places[1].get(j)

    @cached_property
    def _places(self) -> tuple[dict[int, int], dict[int, int]]:
        return (
            {i: k for k, group in enumerate(self.groups) for i in group.source},
            {j: k for k, group in enumerate(self.groups) for j in group.target},
        )


def stretches(places: Sequence[int]) -> list[tuple[int, ...]]:
    """Return neighbouring places together.

    >>> stretches([1, 2, 5])
    [(1, 2), (5,)]
    """
    together: list[list[int]] = []
    for place in places:
        if together and together[-1][-1] == place - 1:
            together[-1].append(place)
        else:
            together.append([place])
    return [tuple(run) for run in together]


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


def _ascending(order: Sequence[int]) -> set[int]:
    """Return the places of a longest ascending subsequence."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for k, value in enumerate(order):
        at = bisect_left(tails, value)
        if at == len(tails):
            tails.append(value)
            places.append(k)
        else:
            tails[at] = value
            places[at] = k
        before.append(places[at - 1] if at else -1)
    members: set[int] = set()
    k = places[-1] if places else -1
    while k >= 0:
        members.add(k)
        k = before[k]
    return members
