"""The best constituent tree under scores of spans (Cocke-Kasami-Younger; Stern et al. 2017), in numpy.

The spans of ``n`` words are numbered row by row: ``(0, 1), (0, 2), ..., (0, n), (1, 2), ...``. Each span has one score, that
of its best label, and never less than 0, which is the score of having no label. A tree over words splits every span into
two until single words are left; the best tree has the largest sum of scores. So the labels need not nest of themselves,
and a span without a label is just a step of the splitting.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def best_spans(scores: Floats, n: int) -> list[int]:
    """The numbers of the spans of the best tree that score more than 0, parents first.

    Args:
        scores: one score a span, ``n * (n + 1) / 2`` of them; what is below 0 counts as 0.
        n: the number of words.
    """
    if n == 0:
        return []
    gains = np.maximum(scores, 0)
    # total[i, j]: the best sum for the span (i, j). Its transpose is kept as well, to read rows in both.
    total = np.zeros((n + 1, n + 1), dtype=np.float32)
    flipped = np.zeros((n + 1, n + 1), dtype=np.float32)
    own = np.zeros((n + 1, n + 1), dtype=np.float32)
    own[_upper(n)] = gains
    split = np.zeros((n + 1, n + 1), dtype=np.intp)
    one = np.arange(n)
    total[one, one + 1] = flipped[one + 1, one] = own[one, one + 1]
    size = total.itemsize
    row = total.strides[0]
    for width in range(2, n + 1):
        count = n - width + 1
        # sums[i, k]: (i, i + 1 + k) and (i + 1 + k, i + width)
        first = np.lib.stride_tricks.as_strided(total[0:, 1:], (count, width - 1), (row + size, size))
        second = np.lib.stride_tricks.as_strided(flipped[width:, 1:], (count, width - 1), (row + size, size))
        sums = first + second
        k = sums.argmax(axis=1)
        i = one[:count]
        best = sums[i, k] + own[i, i + width]
        total[i, i + width] = best
        flipped[i + width, i] = best
        split[i, i + width] = i + 1 + k
    return _read(split.tolist(), gains.tolist(), n)


def _read(split: list[list[int]], gains: list[float], n: int) -> list[int]:
    found = []
    stack = [(0, n)]
    while stack:
        i, j = stack.pop()
        number = i * n - i * (i - 1) // 2 + j - i - 1
        if gains[number] > 0:
            found.append(number)
        if j - i > 1:
            middle = split[i][j]
            stack.append((middle, j))
            stack.append((i, middle))
    return found


_UPPER: dict[int, tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]] = {}


def _upper(n: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The starts and ends of all spans of ``n`` words, in order; those of short sentences are kept."""
    made = _UPPER.get(n)
    if made is None:
        i, j = np.triu_indices(n)
        made = (i, j + 1)
        if n <= 64:
            _UPPER[n] = made
    return made


def spans_of(n: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The starts and ends of all spans of ``n`` words, in the order in which they are numbered."""
    return _upper(n)
