"""A text with markup between its parts, as editors send it; and offsets in UTF-16 units."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from usim.text import Span


class Offsets:
    """Offsets in a text, from UTF-16 units, which LanguageTool counts in, to characters and back.

    >>> offsets = Offsets("a 😀 b")
    >>> offsets.to_characters(4), offsets.to_units(3)
    (3, 4)
    """

    def __init__(self, text: str) -> None:
        self._units = [0]
        for character in text:
            self._units.append(self._units[-1] + (2 if character > "\uffff" else 1))

    def to_units(self, place: int) -> int:
        """Return the offset in UTF-16 units of a character."""
        return self._units[place]

    def to_characters(self, unit: int) -> int | None:
        """Return the character at an offset in UTF-16 units; None within a character or outside of the text."""
        place = bisect_left(self._units, unit)
        return place if place < len(self._units) and self._units[place] == unit else None


class AnnotatedText:
    """A text in which markup stands between the parts to be read.

    Args:
        parts: each a text and what it is to be read as; None where it is read as it stands.

    Attributes:
        plain: the text to be read.
        sent: the text that was sent, markup included.

    >>> text = AnnotatedText([("A ", None), ("<b>", ""), ("tset", None), ("</b>", "")])
    >>> text.plain, text.sent
    ('A tset', 'A <b>tset</b>')
    >>> text.span_sent(2, 6), text.span_read(5, 9)
    ((5, 9), (2, 6))
    """

    def __init__(self, parts: list[tuple[str, str | None]]) -> None:
        self._parts = [(sent, sent if read_as is None else read_as, read_as is not None) for sent, read_as in parts]
        self.plain = "".join(read for _, read, _ in self._parts)
        self.sent = "".join(sent for sent, _, _ in self._parts)

    def span_sent(self, start: int, end: int) -> Span:
        """Return where a span of the text that is read stands in the text that was sent; both in characters."""
        return _span_there(self._sent_places, len(self.sent), start, end)

    def span_read(self, start: int, end: int) -> Span:
        """Return where a span of the text that was sent stands in the text that is read; both in characters."""
        return _span_there(self._read_places, len(self.plain), start, end)

    @cached_property
    def _sent_places(self) -> list[Span]:
        """Where each character that is read stands in the text that was sent; one of markup, with all of it."""
        return _places((read, sent, is_markup) for sent, read, is_markup in self._parts)

    @cached_property
    def _read_places(self) -> list[Span]:
        """Where each character that was sent stands in the text that is read."""
        return _places(self._parts)


def _places(parts: Iterable[tuple[str, str, bool]]) -> list[Span]:
    """Return where each character of one form of a text stands in the other, given both forms of its parts."""
    places: list[Span] = []
    place = 0
    for here, there, is_markup in parts:
        end = place + len(there)
        places += [(place, end)] * len(here) if is_markup else pairwise(range(place, end + 1))
        place = end
    return places


def _span_there(places: list[Span], size: int, start: int, end: int) -> Span:
    """Return where a span of one form of a text stands in the other, which has ``size`` characters."""
    if not places:
        return size, size
    first = places[start][0] if start < len(places) else places[-1][1]
    return first, max(first, places[end - 1][1]) if end > start else first
