"""Texts made safe to display."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return a text without the characters that would steer a terminal or that XML cannot hold.

    >>> printable("a\\x1bb")
    'a\ufffdb'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
