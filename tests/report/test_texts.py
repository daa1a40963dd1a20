"""Two texts compared, as a terminal and as a page show them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.documents.word import WORD, p, word_file
from usim.documents import Document, TextBlock, TextComparison, WordPlace, cut_text, read_document
from usim.evidence import Finding
from usim.judge import Verdict
from usim.report import comparison_html
from usim.report.texts import changed_spans, comparison_rows, comparison_text, listed_findings, summary
from usim.report.word import write_commented

pytest.importorskip("jinja2", reason="pages need jinja2")


def qn(name: str) -> str:
    return f"{{{WORD}}}{name}"


def commented(word: Any) -> list[str]:
    """Return the text of each range with a comment in a Word file, the earlier comments first."""
    ranges: dict[str, str] = {}
    is_open = set()
    for element in word.element.body.iter():
        number = element.get(qn("id"))
        if element.tag == qn("commentRangeStart"):
            is_open.add(number)
        elif element.tag == qn("commentRangeEnd"):
            is_open.discard(number)
        for each in is_open if element.tag == qn("t") else ():
            ranges[each] = ranges.get(each, "") + element.text
    return [ranges[number] for number in sorted(ranges, key=int)]


BEFORE = "It <rained>. We paid 20 euros. Nobody came. The end."
AFTER = "It <rained>. We paid 25 euros. The end. A cat slept\x1b[2J."


def block(before: str, after: str, verdict: Verdict = "keep", text: str = "", **more: Any) -> TextBlock:
    """Return a block of parts of both texts; with a text, there is a finding for its verdict."""
    at = [whole.find(part) if part else 0 for whole, part in ((BEFORE, before), (AFTER, after))]
    spans = [(start, start + len(part)) for start, part in zip(at, (before, after), strict=True)]
    own = [(span,) if part else () for span, part in zip(spans, (before, after), strict=True)]
    findings = (Finding("number", text, source_spans=more.pop("old", ()), output_spans=more.pop("new", ())),) * bool(
        text
    )
    faithfulness = 1.0 if verdict == "keep" else 0.1
    is_same = before == after
    return TextBlock(
        *own, *spans, is_same=is_same, verdict=verdict, faithfulness=faithfulness, findings=findings, **more
    )


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


def test_the_report_begins_with_the_findings_the_gravest_first(comparison: TextComparison) -> None:
    lines = [line.plain for line in comparison_text(comparison, ("a.txt", "b.txt"))]
    assert lines == [
        "drop: Check 2 changes of meaning and 1 possible one.",
        "The other passages: 2 unchanged.",
        "\n1. paragraph 1, sentence 2 (b.txt:1): changes the meaning",
        "   before: We paid [-20-] euros.",
        "   after:  We paid {+25+} euros.",
        "   why:    The number changed: “20” became “25”",
        "\n2. paragraph 1, sentence 4 (b.txt:1): changes the meaning",
        "   before: nothing",
        "   after:  {+A cat slept\ufffd[2J.+}",
        "   why:    The sentence “A cat …” is added",
        "\n3. paragraph 1, sentence 3 (before) (a.txt:1): may change the meaning",
        "   before: [-Nobody came.-]",
        "   after:  nothing",
        "   why:    The sentence “Nobody came.” is left out",
    ]


def test_what_is_in_doubt_is_counted_and_listed_if_it_is_asked_for() -> None:
    doubt = block("We paid 20 euros.", "We paid 25 euros.", "review", "usim cannot tell", is_doubtful=True)
    doubtful = compared(block("It <rained>.", "It <rained>."), doubt)

    def shown(**options: bool) -> str:
        lines = comparison_text(doubtful, ("a", "b"), **options)
        return "\n".join(line.plain for line in lines)

    assert "review: No change of meaning was found; read what is undecided." in shown()
    assert "All passages: 1 undecided (--all lists them), 1 unchanged." in shown()
    assert "1 undecided, 1 unchanged" in shown(shows_doubts=True)
    assert "25" not in shown()
    assert "We paid {+25+} euros." in shown(shows_doubts=True)

    assert "why:    usim cannot tell" in shown(shows_doubts=True)
    assert (doubtful.counts["findings"], doubtful.counts["doubts"]) == (0, 1)
    rows = comparison_rows(doubtful)
    assert "No findings." in rows
    assert "undecided: usim cannot tell" in rows


def test_what_was_reworded_without_a_change_is_named_beside_what_is_in_doubt() -> None:
    kept = compared(block("It <rained>.", "It <rained>."), block("We paid 20 euros.", "We paid 25 euros.", "keep"))
    said = "Reworded without a change of meaning: paragraph 1, sentence 2."
    *_, last = (line.plain.strip() for line in comparison_text(kept, ("a", "b"), shows_doubts=True))
    assert last == said
    assert all(said not in line.plain for line in comparison_text(kept, ("a", "b")))
    doubts = compared(*(block("We paid 20 euros.", "The end.", "review", "?", is_doubtful=True) for _ in range(2)))
    *_, last = (line.plain.strip() for line in comparison_text(doubts, ("a", "b")))
    assert last == "Undecided, the likeliest change first: paragraph 1."


def test_the_counts_are_those_of_what_is_listed() -> None:
    """Of blocks, however many sentences each has: with what is left out, in doubt or rightly added they are all."""
    two = block(
        "We paid 20 euros. Nobody came.", "We paid 25 euros. The end.", "review", "usim cannot tell", is_doubtful=True
    )
    gone = block("Nobody came.", "", "review", "It may be left out", is_doubtful=True)
    own = block("We paid 20 euros.", "We paid 25 euros.")
    counted = compared(two, gone, own, block("", "The end."), block("Nobody came.", ""), block("The end.", "The end."))
    said = "1 reworded without a change of meaning, 2 undecided, 1 unchanged, 1 left out, {0}, 1 added, {0}"
    assert summary(counted) == f"All passages: {said.format('which changes nothing')}"
    allowed = replace(counted, policy="shorten")
    assert summary(allowed) == f"All passages: {said.format('as the policy allows')}"
    assert len(listed_findings(counted, with_doubts=True)) == 2
    assert counted.counts["blocks"] == 6


def test_of_texts_that_have_hardly_anything_in_common_that_is_said() -> None:
    lone = [block("Nobody came.", "", "drop", "It is left out"), block("", "The end.", "drop", "It is added")]
    same = block("The end.", "The end.")
    assert summary(compared(*lone * 10, same)) == "The two texts have hardly anything in common"
    assert summary(compared(*lone * 4, same)) == "The other passages: 1 unchanged"


def test_a_whole_text_that_is_added_is_counted_once() -> None:
    found = block("", "A cat slept\x1b[2J.", "drop", "It is added")
    comparison = TextComparison("", AFTER, (block("", "The end."), found), "same")
    assert not summary(comparison)
    assert all("passages" not in line.plain for line in comparison_text(comparison, ("a", "b")))
    assert "passages" not in comparison_html(comparison, names=("a", "b"))


def test_what_is_undecided_begins_with_the_likeliest_change() -> None:
    """The findings stay in the order of their verdicts and of the text."""
    parts = {"It <rained>.": 0.6, "We paid 20 euros.": 0.3, "Nobody came.": 0.5}
    blocks = [replace(block(part, part, "review", "usim cannot tell", is_doubtful=True), faithfulness=chance)
              for part, chance in parts.items()]  # fmt: skip
    found = block("The end.", "The end.", "review", "It may be left out")
    listed = listed_findings(compared(*blocks, replace(found, faithfulness=0.9)), with_doubts=True)
    assert [each.block for each in listed] == [3, 1, 2, 0]


def test_findings_of_one_block_are_sentences_and_repeat_no_beginning(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    found = block("We paid 20 euros.", "We paid 25 euros.", "review", "The number changed: “20” became “25”")
    texts = ("“paid” became “owed”", "The number changed: “two” is gone", "“paid” became “owed”")
    more = tuple(Finding("number", text) for text in texts)
    both = compared(replace(found, findings=(*found.findings, *more)))
    why = "The number changed: “20” became “25”, “two” is gone. “paid” became “owed”."
    assert [each.why for each in listed_findings(both)] == [why]
    assert f"<dd>{why}</dd>" in comparison_rows(both)
    write_commented(both, Document(both.after), "b.txt", str(tmp_path / "out.docx"))
    (first, *_) = [comment.text for comment in docx.Document(tmp_path / "out.docx").comments]
    assert f"{why}\nBefore:" in first


def test_a_comment_on_a_table_stands_at_the_cell_that_changed(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    path, out = str(tmp_path / "a.docx"), str(tmp_path / "out.docx")
    word = docx.Document()
    for cell, text in zip(word.add_table(1, 3).rows[0].cells, ("Records", "10 years", "India"), strict=True):
        cell.text = text
    word.save(path)
    after = read_document(path)
    before = after.text.replace("India", "Ireland")
    spans = (0, len(before)), (0, len(after.text))
    for own in ((), ((after.text.index("India"), len(after.text)),)):  # a finding may be about the whole row
        findings = (Finding("name", "“Ireland” became “India”", output_spans=own),)
        row = TextBlock(spans[:1], spans[1:], *spans, verdict="drop", findings=findings)
        write_commented(TextComparison(before, after.text, (row,), "same"), after, path, out)
        cells = docx.Document(out).tables[0].rows[0].cells
        assert ["commentRangeStart" in cell._tc.xml for cell in cells] == [True, False, True]


@pytest.mark.parametrize("way", ["", "tab", "field", "link", "inserted", "reformatted"])
def test_a_comment_stands_at_the_words_that_are_meant(tmp_path: Path, way: str) -> None:
    """Runs are cut where they are nothing but text; the text and the looks of a file stay, and its fields and links."""
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    plain = "<w:r><w:rPr><w:i/></w:rPr><w:t>{}</w:t></w:r>"
    price = {
        "tab": "<w:r><w:tab/><w:t>25</w:t></w:r>",
        "field": '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF a</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>25 euros</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        "link": '<w:hyperlink w:anchor="a"><w:r><w:t>25</w:t></w:r></w:hyperlink>',
        "inserted": '<w:ins w:id="7" w:author="A"><w:r><w:t>25</w:t></w:r></w:ins>',
        "reformatted": '<w:r><w:rPr><w:rPrChange w:id="8" w:author="A"><w:rPr/></w:rPrChange></w:rPr><w:t>25 euros</w:t></w:r>',
    }.get(way, "25")
    runs = [plain.format("We paid. We paid 20. We paid"), price, plain.format(" for it. We paid 30.")]
    if not way:
        runs = [plain.format("We paid. We paid 20. We paid 25 for it. We paid 30.")]
    path = word_file(tmp_path / "a.docx", p(*runs) + p("The end."))
    after = read_document(path)
    at = after.text.index("25")
    passage = after.text.rindex("We", 0, at), after.text.index("it.") + 3
    before = after.text.replace("25", "24")
    for own, said in (((), after.text[slice(*passage)]), (((at, at + 2),), "25")):
        findings = (Finding("number", "“24” became “25”", output_spans=own),)
        changed = TextBlock((passage,), (passage,), passage, passage, verdict="drop", findings=findings)
        out = tmp_path / "out.docx"
        write_commented(TextComparison(before, after.text, (changed,), "same"), after, str(path), str(out))
        assert read_document(out).text == after.text
        word, old = docx.Document(str(out)), docx.Document(str(path))
        assert [each.text for each in word.paragraphs] == [each.text for each in old.paragraphs]
        looks = [[(c, run.italic) for run in each.paragraphs[0].runs for c in run.text] for each in (word, old)]
        assert looks[0] == looks[1]
        for kind in ("fldChar", "tab", "hyperlink", "ins", "rPrChange"):
            assert len(list(word.element.iter(qn(kind)))) == len(list(old.element.iter(qn(kind))))
        if way in ("", "link", "inserted"):
            assert commented(word)[0] == said


def test_the_same_sentence_twice_has_its_comment_where_it_is_meant(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    path = word_file(tmp_path / "a.docx", p("Pay it. Come in. Pay it. The end."))
    after = read_document(path)
    at = after.text.rindex("Pay")
    span = (at, at + 7)
    added = TextBlock((), (span,), (at, at), span, verdict="drop", findings=(Finding("added", "It is added"),))
    out = str(tmp_path / "out.docx")
    write_commented(TextComparison(after.text, after.text, (added,), "same"), after, str(path), out)
    word = docx.Document(out)
    texts = [run.text for run in word.paragraphs[0].runs if run.text]
    assert texts == ["Pay it. Come in. ", "Pay it.", " The end."]
    assert commented(word)[0] == "Pay it."


def test_a_word_file_of_markdown_has_paragraphs_for_its_lines(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    text = (
        "Use\n===\n\n## The **filter** ##\nIt is\nnew.\n***\n1. Shut it.\n   - Wait\n     here.\n2. Open it.\n\n"
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n\n```\n# no title\n- no item\n```\n\n---\n\nThe end."
    )
    last = (len(text) - 8, len(text))
    added = TextBlock((), (last,), (0, 0), last, verdict="drop", findings=(Finding("added", "It is added"),))
    out = tmp_path / "out.docx"
    write_commented(TextComparison("", text, (added,), "same"), Document(text, True), "a.md", str(out))
    word = docx.Document(str(out))
    assert [(each.style.name.removeprefix("Normal"), each.text) for each in word.paragraphs] == [
        ("Heading 1", "Use"), ("Heading 2", "The **filter**"), ("", "It is new."), ("", "1. Shut it."),
        ("", "   - Wait here."), ("", "2. Open it."), ("", "| A | B |"), ("", "| 1 | 2 |"),
        ("", "```\n# no title\n- no item\n```"), ("", "The end."),
    ]  # fmt: skip
    assert "commentRangeStart" in word.paragraphs[-1]._p.xml


REVIEW: tuple[str, str, Verdict, str] = ("We paid 20 euros.", "We paid 25 euros.", "review", "“20” became “25”")
DROP: tuple[str, str, Verdict, str] = ("Nobody came.", "", "drop", "It is left out")


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ([], "Nothing to check: the text after the change says the same."),
        ([REVIEW], "Check 1 possible change of meaning."),
        ([REVIEW] * 8, "Check 8 possible changes of meaning."),
        ([DROP], "Check 1 change of meaning."),
        ([DROP, REVIEW, REVIEW], "Check 1 change of meaning and 2 possible ones."),
    ],
)
def test_every_report_begins_with_what_is_to_be_done(
    blocks: list[tuple[str, str, Verdict, str]], said: str, tmp_path: Path
) -> None:
    comparison = compared(block("It <rained>.", "It <rained>."), *(block(*each) for each in blocks))
    first = next(iter(comparison_text(comparison, ("a", "b")))).plain
    assert first == f"{comparison.verdict}: {said}"
    assert f'<span class="verdict {comparison.verdict}">{said}</span>' in comparison_rows(comparison)
    assert f'<span class="verdict {comparison.verdict}">{said}</span>' in comparison_html(comparison)
    docx = pytest.importorskip("docx", reason="Word files need python-docx")
    write_commented(comparison, Document(comparison.after), "b.txt", str(tmp_path / "out.docx"))
    comments = [comment.text for comment in docx.Document(tmp_path / "out.docx").comments]
    assert any(comment.startswith(said) for comment in comments)


def test_places_in_a_word_file_are_those_that_a_reader_sees() -> None:
    """The paragraph of the file, whose header is none of them, or the note; and no line, which only the text has."""
    before, after = (f"Draft.\n\nIt rained.\n\nWe paid {price} euros." for price in (20, 25))
    own = (len("Draft.\n\nIt rained.\n\n"), len(after))
    findings = (Finding("number", "“20” became “25”"),)
    changed = TextBlock((own,), (own,), own, own, verdict="review", findings=findings)
    for name, where in (("", "paragraph 2"), ("footnote 1", "footnote 1")):
        places = (WordPlace(0, 0, "header"), WordPlace(8, 0), WordPlace(own[0], 3, name))
        comparison = TextComparison(before, after, (changed,), "same", places=(places, places))
        lines = [line.plain for line in comparison_text(comparison, ("a.docx", "b.docx"))]
        assert f"\n1. {where} (b.docx): may change the meaning" in lines
        assert [finding.where for finding in comparison.findings] == [where]


@pytest.mark.parametrize(
    ("before", "after", "gone", "new"),
    [
        ("It rained. We left.", "We left. It rained.", [], []),
        ("On Friday we left.", "We left on Friday.", [], []),
        ("It rained. We left.", "We stayed. It rained.", ["left"], ["stayed"]),
        ("One of two.", "Three of two.", ["One"], ["Three"]),
    ],
)
def test_nothing_is_struck_through_where_only_the_order_changed(
    before: str, after: str, gone: list[str], new: list[str]
) -> None:
    sides = [cut_text(text) for text in (before, after)]
    spans = [tuple(passage[:2] for passage in side.passages) for side in sides]
    merged = TextBlock(*spans, (0, len(before)), (0, len(after)))
    comparison = TextComparison(before, after, (merged,), "same")
    marked = changed_spans(comparison, merged)
    assert [before[slice(*span)] for span in marked[0]] == gone
    assert [after[slice(*span)] for span in marked[1]] == new


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


def test_items_keep_their_numbers_side_by_side() -> None:
    before, after = "1. It rained.\n(a) We paid. All did.", "1. It rained.\n(b) We paid. All did."
    spans = [(3, 13), (18, 26), (27, 35)]
    blocks = tuple(TextBlock((span,), (span,), span, span, is_same=True, verdict="keep") for span in spans)
    rows = comparison_rows(TextComparison(before, after, blocks, "same"))
    shown = [" ".join(text.split()) for text in re.findall(r'<p lang="en"[^>]*>(.*?)</p>', rows, re.DOTALL)]
    assert shown == ["1. It rained."] * 2 + ["(a) We paid.", "(b) We paid."] + ["All did."] * 2
