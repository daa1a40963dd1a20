"""Texts and tables for people: what is safe to display, and columns that line up."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def printable(text: str) -> str:
    """Return a text without the characters that would steer a terminal or that XML cannot hold.

    >>> printable("a\\x1bb")
    'a\ufffdb'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows as lines with columns of equal width; the columns in ``right`` are flush right.

    >>> aligned([["gap", "9.5"], ["best_p", "12.25"]], right=[1])
    ['gap       9.5', 'best_p  12.25']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
