"""A graph as numpy arrays: what the measures compute on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from usim.graph import Graph


@dataclass(frozen=True)
class GraphArrays:
    """Arrays over the units (``n``) and terminals (``m``) of one graph.

    Attributes:
        membership: float32 (n, m); 1 where the terminal is in the unit's yield.
        sizes: int64 (n,); the number of terminals in each yield.
    """

    membership: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.int64]

    @classmethod
    def of(cls, graph: Graph) -> GraphArrays:
        n, m = len(graph.units), len(graph.terminals)
        width = (m + 7) // 8
        packed = np.frombuffer(b"".join(y.to_bytes(width, "little") for y in graph.yields), np.uint8)
        unpacked = np.unpackbits(packed.reshape(n, width), axis=1, count=m, bitorder="little")
        return cls(unpacked.astype(np.float32), unpacked.sum(axis=1, dtype=np.int64))
