"""Packed weights and tables of word embeddings: fewer bits on disk than in memory.

A large model's matrices are stored with few bits a weight: each weight is the number of a level, and the levels of a
matrix are multiplied by a scale for each group of weights that stand below each other. When the model is loaded, they
become what the graph multiplies by: 8 bits and a scale for each column (see ``training/onnx_graph.py``). Matrices that
are stored in these 8 bits already are taken as they are.

The file is an ``.npz`` archive. It has for a matrix NAME of the graph (inputs, outputs) either ``NAME.rows`` and
``NAME.columns``, or ``NAME.codes``, ``NAME.levels``, ``NAME.scales`` and ``NAME.inputs`` (:func:`unpack`). The graph
reads them as ``NAME.weight``, int8, and ``NAME.scale``, float32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
#: The largest weight in 8 bits; two products with an input of 8 bits fit into 16 bits.
LARGEST = 63
#: How many weights of a column share a scale.
GROUP = 64
_PARTS = ("codes", "levels", "scales", "inputs")


def quantise_columns(weight: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return a matrix (inputs, outputs) in 8 bits, and the scale of each column."""
    scale = np.maximum(np.abs(weight).max(axis=0), 1e-8) / LARGEST
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)


def unpack(
    codes: npt.NDArray[np.uint8], levels: Floats, scales: npt.NDArray[np.float16], inputs: int | None = None
) -> Floats:
    """Return a matrix (inputs, outputs) from 4 bits a weight.

    Args:
        codes: (rows / 2, outputs): the numbers of the levels of two rows, the upper one in the lower half byte.
        levels: 16 numbers.
        scales: (rows / :data:`GROUP`, outputs).
        inputs: how many of the rows there really are; the others fill up the last group.
    """
    rows, outputs = 2 * len(codes), codes.shape[1]
    values = np.empty((len(codes), 2, outputs), np.float32)
    values[:, 0] = levels[codes & 15]
    values[:, 1] = levels[codes >> 4]
    grouped = values.reshape(len(scales), -1, outputs)
    grouped *= scales[:, None].astype(np.float32)
    return values.reshape(rows, outputs)[:inputs]


def read_weights(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the matrices of a file as the graph reads them: for each ``NAME.weight`` and ``NAME.scale``."""
    weights: dict[str, npt.NDArray[Any]] = {}
    # Opened here: numpy leaves a damaged file open.
    with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
        for name in sorted({entry.rpartition(".")[0] for entry in file.files}):
            if f"{name}.rows" in file.files:
                rows, scale = file[f"{name}.rows"], file[f"{name}.columns"]
            else:
                codes, levels, scales, inputs = (file[f"{name}.{part}"] for part in _PARTS)
                rows, scale = quantise_columns(unpack(codes, levels, scales, int(inputs)))
            weights |= {f"{name}.weight": rows, f"{name}.scale": scale}
    return weights


class EmbeddingTable:
    """A table of word embeddings in 4 bits: the numbers of 16 levels, with a scale for each 64 of a row.

    It is mapped into memory: a parser, a judge and several processes share one.

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
