"""The case of a substitute: that of the words that it replaces, unless the case belongs to a name.

A capital at the beginning of a sentence passes to the substitute, and so do the capitals of a sentence without small
letters. Any other capital (*in Paris*) belongs to the word and does not pass. Words of the substitute that have a
capital of their own keep it.
"""

from __future__ import annotations

import re

from usim.text import Span

_WORD = re.compile(r"[^\W\d_](?:[\w'’]*\w)?")
_OPENING = "\"'“‘«([{¿¡*_-–—•"


def in_case_of(substitute: str, text: str, start: int, end: int, *, sentence: Span, begins: bool) -> str:
    """Return a substitute in the case of the words ``text[start:end]``, with which a sentence may begin."""
    whole = text[slice(*sentence)]
    if text[start:end].isupper() and whole.isupper() and len(_WORD.findall(whole)) > 2:
        return _WORD.sub(lambda match: match[0] if _is_mixed(match[0]) else match[0].upper(), substitute)
    first = text[start : start + 1]
    is_first = not first.islower() if begins else first.isupper() and _after_opening(text, start)
    return with_capital(substitute) if is_first else substitute


def with_capital(substitute: str) -> str:
    """Return words with a capital first letter, unless they begin with a number.

    >>> with_capital("'tis so"), with_capital("eBay"), with_capital("2 men")
    ("'Tis so", 'eBay', '2 men')
    """
    first = _WORD.search(substitute)
    if first is None or substitute[: first.start()].strip(_OPENING + " "):
        return substitute
    return substitute[: first.start()] + capitalised(first[0]) + substitute[first.end() :]


def capitalised(word: str) -> str:
    """Return the word with a capital first letter, unless it has a capital elsewhere (iPhone) or is no word."""
    return word[:1].upper() + word[1:] if word == word.lower() and len(word[:1].upper()) == 1 else word


def _is_mixed(word: str) -> bool:
    """Return whether capitals within a word are part of its spelling: iPhone, McDonald."""
    return word != word.lower() and any(c.isupper() for c in word[1:])


def _after_opening(text: str, start: int) -> bool:
    """Return whether a quotation opens, or a colon stands, right before a place."""
    before = text[:start]
    quoted = before.rstrip("\"'“‘«([{")
    return (len(quoted) < len(before) and (not quoted or quoted[-1].isspace())) or before.rstrip().endswith(":")
