"""Substitutes of a word by WordNet, in the form of the word where ``lemminflect`` is installed."""

from __future__ import annotations

from functools import lru_cache

from usim.benchmarks.baselines.targets import Finder
from usim.benchmarks.baselines.thesaurus import Thesaurus, load
from usim.text import tokenise

_MOST = 24


class _SingleWords:
    """A thesaurus without its phrases.

    Args:
        thesaurus: the thesaurus.
    """

    longest = 1

    def __init__(self, thesaurus: Thesaurus) -> None:
        self._thesaurus = thesaurus
        self.name = thesaurus.name

    def synonyms(self, phrase: str, pos: str | None = None) -> tuple[str, ...]:
        """See :class:`usim.benchmarks.baselines.thesaurus.Thesaurus`."""
        return self._thesaurus.synonyms(phrase, pos)


@lru_cache(1)
def _finder() -> Finder:
    return Finder(_SingleWords(load("wordnet")))


def find_substitutes(text: str, start: int, end: int) -> list[str]:
    """Return substitutes of ``text[start:end]``, those of its most frequent sense first; none for an unknown word.

    >>> sorted(find_substitutes("He bought a car.", 12, 15))[:2]
    ['auto', 'automobile']
    """
    before, after = ([token.text for token in tokenise(part)] for part in (text[:start], text[end:]))
    for target in _finder().targets([*before, text[start:end], *after]):
        if target.start == len(before):
            return list(target.synonyms[:_MOST])
    return []
