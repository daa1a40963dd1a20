"""Decontextualised vectors as a system: the words that mean in general what the target means in its sentence.

The vector of a word is the mean of its contextual vectors in many sentences of the user's; the target has that of its
own sentence. The words whose vectors are closest are proposed, or, with a thesaurus, its synonyms in that order. Wada
et al. (2022) take the mean in each of four clusters of the sentences and order the best proposals anew by what they do
to the sentence; here there is one mean, and ``usim swords --rerank --by context`` orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import numpy as np

from usim.benchmarks.baselines.targets import CLOSED
from usim.benchmarks.baselines.vectors import Matrix, Vectors
from usim.benchmarks.case import GivenTarget
from usim.benchmarks.ranking import Encoder
from usim.errors import InputError

_BLOCK = 256  # sentences that are encoded together
_MOST = 100  # occurrences of a word that count


def averaged(
    encoder: Encoder, sentences: Iterable[Sequence[str]], *, least: int = 3, name: str = "sentences"
) -> Vectors:
    """Return the mean vector of each word of open classes in sentences of words, the most frequent words first.

    A word must occur ``least`` times; ``name`` is that of the sentences, for signatures.

    Raises:
        InputError: no word occurs so often.
    """
    lowered = [[word.lower() for word in words] for words in sentences]
    counts = Counter(word for words in lowered for word in words if word.isalpha() and word not in CLOSED)
    sums = {word: np.zeros(encoder.lower) for word, count in counts.most_common() if count >= least}
    if not sums:
        raise InputError(f"no word occurs {least} times in it", path=name)
    seen: Counter[str] = Counter()
    blocks = iter(lowered)
    while block := list(islice(blocks, _BLOCK)):
        for words, vectors in zip(block, encoder(block), strict=True):
            for word, vector in zip(words, vectors[:, : encoder.lower], strict=True):
                if word in sums and seen[word] < _MOST:
                    seen[word] += 1
                    sums[word] += vector / (np.linalg.norm(vector) or 1)
    return Vectors(list(sums), np.stack(list(sums.values())).astype(np.float32), name)


def in_context(encoder: Encoder) -> Callable[[GivenTarget], Matrix]:
    """Return what gives a target its vector in its sentence, for ``NearestWords``."""

    def vector_of(target: GivenTarget) -> Matrix:
        (vectors,) = encoder([target.words])
        vector: Matrix = vectors[target.start : target.end, : encoder.lower].mean(axis=0)
        return vector

    return vector_of
