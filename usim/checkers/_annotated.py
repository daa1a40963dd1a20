"""A text with markup between its parts, as editors send it; and offsets in UTF-16 units."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

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


class _Segment(NamedTuple):
    """A part of a text: where it stands in one of its forms and in the other, in characters."""

    here: Span
    there: Span
    is_markup: bool


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
        self._read: list[_Segment] = []
        self._sent: list[_Segment] = []
        place = sent_place = 0
        for sent, read_as in parts:
            read = sent if read_as is None else read_as
            in_read, in_sent = (place, place + len(read)), (sent_place, sent_place + len(sent))
            if read:
                self._read.append(_Segment(in_read, in_sent, read_as is not None))
            if sent:
                self._sent.append(_Segment(in_sent, in_read, read_as is not None))
            place, sent_place = in_read[1], in_sent[1]
        self.plain = "".join(sent if read_as is None else read_as for sent, read_as in parts)
        self.sent = "".join(sent for sent, _ in parts)

    def span_sent(self, start: int, end: int) -> Span:
        """Return where a span of the text that is read stands in the text that was sent; both in characters."""
        return _span_there(self._read, len(self.sent), start, end)

    def span_read(self, start: int, end: int) -> Span:
        """Return where a span of the text that was sent stands in the text that is read; both in characters."""
        return _span_there(self._sent, len(self.plain), start, end)


def _span_there(segments: list[_Segment], size: int, start: int, end: int) -> Span:
    """Return where a span of one form of a text stands in the other, which has ``size`` characters."""
    if not segments:
        return size, size
    segment = segments[bisect_right(segments, start, key=lambda segment: segment.here[0]) - 1]
    if segment.is_markup:
        first = segment.there[0 if start < segment.here[1] else 1]
    else:
        first = segment.there[0] + start - segment.here[0]
    if end <= start:
        return first, first
    segment = segments[bisect_left(segments, end, key=lambda segment: segment.here[1])]
    last = segment.there[1] if segment.is_markup else segment.there[0] + end - segment.here[0]
    return first, max(first, last)
