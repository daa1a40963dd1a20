"""The rule-based system of Smart Word Suggestions (Wang et al. 2023): every word in a thesaurus could be better.

Every word and phrase that the thesaurus has an entry for is named, and its synonyms are proposed. The published system
(``predict_with_rules.py``) takes Merriam-Webster's thesaurus, keeps synonyms that PPDB has as paraphrases of the word
(:class:`usim.benchmarks.baselines.thesaurus.Both`), tags parts of speech with NLTK, shuffles the synonyms and fills up
to ten with the word *none*. Here synonyms stay in the order of the thesaurus unless a seed is given, inflected words
are found by their lemmas too (:mod:`usim.benchmarks.baselines.targets`), and nothing is filled up.

>>> from usim.benchmarks.baselines.targets import Finder
>>> from usim.benchmarks.baselines.thesaurus import Table
>>> suggest = RuleBased(Finder(Table({"intimate": {"ADJ": ["close", "dear"]}}, "mine")))
>>> suggest(["An", "intimate", "friend"])
{(1, 2): ('close', 'dear')}
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from usim.benchmarks.baselines.targets import Finder
from usim.benchmarks.case import Candidate, GivenTarget
from usim.text import Span


class RuleBased:
    """Proposes the synonyms of a thesaurus for every word and phrase that has some.

    Args:
        finder: finds the targets and their synonyms.
        k: how many synonyms of a target to propose at most.
        seed: shuffles the synonyms of each target, as the published system does; None for the thesaurus's order. The
            suggestions for a sentence depend on the seed and its words alone.
    """

    def __init__(self, finder: Finder, *, k: int = 10, seed: int | None = None) -> None:
        self._finder = finder
        self._k = k
        self._seed = seed

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        order = "" if self._seed is None else f"|seed:{self._seed}"
        return f"rules|{self._finder.signature}|k:{self._k}{order}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the best first."""
        draw = random.Random(f"{self._seed}:{' '.join(words)}")
        suggestions = {}
        for target in self._finder.targets(words):
            synonyms = list(target.synonyms)
            if self._seed is not None:
                draw.shuffle(synonyms)
            suggestions[target.start, target.end] = tuple(synonyms[: self._k])
        return suggestions

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return the synonyms of a target that is given; the score of the n-th is 1/n."""
        synonyms = list(self._finder.synonyms(target.words, target.start, target.end, target.pos))
        if self._seed is not None:
            random.Random(f"{self._seed}:{target.start}:{' '.join(target.words)}").shuffle(synonyms)
        return [Candidate(synonym, 1 / place) for place, synonym in enumerate(synonyms[: self._k], 1)]
