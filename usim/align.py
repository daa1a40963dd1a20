"""Which words and which units of two texts belong together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from usim._arrays import IntArray, normalised
from usim.errors import AlignmentError
from usim.graph import Graph


@dataclass(frozen=True, eq=False)
class Alignment:
    """A one-to-one alignment of the tokens of two texts.

    Attributes:
        to_output: int64 (n,); for each source token the output token that it is aligned to, -1 for none.
        n_output: the number of output tokens.
    """

    to_output: IntArray
    n_output: int

    @classmethod
    def from_pairs(cls, pairs: Iterable[Sequence[int]], n_source: int, n_output: int) -> Alignment:
        """An alignment of your own, as pairs of positions from 0; pairs with a -1 say that a token has no partner.

        Raises:
            AlignmentError: a position outside of the text, or a token aligned twice.
        """
        to_output = np.full(n_source, -1, np.int64)
        taken: set[int] = set()
        for i, j in pairs:
            if not (-1 <= i < n_source and -1 <= j < n_output):
                raise AlignmentError(f"tokens {i} and {j} aligned in texts of {n_source} and {n_output} tokens")
            if i < 0 or j < 0:
                continue
            if to_output[i] >= 0 or j in taken:
                raise AlignmentError(f"a token aligned twice: source token {i} or output token {j}")
            taken.add(j)
            to_output[i] = j
        return cls(to_output, n_output)

    @classmethod
    def identity(cls, n: int) -> Alignment:
        """Each token aligned to the token at its own position."""
        return cls(np.arange(n), n)

    @property
    def n_source(self) -> int:
        """The number of source tokens."""
        return len(self.to_output)

    @cached_property
    def source(self) -> IntArray:
        """int64 (k,): the aligned source tokens, ascending."""
        return np.flatnonzero(self.to_output >= 0)

    @cached_property
    def output(self) -> IntArray:
        """int64 (k,): their partners."""
        return self.to_output[self.source]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The aligned pairs, in the order of the source."""
        return list(zip(self.source.tolist(), self.output.tolist(), strict=True))

    @cached_property
    def reversed(self) -> Alignment:
        """The same alignment, seen from the output."""
        back = np.full(self.n_output, -1, np.int64)
        back[self.output] = self.source
        return Alignment(back, self.n_source)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alignment):
            return NotImplemented
        return self.n_output == other.n_output and np.array_equal(self.to_output, other.to_output)

    def __hash__(self) -> int:
        return hash((self.to_output.tobytes(), self.n_output))


def align_tokens(source: Sequence[str], output: Sequence[str]) -> Alignment:
    """Align the tokens of two texts."""
    return _align([normalised(t) for t in source], [normalised(t) for t in output])


def align_graphs(source: Graph, output: Graph) -> Alignment:
    """Align the terminals of two graphs."""
    return _align(source.arrays.words, output.arrays.words)


def _align(a: Sequence[str], b: Sequence[str]) -> Alignment:
    n, m = len(a), len(b)
    to_output = np.full(n, -1, np.int64)
    if n and m:
        cost = cdist(a, b, scorer=Levenshtein.distance, dtype=np.int64) * max(n, m) + _displacement(n, m)
        rows, columns = linear_sum_assignment(cost)
        to_output[rows] = columns
    return Alignment(to_output, m)


@lru_cache(256)
def _displacement(n: int, m: int) -> npt.NDArray[np.int64]:
    return np.abs(np.arange(n)[:, None] - np.arange(m))
