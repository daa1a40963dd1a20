"""M2, the format of grammatical error correction (Dahlmeier and Ng 2012), as ERRANT writes it (Bryant et al. 2017).

::

    S She have two cat .
    A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
    A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

A sentence a record, named by its number, from 1. Each edit is a suggestion, and after the edits of an annotator all of
them together are another: the annotator's correction. Edits are carried out as they are written. Where an edit has
alternatives (``has||had``), each is a suggestion, and the correction takes the first. What corrects nothing
(``noop``, or ``-NONE-`` as correction) is no suggestion.

:meth:`Record.without <usim.suggestions.records.Record.without>` takes out the lines of the edits dropped; to drop an
annotator's correction is to drop all their edits. An annotator who has none left gets the line that says so
(``noop``), as the scorers of this format expect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from usim.errors import SuggestionError
from usim.suggestions.place import Edit, apply
from usim.suggestions.records import Part, Path, Record, RecordError, Suggestion, bad, is_text, lines

_NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}"


def read(path: Path) -> Iterator[Part]:
    """The parts of an M2 file.

    Raises:
        InputError: it cannot be opened or read.
    """
    block: list[str] = []
    begin = count = 0
    for number, raw in lines(path):
        blank = not raw.strip() or not number
        if block and (blank or raw.startswith("S ")):
            count += 1
            yield _part(block, count, begin, path)
            block = []
        if blank:
            yield raw
        else:
            begin = begin if block else number
            block.append(raw)
    if block:
        yield _part(block, count + 1, begin, path)


class _Line(NamedTuple):
    """An A line: its place in the block, and what it says."""

    place: int
    start: int
    end: int
    kind: str
    alternatives: tuple[str, ...]
    annotator: str


def _part(block: list[str], name: int, line: int, path: Path) -> Part:
    raw = "".join(block)
    try:
        if not is_text(raw):
            raise RecordError("not UTF-8; convert the file to UTF-8")
        first = block[0].rstrip("\r\n")
        if first != "S" and not first.startswith("S "):
            raise RecordError("a sentence must begin with a line 'S …'", first)
        words = first[1:].split()
        found = [_line(place, content.rstrip("\r\n"), len(words)) for place, content in enumerate(block[1:], 1)]
        return _record(block, words, found, name, line)
    except (RecordError, SuggestionError) as problem:
        return bad(problem, name, line, raw, path)


def _line(place: int, content: str, words: int) -> _Line:
    found = re.fullmatch(r"A (-?\d+) (-?\d+)\|\|\|(.*)", content)
    fields = found.group(3).split("|||") if found else []
    if not found or len(fields) < 5:
        raise RecordError("an edit must be 'A start end|||type|||correction|||…|||…|||annotator'", content)
    start, end, kind, correction = int(found.group(1)), int(found.group(2)), fields[0], fields[1]
    if kind == "noop" or correction == "-NONE-":
        return _Line(place, -1, -1, kind, (), fields[-1])
    if not 0 <= start <= end <= words:
        raise RecordError(f"the edit does not fit a sentence of {words} words", content)
    return _Line(place, start, end, kind, tuple(correction.split("||")), fields[-1])


def _record(block: list[str], words: list[str], found: list[_Line], name: int, line: int) -> Record:
    text = " ".join(words)
    suggestions: list[Suggestion] = []
    dropping: list[frozenset[tuple[int, int]]] = []
    for annotator in dict.fromkeys(made.annotator for made in found):
        own = [made for made in found if made.annotator == annotator and made.alternatives]
        for made in own:
            for place, correction in enumerate(made.alternatives):
                about = {"annotator": annotator, "type": made.kind, "words": [made.start, made.end]}
                one = _edit(words, made.start, made.end, correction)
                suggestions.append(Suggestion(correction, (one.start, one.end), (one,), about))
                dropping.append(frozenset({(made.place, place)}))
        if own:
            together = _together(words, own)
            suggestions.append(Suggestion(apply(text, together), None, together, {"annotator": annotator}))
            dropping.append(frozenset((made.place, place) for made in own for place in range(len(made.alternatives))))

    def without(dropped: frozenset[int]) -> str:
        return _without(block, found, frozenset().union(*(dropping[place] for place in dropped)))

    return Record(name, line, text, tuple(suggestions), "".join(block), without)


def _edit(words: list[str], first: int, last: int, correction: str) -> Edit:
    """An edit of words as one of characters, with one of the blanks around it where words come or go."""
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


def _together(words: list[str], own: list[_Line]) -> tuple[Edit, ...]:
    """All edits of an annotator; those that touch become one, as they share the blank between them."""
    joined: list[tuple[int, int, str]] = []
    for made in sorted(own, key=lambda made: (made.start, made.end)):
        first, last, new = made.start, made.end, made.alternatives[0]
        if joined and first < joined[-1][1]:
            raise RecordError(f"two edits of annotator {made.annotator} overlap", f"{joined[-1][:2]}, {(first, last)}")
        if joined and first == joined[-1][1]:
            first, new = joined[-1][0], f"{joined.pop()[2]} {new}"
        joined.append((first, last, new))
    return tuple(_edit(words, *each) for each in joined)


def _without(block: list[str], found: list[_Line], gone: frozenset[tuple[int, int]]) -> str:
    kept = dict(enumerate(block))
    for made in found:
        left = [a for place, a in enumerate(made.alternatives) if (made.place, place) not in gone]
        if len(left) == len(made.alternatives):
            continue
        if left:
            head, kind, _, rest = kept[made.place].split("|||", 3)
            kept[made.place] = "|||".join((head, kind, "||".join(left), rest))
        else:
            del kept[made.place]
    for annotator in dict.fromkeys(made.annotator for made in found):
        own = [made.place for made in found if made.annotator == annotator]
        if not any(place in kept for place in own):
            last = block[own[0]]
            kept[own[0]] = _NOOP.format(annotator) + last[len(last.rstrip("\r\n")) :]
    return "".join(kept[place] for place in sorted(kept))
