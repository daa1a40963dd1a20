"""The best constituent trees under scores of spans (Cocke-Kasami-Younger; Stern et al. 2017), in numpy.

The spans of ``n`` words are numbered row by row: ``(0, 1), (0, 2), ..., (0, n), (1, 2), ...``. Each span has one score,
that of its best label, or 0, the score of having no label, if that is higher. A tree over words splits every
span into two until single words are left; the best tree has the largest sum of scores. A span without a label is just a
step of the splitting.

A batch of sentences is decoded at once: one step of numpy for all spans of one width in all sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]


@lru_cache(maxsize=64)
def spans_of(n: int) -> tuple[Ints, Ints]:
    """Return the starts and ends of all spans of ``n`` words, in the order in which they are numbered.

    >>> [list(map(int, a)) for a in spans_of(3)]
    [[0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]]
    """
    i, j = np.triu_indices(n)
    return i, j + 1


def span_number(i: int, j: int, n: int) -> int:
    """Return the number of the span ``(i, j)`` among those of ``n`` words."""
    return i * n - i * (i - 1) // 2 + j - i - 1


def best_spans(scores: Floats, sizes: Sequence[int]) -> list[list[tuple[int, int, int]]]:
    """Return the labelled spans of the best tree of each sentence.

    Args:
        scores: one score a span, those of all sentences after each other; what is below 0 counts as 0.
        sizes: the number of words of each sentence.

    Returns:
        For each sentence the spans of its best tree that score more than 0, parents before children, left to right:
        (start, end, number of the span in ``scores``). Of several trees that are equally good, the one that splits
        earlier.
    """
    if not sizes:
        return []
    n, batch = max(sizes), len(sizes)
    gains = np.maximum(scores, 0)
    # total[w, b, i] is the best sum of the span of w + 1 words from word i on. It starts as the score of that span;
    # step w of the loop completes it. What one step adds up or compares lies side by side in memory.
    total = np.zeros((n, batch, n + 1), dtype=np.float32)
    split = np.zeros(total.shape, dtype=np.int16 if n < 2**15 else np.int64)
    offset, offsets = 0, []
    flat = total.reshape(-1)
    for b, size in enumerate(sizes):
        offsets.append(offset)
        i, j = spans_of(size)
        flat[(j - i - 1) * (batch * (n + 1)) + (i + b * (n + 1))] = gains[offset : offset + len(i)]
        offset += len(i)
    page, row, step = total.strides
    for w in range(1, n):
        count = n - w
        # Entry [k, b, i] of the second: the part from i + k + 1 to the end of the span, of w - k words.
        rest = np.ndarray((w, batch, count), np.float32, total, (w - 1) * page + step, (step - page, row, step))
        sums = total[:w, :, :count] + rest
        np.add(total[w, :, :count], sums.max(axis=0), out=total[w, :, :count])
        split[w, :, :count] = sums.argmax(axis=0)
    return [
        _read(split[:size, b, :size].tolist(), gains[offsets[b] :], size, offsets[b]) for b, size in enumerate(sizes)
    ]


def _read(split: list[list[int]], gains: Floats, n: int, offset: int) -> list[tuple[int, int, int]]:
    if not n:
        return []
    good = (gains[: n * (n + 1) // 2] > 0).tolist()
    labelled_spans = []
    stack = [(0, n)]
    while stack:
        i, j = stack.pop()
        number = span_number(i, j, n)
        if good[number]:
            labelled_spans.append((i, j, number + offset))
        if j - i > 1:
            middle = i + 1 + split[j - i - 1][i]
            stack.append((middle, j))
            stack.append((i, middle))
    return labelled_spans
