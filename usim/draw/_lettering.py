"""How wide a text will be, before anybody knows the font: a generous estimate, so that labels have room."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_NARROW = frozenset("iIjlftr.,:;'’‘|!()[]{}-` ")
_WIDE = frozenset("mwMWQO@%&—…→")


@lru_cache(4096)
def _share(character: str) -> float:
    """Return the width of a character as a share of the font's size, by the widest of the usual fonts."""
    if unicodedata.combining(character):
        return 0.0
    if character in _NARROW:
        return 0.42
    if unicodedata.east_asian_width(character) in "WF":
        return 1.1
    if character in _WIDE or not character.isascii():
        return 1.0
    return 0.74 if character.isupper() else 0.64


def text_width(text: str, size: float) -> float:
    """Return how wide a text may be, in pixels.

    Args:
        text: a line.
        size: of the font, in pixels.
    """
    return size * sum(map(_share, text))


def shortened(text: str, most: int) -> str:
    """Return a text of at most ``most`` characters; one that was cut ends with an ellipsis.

    >>> shortened("the old man", 8)
    'the old…'
    """
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Return a text in lines that are not wider than ``width`` pixels, unless a word alone is."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
