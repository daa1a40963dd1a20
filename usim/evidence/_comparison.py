"""The comparison of two sentences word by word: words kept, replaced, left out, put in, and moved.

It starts from the alignment of the words, takes out what is only written in another way
(``usim.evidence._respelled``), and settles by meaning what that leaves open (``usim.evidence._matching``).
"""

from __future__ import annotations

from functools import cached_property
from itertools import groupby, pairwise

import numpy as np
import numpy.typing as npt

from usim.evidence._analysis import Analysis
from usim.evidence._matching import find_stand_ins, match_words
from usim.evidence._places import Group, ascending, stretches
from usim.evidence._respelled import Tokens, find_respelled
from usim.evidence._sentence import SentenceView
from usim.measures import DEFAULT, Preset, UsimScore, usim_score

Floats = npt.NDArray[np.float32]


class Comparison:
    """Two sentences compared; made by :func:`compare`.

    Attributes:
        to: for each source token its partner, -1 for none.
        kept: the aligned pairs of equal words.
        kept_source, kept_output: their tokens on either side.
        gone, new: the other positions of either side.
        is_same: whether all words are kept, in order.
        respelled: the changed words that are only written in another way.
        matches: the pairs of content words of which one stands for the other, in the order of the source.
        lost, added: the content words of the source and of the output without a counterpart.
    """

    def __init__(self, source: SentenceView, output: SentenceView, score: UsimScore) -> None:
        self.source, self.output = source, output
        self.alignment, self.score = score.token_alignment, score
        a, b = source.words, output.words
        self.to: list[int] = self.alignment.to_output.tolist()
        self.kept = [(i, j) for i, j in enumerate(self.to) if j >= 0 and a[i] == b[j]]
        self.kept_source = {i for i, _ in self.kept}
        self.kept_output = {j for _, j in self.kept}
        self.gone = [i for i in range(len(a)) if i not in self.kept_source]
        self.new = [j for j in range(len(b)) if j not in self.kept_output]
        self.is_same = not self.gone and not self.new and len(a) == len(b) and self.to == list(range(len(a)))
        self.respelled = find_respelled(self)
        self.matches, self.lost, self.added = match_words(self, self.respelled)

    @cached_property
    def groups(self) -> list[Group]:
        """The changed words, place by place, in the order of the source."""
        output_runs = stretches(self.new)
        run_of = {j: run for run in output_runs for j in run}
        by_last = {run[0] - 1: run for run in output_runs}  # the last kept output token before a run
        by_next = {run[-1] + 1: run for run in output_runs}
        to_of_kept = {-1: -1, len(self.source.words): len(self.output.words)} | dict(self.kept)
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
        return groups + [Group((), run) for run in output_runs if run not in linked]

    @cached_property
    def moved(self) -> list[tuple[int, int]]:
        """The kept pairs that are out of order: those beside a longest ascending run."""
        order = [j for _, j in self.kept]
        if all(x < y for x, y in pairwise(order)):
            return []
        inside = ascending(order)
        return [pair for k, pair in enumerate(self.kept) if k not in inside]

    @property
    def moved_runs(self) -> list[list[tuple[int, int]]]:
        """The kept pairs that are out of order, neighbours together."""
        runs = groupby(enumerate(self.moved), lambda item: (item[1][0] - item[0], item[1][1] - item[0]))
        return [[pair for _, pair in run] for _, run in runs]

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
        """The cosines of all token vectors of the source and of the output, (tokens, tokens); None without vectors."""
        a, b = self.source.unit_vectors, self.output.unit_vectors
        return None if a is None or b is None else a @ b.T

    def cosine(self, i: int, j: int) -> float:
        """Return the cosine of the vectors of a source token and an output token; NaN without vectors."""
        return float("nan") if self.cosines is None else float(self.cosines[i, j])

    @cached_property
    def best_cosines(self) -> tuple[Floats, Floats] | None:
        """For each token of either side its highest cosine with one of the other side; None without vectors."""
        return None if self.cosines is None else (self.cosines.max(axis=1), self.cosines.max(axis=0))

    def are_at_one_place(self, i: int, j: int) -> bool:
        """Return whether a source token gave way to an output token: aligned to it, or among the same changed words."""
        of_source, of_output = self._places
        return self.to[i] == j or (i in of_source and of_source[i] == of_output.get(j))

    @cached_property
    def _places(self) -> tuple[dict[int, int], ...]:
        return tuple({i: k for k, group in enumerate(self.groups) for i in group[side]} for side in (0, 1))

    @cached_property
    def stand_ins(self) -> tuple[dict[int, int], dict[int, int]]:
        """The pronouns and auxiliaries in the places of lost (0) and of added (1) content words, by their places."""
        reversed_groups = [(group.output, group.source) for group in self.groups]
        return (
            find_stand_ins(self.source, self.lost, self.output, self.groups),
            find_stand_ins(self.output, self.added, self.source, reversed_groups),
        )

    @cached_property
    def rephrased(self) -> Tokens:
        """The tokens of either side in places where another word has a match, which may express them as well."""
        matched = {m.source for m in self.matches if not m.spelling}
        inside = [g for g in self.groups if not matched.isdisjoint(g.source)]
        return {i for g in inside for i in g.source}, {j for g in inside for j in g.output}

    @cached_property
    def partner(self) -> dict[int, int]:
        """The partner of each source token in the output: the same word, or its match."""
        return dict(self.kept) | {m.source: m.output for m in self.matches}

    @cached_property
    def in_order(self) -> bool:
        """Whether all partners are in the order of the source."""
        return all(x < y for x, y in pairwise([j for _, j in sorted(self.partner.items())]))

    @cached_property
    def back(self) -> dict[int, int]:
        """The partner of each token of the output that is one."""
        return {j: i for i, j in self.partner.items()}


def compare(source: Analysis, output: Analysis, preset: Preset = DEFAULT) -> Comparison:
    """Compare a sentence before and after a change word by word; the preset says how their graphs are compared.

    Raises:
        AlignmentError: the sentences are too long to be aligned.
    """
    return Comparison(source.view, output.view, usim_score(source.graph, output.graph, preset))
