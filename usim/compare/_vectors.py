"""The vectors of the tokens of a sentence, kept in little room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PackedVectors:
    """The vectors of the word pieces of a sentence; the vector of a token is the mean of those of its pieces.

    Attributes:
        pieces: as the encoder gives them, float16 (pieces, width).
        starts: where each token begins in the pieces; the end of the last token at the end, (tokens + 1,).
    """

    pieces: npt.NDArray[np.float16]
    starts: npt.NDArray[np.intp]

    @classmethod
    def of(cls, pieces: npt.NDArray[Any], starts: Sequence[int]) -> PackedVectors:
        """Return the vectors of tokens; pieces before the first of them and behind the last are left out."""
        return cls(pieces[starts[0] : starts[-1]], np.array(starts, np.intp) - starts[0])

    @classmethod
    def joined(cls, parts: Sequence[PackedVectors], width: int) -> PackedVectors:
        """Return the vectors of a sentence that was read in parts; of one without tokens if there are none."""
        if len(parts) == 1:
            return parts[0]
        lengths = np.concatenate([np.zeros(1, np.intp), *(np.diff(part.starts) for part in parts)])
        return cls(np.concatenate([np.zeros((0, width), np.float16), *(p.pieces for p in parts)]), np.cumsum(lengths))

    def columns(self, start: int, stop: int) -> PackedVectors:
        """Return a part of each vector."""
        return PackedVectors(np.ascontiguousarray(self.pieces[:, start:stop]), self.starts)

    def rows(self, start: int, stop: int) -> PackedVectors:
        """Return the vectors of some of the tokens."""
        return PackedVectors.of(self.pieces, self.starts[start : stop + 1].tolist())

    def unpacked(self) -> Floats:
        """Return the vectors of the tokens as numbers of 32 bits, (tokens, width)."""
        vectors = self.pieces[self.starts[:-1]].astype(np.float32)
        counts = np.diff(self.starts)
        for token in np.flatnonzero(counts > 1).tolist():
            pieces = self.pieces[self.starts[token] : self.starts[token + 1]].astype(np.float32)
            vectors[token] = np.add.reduce(pieces, axis=0) / np.float32(counts[token])
        return vectors
