"""M2, the format of grammatical error correction (Dahlmeier and Ng 2012), as ERRANT writes it (Bryant et al. 2017).

::

    S She have two cat .
    A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
    A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

A sentence a record, named by its number, from 1. Each edit is a suggestion, and after the edits of an annotator all of
them together are another: the annotator's correction. Of alternatives (``has||had``) the first is taken. What corrects
nothing (``noop``, or ``-NONE-`` as correction) is no suggestion. To drop an annotator's correction is to drop all their
edits; an annotator who has none left gets the line that says so (``noop``), as scorers expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NamedTuple

from usim.records._record import Line, Record, RecordError, lines
from usim.suggestions import Edit, Suggestion, apply
from usim.text.files import Path

_EDIT = re.compile(r"A (-?\d{1,18}) (-?\d{1,18})\|\|\|(.*)")
_NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}"


def blocks(path: Path) -> Iterator[Line]:
    """Yield the sentences of an M2 file, each with its edits, and the blank lines between them."""
    block: list[Line] = []
    count = 0
    for line in lines(path):
        if block and (line.is_blank or line.raw.startswith("S ")):
            yield _joined(block, count)
            block = []
        if line.is_blank:
            yield line
            continue
        count += not block
        block.append(line)
    if block:
        yield _joined(block, count)


def _joined(block: list[Line], name: int) -> Line:
    error = next((line.error for line in block if line.error), None)
    return Line(block[0].number, "".join(line.raw for line in block), error, name)


class _EditLine(NamedTuple):
    """An A line: its place in the block, and its fields; it starts at -1 where it corrects nothing."""

    place: int
    start: int
    end: int
    kind: str
    correction: str
    annotator: str


def _read(raw: str) -> tuple[list[str], list[str], list[_EditLine]]:
    """Return the lines of a block, the words of its sentence, and its edits."""
    block = re.findall(r"[^\n]*\n|[^\n]+", raw)
    first = block[0].rstrip("\r\n")
    if first != "S" and not first.startswith("S "):
        raise RecordError("a sentence must begin with a line 'S …'", first)
    words = first[1:].split()
    return block, words, [_line(place, line.rstrip("\r\n"), len(words)) for place, line in enumerate(block[1:], 1)]


def fields(line: Line) -> dict[str, Any]:
    """Return a sentence as a row of a table of pairs: the source, and the correction of each annotator."""
    _, words, edits = _read(line.raw)
    annotators = dict.fromkeys(edit.annotator for edit in edits)
    text = " ".join(words)
    corrections = {name: apply(text, _together(words, _own(edits, name))) for name in annotators}
    return {"id": line.id, "source": text, **corrections}


def _line(place: int, content: str, words: int) -> _EditLine:
    match = _EDIT.fullmatch(content)
    fields = match.group(3).split("|||") if match else []
    if not match or len(fields) < 5:
        raise RecordError("an edit must be 'A start end|||type|||correction|||…|||…|||annotator'", content)
    start, end, kind, correction = int(match.group(1)), int(match.group(2)), fields[0], fields[1]
    if kind == "noop" or correction == "-NONE-":
        return _EditLine(place, -1, -1, kind, "", fields[-1])
    if not 0 <= start <= end <= words:
        raise RecordError(f"the edit does not fit a sentence of {words} words", content)
    return _EditLine(place, start, end, kind, correction.split("||")[0], fields[-1])


def _own(edits: list[_EditLine], annotator: str) -> list[_EditLine]:
    return [edit for edit in edits if edit.annotator == annotator and edit.start >= 0]


def record(fields: dict[str, Any], id_: str | int, line: Line) -> Record:
    """Return a sentence with its edits, and the correction of each annotator, as suggestions."""
    block, words, edits = _read(line.raw)
    text = " ".join(words)
    suggestions: list[Suggestion] = []
    dropping: list[list[int]] = []  # the lines that each suggestion stands on
    for annotator in dict.fromkeys(edit.annotator for edit in edits):
        own = _own(edits, annotator)
        for edit in own:
            about = {"annotator": annotator, "type": edit.kind, "words": [edit.start, edit.end]}
            change = _edit(words, edit.start, edit.end, edit.correction)
            suggestions.append(Suggestion(edit.correction, (change.start, change.end), (change,), about))
            dropping.append([edit.place])
        if own:
            together = _together(words, own)
            suggestions.append(Suggestion(apply(text, together), None, together, {"annotator": annotator}))
            dropping.append([edit.place for edit in own])

    def without(dropped: frozenset[int]) -> str:
        gone = {line for place in dropped for line in dropping[place]}
        kept = {place: line for place, line in enumerate(block) if place not in gone}
        for annotator in dict.fromkeys(edit.annotator for edit in edits):
            lines = [edit.place for edit in edits if edit.annotator == annotator]
            if not any(place in kept for place in lines):
                last = block[lines[0]]
                kept[lines[0]] = _NOOP.format(annotator) + last[len(last.rstrip("\r\n")) :]
        return "".join(kept[place] for place in sorted(kept))

    return Record(id_, line.number, text, tuple(suggestions), line.raw, without)


def _edit(words: list[str], first: int, last: int, correction: str) -> Edit:
    """Return an edit of words as an edit of characters, with one of the blanks around it where words come or go."""
    new = " ".join(correction.split())
    begins = [0, *accumulate(len(word) + 1 for word in words)]
    start, end, size = begins[first], begins[last], max(0, begins[-1] - 1)
    if first == 0 and last == len(words):
        return Edit(0, size, new)
    if first < last and new:
        return Edit(start, end - 1, new)
    if last == len(words):
        return Edit(start - 1, size, " " + new if new else "")
    return Edit(start, end, new + " " if new else "")


def _together(words: list[str], own: list[_EditLine]) -> tuple[Edit, ...]:
    """Join the edits of an annotator; those that touch become one, because they share the blank between them."""
    joined: list[tuple[int, int, str]] = []
    for edit in sorted(own, key=lambda edit: (edit.start, edit.end)):
        first, last, new = edit.start, edit.end, edit.correction
        if joined and first < joined[-1][1]:
            raise RecordError(f"two edits of annotator {edit.annotator} overlap", f"{joined[-1][:2]}, {(first, last)}")
        if joined and first == joined[-1][1]:
            first, new = joined[-1][0], f"{joined.pop()[2]} {new}"
        joined.append((first, last, new))
    return tuple(_edit(words, *each) for each in joined)
