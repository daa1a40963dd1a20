"""Substitutes of a word by WordNet, in the form of the word where ``lemminflect`` is installed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import log1p

from usim.benchmarks.baselines.targets import Finder
from usim.benchmarks.baselines.thesaurus import PARTS as UNIVERSAL
from usim.benchmarks.baselines.thesaurus import Thesaurus
from usim.lexicon import WordNet
from usim.lexicon.wordnet import PARTS
from usim.text import tokenise

_MOST = 24
#: How near a word is that stands in this relation to a sense; synonyms have 1.
_NEARNESS = {"similar": 0.5, "see": 0.4, "hypernym": 0.3}


def _near(phrase: str, pos: str | None) -> Iterable[str]:
    """Return single words that are near to a word in WordNet: those that a person would think of first.

    They are its synonyms, and the words similar to these and above them; common words of common
    senses come first. Words that are never tagged in WordNet's texts are too rare to offer.
    """
    net = WordNet.shipped()
    values: dict[str, float] = {}
    for part in PARTS:
        word = net.word(phrase).only(part)
        if pos not in (None, UNIVERSAL[part]):
            continue
        for synset, (_, share) in word.senses.items():
            near = {synset: 1.0}
            for relation, nearness in _NEARNESS.items():
                near |= {other: nearness for other in net.related(relation, synset) if net.part(other) == part}
            for other, nearness in near.items():
                for lemma in net.words_of(other):
                    value = nearness * share * log1p(net.word(lemma).only(part).count)
                    if " " not in lemma and net.lemmas(lemma, part) == (net.find(lemma),):  # larger is a form
                        values[lemma] = max(value, values.get(lemma, 0.0))
    return sorted(filter(values.get, values), key=lambda lemma: -values[lemma])


@lru_cache(1)
def _finder() -> Finder:
    return Finder(Thesaurus("wordnet-3.0-near", 1, _near))


def find_substitutes(text: str, start: int, end: int) -> list[str]:
    """Return substitutes of ``text[start:end]``, the most usual first; none for an unknown word.

    >>> find_substitutes("He bought a car.", 12, 15)[:3]
    ['machine', 'automobile', 'auto']
    """
    before, after = ([token.text for token in tokenise(part)] for part in (text[:start], text[end:]))
    for target in _finder().targets([*before, text[start:end], *after]):
        if target.start == len(before):
            return list(target.synonyms[:_MOST])
    return []
