"""chrF, the overlap of two texts in character n-grams."""

from __future__ import annotations

from collections import Counter


def chrf(source: str, target: str, order: int = 6, beta: float = 2.0) -> tuple[float, float, float]:
    """Return chrF (Popović 2015) of two texts without white space, its recall and its precision, each in [0, 1].

    The source is the reference.

    Args:
        source, target: the texts without white space.
        order: the length of the longest n-grams, in characters.
        beta: how many times as much recall counts as precision.
    """
    if source == target:
        return 1.0, 1.0, 1.0
    recalls = precisions = 0.0
    orders = min(order, len(source), len(target))
    for k in range(1, orders + 1):
        left, right = (Counter(text[i : i + k] for i in range(len(text) - k + 1)) for text in (source, target))
        common = (left & right).total()
        recalls += common / left.total()
        precisions += common / right.total()
    if not recalls:
        return 0.0, 0.0, 0.0
    recall, precision = recalls / orders, precisions / orders
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall), recall, precision
