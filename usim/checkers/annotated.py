"""A text with markup between its parts, as editors send it by LanguageTool's protocol (field ``data``)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, NamedTuple

from usim.errors import InputError
from usim.text import parse_json

_SHAPE = (
    'data must be {"annotation": [{"text": "A "}, {"markup": "<b>"}, {"markup": "<br>", "interpretAs": " "}, …]} '
    'or {"text": "…"}'
)


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
    """A part of a text: where it stands in the text that is read and in the text that was sent, in characters."""

    start: int
    end: int
    sent_start: int
    sent_end: int
    is_markup: bool


class AnnotatedText:
    """A text in which markup stands between the parts to be read.

    Args:
        parts: each a text and what it is to be read as; None where it is read as it stands.

    Attributes:
        plain: the text to be read.
        sent: the text that was sent, markup included.
        has_markup: whether there is any.

    >>> text = AnnotatedText([("A ", None), ("<b>", ""), ("tset", None), ("</b>", "")])
    >>> text.plain, text.sent
    ('A tset', 'A <b>tset</b>')
    >>> text.span_sent(2, 6), text.span_read(5, 9)
    ((5, 9), (2, 6))
    """

    def __init__(self, parts: list[tuple[str, str | None]]) -> None:
        segments = []
        place = sent_place = 0
        for sent, read_as in parts:
            read = sent if read_as is None else read_as
            end, sent_end = place + len(read), sent_place + len(sent)
            segments.append(_Segment(place, end, sent_place, sent_end, read_as is not None))
            place, sent_place = end, sent_end
        self.plain = "".join(sent if read_as is None else read_as for sent, read_as in parts)
        self.sent = "".join(sent for sent, _ in parts)
        self.has_markup = any(segment.is_markup for segment in segments)
        self._read = [segment for segment in segments if segment.end > segment.start]
        self._sent = [segment for segment in segments if segment.sent_end > segment.sent_start]

    def span_sent(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of the text that is read stands in the text that was sent; both in characters."""
        first = self._sent_at(start, is_end=False)
        return first, max(first, self._sent_at(end, is_end=True)) if end > start else first

    def span_read(self, start: int, end: int) -> tuple[int, int]:
        """Return where a span of the text that was sent stands in the text that is read; both in characters."""
        first = self._read_at(start, is_end=False)
        return first, max(first, self._read_at(end, is_end=True)) if end > start else first

    def _sent_at(self, place: int, *, is_end: bool) -> int:
        if not self._read:
            return len(self.sent)
        if is_end:
            segment = self._read[bisect_left(self._read, place, key=lambda segment: segment.end)]
            return segment.sent_end if segment.is_markup else segment.sent_start + place - segment.start
        k = bisect_right(self._read, place, key=lambda segment: segment.start) - 1
        segment = self._read[k]
        if segment.is_markup:
            return segment.sent_start if place < segment.end else segment.sent_end
        return segment.sent_start + place - segment.start

    def _read_at(self, place: int, *, is_end: bool) -> int:
        if not self._sent:
            return len(self.plain)
        if is_end:
            segment = self._sent[bisect_left(self._sent, place, key=lambda segment: segment.sent_end)]
            return segment.end if segment.is_markup else segment.start + place - segment.sent_start
        segment = self._sent[bisect_right(self._sent, place, key=lambda segment: segment.sent_start) - 1]
        if segment.is_markup:
            return segment.start if place < segment.sent_end else segment.end
        return segment.start + place - segment.sent_start


def read_data(data: str) -> AnnotatedText:
    """Read the field ``data`` of LanguageTool's protocol.

    Raises:
        InputError: it is not of that shape.
    """
    try:
        value = parse_json(data)
    except ValueError as e:
        raise InputError(f"data is not JSON; {_SHAPE}") from e
    if isinstance(value, dict) and isinstance(value.get("text"), str) and "annotation" not in value:
        return AnnotatedText([(value["text"], None)])
    if not isinstance(value, dict) or not isinstance(value.get("annotation"), list) or "text" in value:
        raise InputError(_SHAPE)
    return AnnotatedText([_part(part) for part in value["annotation"]])


def _part(part: Any) -> tuple[str, str | None]:
    if isinstance(part, dict) and isinstance(text := part.get("text"), str) and part.keys() <= {"text"}:
        return text, None
    if isinstance(part, dict) and isinstance(markup := part.get("markup"), str) and "text" not in part:
        read_as = part.get("interpretAs") or ""
        if isinstance(read_as, str):
            return markup, read_as
    raise InputError(_SHAPE)
