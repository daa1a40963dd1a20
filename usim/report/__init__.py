"""What people see: graphs in brackets and trees for the terminal, drawings as SVG."""

from __future__ import annotations


def printable(text: str) -> str:
    """A text without the characters that would steer the terminal."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
