"""Predictions for ProLex (Zhang et al. 2024): its CSV form, and the lines of ParaLS and SemEval-2007 task 10.

CSV has the columns ``Sentence`` (the target between ``**``) and ``Substitutes`` (``"a, b, c"``)::

    target word,Sentence,Substitutes
    overall,"But **overall**, I disagree.","generally, on the whole"

Lines (``overall.J 0 ::: generally;on the whole``) have no sentence: the number is the place of the target, from 0, in
the data, which must be given in that case. A record is named by its number.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping

from usim.errors import InputError, SuggestionError
from usim.suggestions.place import check_span
from usim.suggestions.records import (
    Line,
    Part,
    Record,
    RecordError,
    Suggestion,
    bad_record,
    check_text,
    lines,
    stop,
    too_long,
    whole_number,
)
from usim.text import LONGEST_LINE, Path

_CELL = re.compile(r'"(?:[^"]|"")*"|[^,"\r\n]*')
_MARKED = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_INSTANCE = re.compile(r"(.+?)(?:\.\w*)?[ \t](\d+)[ \t]:::?(?:[ \t]|$)(.*)")


def read(path: Path, sentences: Mapping[int, str] | None = None) -> Iterator[Part]:
    """Read a file of predictions, in either form, part by part.

    Args:
        path: the predictions.
        sentences: number → sentence with its target between ``**``, for files that have none.

    Raises:
        InputError: the file cannot be opened or read.
        FormatError: its header lacks a column.
    """
    columns: list[str] | None = None
    count = 0
    for row in _rows(path):
        number, raw = row.number, row.raw
        if row.is_cut:
            yield too_long(number, raw, path)
            count += bool(columns)
        elif row.is_blank:
            yield raw
        elif columns == [] or (columns is None and _INSTANCE.fullmatch(raw.strip())):
            yield from _instances(raw, number, path, sentences or {})
            columns = []
        elif columns is None:
            columns = [cell.strip() for cell in _cells(raw)] if _is_row(raw) else []
            if "Substitutes" not in columns:
                stop("no column 'Substitutes' in the header", path, number, raw.strip())
            yield raw
        else:
            yield _row(raw, columns, count, number, path, sentences or {})
            count += 1


def _rows(path: Path) -> Iterator[Line]:
    """Read the rows of a CSV file, each numbered by its first line: a quoted cell may go over several lines.

    A quotation mark that is never closed, or only after more than a line may have, costs its own line and not the rest
    of the file.
    """
    held: list[Line] = []
    coming = lines(path)
    waiting: deque[Line] = deque()
    marks = size = 0
    while True:
        following = waiting.popleft() if waiting else next(coming, None)
        if following is not None:
            held.append(following)
            marks += following.raw.count('"')
            size += len(following.raw)
            if marks % 2 and size <= LONGEST_LINE and not following.is_cut:
                continue
        if held:
            row = "".join(line.raw for line in held)
            is_whole = len(held) == 1 or _is_row(row)
            yield held[0]._replace(raw=row) if is_whole else held[0]
            waiting.extendleft(reversed([] if is_whole else held[1:]))
            held, marks, size = [], 0, 0
        elif following is None:
            return


def _is_row(row: str) -> bool:
    try:
        return bool(_spans(row))
    except RecordError:
        return False


def _spans(row: str) -> list[tuple[int, int]]:
    """Return where the cells of a row stand, with their quotation marks."""
    size = len(row.rstrip("\r\n"))
    spans: list[tuple[int, int]] = []
    place = 0
    while True:
        match = _CELL.match(row, place, size)
        end = match.end() if match else place
        spans.append((place, end))
        if end == size:
            return spans
        if row[end] != ",":
            raise RecordError("not CSV (a quotation mark within a cell)", row.strip())
        place = end + 1


def _cells(row: str) -> list[str]:
    return [_plain(row[start:end]) for start, end in _spans(row)]


def _plain(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell


def _target(marked: str | None) -> tuple[str, int, int]:
    """Return a sentence without the marks of its target, and where the target is."""
    text, start, end = _unmarked(marked)
    check_span(text, start, end)
    return text, start, end


def _unmarked(marked: str | None) -> tuple[str, int, int]:
    match = _MARKED.search(marked) if marked is not None else None
    if marked is None or not match:
        raise RecordError("no sentence with its target between ** (give the data if the file has none)", marked)
    text = marked[: match.start()] + match.group(1) + marked[match.end() :]
    return text, match.start(), match.start() + len(match.group(1))


def unmarked(sentence: str, number: int) -> tuple[str, int, int]:
    """Return the sentence of a target without the ``**`` around it, and where the target is, whole words or not.

    Raises:
        InputError: there is no target between ``**``.
    """
    try:
        return _unmarked(sentence)
    except RecordError as problem:
        raise InputError(f"target {number} of the gold data: {problem.message}", text=sentence) from problem


def _row(raw: str, columns: list[str], name: int, line: int, path: Path, sentences: Mapping[int, str]) -> Part:
    try:
        check_text(raw)
        spans = _spans(raw)
        if len(spans) != len(columns):
            raise RecordError(f"{len(spans)} cells, and the header has {len(columns)}", raw.strip())
        cells = dict(zip(columns, (_plain(raw[start:end]) for start, end in spans), strict=True))
        text, start, end = _target(cells.get("Sentence") or sentences.get(name))
        substitutes = [substitute for substitute in cells["Substitutes"].split(", ") if substitute]
    except SuggestionError as problem:
        return bad_record(problem, name, line, raw, path)

    def without(dropped: frozenset[int]) -> str:
        begin, stop_ = spans[columns.index("Substitutes")]
        left = ", ".join(substitute for place, substitute in enumerate(substitutes) if place not in dropped)
        quoted = raw[begin] == '"' if begin < stop_ else False
        return raw[:begin] + ('"' + left.replace('"', '""') + '"' if quoted else left) + raw[stop_:]

    suggestions = tuple(Suggestion(substitute, (start, end)) for substitute in substitutes)
    return Record(name, line, text, suggestions, raw, without)


def _instances(raw: str, line: int, path: Path, sentences: Mapping[int, str]) -> Iterator[Part]:
    """Read lines of ParaLS; there are several where quotation marks have held them together."""
    for place, single in enumerate(re.findall(r"[^\n]*\n|[^\n]+", raw)):
        yield _instance(single, line + place, path, sentences) if single.strip() else single


def _instance(raw: str, line: int, path: Path, sentences: Mapping[int, str]) -> Part:
    name: int | None = None
    try:
        check_text(raw)
        match = _INSTANCE.fullmatch(raw.rstrip())
        if not match:
            raise RecordError("not of the form 'word.POS number ::: a;b;c'", raw.strip())
        name = whole_number(match.group(2), "number")
        text, start, end = _target(sentences.get(name))
        cells = match.group(3).split(";")
    except SuggestionError as problem:
        return bad_record(problem, name, line, raw, path)
    places = [place for place, cell in enumerate(cells) if cell.strip()]

    def without(dropped: frozenset[int]) -> str:
        gone = {places[place] for place in dropped}
        left = ";".join(cell for place, cell in enumerate(cells) if place not in gone)
        return raw[: match.start(3)] + left + raw[match.end(3) :]

    suggestions = tuple(Suggestion(cells[place].strip(), (start, end)) for place in places)
    return Record(name, line, text, suggestions, raw, without)
