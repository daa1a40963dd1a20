"""Two texts compared, as a terminal and as a page show them."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from usim.documents import TextBlock, TextComparison, cut_text
from usim.evidence import Finding
from usim.judge import Verdict
from usim.report import comparison_html
from usim.report.texts import comparison_rows, comparison_text

pytest.importorskip("jinja2", reason="pages need jinja2")

BEFORE = "It <rained>. We paid 20 euros. Nobody came. The end."
AFTER = "It <rained>. We paid 25 euros. The end. A cat slept\x1b[2J."


def block(before: str, after: str, verdict: Verdict = "keep", text: str = "", **more: Any) -> TextBlock:
    """Return a block of parts of both texts; with a text, there is a reason for its verdict."""
    at = [whole.find(part) if part else 0 for whole, part in ((BEFORE, before), (AFTER, after))]
    spans = [(start, start + len(part)) for start, part in zip(at, (before, after), strict=True)]
    own = [(span,) if part else () for span, part in zip(spans, (before, after), strict=True)]
    reasons = (Finding("number", text, source_spans=more.pop("old", ()), target_spans=more.pop("new", ())),) * bool(
        text
    )
    faithfulness = 1.0 if verdict == "keep" else 0.1
    is_same = before == after
    return TextBlock(*own, *spans, is_same=is_same, verdict=verdict, faithfulness=faithfulness, reasons=reasons, **more)


def compared(*blocks: TextBlock) -> TextComparison:
    return TextComparison(BEFORE, AFTER, blocks, "same")


@pytest.fixture
def comparison() -> TextComparison:
    return compared(
        block("It <rained>.", "It <rained>."),
        block("We paid 20 euros.", "We paid 25 euros.", "drop", "The number changed: “20” became “25”",
              old=((21, 23),), new=((21, 23),)),
        block("Nobody came.", "", "review", "The sentence “Nobody came.” is left out"),
        block("The end.", "The end.", is_moved=True),
        block("", "A cat slept\x1b[2J.", "drop", "The sentence “A cat …” is added"),
    )  # fmt: skip


def test_a_terminal_shows_what_matters(comparison: TextComparison) -> None:
    text = "\n".join(line.plain for line in comparison_text(comparison, ("a.txt", "b.txt")))
    assert "drop: The text after the change says something else." in text
    assert "We paid [-20-]{+25+} euros." in text
    assert "[-Nobody came.-]" in text
    assert "… 1 block kept (1 unchanged)" in text
    assert "1 moved" in text
    assert "a.txt:1  b.txt:1  drop 0.100" in text
    assert "\x1b" not in text


def test_what_is_in_doubt_is_folded_unless_it_is_asked_for() -> None:
    doubt = block("We paid 20 euros.", "We paid 25 euros.", "review", "usim cannot tell", is_doubtful=True)
    doubtful = compared(block("It <rained>.", "It <rained>."), doubt)

    def shown(**options: bool) -> str:
        lines = comparison_text(doubtful, ("a", "b"), **options)
        return "\n".join(line.plain for line in lines)

    assert "review: No change of meaning was found, but usim cannot tell" in shown()
    assert "… 1 block kept (1 unchanged), 1 reworded, of which usim cannot tell" in shown()
    assert "25" not in shown()
    assert "We paid [-20-]{+25+} euros." in shown(shows_doubts=True)
    assert "• usim cannot tell" in shown(shows_doubts=True)
    assert (doubtful.counts["findings"], doubtful.counts["doubts"]) == (0, 1)
    rows = comparison_rows(doubtful)
    assert "No findings." in rows
    assert "reworded; usim cannot tell" in rows


def test_the_page_has_both_texts_with_the_places_marked(comparison: TextComparison) -> None:
    page = comparison_html(comparison, names=("a<b>.txt", "b.txt"))
    assert "<rained>" not in page
    assert "\x1b" not in page
    assert not re.search(r'(?:src|href)="?https?:', page)
    assert "default-src 'none'" in page
    assert re.findall(r'<mark data-notes="1">(\d+)</mark>', page) == ["20", "25"]
    rows = ElementTree.fromstring(f"<main>{comparison_rows(comparison).replace(' disabled', '')}</main>".replace(
        '<input type="checkbox" id="only-findings">', "<i/>"))  # fmt: skip
    blocks = [each for each in rows.iter("li") if "block" in each.get("class", "").split()]
    assert [each.get("class") for each in blocks] == [
        "block keep same", "block drop found", "block review found", "block keep same", "block drop found",
    ]  # fmt: skip
    assert [each.get("data-finding") for each in rows.iter("li") if each.get("data-finding")] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\n\nTwo. Three.", ["One.", "Two. Three."]),
        ("One.\r\nTwo. Three.", ["One.", "Two. Three."]),
        ("One. Two.\nThree\nis wrapped.", ["One. Two. Three is wrapped."]),
    ],
)
def test_a_block_shows_the_paragraphs_of_its_text(text: str, expected: list[str]) -> None:
    passages = tuple((passage.start, passage.end) for passage in cut_text(text).passages)
    span = (0, len(text))
    merged = TextBlock(passages, passages, span, span, is_same=True)
    rows = comparison_rows(TextComparison(text, text, (merged,), "same"))
    assert re.findall(r'<p lang="en"[^>]*>(.*?)</p>', rows) == 2 * expected


def test_a_page_without_findings_has_nothing_to_walk_and_warns_of_other_languages() -> None:
    english, german = (comparison_rows(TextComparison("a", "a", (), "same", language=name)) for name in ("en", "de"))
    assert "No findings." in english
    assert "button" not in english
    assert "seems not to be English (de)" in german
    assert "English" not in english
