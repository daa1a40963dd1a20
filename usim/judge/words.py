"""How well words fit in the place of others: figures of each replacement that the judge's network of words reads.

Compare Wada et al. 2022, "Unsupervised Lexical Substitution with Decontextualised Embeddings".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from usim.judge._encoder import TokenEncoder
from usim.lexicon import frequency

Floats = npt.NDArray[np.float32]

#: How many pairs of vectors are compared.
PAIRS = 6
#: The names of what can be seen without reading; t are the words, s is what stands for them.
SURFACE = (
    "frequency of s",
    "frequency of t",
    "words of s",
    "words of t",
    "length of s",
    "length of t",
    "same beginning",
)


#: The tokens of words, and of what stands for them.
Replaced = tuple[tuple[str, ...], tuple[str, ...]]


def read_alone(phrases: Sequence[Replaced], before: Floats, after: Floats, encoder: TokenEncoder) -> Floats:
    """Return :func:`word_figures` of the tokens of replacements, whose words are read alone for them.

    ``before`` and ``after`` are mean vectors of the words and of what stands for them, by the same encoder.
    """
    alone = encoder.alone([words for words, _ in phrases]), encoder.alone([others for _, others in phrases])
    texts = [(" ".join(words), " ".join(others)) for words, others in phrases]
    return word_figures(before, after, np.stack(alone[0]), np.stack(alone[1]), texts, encoder.lower)


def word_figures(
    before: Floats, after: Floats, alone_before: Floats, alone_after: Floats, texts: list[tuple[str, str]], width: int
) -> Floats:
    """Return figures of replacements, (replacements, :data:`PAIRS` * layers + 7).

    They are cosines, by pair and within a pair by layer: of the words and what stands for them, in the sentences; of
    both alone; of the words in the sentence and the others alone; of the others in the sentence and alone; of the
    others in the sentence and the words alone; of the words in the sentence and alone. :func:`surface` follows.
    All vectors are (replacements, layers * width).
    """
    t, s, t_alone, s_alone = (_layers(v, width) for v in (before, after, alone_before, alone_after))
    pairs = (t, s), (t_alone, s_alone), (t, s_alone), (s, s_alone), (s, t_alone), (t, t_alone)
    cosines = [(a * b).sum(axis=2) for a, b in pairs]
    return np.concatenate([*cosines, np.array([surface(*both) for both in texts], np.float32)], axis=1)


def surface(words: str, others: str) -> tuple[float, ...]:
    """Return what can be seen without reading, see :data:`SURFACE`."""
    return (
        frequency(others),
        frequency(words),
        len(others.split()),
        len(words.split()),
        len(others),
        len(words),
        others[:3].lower() == words[:3].lower(),
    )


def _layers(vectors: Floats, width: int) -> Floats:
    """Return vectors of several layers, (replacements, layers, width), each of length 1."""
    layers = vectors.reshape(len(vectors), -1, width)
    normalised: Floats = layers / np.maximum(np.sqrt((layers * layers).sum(axis=2, keepdims=True)), 1e-9)
    return normalised
