"""The vectors of the tokens of a sentence, kept in little room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class PackedVectors(NamedTuple):
    """The mean vectors of the word pieces of each token.

    Most tokens are one piece, whose vector is a number of 16 bits in each place, as the encoder gives it.

    Attributes:
        first: the vector of the first piece of each token, float16 (tokens, width).
        several: which tokens are of several pieces, (k,).
        means: the mean vectors of these, float32 (k, width).
    """

    first: npt.NDArray[np.float16]
    several: npt.NDArray[np.intp]
    means: Floats

    @classmethod
    def of(cls, pieces: npt.NDArray[Any], starts: Sequence[int]) -> PackedVectors:
        """Return the mean vectors of tokens.

        Args:
            pieces: the vectors of the pieces of a sentence, float16 (pieces, width).
            starts: where each token begins in the pieces; the end of the last token at the end.
        """
        counts = np.diff(starts)
        several = np.flatnonzero(counts > 1)
        means = np.empty((len(several), pieces.shape[1]), np.float32)
        for row, token in enumerate(several.tolist()):
            start, count = starts[token], counts[token]
            means[row] = np.add.reduce(pieces[start : start + count].astype(np.float32), axis=0) / np.float32(count)
        return cls(pieces[np.array(starts[:-1], np.intp)], several, means)

    @classmethod
    def joined(cls, parts: Sequence[PackedVectors], width: int) -> PackedVectors:
        """Return the vectors of a sentence that was read in parts; of one without tokens if there are none."""
        if len(parts) == 1:
            return parts[0]
        nothing = np.zeros((0, width))
        before = np.cumsum([0, *(len(part.first) for part in parts)])
        return cls(
            np.concatenate([nothing.astype(np.float16), *(part.first for part in parts)]),
            np.concatenate([np.zeros(0, np.intp), *(p.several + n for p, n in zip(parts, before, strict=False))]),
            np.concatenate([nothing.astype(np.float32), *(part.means for part in parts)]),
        )

    def columns(self, start: int, stop: int) -> PackedVectors:
        """Return a part of each vector."""
        return PackedVectors(
            np.ascontiguousarray(self.first[:, start:stop]),
            self.several,
            np.ascontiguousarray(self.means[:, start:stop]),
        )

    def rows(self, start: int, stop: int) -> PackedVectors:
        """Return the vectors of some of the tokens."""
        inside = (self.several >= start) & (self.several < stop)
        return PackedVectors(self.first[start:stop], self.several[inside] - start, self.means[inside])

    def unpacked(self) -> Floats:
        """Return the vectors as numbers of 32 bits, (tokens, width)."""
        vectors = self.first.astype(np.float32)
        vectors[self.several] = self.means
        return vectors
