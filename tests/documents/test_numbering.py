"""The numbers of clauses and references to them, without a model."""

from __future__ import annotations

import pytest

from usim.documents import cut_text
from usim.documents._numbering import Clauses, references

CLAUSES = "1.1 Rent is due in May.\n\n1.2 “Pets” are dogs. They pay 2.5 euros.\n\n2.1 Keys are lent."


@pytest.mark.parametrize("is_markdown", [False, True])
def test_the_number_of_a_clause_stands_in_front_of_its_passage(is_markdown: bool) -> None:
    cut = cut_text(CLAUSES, is_markdown=is_markdown)
    assert cut.keys == ("Rent is due in May.", "“Pets” are dogs.", "They pay 2.5 euros.", "Keys are lent.")
    assert cut.numbers == ("1.1", "1.2", "", "2.1")
    assert "2.1" not in cut.sentence(range(4))


@pytest.mark.parametrize(
    "text", ["2.5 Eggs\n\n1.5 Onions", "3.5 Fish\n\n4.5 Chips", "1.1 litres\n\n1.2 litres", "6.1 A dog."]
)
def test_numbers_that_follow_no_other_belong_to_the_text(text: str) -> None:
    cut = cut_text(text)
    assert cut.keys == tuple(text.split("\n\n"))
    assert set(cut.numbers) == {""}


def test_numbers_of_items_and_names_of_clauses_are_known() -> None:
    cut = cut_text("7. Dogs\n\n> 8) Cats\n\nSection 9.2 Birds\n\nFish")
    assert cut.numbers == ("7", "8", "9.2", "")
    assert cut_text("7. Dogs\n8. Cats\n\n## Section 9.2 Birds", is_markdown=True).numbers == ("7", "8", "9.2")


@pytest.mark.parametrize(
    ("text", "is_markdown", "numbers"),
    [
        ("# Rent\n\n## 6. Keys\n\nThey are lent.\n\n## 7. Pets\n\nNone.", True, ("", "6", "", "7", "")),
        ("## 6 Keys\n\nThey are lent.\n\n## 7 Pets\n\nNone.", True, ("6", "", "7", "")),
        ("6 Keys\n\nThey are lent.\n\n7 Pets\n\nNone.", False, ("6", "", "7", "")),
        ("**6.** Keys are lent.\n\n**7.** Pets are not.", True, ("6", "7")),
        ("1. Open it.\n1. Go. Wait.\n   1. In.\n   1. Out.\n1. Close it.", True, ("1", "2", "", "1", "2", "3")),
        ("3. Open it.\n3. Close it.\n\nNow.\n\n- Go.", True, ("3", "4", "", "")),
        ("(6) Keys are lent.\n\n(7) Pets are not.", False, ("6", "7")),
        ("a) Keys are lent.\nb) Pets are not.\n\n(ii) None.", False, ("a", "b", "ii")),
        ("Article II\n\nKeys are lent.\n\nCLAUSE 7 PETS\n\nNone.", False, ("II", "", "7", "")),
        ("Keys are lent.\n\nClause 7 does not hold.", False, ("", "")),
        ("6 Eggs\n7 Onions", False, ("", "")),
    ],
)
def test_numbers_of_headings_lists_and_names(text: str, is_markdown: bool, numbers: tuple[str, ...]) -> None:
    assert cut_text(text, is_markdown=is_markdown).numbers == numbers


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("See clauses 4.2, 6 and 7.", ["4.2", "6", "7"]),
        ("As in\nArticle II or steps 3–5.", ["II", "3", "5"]),
        ("Section 4 of this contract holds.", ["4"]),
        ("AS SET OUT IN CLAUSE 7.", ["7"]),
        ("Section 4 of the Act holds, as GDPR Article 6 and ISO 9001, clause 7 do.", []),
        ("It takes 7 days. The parts I took cost 6 euros.", []),
    ],
)
def test_references_are_to_clauses_of_the_same_text(text: str, own: list[str]) -> None:
    assert [each.number for each in references(text) if each.is_own and each.number != "I"] == own


def test_a_number_that_two_lists_have_is_that_of_the_own_list() -> None:
    keys = ["Open it.", "Start it.", "Go to step 2.", "Close it.", "Stop it.", "Go to step 2."]
    clauses = Clauses(["1", "2", "3", "1", "2", "3"], keys)
    (step,) = references("Go to step 2.")
    assert [clauses.named(step, near) for near in (2, 5)] == [1, 4]
    (section,) = references("See section 2.")
    assert clauses.named(section, 5) is None  # a step is no section


@pytest.mark.parametrize(
    ("key", "is_step"),
    [
        ("Close the valve.", True), ("Close the valve", True), ("Step 3: Close it.", True), ("Never open it", True),
        ("Notice", False), ("Transfer of shares", False), ("Rent is due in May.", False), ("The valve closes.", False),
        ("Article II", False),
    ],
)  # fmt: skip
def test_a_step_tells_somebody_to_do_something(key: str, is_step: bool) -> None:
    assert Clauses(["1"], [key]).is_step(0) == is_step
