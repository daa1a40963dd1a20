"""A right word that gives way to a misspelling, or to one that does not fit there, is never kept.

Corrections, and words of their own, are left alone.
"""

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
    assert any(finding.is_certain and "no word" in finding.text for finding in screened.findings) == is_found
    assert not (is_found and screened.verdict == "keep")


@pytest.mark.parametrize(
    ("sentence", "old", "new", "is_found"),
    [
        ("They were late again.", "were", "we're", True),
        ("They were late again.", "were", "where", True),
        ("Their car is red.", "Their", "They're", True),
        ("Their car is red.", "Their", "Thier", True),
        ("The effect was small.", "effect", "affect", True),
        ("He gave good advice.", "advice", "advise", True),
        ("It is bigger than mine.", "than", "then", True),
        ("Each male patient was seen.", "male", "Malé", True),
        ("The postman was kind.", "postman", "postwoman", False),
        ("He ate a desert after dinner.", "desert", "dessert", False),
        ("They where late again.", "where", "were", False),
        ("Their going home.", "Their", "They're", False),
        ("Its raining.", "Its", "It's", False),
        ("The affect was small.", "affect", "effect", False),
        ("She gave me some advise.", "advise", "advice", False),
        ("He is taller then me.", "then", "than", False),
        ("Each male patient was seen.", "male", "Male", False),
    ],
)
def test_a_word_like_another_that_does_not_fit(
    screen: Screen, sentence: str, old: str, new: str, is_found: bool
) -> None:
    start = sentence.index(old)
    (screened,) = screen.screen(sentence, start, start + len(old), [new])
    scored = screen.scorer.score(sentence, sentence.replace(old, new)).judgement
    for findings in (screened.findings, scored.findings):
        assert any(finding.is_certain and "not fit" in finding.text for finding in findings) == is_found
    assert not is_found or (screened.verdict, scored.verdict) == ("drop", "drop")
