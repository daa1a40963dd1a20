"""Names and numbers of whole texts."""

from __future__ import annotations

from usim.texts import cut_text
from usim.texts._facts import facts_of_one


def facts(before: str, after: str) -> list[tuple[str, str, str]]:
    cuts = cut_text(before), cut_text(after)
    found = list(facts_of_one(*cuts))
    assert all({"before": before, "after": after}[fact.side][slice(*fact.span)] == fact.text for fact in found)
    return [(fact.kind, fact.text, fact.side) for fact in found]


def test_what_only_one_text_has_wherever_it_stands() -> None:
    before = "On 3 May Anna paid 20 euros. She met Tom Reed at eight."
    after = "She met Tom at 8. On 3 May, Anna paid 25 euros, and 25 more to Ms. Hall."
    assert facts(before, after) == [
        ("number", "20", "before"), ("name", "Reed", "before"), ("number", "25", "after"), ("name", "Hall", "after"),
    ]  # fmt: skip


def test_the_same_facts_said_otherwise_are_none() -> None:
    assert facts("It costs two dozen euros.", "It is 24 euros.") == []
    assert facts("1. We met Anna.", "2. ANNA met us.") == []


def test_a_fact_is_quoted_without_markup_and_with_one_blank() -> None:
    before, after = "It is **two**   dozen euros.", "It is [30](https://a.example)."
    cuts = cut_text(before, is_markdown=True), cut_text(after, is_markdown=True)
    assert [fact.text for fact in facts_of_one(*cuts)] == ["two dozen", "30"]
