"""Store the matrices of a large model with few bits a weight; :mod:`usim.parsing.packed` reads them.

In 4 bits, the 16 levels of a matrix are chosen for its weights (Lloyd 1982), after the weights of each group have been
divided by the largest of them. Matrices for which that is too coarse stay in 8 bits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.parsing.packed import GROUP, quantise_columns

Floats = npt.NDArray[np.float32]
#: Smaller matrices stand in the graph itself.
_LEAST = 100_000
_ROUNDS = 30
_SAMPLE = 200_000


def pack(weight: Floats, levels: Floats) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """Return codes and scales of a matrix (inputs, outputs) for :func:`usim.parsing.packed.unpack`.

    Each group gets the scale with the least squared error. ``levels`` are 16 ascending numbers; the largest is 1 or -1.
    """
    is_real = np.arange(-(-len(weight) // GROUP) * GROUP).reshape(-1, GROUP, 1) < len(weight)
    weight = np.pad(weight, ((0, -len(weight) % GROUP), (0, 0)))  # to fill up the last group
    inputs, outputs = weight.shape
    groups = weight.reshape(-1, GROUP, outputs)
    largest = np.maximum(np.abs(groups).max(axis=1), 1e-6)
    middles = (levels[1:] + levels[:-1]) / 2
    best = np.full(largest.shape, np.inf, np.float32)
    scales: npt.NDArray[np.float16] = np.zeros(largest.shape, np.float16)
    codes = np.zeros(groups.shape, np.uint8)
    for share in (1.0, 0.92, 0.85, -1.0, -0.92, -0.85):
        scale = (largest * share).astype(np.float16)
        divided = groups / scale[:, None].astype(np.float32)
        nearest = np.searchsorted(middles, divided.reshape(-1)).reshape(groups.shape).astype(np.uint8)
        error = (((levels[nearest] - divided) * scale[:, None]) ** 2 * is_real).sum(axis=1)
        better = error < best
        best = np.where(better, error, best)
        scales = np.where(better, scale, scales)
        codes = np.where(better[:, None], nearest, codes)
    rows = codes.reshape(inputs // 2, 2, outputs)
    return (rows[:, 0] | rows[:, 1] << 4).astype(np.uint8), scales


class Packing:
    """Collects the matrices of a graph; a weight has 4 or 8 bits on disk."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._arrays: dict[str, npt.NDArray[Any]] = {}

    def takes(self, weight: Floats) -> bool:
        """Return whether a matrix is large enough to stand beside the graph."""
        return weight.size >= _LEAST

    def add(self, name: str, weight: Floats) -> dict[str, tuple[int, ...]]:
        """Take a matrix (inputs, outputs) unless it is there; return the shapes of its weights and of its scale."""
        if f"{name}.rows" in self._arrays or f"{name}.codes" in self._arrays:
            pass
        elif self._bits == 8:
            self._arrays[f"{name}.rows"], self._arrays[f"{name}.columns"] = quantise_columns(weight)
        else:
            levels = levels_of(weight)
            codes, scales = pack(weight, levels)
            self._arrays |= {
                f"{name}.codes": codes,
                f"{name}.levels": levels,
                f"{name}.scales": scales,
                f"{name}.inputs": np.int64(len(weight)),
            }
        return {"weight": weight.shape, "scale": weight.shape[1:]}

    def save(self, path: Path) -> None:
        """Write the file."""
        np.savez(path, **self._arrays)


def levels_of(weight: Floats, seed: int = 1) -> Floats:
    """Return 16 ascending levels up to 1 for the weights of a matrix, divided by the largest of each group."""
    inputs = len(weight) - len(weight) % GROUP
    groups = weight[:inputs].reshape(-1, GROUP, weight.shape[1])
    place = np.abs(groups).argmax(axis=1, keepdims=True)
    largest = np.take_along_axis(groups, place, axis=1)  # with its sign: the largest of each group is always 1
    values = (groups / np.where(largest == 0, 1, largest)).reshape(-1)
    if len(values) > _SAMPLE:
        values = np.random.default_rng(seed).choice(values, _SAMPLE, replace=False)
    values = np.sort(values.astype(np.float64))
    inner = values[values < 1]
    levels = np.append(np.quantile(inner, (np.arange(15) + 0.5) / 15), 1.0)
    totals = np.concatenate([[0.0], np.cumsum(values)])
    for _ in range(_ROUNDS):
        ends = np.searchsorted(values, (levels[1:] + levels[:-1]) / 2)
        first, last = np.append(0, ends), np.append(ends, len(values))
        means = (totals[last] - totals[first]) / np.maximum(1, last - first)
        levels = np.where(last > first, means, levels)
        levels[-1] = 1.0
        levels.sort()
    return levels.astype(np.float32)
