"""The best constituent trees under scores of spans (Cocke-Kasami-Younger; Stern et al. 2017), in numpy.

The spans of ``n`` words are numbered row by row: ``(0, 1), (0, 2), ..., (0, n), (1, 2), ...``. Each span has one score,
that of its best label, and never less than 0, which is the score of having no label. A tree over words splits every
span into two until single words are left; the best tree has the largest sum of scores. A span without a label is just a
step of the splitting.

A batch of sentences is decoded at once: one step of numpy for all spans of one width in all sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.intp]

_KEPT_UP_TO = 64
_kept: dict[int, tuple[Ints, Ints]] = {}


def spans_of(n: int) -> tuple[Ints, Ints]:
    """The starts and ends of all spans of ``n`` words, in the order in which they are numbered.

    >>> [list(map(int, a)) for a in spans_of(3)]
    [[0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]]
    """
    made = _kept.get(n)
    if made is None:
        i, j = np.triu_indices(n)
        made = (i, j + 1)
        if n <= _KEPT_UP_TO:
            _kept[n] = made
    return made


def span_number(i: int, j: int, n: int) -> int:
    """The number of the span ``(i, j)`` among those of ``n`` words."""
    return i * n - i * (i - 1) // 2 + j - i - 1


def best_spans(scores: Floats, sizes: Sequence[int]) -> list[list[tuple[int, int, int]]]:
    """The labelled spans of the best tree of each sentence.

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
    own = np.zeros((batch, n + 1, n + 1), dtype=np.float32)
    offset, offsets = 0, []
    for b, size in enumerate(sizes):
        offsets.append(offset)
        i, j = spans_of(size)
        own[b, i, j] = gains[offset : offset + len(i)]
        offset += len(i)
    # total[b, i, j] is the best sum of the span (i, j). It is kept the other way round as well, [b, j, i], so that the
    # two halves of a span are rows of memory in both.
    total = np.zeros_like(own)
    flipped = np.zeros_like(own)
    split = np.zeros(own.shape, dtype=np.int16 if n < 2**15 else np.int64)
    one = np.arange(n)
    total[:, one, one + 1] = flipped[:, one + 1, one] = own[:, one, one + 1]
    step, row, page = total.strides[2], total.strides[1], total.strides[0]
    view = np.lib.stride_tricks.as_strided
    for width in range(2, n + 1):
        count = n - width + 1
        shape, strides = (batch, count, width - 1), (page, row + step, step)
        # Entry [b, i, k]: the parts (i, i + 1 + k) and (i + 1 + k, i + width).
        sums = view(total[:, 0:, 1:], shape, strides) + view(flipped[:, width:, 1:], shape, strides)
        k = sums.argmax(axis=2)
        i = one[:count]
        best = np.take_along_axis(sums, k[:, :, None], axis=2)[:, :, 0] + own[:, i, i + width]
        total[:, i, i + width] = best
        flipped[:, i + width, i] = best
        split[:, i, i + width] = k + (i + 1)
    return [
        _read(split[b, :size, : size + 1].tolist(), gains[offsets[b] :], size, offsets[b])
        for b, size in enumerate(sizes)
    ]


def _read(split: list[list[int]], gains: Floats, n: int, offset: int) -> list[tuple[int, int, int]]:
    if not n:
        return []
    good = (gains[: n * (n + 1) // 2] > 0).tolist()
    found = []
    stack = [(0, n)]
    while stack:
        i, j = stack.pop()
        number = i * n - i * (i - 1) // 2 + j - i - 1
        if good[number]:
            found.append((i, j, number + offset))
        if j - i > 1:
            middle = split[i][j]
            stack.append((middle, j))
            stack.append((i, middle))
    return found
