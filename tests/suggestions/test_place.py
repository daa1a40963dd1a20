"""Substitutes put into sentences: worked examples a rule, and what holds for every sentence and substitute."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables import cases
from usim.errors import SuggestionError
from usim.suggestions import Edit, apply, put
from usim.suggestions._place import difference
from usim.suggestions.articles import article
from usim.text import sentence_around, sentence_spans, tokenise

# Articles


@pytest.mark.parametrize(("expected", "following"), cases(__file__, "articles.tsv"))
def test_article(expected: str, following: str) -> None:
    assert article(following) == expected


def test_articles_of_nothing_and_of_doubtful_sound() -> None:
    assert article("") == article(" …") == "a"
    assert put("She has a book.", 10, 14, "²x").text == "She has a ²x."  # a digit that is no number


# Replacing


@pytest.mark.parametrize(("sentence", "substitute", "expected"), cases(__file__, "places.tsv"))
def test_replaced_deleted_or_inserted(sentence: str, substitute: str, expected: str) -> None:
    before, target, after = sentence.split("|")
    text = before + target + after
    placed = put(text, len(before), len(before) + len(target), substitute)
    marked = f"{placed.text[: placed.start]}|{placed.text[placed.start : placed.end]}|{placed.text[placed.end :]}"
    assert marked == expected


def test_all_changes_are_told() -> None:
    placed = put("It is an old house.", 9, 12, "big")
    assert placed == ("It is a big house.", 8, 11, (Edit(6, 8, "a"), Edit(9, 12, "big")))
    # Only the article changes back.
    there = put("an old house", 3, 6, "big")
    assert put(there.text, there.start, there.end, "old").text == "an old house"


HOUSE = "It is an old house."


@pytest.mark.parametrize(
    ("text", "start", "end", "message"),
    [
        (HOUSE, 0, 99, "does not fit a text of 19 characters"),
        (HOUSE, -1, 2, "does not fit"),
        (HOUSE, 5, 3, "ends before it begins"),
        (HOUSE, 1, 3, r"cuts a word \(I\|t\)"),
        (HOUSE, 9, 11, r"the span 9 to 11 cuts a word \(ol\|d\)"),
        (f"😀 {HOUSE}", 12, 15, r"the span 12 to 15 cuts a word \(o\|ld\); .*not bytes or UTF-16 units"),
        ("cafe\u0301 au lait", 0, 4, "cuts a word"),
    ],
)
def test_spans_that_do_not_fit(text: str, start: int, end: int, message: str) -> None:
    with pytest.raises(SuggestionError, match=message):
        put(text, start, end, "x")


def test_edits_that_overlap_cannot_be_carried_out() -> None:
    with pytest.raises(SuggestionError, match="overlaps"):
        apply("abcdef", [Edit(0, 3, "x"), Edit(2, 4, "y")])


# What always holds

WORDS = st.sampled_from(
    "a an A An the The I he they don't can't it's boys' John's house hour apple UN MP3 8 11th old big very VERY one use"
    " well-known mother-in-law Mr. U.S. (yes) “no” , . ; : ! ? - \" ' … etc. iPhone É über honest".split()
)
BLANKS = st.sampled_from([" ", " ", " ", "  ", "\n", ""])
TEXTS = st.lists(st.tuples(WORDS, BLANKS), max_size=12).map(lambda parts: "".join(w + b for w, b in parts))
SUBSTITUTES = st.lists(WORDS, max_size=3).map(" ".join) | st.sampled_from(
    ["", " ", "a", "'s", "n't", ",", "close", "rather old"]
)


@st.composite
def places(draw: st.DrawFn) -> tuple[str, int, int]:
    """A text and a span of whole tokens, which may be none."""
    text = draw(TEXTS)
    tokens = tokenise(text)
    if not tokens:
        return text, 0, 0
    first = draw(st.integers(0, len(tokens) - 1))
    last = draw(st.integers(first - 1, min(len(tokens) - 1, first + 3)))
    return text, tokens[first].start, tokens[last].end if last >= first else tokens[first].start


@given(places())
def test_putting_the_target_back_changes_nothing(place: tuple[str, int, int]) -> None:
    text, start, end = place
    for target in (text[start:end], f" {text[start:end]} "):
        placed = put(text, start, end, target)
        assert placed.text == text
        assert placed.edits == ()


@given(places(), SUBSTITUTES)
@example(("an old house", 3, 6), "")
@example(("I can't go", 2, 5), "house")
def test_the_edits_are_the_change_and_what_is_around_stays(place: tuple[str, int, int], substitute: str) -> None:
    text, start, end = place
    placed = put(text, start, end, substitute)
    assert apply(text, placed.edits) == placed.text
    assert all(one.end <= other.start for one, other in zip(placed.edits, placed.edits[1:], strict=False))
    assert all(text[edit.start : edit.end] != edit.new for edit in placed.edits)
    there = placed.text[placed.start : placed.end].casefold()
    plain = (substitute if substitute == text[start:end] else " ".join(substitute.split())).casefold()
    # An article at its end takes the form of what follows, a stem that of its n't, and a full stop is not doubled.
    is_fitting = re.fullmatch(r"(.*\b)?an?", there) or plain.rstrip(".,;:!?") == there
    assert there == plain or is_fitting or plain.startswith(there)
    # Up to the word before, if that is no article, and from the word after on, but for its first letter.
    before = re.sub(r"(?:(?<![\w])(?:an?|ca|wo|sha))?[\W_]*$", "", text[:start], flags=re.IGNORECASE)
    assert placed.text.startswith(before)
    near = re.match(
        r"(?:\s*n['’]t(?!\w)|['’](?:s|re|ve|ll|d|m)(?!\w))?(?:[\W_]*(?:The|An?)(?!\w)|[\W_]*\w?)", text[end:], re.I
    )
    assert near
    assert placed.text.endswith(text[end + near.end() :])


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40), st.text(max_size=10))
def test_any_text_is_taken_or_refused(text: str, start: int, end: int, substitute: str) -> None:
    try:
        placed = put(text, start, end, substitute)
    except SuggestionError:
        return
    assert apply(text, placed.edits) == placed.text
    assert 0 <= placed.start <= placed.end <= len(placed.text)
    (a, b), (c, d) = placed.around(text)
    assert text[:a] == placed.text[:c]
    assert text[b:] == placed.text[d:]


# Sentences


def test_sentences_end_at_blank_lines() -> None:
    text = "A title\n \nHe came. She\nwent.\n\n"
    assert [text[slice(*span)] for span in sentence_spans(text)] == ["A title", "He came.", "She\nwent."]
    assert sentence_around("  ", 1, 1) == (0, 2)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 2, "He came."),
        (8, 9, "He came. "),
        (9, 9, "She went."),
        (3, 12, "He came. She went."),
        (26, 26, "We left."),
        (0, 27, "He came. She went. We left."),
    ],
)
def test_the_sentence_around(start: int, end: int, expected: str) -> None:
    text = "He came. She went. We left."
    begin, stop = sentence_around(text, start, end)
    assert text[begin:stop] == expected


@given(TEXTS, st.data())
def test_the_sentence_around_holds_the_place(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    begin, stop = sentence_around(text, start, end)
    assert 0 <= begin <= start <= end <= stop <= len(text)


# Differences


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("She have two cat.", "She has two cats.", Edit(4, 16, "has two cats")),
        ("He go.", "He goes.", Edit(3, 5, "goes")),
        ("the end", "an end", Edit(0, 3, "an")),
        ("He left", "He left.", Edit(7, 7, ".")),
        ("same", "same", Edit(4, 4, "")),
        ("", "new", Edit(0, 0, "new")),
        ("a a b", "a b", Edit(2, 4, "")),
    ],
)
def test_difference(one: str, other: str, expected: Edit) -> None:
    assert difference(one, other) == expected


@given(TEXTS, TEXTS)
def test_the_difference_makes_one_into_the_other(one: str, other: str) -> None:
    assert apply(one, [difference(one, other)]) == other
