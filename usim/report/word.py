"""The later version of a text as a Word file, with a comment at each finding."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from usim.documents import Document, TextComparison, WordPlace
from usim.errors import InputError, extra
from usim.report.texts import HINT, ListedFinding, changed_spans, listed_findings, said_of, summary, verdict_text
from usim.text.files import written_beside
from usim.ucca import storable_in_xml

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

#: Who signs a comment: no person.
_AUTHOR, _INITIALS = "usim (automatic)", "usim"


def write_commented(
    comparison: TextComparison, after: Document, path: str, output: str, *, shows_doubts: bool = False
) -> None:
    """Write the text after the change to a Word file, with a comment at each finding and one on the whole.

    With ``shows_doubts`` doubtful blocks have a comment, too. A Word file (``path``) keeps all that it has; of other
    texts each paragraph becomes one.

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
        word, places = _of_text(docx.Document(), after.text)
    paragraphs = list(word.element.body.iter("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p"))
    for finding in reversed(listed_findings(comparison, with_doubts=shows_doubts)):
        block = comparison.blocks[finding.block]
        if paragraphs:
            own = [each for each in (*comparison.findings, *comparison.doubts) if each.block == finding.block]
            spans = [span for each in own for span in each.after]
            # What was found may be about the whole row of a table.
            changed = [span for span in spans if span != block.after_span] or changed_spans(comparison, block)[1]
            at = min((start for start, _ in changed), default=block.after_span[0])
            place = max((each.number for each in places if each.start <= at), default=0)
            words = [comparison.after[slice(*span)] for span in spans]
            _comment(word, paragraphs[min(place, len(paragraphs) - 1)], words, _said(comparison, finding))
    if paragraphs:  # whoever reads the file may not have made it
        counts = summary(comparison, hint="" if shows_doubts else f"usim compare {HINT}")
        _comment(word, paragraphs[0], [], f"{verdict_text(comparison)}{counts and f' {counts}.'}")
    stream = io.BytesIO()
    word.save(stream)
    try:
        with written_beside(Path(output)) as file:
            file.write(stream.getvalue())
    except OSError as e:
        raise InputError(e.strerror or str(e), path=output) from e


def _of_text(word: WordDocument, text: str) -> tuple[WordDocument, tuple[WordPlace, ...]]:
    """Fill an empty Word file with the paragraphs of a text; return it with their places."""
    places, at = list[WordPlace](), 0
    for paragraph in re.split(r"(\n[ \t]*\n\s*)", text):
        if paragraph.strip():
            places.append(WordPlace(at, len(places)))
            word.add_paragraph(storable_in_xml(paragraph.strip("\n")))
        at += len(paragraph)
    return word, tuple(places)


def _said(comparison: TextComparison, finding: ListedFinding) -> str:
    said = said_of(comparison, finding)
    before = f"\nBefore: {finding.before}" if finding.before else ""
    why = f" {finding.why.removesuffix('.')}." if finding.why else ""
    return storable_in_xml(f"{said[0].upper()}{said[1:]} ({finding.where}).{why}{before}")


def _comment(word: WordDocument, element: Any, words: Sequence[str], text: str) -> None:
    """Comment on the runs of a paragraph that have one of these words, or on all of them."""
    from docx.text.paragraph import Paragraph

    paragraph = Paragraph(element, word._body)
    runs = paragraph.runs or [paragraph.add_run()]
    whole = "".join(run.text for run in runs)
    found = [(at, at + len(each)) for each in words if each.strip() and (at := whole.find(each)) >= 0]
    start = end = 0
    marked = []
    for run in runs:
        start, end = end, end + len(run.text)
        if any(first < end and start < last for first, last in found):
            marked.append(run)
    first, last = (marked[0], marked[-1]) if marked else (runs[0], runs[-1])
    word.add_comment([first, last] if first is not last else first, text, author=_AUTHOR, initials=_INITIALS)
