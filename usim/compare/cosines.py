"""The cosines of all tokens of one sentence with all tokens of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from usim.compare.once import once

Floats = npt.NDArray[np.float32]


class Cosines:
    """The cosines of the vectors of two sentences: ``cosines[i, j]`` of a source token and a target token.

    Args:
        source, target: vectors of length 1, (tokens, width); at least one on either side.
    """

    def __init__(self, source: Floats, target: Floats) -> None:
        self.source, self.target = source, target
        self._table: Floats = source @ target.T

    def __getitem__(self, pair: tuple[int, int]) -> float:
        return float(self._table[pair])

    def of_pairs(self, pairs: Sequence[tuple[int, int]]) -> list[float]:
        """Return the cosines of pairs of a source token and a target token."""
        if not pairs:
            return []
        cosines: list[float] = self._table[[i for i, _ in pairs], [j for _, j in pairs]].tolist()
        return cosines

    @once
    def best_of_source(self) -> Floats:
        """For each source token its highest cosine with a target token, (tokens,)."""
        best: Floats = self._table.max(axis=1)
        return best

    @once
    def best_of_target(self) -> Floats:
        """For each target token its highest cosine with a source token, (tokens,)."""
        best: Floats = self._table.max(axis=0)
        return best
