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
from usim.suggestions.records import Part, Path, Record, RecordError, Suggestion, bad, checked, is_text, lines, stop

#: The columns of a file without a header.
COLUMNS = ("id", "sentence", "start", "end", "substitutes")
_LISTS = {
    "substitutes": "substitutes",
    "substitute": "substitutes",
    "corrections": "corrections",
    "correction": "corrections",
}


def read(path: Path) -> Iterator[Part]:
    """The parts of a file of tab-separated values.

    Raises:
        InputError: it cannot be opened or read.
        FormatError: its header lacks a column.
    """
    columns: tuple[str, ...] | None = None
    for number, raw in lines(path):
        if not raw.strip() or not number:
            yield raw
        elif columns is None and (header := header_of(raw, path, number)):
            columns = header
            yield raw
        else:
            columns = columns or COLUMNS
            yield part(raw, columns, number, path)


def header_of(raw: str, path: Path, line: int) -> tuple[str, ...] | None:
    """The names of the columns, if the line is a header.

    Raises:
        FormatError: the header lacks a column.
    """
    names = [name.strip().lower() for name in raw.rstrip("\r\n").split("\t")]
    if "sentence" not in names:
        return None
    names[-1] = _LISTS.get(names[-1], names[-1])
    if names[-1] not in ("substitutes", "corrections"):
        stop("the last column must be 'substitutes' or 'corrections'", path, line, raw.rstrip("\r\n"))
    missing = [name for name in ("start", "end") if name not in names and names[-1] == "substitutes"]
    if missing:
        stop(f"no column {missing[0]!r} in the header; substitutes need it", path, line, raw.rstrip("\r\n"))
    return tuple(names)


def part(raw: str, columns: tuple[str, ...], line: int, path: Path) -> Part:
    """The record, or bad record, that a line is, with columns of :func:`header_of` or :data:`COLUMNS`."""
    name: str | int = line
    try:
        if not is_text(raw):
            raise RecordError("not UTF-8; convert the file to UTF-8")
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
            start, end = _integer(by_name["start"], "start"), _integer(by_name["end"], "end")
            span = checked(text, start, end, by_name.get("target"))
        places = [place for place in range(fixed, len(cells)) if cells[place].strip()]
        suggestions = tuple(Suggestion(cells[place], span) for place in places)
    except (RecordError, SuggestionError) as problem:
        return bad(problem, name, line, raw, path)

    def without(dropped: frozenset[int]) -> str:
        gone = {places[place] for place in dropped}
        return "\t".join(cell for place, cell in enumerate(cells) if place not in gone) + raw[len(content) :]

    return Record(name, line, text, suggestions, raw, without)


def _integer(cell: str, name: str) -> int:
    if not cell.strip().isascii() or not cell.strip().isdecimal():
        raise RecordError(f"{name!r} must be a whole number", cell)
    return int(cell)
