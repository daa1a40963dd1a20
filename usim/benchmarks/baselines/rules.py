"""The rule-based system of Smart Word Suggestions (Wang et al. 2023): every word in a thesaurus could be better.

The published system (``predict_with_rules.py``) takes Merriam-Webster's thesaurus, keeps synonyms that PPDB has as
paraphrases of the word (:class:`usim.benchmarks.baselines.thesaurus.Both`), tags parts of speech with NLTK, shuffles
the synonyms and fills up to ten with the word *none*. Here synonyms stay in the order of the thesaurus unless a seed is
given, inflected words are found by their lemmas too, and nothing is filled up.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass

from usim.benchmarks.baselines.targets import Finder
from usim.benchmarks.case import Candidate, GivenTarget
from usim.text import Span


@dataclass(frozen=True)
class RuleBased:
    """Proposes the synonyms of a thesaurus for every word and phrase that has some.

    Args:
        finder: finds the targets and their synonyms.
        k: how many synonyms of a target to propose at most.
        seed: shuffles the synonyms of each target, as the published system does; None for the thesaurus's order. The
            suggestions for a sentence depend on the seed and its words alone.
    """

    finder: Finder
    _: KW_ONLY
    k: int = 10
    seed: int | None = None

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        order = "" if self.seed is None else f"|seed:{self.seed}"
        return f"rules|{self.finder.signature}|k:{self.k}{order}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the best first."""
        draw = random.Random(f"{self.seed}:{' '.join(words)}")
        return {(target.start, target.end): self._first(target.synonyms, draw) for target in self.finder.targets(words)}

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return the synonyms of a target that is given; the score of the n-th is 1/n."""
        synonyms = self.finder.synonyms(target.words, target.start, target.end, target.pos)
        draw = random.Random(f"{self.seed}:{target.start}:{' '.join(target.words)}")
        return [Candidate(synonym, 1 / place) for place, synonym in enumerate(self._first(synonyms, draw), 1)]

    def _first(self, synonyms: Iterable[str], draw: random.Random) -> tuple[str, ...]:
        order = list(synonyms)
        if self.seed is not None:
            draw.shuffle(order)
        return tuple(order[: self.k])
