"""Lemmas: what the benchmarks compare instead of word forms.

SWORDS lemmatises with WordNet's own rules (``morphy``) as NLTK 3 applies them: of several lemmas the shortest counts,
and only single words ever change. The words, exceptions and endings are those of :mod:`usim.lexicon.wordnet`.

>>> lemmatise = WordNetLemmatiser()
>>> lemmatise("geese", "NOUN"), lemmatise("worse", "ADJ"), lemmatise("leaves", "VERB"), lemmatise("ran off", "VERB")
('goose', 'bad', 'leave', 'ran off')
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from usim.lexicon.wordnet import PARTS, WordNet, strip_endings

#: A lemmatiser: from a word or phrase and its universal part of speech (``NOUN``, ``VERB``, ``ADJ``, ``ADV``) to its
#: lemma. A part of speech of None says that it is not known.
Lemmatise = Callable[[str, str | None], str]

_OF_UNIVERSAL = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


class WordNetLemmatiser:
    """WordNet's morphy, choosing the shortest lemma, with the WordNet 3.0 that comes with usim."""

    name = "wordnet-3.0"

    def __call__(self, word: str, pos: str | None = None) -> str:
        """Return the lemma of a word, or the word itself where WordNet knows none.

        Other parts of speech are treated as nouns. Where it is not known, the shortest lemma of all four is chosen.
        """
        if pos is None:
            lemmas = {lemma for part in PARTS for lemma in _lemmas(word, part)}
            return min(lemmas, key=lambda lemma: (len(lemma), lemma), default=word)
        return min(_lemmas(word, _OF_UNIVERSAL.get(pos, "n")), key=len, default=word)


@lru_cache(2**18)
def _lemmas(word: str, part: str) -> list[str]:
    """Return all lemmas of a single word as a part of speech of :data:`PARTS`, in the order of the rules."""
    if " " in word:
        return []
    net = WordNet.shipped()
    numbers, forms = net.lemmas(word, part), [word]
    while not numbers and forms and word not in net.exceptions[part]:
        forms = strip_endings(forms, part)
        numbers = net.known(forms, part)
    return [net.lemma(number) for number in numbers]


class FirstWordLemmatiser(WordNetLemmatiser):
    """Lemmatises the first word of a phrase by WordNet: the soft setting of ProLex."""

    name = "wordnet-3.0+first-word"

    def __call__(self, phrase: str, pos: str | None = None) -> str:
        """Return the lemma of the first word, in lower case; nothing for a phrase without words."""
        words = phrase.replace("-", " ").split()
        return super().__call__(words[0].lower(), pos) if words else ""
