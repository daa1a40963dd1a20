"""Texts with markup: places in what is read and in what was sent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from usim.checkers import AnnotatedText, Offsets

_TEXT = st.text("ab <😀", max_size=5)
_MARKUP = st.text("ab <😀", min_size=1, max_size=5)
_PARTS = st.lists(st.tuples(_TEXT, st.none()) | st.tuples(_MARKUP, _TEXT), max_size=6)


@given(_PARTS, st.data())
def test_spans_without_markup_come_back(parts: list[tuple[str, str | None]], data: st.DataObject) -> None:
    text = AnnotatedText(parts)
    start = data.draw(st.integers(0, len(text.plain)))
    end = data.draw(st.integers(start, len(text.plain)))
    first, last = text.span_sent(start, end)
    assert 0 <= first <= last <= len(text.sent)
    begin, stop = text.span_read(first, last)
    assert 0 <= begin <= stop <= len(text.plain)
    if start < end:  # what markup is read as can only be replaced as a whole
        assert begin <= start
        assert stop >= end
    if all(read_as is None for _, read_as in parts):
        assert (first, last) == (begin, stop) == (start, end)


@given(_PARTS, st.data())
def test_all_spans_that_were_sent_can_be_read(parts: list[tuple[str, str | None]], data: st.DataObject) -> None:
    text = AnnotatedText(parts)
    start = data.draw(st.integers(0, len(text.sent)))
    end = data.draw(st.integers(start, len(text.sent)))
    begin, stop = text.span_read(start, end)
    assert 0 <= begin <= stop <= len(text.plain)


def test_offsets_within_characters() -> None:
    offsets = Offsets("a😀")
    assert [offsets.to_characters(unit) for unit in (0, 1, 2, 3, 4)] == [0, 1, None, 2, None]


def test_what_markup_is_read_as() -> None:
    text = AnnotatedText([("A", None), ("<br>", "\n\n"), ("tset", None)])
    assert text.plain == "A\n\ntset"
    assert text.span_sent(3, 7) == (5, 9)
    assert text.span_sent(1, 3) == (1, 5)
