"""chrF, the overlap of two texts in character n-grams, computed from the stretches that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein


def chrf(source: str, target: str, order: int = 6, beta: float = 2.0) -> tuple[float, float, float]:
    """Return chrF (Popović 2015) of two texts without white space, its recall and its precision, each in [0, 1].

    The source is the reference. The result is the same as by counting all n-grams. N-grams inside a stretch that is
    equal on both sides, along a cheapest edit path, are in both texts, so only those that touch changes are counted.
    (``min(c + x, c + y) = c + min(x, y)``.)

    Args:
        source, target: the texts without white space.
        order: the length of the longest n-grams, in characters.
        beta: how many times as much recall counts as precision.
    """
    if source == target:
        return 1.0, 1.0, 1.0
    n, m = len(source), len(target)
    blocks = [(a, b, size) for a, b, size in Levenshtein.opcodes(source, target).as_matching_blocks() if size]
    recalls = precisions = 0.0
    orders = min(order, n, m)
    for k in range(1, orders + 1):
        blocks = [block for block in blocks if block[2] >= k]
        common = sum(size for _, _, size in blocks) - (k - 1) * len(blocks)
        left = Counter(_outside(source, k, [(a, size) for a, _, size in blocks]))
        right = Counter(_outside(target, k, [(b, size) for _, b, size in blocks]))
        common += (left & right).total()
        recalls += common / (n - k + 1)
        precisions += common / (m - k + 1)
    if not recalls:
        return 0.0, 0.0, 0.0
    recall, precision = recalls / orders, precisions / orders
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall), recall, precision


def _outside(text: str, k: int, blocks: list[tuple[int, int]]) -> Iterator[str]:
    """Yield the n-grams of ``k`` characters that are not inside a block."""
    start = 0
    for at, size in (*blocks, (len(text) - k + 1, 0)):
        yield from (text[i : i + k] for i in range(start, at))
        start = at + size - k + 1
