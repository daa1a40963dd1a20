"""Places of texts as people call them, without a model."""

from __future__ import annotations

import pytest

from usim.documents import Outline


@pytest.mark.parametrize(
    ("text", "words", "where"),
    [
        # The heading above names a paragraph, with the number of its clause.
        ("Supply\n\n1. Orders\n\nBuy.\n\n2. Delivery\n\nWe send it.\n\nYou pay.", "You", "“2. Delivery”, paragraph 2"),
        ("# Supply\n\n## 2. Delivery\n\nWe send it.", "We", "“2. Delivery”, paragraph 1"),
        ("# Supply\n\n## Delivery\nWe send it.", "We", "“Delivery”, paragraph 1"),
        ("**2. Delivery**\n\nWe send it.", "We", "“2. Delivery”, paragraph 1"),
        ("ARTICLE II\n\nWe send it.", "We", "“ARTICLE II”, paragraph 1"),
        ("2. Delivery\n\n2.1 We send it in two days.\n\nBy post.", "By", "“2. Delivery”, paragraph 2"),
        ("2. Delivery\n\n(a) We send it.\n\n(b) You pay.", "You", "point 2 (b)"),
        ("2. Delivery\n\n2.1 We send it.\n\n(2) You pay.", "You", "point 2.1 (2)"),
        ("2. Delivery\n\n2.1 We send it.", "Delivery", "point 2"),
        ("1. Definitions.\n\n“Work” is what you made.", "Work", "“1. Definitions.”, paragraph 1"),
        ("Limits\n======\n\nOne each.\n\nAgain\n-----\nWe send it.", "We", "“Again”, paragraph 1"),
        ("======\nLimits\n======\n\nOne each.", "One", "“Limits”, paragraph 1"),
        ("# Use\n\n```sh\nmake\n\n# again\nmake\n\n1. all\n```\n\nWe send it.", "We", "“Use”, paragraph 2"),
        ("Step 3: Turn it.", "Turn", "Step 3"),
        ("2.3 (Deleted)\n\n2.4 “Élan” is a boat.", "Élan", "point 2.4"),
        # Items of a list are no headings.
        ("Supply\n\n1. Tea\n\n2. Milk\n\n3. Cake\n\nWe send it.", "We", "“Supply”, paragraph 4"),
        ("Supply\n\n• Tea\n\nWe send it.", "We", "“Supply”, paragraph 2"),
        # A number that stands in a sentence is no label.
        ("Clause 2.3 continues to apply.", "Clause", "paragraph 1"),
        ("- Clause 2.3 continues to apply.", "Clause", "paragraph 1"),
        ("Clause 2.3 (Delivery) continues to apply.", "Clause", "paragraph 1"),
        ("10.30 is early.", "early", "paragraph 1"),
        ("2.3 Clause 2.2 continues to apply.", "Clause", "point 2.3"),
        ("We met at\nclause 7. It applies.", "applies", "paragraph 1"),
        ("I John pay.", "pay", "paragraph 1"),
        ("", "", ""),
    ],
)
def test_a_place_names_the_clause_or_the_heading_above(text: str, words: str, where: str) -> None:
    for line_end in ("\n", "\r\n"):
        own = text.replace("\n", line_end)
        assert Outline(own).where(own.index(words)) == where
