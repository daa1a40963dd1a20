"""Substitutes of a word by WordNet, in the form of the word."""

from __future__ import annotations

from functools import cache
from math import log1p

from usim.lexicon import WordNet, WordNetLemmatiser
from usim.lexicon.tables import WRITING
from usim.lexicon.wordnet import PARTS
from usim.suggestions import Inflector

_MOST = 24
_LONGEST = 60  # characters of a word, or of a phrase of WordNet
_CLOSED = WRITING["closed classes"]
#: The universal name of a part of speech of WordNet.
_UNIVERSAL = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}
#: How near a word is that stands in this relation to a sense; synonyms have 1.
_NEARNESS = {"similar": 0.5, "see": 0.4, "hypernym": 0.3}
_inflector = cache(Inflector)


def _near(phrase: str, pos: str | None) -> list[str]:
    """Return single words that are near to a word in WordNet, first those that a person would think of first.

    They are its synonyms, and the words similar to these and above them; common words of common senses come first.
    Words above a verb take other objects (*suggest*, *inform*), and are left out, as are words too rare to offer, which
    are never tagged in WordNet's texts.
    """
    net = WordNet.shipped()
    values: dict[str, float] = {}
    for part in PARTS:
        word = net.word(phrase).only(part)
        if pos not in (None, _UNIVERSAL[part]):
            continue
        for synset, (_, share) in word.senses.items():
            near = {synset: 1.0}
            for relation, nearness in _NEARNESS.items():
                if part == "v" and relation == "hypernym":
                    continue
                near |= {other: nearness for other in net.related(relation, synset) if net.part(other) == part}
            for other, nearness in near.items():
                for lemma in net.words_of(other):
                    value = nearness * share * log1p(net.word(lemma).only(part).count)
                    if " " not in lemma and net.lemmas(lemma, part) == (net.find(lemma),):  # larger is a form
                        values[lemma] = max(value, values.get(lemma, 0.0))
    return sorted(filter(values.get, values), key=lambda lemma: -values[lemma])


def find_substitutes(text: str, start: int, end: int) -> list[str]:
    """Return substitutes of ``text[start:end]``, the most usual first; none for an unknown word.

    >>> find_substitutes("He bought a car.", 12, 15)[:3]
    ['machine', 'automobile', 'auto']
    """
    word = text[start:end].lower()
    if not word[:1].isalpha() or word in _CLOSED or len(word) > _LONGEST:
        return []
    first, _, rest = word.partition(" ")
    pos = None if rest else _inflector().part(text, start, end)
    lemmatise = WordNetLemmatiser()
    # The head of a verb phrase is its first word.
    lemma = f"{lemmatise(first, 'VERB')} {rest}" if rest else lemmatise(word, pos)
    near = dict.fromkeys((*_near(word, pos), *_near(lemma, pos)))
    forms = dict.fromkeys(_inflector()(other, text, start, end, pos) for other in near if other not in (word, lemma))
    return [form for form in forms if form.lower() != word][:_MOST]
