"""The chart decoder of training: that of :mod:`usim.parsing.chart`, compiled, over a batch."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def _decode(gains, offset, n, chosen):  # type: ignore[no-untyped-def]
    total = np.zeros((n + 1, n + 1), dtype=np.float32)
    flipped = np.zeros((n + 1, n + 1), dtype=np.float32)
    split = np.zeros((n + 1, n + 1), dtype=np.int32)
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            best = np.float32(0.0)
            if width > 1:
                best = np.float32(-1e30)
                for k in range(i + 1, j):
                    value = total[i, k] + flipped[j, k]
                    if value > best:
                        best = value
                        split[i, j] = k
            best += gains[offset + i * n - i * (i - 1) // 2 + width - 1]
            total[i, j] = best
            flipped[j, i] = best
    stack = np.zeros((2 * n + 2, 2), dtype=np.int32)
    stack[0, 1] = n
    top = 1
    while top:
        top -= 1
        i, j = stack[top]
        chosen[offset + i * n - i * (i - 1) // 2 + j - i - 1] = True
        if j - i > 1:
            k = split[i, j]
            stack[top, 0], stack[top, 1] = i, k
            stack[top + 1, 0], stack[top + 1, 1] = k, j
            top += 2


@njit(cache=True)
def decode(gains, sizes):  # type: ignore[no-untyped-def]
    """Return which spans are in the best binary tree of each sentence, labelled or not.

    Args:
        gains: float32; the score of each span, all sentences after each other, spans in the order of the chart.
        sizes: int64; the number of words of each sentence.
    """
    chosen = np.zeros(len(gains), dtype=np.bool_)
    offset = 0
    for n in sizes:
        _decode(gains, offset, n, chosen)
        offset += n * (n + 1) // 2
    return chosen
