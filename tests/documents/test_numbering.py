"""The numbers of clauses and references to them, without a model."""

from __future__ import annotations

import pytest

from usim.documents import cut_text

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
