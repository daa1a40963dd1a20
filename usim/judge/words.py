"""How well words fit in the place of others: figures of each replacement that the judge's network of words reads.

Compare Wada et al. 2022, "Unsupervised Lexical Substitution with Decontextualised Embeddings".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from usim.lexicon import frequency

Floats = npt.NDArray[np.float32]


def word_figures(
    before: Floats, after: Floats, alone_before: Floats, alone_after: Floats, texts: list[tuple[str, str]], width: int
) -> Floats:
    """Return figures of replacements, (replacements, 6 * layers + 7).

    They are cosines, by pair and within a pair by layer: of the words and what stands for them, in the sentences; of
    both alone; of the words in the sentence and the others alone; of the others in the sentence and alone; of the
    others in the sentence and the words alone; of the words in the sentence and alone. What can be seen
    without reading follows: how frequent both are, how many words and letters they have, whether they begin alike.
    ``before`` and ``after`` are mean vectors of the words and of what stands for them, the others are those of both
    without any text, (replacements, layers * width) each.
    """
    t, s, t_alone, s_alone = (_layers(v, width) for v in (before, after, alone_before, alone_after))
    pairs = (t, s), (t_alone, s_alone), (t, s_alone), (s, s_alone), (s, t_alone), (t, t_alone)
    cosines = [(a * b).sum(axis=2) for a, b in pairs]
    surface = [
        (
            frequency(others),
            frequency(words),
            len(others.split()),
            len(words.split()),
            len(others),
            len(words),
            others[:3].lower() == words[:3].lower(),
        )
        for words, others in texts
    ]
    return np.concatenate([*cosines, np.array(surface, np.float32)], axis=1)


def _layers(vectors: Floats, width: int) -> Floats:
    """Return vectors of several layers, (replacements, layers, width), each of length 1."""
    layers = vectors.reshape(len(vectors), -1, width)
    normalised: Floats = layers / np.maximum(np.sqrt((layers * layers).sum(axis=2, keepdims=True)), 1e-9)
    return normalised
