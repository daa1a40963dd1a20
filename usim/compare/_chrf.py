"""chrF, the overlap of two texts in character n-grams."""

from __future__ import annotations

from collections import Counter

_LONGEST = 6  # characters
_BETA = 2.0  # so many times as much recall counts as precision


def chrf(source: str, target: str) -> tuple[float, float, float]:
    """Return chrF (Popović 2015) of two texts without white space, its recall and its precision, each in [0, 1].

    The source is the reference.
    """
    if source == target:
        return 1.0, 1.0, 1.0
    n, m = len(source), len(target)
    orders = min(_LONGEST, n, m)
    recalls = precisions = 0.0
    for k in range(1, orders + 1):
        grams, others = (Counter(text[i : i + k] for i in range(len(text) - k + 1)) for text in (source, target))
        common = (grams & others).total()
        recalls += common / (n - k + 1)
        precisions += common / (m - k + 1)
    if not recalls:
        return 0.0, 0.0, 0.0
    recall, precision = recalls / orders, precisions / orders
    return (1 + _BETA**2) * precision * recall / (_BETA**2 * precision + recall), recall, precision
