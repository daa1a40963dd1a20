"""The cosines of all tokens of one sentence with all tokens of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from usim.compare.once import once

Floats = npt.NDArray[np.float32]

#: A table of so many cosines (128 MB) is kept. Of longer sentences blocks are computed when they are needed.
MAX_CELLS = 1 << 25
#: So many cosines (16 MB) are computed at a time.
_BLOCK = 1 << 22


class Cosines:
    """The cosines of the vectors of two sentences: ``cosines[i, j]`` of a source token and a target token.

    Args:
        source, target: vectors of length 1, (tokens, width); at least one on either side.
        max_cells: larger tables are not kept. Cosines may then differ in their last bits.
        block: how many cosines of a larger table are computed at a time.
    """

    def __init__(self, source: Floats, target: Floats, max_cells: int = MAX_CELLS, block: int = _BLOCK) -> None:
        self._source, self._target, self._block = source, target, block
        self._table = source @ target.T if len(source) * len(target) <= max_cells else None

    def __getitem__(self, pair: tuple[int, int]) -> float:
        i, j = pair
        return float(self._source[i] @ self._target[j] if self._table is None else self._table[i, j])

    def of_pairs(self, pairs: Sequence[tuple[int, int]]) -> list[float]:
        """Return the cosines of pairs of a source token and a target token."""
        if not pairs:
            return []
        rows, columns = [i for i, _ in pairs], [j for _, j in pairs]
        if self._table is not None:
            kept: list[float] = self._table[rows, columns].tolist()
            return kept
        step = max(1, self._block // self._source.shape[1])
        blocks = [
            np.einsum("ij,ij->i", self._source[rows[k : k + step]], self._target[columns[k : k + step]])
            for k in range(0, len(rows), step)
        ]
        return [cosine for block in blocks for cosine in block.tolist()]

    @property
    def best_of_source(self) -> Floats:
        """For each source token its highest cosine with a target token, (tokens,)."""
        return self._best[0]

    @property
    def best_of_target(self) -> Floats:
        """For each target token its highest cosine with a source token, (tokens,)."""
        return self._best[1]

    @once
    def _best(self) -> tuple[Floats, Floats]:
        if self._table is not None:
            return np.maximum.reduce(self._table, 1), np.maximum.reduce(self._table, 0)
        best = np.empty(len(self._source), np.float32), np.full(len(self._target), -np.inf, np.float32)
        step = max(1, self._block // len(self._target))
        for start in range(0, len(self._source), step):
            block = self._source[start : start + step] @ self._target.T
            np.maximum.reduce(block, 1, out=best[0][start : start + step])
            np.maximum(best[1], np.maximum.reduce(block, 0), out=best[1])
        return best
