"""Texts and tables for people: what is safe to display, and columns that line up."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

#: Characters that steer a terminal or turn the direction of a line round, and halves of surrogate pairs.
_STEERING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
#: What a spreadsheet takes for a formula, behind the marks of what is none.
_FORMULA = re.compile("'*[=+@\t\r＝＋－＠-]")


def printable(text: str) -> str:
    """Return a text without the characters that would steer a terminal or that XML cannot hold.

    >>> printable("a\\x1bb")
    'a\ufffdb'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def visible(text: str) -> str:
    """Return a text for a terminal, with its line ends and tabs, without the characters that would steer it.

    >>> visible("a\\x1b[2J\\tb\\u202e")
    'a\ufffd[2J\\tb\ufffd'
    """
    return _STEERING.sub("\ufffd", text)


def unbroken(text: str) -> str:
    """Return a text as it can be shown, with blanks in place of its line ends and tabs.

    >>> unbroken("a\\r\\n  b\\x1b")
    'a   b\ufffd'
    """
    return printable(re.sub("\r\n|[\n\t]", " ", text))


def counted(number: int, noun: str) -> str:
    """Return a number with what it counts.

    >>> counted(1, "file"), counted(2, "file")
    ('1 file', '2 files')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_cell(text: str) -> str:
    """Return a text as a cell that a spreadsheet shows as text: behind an apostrophe where it would be a formula.

    >>> as_cell("=1+1"), as_cell("'=1"), as_cell("a=1"), from_cell(as_cell("'=1"))
    ("'=1+1", "''=1", 'a=1', "'=1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def from_cell(cell: str) -> str:
    """Return the text of a cell that :func:`as_cell` made."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell


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
