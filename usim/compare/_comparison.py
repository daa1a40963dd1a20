"""The comparison of two sentences word by word: words kept, replaced, left out, put in, and moved.

It starts from the alignment of the words (``usim.compare._changes``), takes out what is only written in another way
(``usim.compare._respelled``), and settles by meaning what that leaves open (``usim.compare._matching``).
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from usim.compare._analysis import Analysis
from usim.compare._changes import Changes
from usim.compare._matching import find_stand_ins, match_words
from usim.compare._respelled import Tokens, find_respelled
from usim.compare._sentence import SentenceView
from usim.measures import DEFAULT, Preset, UsimScore, usim_score


class Comparison(Changes):
    """Two sentences compared; made by :func:`compare`.

    Attributes:
        respelled: the changed words that are only written in another way.
        matches: the pairs of content words of which one stands for the other, in the order of the source.
        lost, added: the content words of the source and of the target without a counterpart.
    """

    def __init__(self, source: SentenceView, target: SentenceView, score: UsimScore) -> None:
        super().__init__(source, target, score)
        self.respelled = find_respelled(self)
        self.matches, self.lost, self.added = match_words(self, self.respelled)

    @cached_property
    def stand_ins(self) -> tuple[dict[int, int], dict[int, int]]:
        """The pronouns and auxiliaries in the places of lost (0) and of added (1) content words, by their places."""
        reversed_groups = [(group.target, group.source) for group in self.groups]
        return (
            find_stand_ins(self.source, self.lost, self.target, self.groups),
            find_stand_ins(self.target, self.added, self.source, reversed_groups),
        )

    @cached_property
    def rephrased(self) -> Tokens:
        """The tokens of either side in places where another word has a match, which may express them as well."""
        matched = {m.source for m in self.matches if not m.spelling}
        inside = [g for g in self.groups if not matched.isdisjoint(g.source)]
        return {i for g in inside for i in g.source}, {j for g in inside for j in g.target}

    @cached_property
    def partner(self) -> dict[int, int]:
        """The partner of each source token in the target: the same word, or its match."""
        partners = dict(self.kept)
        partners.update((m.source, m.target) for m in self.matches)
        return partners

    @cached_property
    def in_order(self) -> bool:
        """Whether all partners are in the order of the source."""
        return all(x < y for x, y in pairwise([j for _, j in sorted(self.partner.items())]))

    @cached_property
    def back(self) -> dict[int, int]:
        """The partner of each token of the target that is one."""
        return {j: i for i, j in self.partner.items()}


def compare(source: Analysis, target: Analysis, preset: Preset = DEFAULT) -> Comparison:
    """Compare a sentence before and after a change word by word; the preset says how their graphs are compared.

    Raises:
        AlignmentError: the sentences are too long to be aligned.
    """
    return Comparison(source.view, target.view, usim_score(source.graph, target.graph, preset))
