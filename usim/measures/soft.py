"""A soft alignment of words: each with the one most like it in the other sentence, by the cosine of their vectors.

The alignment of ``usim.measures._align`` goes by letters and links a word to one other at most, so of a sentence that
is said otherwise most words look lost. Here a word may be the counterpart of several, as in BERTScore (Zhang et al.
2020, section 3). Beside the mean, the worst words count: a translation that says something else does so in a few words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class SoftAlignment(NamedTuple):
    """For each word of two sentences its counterpart; with layers, in each layer by itself.

    Attributes:
        to_output: the place of the counterpart of each source token in the output, int64 (…, source tokens).
        of_source: their cosines, in [-1, 1], float32 (…, source tokens).
        to_source: the place of the counterpart of each output token in the source, int64 (…, output tokens).
        of_output: their cosines, in [-1, 1], float32 (…, output tokens).
    """

    to_output: npt.NDArray[np.int64]
    of_source: Floats
    to_source: npt.NDArray[np.int64]
    of_output: Floats


def of_cosines(table: Floats) -> SoftAlignment:
    """Return the alignment of two sentences from the cosines of their tokens, (…, source tokens, output tokens)."""
    return SoftAlignment(table.argmax(axis=-1), table.max(axis=-1), table.argmax(axis=-2), table.max(axis=-2))


def worst(cosines: Floats) -> Floats:
    """Return the mean of the three lowest cosines, of all where there are fewer: (…,) from (…, tokens).

    >>> worst(np.array([0.9, 0.5, 0.25, 0.75], np.float32)).tolist()
    0.5
    """
    count = min(3, cosines.shape[-1])
    lowest: Any = np.partition(cosines, count - 1, axis=-1)[..., :count]
    mean: Floats = np.add.reduce(lowest, axis=-1) / np.float32(count)
    return mean


def unit_vectors(vectors: Floats) -> Floats:
    """Return vectors of length 1, or zeros for zeros."""
    lengths = np.sqrt(np.einsum("...ij,...ij->...i", vectors, vectors)) + np.float32(1e-9)
    unit: Floats = vectors / lengths[..., None]
    return unit
