"""The later version of a text as a Word file, with a comment at each finding."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from usim.documents import Document, TextComparison, WordPlace, cut_text
from usim.errors import InputError, extra
from usim.report.texts import ListedFinding, changed_spans, listed_findings, overview, said_of
from usim.text import Span
from usim.text.files import written_beside
from usim.ucca import storable_in_xml

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

#: Who signs a comment: no person.
_AUTHOR, _INITIALS = "usim (automatic)", "usim"
#: Places that belong to a paragraph, but whose words stand elsewhere.
_AROUND = re.compile(r"footnote|endnote|header|footer")
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
#: What holds runs of a paragraph: links, tracked insertions, controls.
_HOLDING = {f"{_W}{name}" for name in ("hyperlink", "ins", "moveTo", "sdt", "sdtContent", "smartTag")}
#: In Markdown a rule, and the line below a title or below the head of a table.
_RULE = re.compile(r"[\s|:=*_-]*")
#: What stands between the columns of a table in plain text.
_COLUMNS = re.compile(r"\S(?:[ ]{2,}|\t)\S")
#: The only content of a run that may be cut in two, and the tracked changes that forbid it.
_CUT = {f"{_W}rPr", f"{_W}t"}
_TRACKED = {f"{_W}{name}" for name in ("rPrChange", "ins", "del", "moveFrom", "moveTo")}


def write_commented(
    comparison: TextComparison, after: Document, path: str, output: str, *, shows_doubts: bool = False
) -> None:
    """Write the text after the change to a Word file, with a comment at each finding and one on the whole.

    With ``shows_doubts`` doubtful blocks have a comment, too. A Word file (``path``) keeps all that it has; of other
    texts each heading, paragraph, item and row becomes a paragraph.

    Raises:
        InputError: python-docx is not installed, or a file cannot be written.
    """
    docx = extra("docx", "a Word file needs", "python-docx", of="docx")
    places = after.places
    try:
        word = docx.Document(path) if places else None
    except Exception:  # the strict form, which python-docx does not open
        word = None
    if word is None:
        word, places = _of_text(docx.Document(), after)
    paragraphs = list(word.element.body.iter(f"{_W}p"))
    for finding in reversed(listed_findings(comparison, with_doubts=shows_doubts)):
        block = comparison.blocks[finding.block]
        if paragraphs:
            own = [each for each in (*comparison.findings, *comparison.doubts) if each.block == finding.block]
            spans = [span for each in own for span in each.after]
            # What was found may be about the whole row of a table.
            changed = [span for span in spans if span != block.after_span] or changed_spans(comparison, block)[1]
            at = min((start for start, _ in changed), default=block.after_span[0])
            place = max((each for each in places if each.start <= at), default=WordPlace(0, 0))
            stop = min((each.start for each in places if each.start > at), default=len(after.text))
            # What stands behind a paragraph, and behind a cell, is none of it.
            stop = place.start + len(after.text[place.start : stop].rstrip(" |\n"))
            passage = max(place.start, block.after_span[0]), min(stop, block.after_span[1])
            own_words = [] if block.after_span in spans else spans
            about = (after.text, place.start, passage, own_words) if not _AROUND.match(place.name) else None
            _comment(word, paragraphs[min(place.number, len(paragraphs) - 1)], _said(comparison, finding), about)
    if paragraphs:  # whoever reads the file may not have made it
        _comment(word, paragraphs[0], overview(comparison, hint="" if shows_doubts else "not marked here"))
    stream = io.BytesIO()
    word.save(stream)
    try:
        with written_beside(Path(output)) as file:
            file.write(stream.getvalue())
    except OSError as e:
        raise InputError(e.strerror or str(e), path=output) from e


def _of_text(word: WordDocument, after: Document) -> tuple[WordDocument, tuple[WordPlace, ...]]:
    """Fill an empty Word file with the headings, paragraphs, items and rows of a text; return it with their places."""
    text, cut, at = after.text, cut_text(after.text, is_markdown=after.is_markdown), 0
    places = list[WordPlace]()

    def add(start: int, said: str, level: int = 0) -> None:
        if said:
            places.append(WordPlace(start, len(places)))
            said = storable_in_xml(said)
            word.add_heading(said, level) if level else word.add_paragraph(said)

    def add_between(start: int, stop: int) -> None:
        """Add what is code, or no running text, as it is."""
        for part in re.split(r"(\n[ \t]*\n\s*)", text[start:stop]):
            if not (after.is_markdown and _RULE.fullmatch(part)):
                add(start, part.strip("\n") if part.strip() else "")
            start += len(part)

    for start, end, kind in cut.pieces:
        first, last = cut.with_marks((start, end))
        line, line_end = text.rfind("\n", 0, first) + 1, text.find("\n", last)
        if kind == "code" or line < at:
            continue
        add_between(at, line)
        at = len(text) if line_end < 0 else line_end + 1
        level = max(1, text.count("#", line, first)) if kind == "heading" else 0
        begun, *more = (text[first:last] if level else text[line:at].rstrip()).split("\n")
        # Lines with columns are the rows of a table; others are wrapped.
        between = "\n" if _COLUMNS.search(text[line:at]) else " "
        add(line, between.join((begun.rstrip(), *map(str.strip, more))), level)
    add_between(at, len(text))
    return word, tuple(places)


def _said(comparison: TextComparison, finding: ListedFinding) -> str:
    said = said_of(comparison, finding)
    before = f"\nBefore: {finding.before}" if finding.before else ""
    why = f" {finding.why.removesuffix('.')}." if finding.why else ""
    return storable_in_xml(f"{said[0].upper()}{said[1:]} ({finding.where}).{why}{before}")


def _comment(
    word: WordDocument, element: Any, said: str, about: tuple[str, int, Span, Sequence[Span]] | None = None
) -> None:
    """Comment on a passage of a paragraph, or on the whole paragraph if it does not have the passage in its runs.

    ``about`` is the text, where the paragraph begins in it, where the passage is, and where the words that matter are.
    """
    from docx.text.paragraph import Paragraph

    paragraph = Paragraph(element, word._body)
    runs = _runs(paragraph) or [paragraph.add_run()]
    if about and (span := _anchor("".join(run.text for run in runs), *about)):
        for edge in span:
            _cut_at(paragraph, edge)
        runs = [run for run, (start, end) in _placed(paragraph) if start < span[1] and span[0] < end]
    first, last = runs[0], runs[-1]
    word.add_comment([first, last] if first is not last else first, said, author=_AUTHOR, initials=_INITIALS)


def _anchor(whole: str, text: str, begin: int, passage: Span, words: Sequence[Span]) -> Span | None:
    """Return where words of a passage stand in a paragraph, from the first to the last; else where the passage does."""
    place = _find(whole, (0, len(whole)), text, begin, passage)
    within, begin = (place, passage[0]) if place else ((0, len(whole)), begin)
    inside = (span for span in words if passage[0] <= span[0] and span[1] <= passage[1])
    places = [at for span in inside if (at := _find(whole, within, text, begin, span))]
    return (min(start for start, _ in places), max(end for _, end in places)) if places else place


def _find(whole: str, within: Span, text: str, begin: int, span: Span) -> Span | None:
    """Return where a paragraph has a part of a text, whose blanks may differ.

    If the text has the same words more than once from ``begin`` on, so has the paragraph.
    """
    pattern = _words_of(text[slice(*span)])
    if not pattern.pattern:
        return None
    earlier = sum(1 for _ in pattern.finditer(text, begin, span[0]))
    match = next(islice(pattern.finditer(whole, *within), earlier, None), None)
    return match.span() if match else None


def _words_of(text: str) -> re.Pattern[str]:
    """Return what finds the words of a text, whatever blanks are between them."""
    return re.compile(r"\s+".join(map(re.escape, text.split())))


def _runs(paragraph: Paragraph) -> list[Run]:
    """Return the runs of a paragraph, also those of links, tracked insertions and controls."""
    from docx.text.run import Run

    def elements(parent: Any) -> Iterator[Any]:
        for child in parent:
            if child.tag == f"{_W}r":
                yield child
            elif child.tag in _HOLDING:
                yield from elements(child)

    return [Run(element, paragraph) for element in elements(paragraph._p)]


def _placed(paragraph: Paragraph) -> Iterator[tuple[Run, Span]]:
    """Yield the runs of a paragraph, and where each begins and ends in their text."""
    at = 0
    for run in _runs(paragraph):
        yield run, (at, at + len(run.text))
        at += len(run.text)


def _cut_at(paragraph: Paragraph, at: int) -> None:
    """Cut the run at a place into two runs of the same format, unless it has more than text or is part of a field."""
    depth = 0
    for run, (start, end) in list(_placed(paragraph)):
        marks = [mark.get(f"{_W}fldCharType") for mark in run._r.iter(f"{_W}fldChar")]
        depth += marks.count("begin") - marks.count("end")
        if start < at < end:
            is_plain = {each.tag for each in run._r} <= _CUT and not _TRACKED & {each.tag for each in run._r.iter()}
            if is_plain and not depth and not re.search(r"[\t\n\r]", run.text):
                rest = type(run)(deepcopy(run._r), paragraph)
                run._r.addnext(rest._r)
                rest.text, run.text = run.text[at - start :], run.text[: at - start]
            return
