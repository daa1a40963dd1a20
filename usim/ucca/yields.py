"""Yields of units as bit sets, and ways down a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a bit set, in ascending order.

    >>> list(bits(0b1011))
    [0, 1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def bit_set(positions: Iterable[int]) -> int:
    """Return the bit set of some positions.

    >>> bin(bit_set([3, 0, 1]))
    '0b1011'
    """
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def reaches(below: Sequence[set[int]], start: int, goal: int) -> bool:
    """Return whether there is a way down from one node to another; ``below`` has the children of each."""
    seen, stack = {start}, [start]
    while stack:
        node = stack.pop()
        if node == goal:
            return True
        new = below[node] - seen
        seen |= new
        stack.extend(new)
    return False
