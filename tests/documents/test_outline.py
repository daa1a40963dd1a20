"""Places of texts as people call them, without a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.word import p, word_file
from usim.documents import Outline, TextBlock, TextComparison, cut_text, read_document
from usim.evidence import Finding


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
        # Items of a list, whose numbers other lists have, too, are named with their heading.
        ("# Use\n\n## Open\n\n1. Turn it.\n2. Wait.\n\n## Close\n\n1. Push.\n2. Stop.", "Stop", "“Close”, point 2"),
        ("# Use\n\n## 2. Close\n\n1. Push it.\n   (a) Hard.\n2. Stop.", "Hard", "“2. Close”, point 1 (a)"),
        ("# Use\n\n7.2 We pay.\n\n## Close\n\n(a) Push it.", "Push", "“Close”, point (a)"),
        ("# Use\n\nStep 3: Turn it.", "Turn", "“Use”, Step 3"),
        ("# Use\n\nArticle 3: We pay.", "We", "Article 3"),
        # Rows of a table are no paragraphs.
        ("# Use\n\n| A | B |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n\nPay.", "4", "“Use”, table row 3"),
        ("# Use\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\nPay.", "Pay", "“Use”, paragraph 1"),
        ("| - | - |\nWe send it.", "We", "paragraph 1"),
        # Rules are no paragraphs, and marks around the words of a heading no part of it.
        ("# Use\n\nWe send it.\n\n---\n\nYou pay. It ends.", "You", "“Use”, paragraph 2"),
        ("***\n\nWe send it, too.", "We", "paragraph 1"),
        ("## The **use** of C# ##\n\nWe send it.", "We", "“The use of C#”, paragraph 1"),
        # A day is no number of a clause.
        ("Dear Sir,\n\n3 May 2024 is the day.", "day", "paragraph 2"),
        # Items of a list are no headings.
        ("Supply\n\n1. Tea\n\n2. Milk\n\n3. Cake\n\nWe send it.", "We", "“Supply”, paragraph 4"),
        # Items with bullets belong to what stands above them.
        ("Supply\n\n• Tea\n\nWe send it.", "We", "“Supply”, paragraph 1"),
        ("Supply\n\nWe send:\n\n• Tea\n• Cake", "Cake", "“Supply”, paragraph 1, bullet 2"),
        ("- Tea\n  and Milk\n\n- Cake", "Cake", "bullet 2"),
        ("2. Supply\n\n(a) We send:\n- Tea", "Tea", "point 2 (a), bullet 1"),
        # Nor are the date and the first and last words of a letter.
        ("Supply\n\nMonday, 3 May 2024\n\nDear John\n\nWe send it.", "We", "“Supply”, paragraph 3"),
        ("Supply\n\nMay 3, 2024\n\nWe send it.\n\nKind regards", "regards", "“Supply”, paragraph 3"),
        ("# Use\n\n~~~\n# again\n~~~\n\nWe send it.", "We", "“Use”, paragraph 2"),
        ("Use\n~~~\n\nWe send it.", "We", "“Use”, paragraph 1"),
        # A number that stands in a sentence is no label.
        ("Clause 2.3 continues to apply.", "Clause", "paragraph 1"),
        ("- Clause 2.3 continues to apply.", "Clause", "bullet 1"),
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


@pytest.mark.parametrize(
    ("text", "words", "where"),
    [
        ("It rained. We left.\nWe met. The end.", "We met. ", ", sentence 3"),
        ("It rained. We left.\nWe met. The end.", "We left.\nWe met. ", ", sentences 2–3"),
        ("It rained. We left.", "It rained. We left.", ""),
        ("It rained.\n\nWe left.", "We left.", ""),
        # From one paragraph to the next it is the first that counts.
        ("It rained. We left.\n\nWe met.", "We left.\n\nWe met.", ", sentence 2"),
        ("# Rent\n\n4.2 Pay early. Pay it all.\n4.3 Pay.", "Pay it all.", ", sentence 2"),
        ("1. Inspect it. Replace it.\n2. Wait.", "Replace it.", ", sentence 2"),
        # Neither items of a list nor cells are sentences.
        ("- It rained.\n- We left.", "We left.", ""),
        ("| It rained. | We left. Soon. |", "Soon.", ""),
        ("", "", ""),
    ],
)
def test_the_sentence_of_a_place_is_named_where_it_has_several(text: str, words: str, where: str) -> None:
    cut = cut_text(text, is_markdown=True)
    sentences = [cut.with_marks(passage[:2]) for passage in cut.passages]
    at = text.index(words)
    assert Outline(text, (), sentences).sentence((at, at + len(words))) == where


def test_sentences_of_a_word_file_are_counted_in_its_paragraphs(tmp_path: Path) -> None:
    row = f"<w:tr><w:tc>{p('A long cell. ' * 9)}</w:tc><w:tc>{p('Wide.')}</w:tc></w:tr>"
    document = read_document(word_file(tmp_path / "a.docx", p("We met. We paid.") + f"<w:tbl>{row}</w:tbl>"))
    sentences = [passage[:2] for passage in cut_text(document.text).passages]
    outline = Outline(document.text, document.places, sentences)
    assert [outline.where(each[0]) + outline.sentence(each) for each in sentences[1:4]] == [
        "paragraph 1, sentence 2", "table row 1", "table row 1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("Pay.", "Pay late.", "“Fees”, point 1 (before: point 2)"),
        ("Pay.", "Fees", "“Fees” (before: “Fees”, point 2)"),
        ("Go.", "Pay late.", "“Fees”, point 1"),
    ],
)
def test_a_finding_names_the_clause_before_if_it_was_another(old: str, new: str, where: str) -> None:
    before, after = "# Fees\n\n1. Go.\n2. Pay.", "# Fees\n\n1. Pay late."
    span, other = ((at := text.index(words), at + len(words)) for text, words in ((before, old), (after, new)))
    block = TextBlock((span,), (other,), span, other, verdict="drop", findings=(Finding("number", "It changed"),))
    (finding,) = TextComparison(before, after, (block,), "same").findings
    assert finding.where == where
