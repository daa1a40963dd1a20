"""Names and numbers of whole texts."""

from __future__ import annotations

import pytest

from usim.scorer import Scorer

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "On 3 May Anna paid 20 euros. She met Tom Reed at eight.",
            "She met Tom at 8. On 3 May, Anna paid 25 euros, and 25 more to Ms. Hall.",
            ["number 20 before", "name Reed before", "number 25 after", "name Hall after"],
        ),
        ("It costs two dozen euros.", "It is 24 euros.", []),
        ("1. We met Anna.", "2. ANNA met us.", []),
        ("It is **two**   dozen euros.", "It is [30](https://a.example).",
         ["number two dozen before", "number 30 after"]),
    ],
)  # fmt: skip
def test_facts_that_only_one_text_has_wherever_they_stand(
    scorer: Scorer, before: str, after: str, expected: list[str]
) -> None:
    """They are told by value, without markup, and with one blank for white space."""
    facts = scorer.compare_texts(before, after, is_markdown=True).facts
    assert [f"{fact.kind} {fact.text} {fact.side}" for fact in facts] == expected
    for fact in facts:
        written = (before if fact.side == "before" else after)[slice(*fact.span)]
        assert " ".join(written.replace("*", " ").split()) == fact.text
