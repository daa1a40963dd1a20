"""The table of word embeddings that the models share.

It stands in files of its own, 8 bits with a scale for each row, and is mapped into memory: several models and processes
use the same one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
#: The table of the models that come with usim, with their tokeniser.
SHARED_TABLE = Path(__file__).parent.parent / "models" / "words"


class EmbeddingTable:
    """A table of word embeddings.

    Args:
        folder: a folder with ``words.npy``, int8 (pieces, width), and ``scales.npy``, float32 (pieces, 1).

    Raises:
        OSError, ValueError: the files cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._rows = np.load(folder / "words.npy", mmap_mode="r", allow_pickle=False)
        self._scales = np.load(folder / "scales.npy", allow_pickle=False)
        if self._rows.dtype != np.int8 or self._scales.shape != (len(self._rows), 1):
            raise ValueError(f"{folder}: not a table of word embeddings")

    def __call__(self, ids: npt.NDArray[np.int64]) -> Floats:
        """Return the embeddings of pieces: float32, of the shape of ``ids`` and the width."""
        embeddings: Floats = self._rows[ids].astype(np.float32)
        embeddings *= self._scales[ids]
        return embeddings


def write_words(weight: Floats, folder: Path) -> None:
    """Write a table (pieces, width) in 8 bits."""
    scale = np.maximum(np.abs(weight).max(axis=1, keepdims=True), 1e-8) / 127
    np.save(folder / "words.npy", np.rint(weight / scale).astype(np.int8))
    np.save(folder / "scales.npy", scale.astype(np.float32))
