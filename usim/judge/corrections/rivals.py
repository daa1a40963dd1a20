"""The other words that a misspelling may stand for: how probable each is by letters, frequency and context."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from usim.judge.corrections.spelling import Channel, sound
from usim.judge.corrections.words import FORMS, WordEntry, WordTable

#: The least frequency of a rival, as :class:`usim.judge.corrections.words.WordEntry` counts.
_LEAST = 2.8
#: So many of the words that are nearest by letters and frequency are weighed, out of so many that are near.
_WEIGHED, _NEAR = 7, 40
#: A rival is at most so much longer or shorter.
_LONGER = 2
#: What a factor of ten in frequency is worth, as a natural logarithm.
_PER_TEN = 1.6
#: So many misspellings are remembered.
_REMEMBERED = 4096
_NAME = 1 << FORMS.index("NNP")


class Rival(NamedTuple):
    """A word that a misspelling may stand for.

    Attributes:
        word: the word.
        entry: what is known about it.
        weight: the logarithm of how probable it is without context, up to a constant.
    """

    word: str
    entry: WordEntry
    weight: float


class Rivals:
    """Finds the words that a misspelling may stand for."""

    def __init__(self, words: WordTable, channel: Channel) -> None:
        self._words, self._channel = words, channel
        self._index: dict[tuple[str, int], list[str]] = {}
        for word in words.above(_LEAST):
            if word.isalpha():
                self._index.setdefault((word[0], len(word)), []).append(word)
        self.of = lru_cache(_REMEMBERED)(self._search)

    def weight(self, written: str, meant: str, entries: Sequence[WordEntry], cost: float) -> float:
        """Return the weight of any word or words for what is written, see :class:`Rival`, from the cost of the slip."""
        return -cost + _PER_TEN * min((entry.frequency for entry in entries), default=0.0)

    def _search(self, written: str) -> tuple[Rival, ...]:
        """Return the most probable words for a misspelling in lower case, in no particular order."""
        n = len(written)
        letters = dict.fromkeys((written[:1], written[1:2], sound(written)[:1]))
        near: list[str] = []
        for letter in letters:
            for length in range(max(1, n - _LONGER), n + _LONGER + 1):
                near += self._index.get((letter, length), ())
        cutoff = 1 if n < 4 else 2 if n < 8 else 3
        hits = process.extract(written, near, scorer=OSA.distance, score_cutoff=cutoff, limit=_NEAR)
        entries = [(word, self._words[word], distance) for word, distance, _ in hits]
        entries = [item for item in entries if item[1].forms != _NAME]
        entries.sort(key=lambda item: (2.5 * item[2] - item[1].frequency, item[0]))
        return tuple(
            Rival(word, entry, self.weight(written, word, (entry,), self._channel.cost(word, written)))
            for word, entry, _ in entries[:_WEIGHED]
        )


def log_sum(values: Sequence[float]) -> float:
    """Return the logarithm of the sum of the exponentials of some values, at least one."""
    most = max(values)
    return most + math.log(sum(math.exp(value - most) for value in values))
