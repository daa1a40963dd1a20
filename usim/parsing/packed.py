"""Packed weights: fewer bits on disk than in memory.

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

from usim.parsing.network import import_onnxruntime, session_options

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


def load_packed_session(path: Path, weights: Path, threads: int = 1) -> Any:
    """Load a graph whose matrices stand in a file of packed weights.

    Args:
        path: the graph; its matrices are declared as data in another file.
        weights: the packed weights.
        threads: how many threads a run may use.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a graph that onnxruntime can run with these weights.
    """
    ort = import_onnxruntime()
    if not path.is_file():
        raise FileNotFoundError(path)
    names, values = [], []
    # Opened here: numpy leaves a damaged file open.
    with open(weights, "rb") as stream, np.load(stream, allow_pickle=False) as file:
        for name in sorted({entry.rpartition(".")[0] for entry in file.files}):
            if f"{name}.rows" in file.files:
                rows, scale = file[f"{name}.rows"], file[f"{name}.columns"]
            else:
                codes, levels, scales, inputs = (file[f"{name}.{part}"] for part in _PARTS)
                rows, scale = quantise_columns(unpack(codes, levels, scales, int(inputs)))
            for array, kind in ((rows, "weight"), (scale, "scale")):
                names.append(f"{name}.{kind}")
                values.append(ort.OrtValue.ortvalue_from_numpy(array))
    options = session_options(threads)
    options.add_external_initializers(names, values)
    try:
        return ort.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as e:  # onnxruntime has no common base class for its errors
        raise ValueError(str(e)) from e
