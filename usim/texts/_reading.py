"""Passages as the alignment reads them: the vectors of their words, and how much each word says.

Each distinct passage is read once, and only when something has to be compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from usim.judge import TokenEncoder
from usim.lexicon import word_info
from usim.measures.soft import unit_vectors
from usim.text import token_texts

Floats = npt.NDArray[np.float32]

#: Passages that are read together; their vectors are cut down to what is kept before the next ones are read.
_TOGETHER = 64
#: The weight of a passage of marks alone.
_LEAST = 0.1
#: How many pairs of passages are remembered that have been compared.
_REMEMBERED = 4096


@dataclass(frozen=True, eq=False)
class ReadPassage:
    """A passage with a vector for each word.

    Attributes:
        vectors: of length 1, float16 (words, width); marks are left out.
        weights: how much each word says, see :class:`usim.lexicon.WordInfo`; float32 (words,).
        mean: the weighted mean of the vectors, of length 1.
    """

    vectors: npt.NDArray[np.float16]
    weights: Floats
    mean: Floats

    @property
    def weight(self) -> float:
        """How much the passage says."""
        return float(self.weights.sum())


class PassageReader:
    """Reads passages by an encoder, in the last of its layers; remembers what it has read."""

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder = encoder
        self._read: dict[str, ReadPassage] = {}
        self._best = lru_cache(_REMEMBERED)(_best_cosines)

    def read(self, passages: Sequence[str]) -> list[ReadPassage]:
        """Return passages, each of which is read once."""
        missing = [text for text in dict.fromkeys(passages) if text not in self._read]
        for at in range(0, len(missing), _TOGETHER):
            texts = missing[at : at + _TOGETHER]
            tokens = [token_texts(text) for text in texts]
            for text, words, vectors in zip(texts, tokens, self._encoder(tokens), strict=True):
                self._read[text] = _passage(words, vectors[:, -self._encoder.lower :])
        return [self._read[text] for text in passages]

    def coverage(self, passage: ReadPassage, others: Sequence[ReadPassage]) -> float:
        """Return how much of what a passage says others say, by the soft alignment of its words, in [0, 1]."""
        best = np.maximum.reduce([self._best(passage, other) for other in others])
        return float(best @ passage.weights) / passage.weight


def _best_cosines(passage: ReadPassage, other: ReadPassage) -> Floats:
    """Return for each word of a passage its best cosine with a word of another one."""
    table: Floats = passage.vectors.astype(np.float32) @ other.vectors.astype(np.float32).T
    return table.max(axis=1)


def _passage(words: Sequence[str], vectors: Floats) -> ReadPassage:
    weights = np.array([word_info(word.lower()).informativeness for word in words], np.float32)
    says = np.flatnonzero(weights)
    if not len(says):
        says, weights = np.arange(len(words)), np.full(len(words), _LEAST, np.float32)
    unit, weights = unit_vectors(vectors[says]), weights[says]
    mean: Floats = weights @ unit
    mean = mean / (np.sqrt(mean @ mean) + np.float32(1e-9))
    return ReadPassage(unit.astype(np.float16), weights, mean.astype(np.float32))
