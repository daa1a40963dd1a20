"""Words that may or may not do for a target: relatives of all its senses, near words, and words by chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from judges.pairs.words import by_frequency, lemmas, net
from judges.teacher.contexts import Target
from training.forms import form
from usim.lexicon import Word

#: Returns near words of a lemma with a part of speech.
Near = Callable[[str, str], Sequence[str]]
#: How many candidates of each kind to draw at most.
SHARES = {
    "synonym": 5,
    "similar": 2,
    "above": 2,
    "below": 1,
    "sibling": 1,
    "opposite": 1,
    "near": 4,
    "frequent": 1,
    "random": 1,
}
#: A word of the vocabulary was seen so often in WordNet's tagged texts.
_LEAST = 1


class Vocabulary:
    """Words with vectors, to find near ones in.

    Args:
        words: lemmas.
        vectors: their vectors, of shape (words, width), each of length 1.
        neighbours: how many near words to draw from.
    """

    def __init__(self, words: Sequence[str], vectors: np.ndarray, neighbours: int = 25) -> None:
        self._words = words
        self._places = {word: k for k, word in enumerate(words)}
        self._vectors = vectors
        self._neighbours = neighbours
        members = {part: [k for k, word in enumerate(words) if net().has(word, part)] for part in "nvar"}
        self._of_part = {part: (numbers, vectors[numbers]) for part, numbers in members.items()}
        self._memory: dict[tuple[str, str], list[str]] = {}

    def near(self, word: str, part: str) -> list[str]:
        """Return the nearest words of a part of speech, nearest first; none for a word that is not there."""
        if word not in self._places:
            return []
        if (word, part) not in self._memory:
            numbers, vectors = self._of_part[part]
            closeness = vectors @ self._vectors[self._places[word]]
            count = min(self._neighbours + 1, len(numbers))
            best = np.argpartition(-closeness, count - 1)[:count]
            best = best[np.argsort(-closeness[best], kind="stable")]
            near = [w for w in (self._words[numbers[k]] for k in best) if w != word]
            self._memory[word, part] = near[: self._neighbours]
        return self._memory[word, part]


def vocabulary() -> list[str]:
    """Return the lemmas that are common enough to be offered, phrases among them."""
    words = []
    for number in range(len(net())):
        text = net().lemma(number)
        plain = text.replace(" ", "").isalpha() and len(text) > 2 and text.count(" ") < 2
        if plain and not net().is_proper(number) and sum(c for _, c in net().senses(number)) >= _LEAST:
            words.append(text)
    return words


def candidates(target: Target, near: Near, rng: random.Random) -> list[str]:
    """Return distinct candidates for a target, inflected like it.

    Args:
        target: the word to replace.
        near: returns near words of a lemma with a part of speech.
        rng: draws among the candidates of each kind.
    """
    chosen: dict[str, None] = {}
    taken = {target.text.lower(), target.lemma}
    for kind, share in SHARES.items():
        pool = [w for w in dict.fromkeys(_POOLS[kind](target, near, rng)) if w not in taken and _is_word(w)]
        for word in rng.sample(pool, min(share, len(pool))):
            inflected = _inflected(word, target.tag)
            if inflected.lower() not in taken:
                chosen[inflected] = None
                taken |= {word, inflected.lower()}
    return list(chosen)


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.count(" ") < 3 and text.replace(" ", "").replace("-", "").isalpha()


def _inflected(word: str, tag: str) -> str:
    return word if tag in ("JJ", "RB", "NN", "VB", "VBP") else form(word, tag)


def _senses(target: Target) -> list[int]:
    return list(_word(target.lemma).only(target.part).senses)


@cache
def _word(text: str) -> Word:
    return net().word(text)


def _words(synsets: Iterator[int] | Sequence[int]) -> Iterator[str]:
    """Yield the lemmas of synsets, those that were never met in tagged texts only if they have few senses."""
    for synset in synsets:
        for text, count in lemmas(synset):
            if count or len(_word(text).senses) <= 3:
                yield text


@cache
def _below(synset: int) -> tuple[int, ...]:
    return tuple(_children().get(synset, ()))


@cache
def _children() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for number in range(len(net())):
        for synset, _ in net().senses(number):
            for above in net().related("hypernym", synset):
                below = children.setdefault(above, [])
                if synset not in below:
                    below.append(synset)
    return children


def _similar(target: Target) -> Iterator[int]:
    for synset in _senses(target):
        first = net().related("similar", synset)
        yield from first
        for one in first:
            yield from net().related("similar", one)
        yield from net().related("see", synset)
        yield from net().related("entails", synset)


def _above(target: Target) -> Iterator[int]:
    for synset in _senses(target):
        yield from net().related("hypernym", synset)


def _siblings(target: Target) -> Iterator[int]:
    for above in _above(target):
        if len(_below(above)) <= 150:
            yield from (s for s in _below(above))


def _opposites(target: Target) -> Iterator[str]:
    for other in _word(target.lemma).only(target.part).antonyms:
        yield net().lemma(other)


def _frequent(target: Target, rng: random.Random) -> Iterator[str]:
    """Yield common words, whose vectors are the most likely to be near by frequency alone."""
    steps = sorted(step for part, step in by_frequency() if part == target.part)
    common = [step for step in steps if step >= 5] or steps[-1:]
    if common:
        yield from (rng.choice(by_frequency()[target.part, rng.choice(common)]) for _ in range(3))


def _random(target: Target, rng: random.Random) -> Iterator[str]:
    steps = sorted(step for part, step in by_frequency() if part == target.part)
    if steps:
        yield from (rng.choice(by_frequency()[target.part, rng.choice(steps)]) for _ in range(2))


_POOLS: dict[str, Callable[[Target, Near, random.Random], Iterator[str]]] = {
    "synonym": lambda target, near, rng: _words(_senses(target)),
    "similar": lambda target, near, rng: _words(_similar(target)),
    "above": lambda target, near, rng: _words(_above(target)),
    "below": lambda target, near, rng: _words(b for s in _senses(target) for b in _below(s)),
    "sibling": lambda target, near, rng: _words(_siblings(target)),
    "opposite": lambda target, near, rng: _opposites(target),
    "near": lambda target, near, rng: iter(near(target.lemma, target.part)),
    "frequent": lambda target, near, rng: _frequent(target, rng),
    "random": lambda target, near, rng: _random(target, rng),
}
