"""Where two lists of words differ."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Postfix, Prefix


def differing(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, int]:
    """Return where two sentences differ: the first place, and where the stretch ends in each.

    >>> differing(["an", "old", "man"], ["an", "aged", "blind", "man"])
    (1, 2, 3)
    """
    start = Prefix.similarity(one, other)
    end = Postfix.similarity(one[start:], other[start:])
    return start, len(one) - end, len(other) - end
