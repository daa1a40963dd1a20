"""Texts and tables for people: what is safe to display, columns that line up, and headers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_NAME = re.compile(r"[a-z][a-z0-9]*(?:[ _-][a-z0-9]+)?", re.IGNORECASE)
#: What columns of texts and of suggestions are called.
_USUAL = frozenset(
    "id name line source sources src input original orig before noisy incorrect sentence sentences sent text output"
    " outputs out target targets tgt hyp hypothesis reference ref after changed clean correct correction corrections"
    " corrected prediction predictions candidate start end substitute substitutes suggestion suggestions label score"
    " lang language".split()
)


def is_header(cells: Sequence[str], known: Collection[str] = ()) -> bool:
    """Return whether cells look like the names of columns.

    That is so if all of them look like names, and two of them are usual names or one is known.

    Args:
        cells: the cells of a line.
        known: names that a reader expects.

    >>> is_header(["src", "tgt"]), is_header(["source", "mine"], known=["source", "output"])
    (True, True)
    >>> is_header(["He go home.", "He goes home."]), is_header(["cat", "cats"])
    (False, False)
    """
    names = [cell.strip() for cell in cells]
    if not all(_NAME.fullmatch(name) for name in names):
        return False
    usual = sum(any(part in _USUAL for part in re.split("[ _-]", name.lower())) for name in names)
    return usual >= 2 or (len(names) > 1 and any(name in known for name in names))


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
