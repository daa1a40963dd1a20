"""Tab-separated values: a record a line, the last columns its suggestions.

With a header (a first line that has a column ``sentence``), the columns are taken by name:

===============  ==================================================================================================
``id``           the record's name; without it, the number of the line
``sentence``     the text
``start, end``   the target, in characters from 0, the end exclusive; only for substitutes
``target``       if it is there, what has to stand at that place
``substitutes``  the last column: this cell and all cells after it are substitutes, one a cell
``corrections``  the last column, in place of ``substitutes``: whole changed texts, one a cell
===============  ==================================================================================================

Other columns are left alone. Without a header, the columns are ``id, sentence, start, end, substitutes``.

Nothing is quoted or escaped: a text with a tab or a line break cannot be written in this format. An empty cell is no
suggestion, as spreadsheets fill up lines with them: a deletion has to be written as JSON lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from usim.errors import SuggestionError
from usim.suggestions.records import (
    Part,
    Record,
    RecordError,
    Suggestion,
    bad_record,
    check_text,
    checked_span,
    lines,
    stop,
    too_long,
    whole_number,
)
from usim.text import Path, is_header

#: The columns of a file without a header.
COLUMNS = ("id", "sentence", "start", "end", "substitutes")
_LISTS = {
    "substitutes": "substitutes",
    "substitute": "substitutes",
    "corrections": "corrections",
    "correction": "corrections",
}


def read(path: Path) -> Iterator[Part]:
    """Read a file of tab-separated values part by part.

    Raises:
        InputError: the file cannot be opened or read.
        FormatError: its header lacks a column.
    """
    columns: tuple[str, ...] | None = None
    for line in lines(path):
        if line.is_cut:
            yield too_long(line.number, line.raw, path, line.number)
        elif line.is_blank:
            yield line.raw
        elif columns is None and (header := header_of(line.raw, path, line.number)):
            columns = header
            yield line.raw
        else:
            columns = columns or COLUMNS
            yield part(line.raw, columns, line.number, path)


def header_of(raw: str, path: Path, line: int) -> tuple[str, ...] | None:
    """Return the names of the columns, or None if the line is no header.

    Raises:
        FormatError: the header lacks a column.
    """
    names = [name.strip().lower() for name in raw.rstrip("\r\n").split("\t")]
    if "sentence" not in names:
        if is_header(names):
            pairs = "; pairs of a source and an output are for usim score and usim batch" if "source" in names else ""
            stop(
                f"no column 'sentence' in the header; expected are {', '.join(COLUMNS)}{pairs}", path, line, raw.strip()
            )
        return None
    names[-1] = _LISTS.get(names[-1], names[-1])
    if names[-1] not in ("substitutes", "corrections"):
        stop("the last column must be 'substitutes' or 'corrections'", path, line, raw.rstrip("\r\n"))
    missing = [name for name in ("start", "end") if name not in names and names[-1] == "substitutes"]
    if missing:
        stop(f"no column {missing[0]!r} in the header; substitutes need it", path, line, raw.rstrip("\r\n"))
    return tuple(names)


def part(raw: str, columns: tuple[str, ...], line: int, path: Path) -> Part:
    """Read a line as a record, or as a bad record; the columns are of :func:`header_of`, or :data:`COLUMNS`."""
    name: str | int = line
    try:
        check_text(raw)
        content = raw.rstrip("\r\n")
        cells = content.split("\t")
        fixed = len(columns) - 1
        if len(cells) < fixed:
            raise RecordError(f"{len(cells)} cells, and {fixed} are needed: {', '.join(columns[:-1])}", content)
        by_name = dict(zip(columns[:-1], cells, strict=False))
        name = by_name.get("id", "") or line
        text = by_name["sentence"]
        span = None
        if columns[-1] == "substitutes":
            start, end = whole_number(by_name["start"], "start"), whole_number(by_name["end"], "end")
            span = checked_span(text, start, end, by_name.get("target"))
        places = [place for place in range(fixed, len(cells)) if cells[place].strip()]
        suggestions = tuple(Suggestion(cells[place], span) for place in places)
    except SuggestionError as problem:
        return bad_record(problem, name, line, raw, path)

    def without(dropped: frozenset[int]) -> str:
        gone = {places[place] for place in dropped}
        return "\t".join(cell for place, cell in enumerate(cells) if place not in gone) + raw[len(content) :]

    return Record(name, line, text, suggestions, raw, without)
