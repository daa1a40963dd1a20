"""Pairs of rows of two tables, and the number of words that each pair shares.

Node alignment weighs each unit of one text against each unit of the other. For two sentences it is fastest to do so for
all pairs at once, in matrices. For long texts these matrices would grow with the square of the length, while nearly all
of their cells are zero, because a unit shares words with few others. There only the pairs are kept that share a word.
Both ways do the same operations on the same numbers, so they give the same weights to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from usim.measures._arrays import EdgeTable, FloatArray, IntArray

BoolArray = npt.NDArray[np.bool_]
_Array = npt.NDArray[Any]

#: Up to so many pairs matrices are faster.
_DENSE = 10_000


class AllPairs:
    """All pairs of a row of ``a`` and a row of ``b``, as matrices (g, h).

    Attributes:
        overlap: float64 (g, h); the number of aligned pairs of tokens between two yields, 1 for two empty ones.
    """

    def __init__(self, a: EdgeTable, b: EdgeTable, source: IntArray, output: IntArray) -> None:
        """Pair the rows of two tables under an alignment of the tokens ``source`` to the tokens ``output``."""
        self._a, self._b = a, b
        self.overlap: FloatArray = (a.members.take(source, axis=0).T @ b.members.take(output, axis=0)).astype(
            np.float64
        )
        if a.empty is not None and b.empty is not None:
            self.overlap += a.empty[:, None] * b.empty

    def of_a(self, values: _Array) -> _Array:
        """Give each pair the value of its row of ``a``."""
        return values[:, None]

    def of_b(self, values: _Array) -> _Array:
        """Give each pair the value of its row of ``b``."""
        return values

    def over_a(self, is_chosen: BoolArray) -> BoolArray:
        """Return for each row of ``a`` whether one of the chosen tokens is in its yield."""
        over: BoolArray = is_chosen.astype(np.float32) @ self._a.members > 0
        return over

    def over_b(self, is_chosen: BoolArray) -> BoolArray:
        """Return for each row of ``b`` whether one of the chosen tokens is in its yield."""
        over: BoolArray = is_chosen.astype(np.float32) @ self._b.members > 0
        return over

    def greatest_in_a(self, weights: FloatArray) -> FloatArray:
        """Give each pair the greatest weight of all pairs with the same row of ``a``."""
        greatest: FloatArray = weights.max(axis=1, keepdims=True)
        return greatest

    def greatest_in_b(self, weights: FloatArray) -> FloatArray:
        """Give each pair the greatest weight of all pairs with the same row of ``b``."""
        greatest: FloatArray = weights.max(axis=0)
        return greatest

    def best(
        self, forward: FloatArray, backward: FloatArray, allowed: FloatArray
    ) -> tuple[IntArray, IntArray, BoolArray, BoolArray]:
        """Choose the first pair of greatest weight for each row.

        Returns:
            for each row of ``a`` one of ``b`` by the weights ``forward``; for each row of ``b`` one of ``a`` by
            ``backward``; and for the rows of ``a`` and of ``b`` whether ``allowed`` is positive at the pair chosen.
        """
        out, back = forward.argmax(axis=1), backward.argmax(axis=0)
        g, h = forward.shape
        return out, back, allowed[np.arange(g), out] > 0, allowed[back, np.arange(h)] > 0


class OverlappingPairs:
    """The pairs of a row of ``a`` and a row of ``b`` that share a word, as arrays (k,): the interface of AllPairs."""

    def __init__(self, a: EdgeTable, b: EdgeTable, source: IntArray, output: IntArray) -> None:
        self._a, self._b = a, b
        shared = a.sparse_members[source].T.tocsr() @ b.sparse_members[output]
        if a.empty is not None and b.empty is not None:
            from scipy.sparse import csr_array

            shared += csr_array(a.empty[:, None]) @ csr_array(b.empty[None, :])
        shared.sort_indices()
        self.overlap: FloatArray = shared.data
        self._shape = g, _ = shared.shape
        self._columns = shared.indices.astype(np.int64)
        self._rows = np.repeat(np.arange(g), np.diff(shared.indptr))
        self._by_column = np.argsort(self._columns, kind="stable")

    def of_a(self, values: _Array) -> _Array:
        of_rows: _Array = values[self._rows]
        return of_rows

    def of_b(self, values: _Array) -> _Array:
        of_columns: _Array = values[self._columns]
        return of_columns

    def over_a(self, is_chosen: BoolArray) -> BoolArray:
        return _rows_over(self._a, is_chosen)

    def over_b(self, is_chosen: BoolArray) -> BoolArray:
        return _rows_over(self._b, is_chosen)

    def greatest_in_a(self, weights: FloatArray) -> FloatArray:
        return _greatest(weights, self._rows)

    def greatest_in_b(self, weights: FloatArray) -> FloatArray:
        greatest = np.empty_like(weights)
        greatest[self._by_column] = _greatest(weights[self._by_column], self._columns[self._by_column])
        return greatest

    def best(
        self, forward: FloatArray, backward: FloatArray, allowed: FloatArray
    ) -> tuple[IntArray, IntArray, BoolArray, BoolArray]:
        g, h = self._shape
        order = self._by_column
        out, has_partner = _first_greatest(forward, self._rows, self._columns, allowed, g)
        back, has_partner_back = _first_greatest(
            backward[order], self._columns[order], self._rows[order], allowed[order], h
        )
        return out, back, has_partner, has_partner_back


def row_pairs(a: EdgeTable, b: EdgeTable, source: IntArray, output: IntArray) -> AllPairs | OverlappingPairs:
    """Pair the rows of two tables in the way that is faster for their sizes."""
    few = len(a.sizes) * len(b.sizes) <= _DENSE
    return (AllPairs if few else OverlappingPairs)(a, b, source, output)


def _rows_over(table: EdgeTable, is_chosen: BoolArray) -> BoolArray:
    over: BoolArray = np.bincount(table.rows[is_chosen[table.tokens]], minlength=len(table.sizes)) > 0
    return over


def _greatest(weights: FloatArray, groups: IntArray) -> FloatArray:
    """Give each weight the greatest of its group; ``groups`` ascends."""
    starts = _starts(groups)
    if not len(starts):
        return weights
    greatest: FloatArray = np.repeat(np.maximum.reduceat(weights, starts), np.diff(starts, append=len(groups)))
    return greatest


def _first_greatest(
    weights: FloatArray, groups: IntArray, members: IntArray, allowed: FloatArray, n: int
) -> tuple[IntArray, BoolArray]:
    """Choose the member of the first greatest weight of each group, and whether it is allowed."""
    chosen, is_allowed = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    greatest = (weights == _greatest(weights, groups)).nonzero()[0]
    first = greatest[_starts(groups[greatest])]
    chosen[groups[first]] = members[first]
    is_allowed[groups[first]] = allowed[first] > 0
    return chosen, is_allowed


def _starts(groups: IntArray) -> IntArray:
    """Return where each group begins; ``groups`` ascends."""
    return np.flatnonzero(np.diff(groups, prepend=-1))
