"""A right word that gives way to a misspelling is never kept; corrections and words of their own are left alone."""

from __future__ import annotations

import pytest

from usim.screen import Screen

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen()


@pytest.mark.parametrize(
    ("sentence", "old", "new", "is_found"),
    [
        ("She made a cake for the party.", "made", "madé", True),
        ("The council met on Friday.", "council", "counsil", True),
        ("She will receive it soon.", "receive", "recieve", True),
        ("My freind is here.", "freind", "friend", False),
        ("Tomorow we leave.", "Tomorow", "Tomorrow", False),
        ("The organisation is old.", "organisation", "organization", False),
        ("We met in a cafe near here.", "cafe", "café", False),
        ("That was a naive answer.", "naive", "naïve", False),
        ("The council met on Friday.", "council", "board", False),
    ],
)
def test_a_right_word_that_is_misspelt_then(screen: Screen, sentence: str, old: str, new: str, is_found: bool) -> None:
    start = sentence.index(old)
    (screened,) = screen.screen(sentence, start, start + len(old), [new])
    assert any(reason.is_certain and "no word" in reason.text for reason in screened.reasons) == is_found
    assert not (is_found and screened.verdict == "keep")
