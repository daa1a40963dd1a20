"""Store the matrices of a large model with few bits a weight; :mod:`usim.parsing.packed` reads them.

In 4 bits, the 16 levels of a matrix are chosen for its weights (Lloyd 1982), after the weights of each group have been
divided by the largest of them. Matrices for which that is too coarse stay in 8 bits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.parsing.packed import GROUP, pack, quantise_columns

Floats = npt.NDArray[np.float32]
#: Smaller matrices stand in the graph itself.
_LEAST = 100_000
_ROUNDS = 30
_SAMPLE = 200_000


class Packing:
    """Collects the matrices of a graph.

    Args:
        bits: how many bits a weight has on disk, 4 or 8.
    """

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._arrays: dict[str, npt.NDArray[Any]] = {}

    def takes(self, weight: Floats) -> bool:
        """Return whether a matrix is large enough to stand beside the graph."""
        return weight.size >= _LEAST

    def add(self, name: str, weight: Floats) -> dict[str, tuple[int, ...]]:
        """Take a matrix (inputs, outputs), and return the shapes of its weights and of its scale.

        A matrix that is there already is left as it is: a graph may be built several times.
        """
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
    """Return 16 ascending levels for the weights of a matrix (inputs, outputs), divided by the largest of each group.

    The highest level is 1; the lowest is what suits the negative weights best. :func:`usim.parsing.packed.pack` may
    turn the signs of a group around.
    """
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
