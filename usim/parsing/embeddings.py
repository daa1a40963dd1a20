"""Tables of word embeddings, mapped into memory: a parser, a judge and several processes share one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class EmbeddingTable:
    """A table of word embeddings in 4 bits: the numbers of 16 levels, with a scale for each 64 of a row.

    Args:
        folder: a folder with ``words.npy``, uint8 (pieces, width / 2), the earlier of two numbers in the lower half
            byte; ``scales.npy``, float16 (pieces, width / 64); and ``levels.npy``, float32 (16).

    Raises:
        OSError, ValueError: the files cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._rows = np.load(folder / "words.npy", mmap_mode="r", allow_pickle=False)
        self._scales = np.load(folder / "scales.npy", allow_pickle=False)
        levels = np.load(folder / "levels.npy", allow_pickle=False)
        if self._rows.dtype != np.uint8 or len(self._scales) != len(self._rows) or levels.shape != (16,):
            raise ValueError(f"{folder}: not a table of word embeddings in 4 bits")
        # What each byte stands for.
        self._pairs = np.stack([np.tile(levels, 16), np.repeat(levels, 16)], axis=1).astype(np.float32)
        self.width = 2 * self._rows.shape[1]

    def __call__(self, ids: npt.NDArray[np.int64]) -> Floats:
        """Return the embeddings of pieces: float32, of the shape of ``ids`` and the width."""
        values: Floats = self._pairs[self._rows[ids]]
        scales = self._scales[ids].astype(np.float32)
        values = values.reshape(*scales.shape, -1)
        values *= scales[..., None]
        return values.reshape(*ids.shape, self.width)
