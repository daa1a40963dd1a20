"""The registry of formats. A new format is a module with three functions, and an entry in :data:`FORMATS`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from usim.errors import FormatError, InputError, SuggestionError
from usim.records import _m2 as m2
from usim.records import sws, tables
from usim.records._record import BadRecord, Columns, Line, Part, Record, RecordError, bad_record, lines
from usim.records.tables import Cells
from usim.text.files import Path


@dataclass(frozen=True)
class Format:
    """A format of records, in three steps, so that a file can be cut in one process and read in others.

    Attributes:
        endings: of the names of its files.
        cut: cuts a file into records as they stand in it, and what stands between them.
        fields: reads a record as named values; may raise a :class:`SuggestionError`, which costs the record, or a
            :class:`FormatError`, which costs the file.
        record: makes a record of suggestions of the named values, its name, and its line; may raise the same.
        cells: cuts a record into cells; None where a record names its fields itself.
        is_text: whether its records put together are a file.
    """

    endings: tuple[str, ...]
    cut: Callable[[Path], Iterator[Line]]
    fields: Callable[[Line], dict[str, Any]]
    record: Callable[[dict[str, Any], str | int, Line], Record]
    cells: Cells | None = None
    is_text: bool = True


def _table(endings: tuple[str, ...], cut: Callable[..., Iterator[Line]], cells: Cells, join: tables.Join) -> Format:
    fields = partial(tables.cell_fields, cells)
    return Format(endings, cut, fields, partial(tables.table_record, join), cells)


_from_json = partial(tables.table_record, "".join)
#: The formats by name.
FORMATS = {
    "jsonl": Format((".jsonl", ".ndjson"), lines, tables.json_fields, _from_json),
    "tsv": _table((".tsv",), lines, tables.tsv_cells, "\t".join),
    "csv": _table((".csv",), tables.csv_rows, tables.csv_cells, tables.csv_line),
    "parquet": Format((".parquet",), tables.parquet_rows, tables.json_fields, _from_json, is_text=False),
    "m2": Format((".m2",), m2.blocks, m2.fields, m2.record),
    "sws": Format((".json",), sws.members, sws.fields, sws.record),
}
_OF_ENDING = {ending: name for name, form in FORMATS.items() for ending in form.endings}


def find_format(path: Path) -> str | None:
    """Return the name of the format of a file by the ending of its name; None where it does not say it.

    >>> find_format("dev.m2"), find_format("output.JSONL.gz"), find_format("-")
    ('m2', 'jsonl', None)
    """
    # A file that zstd has packed is refused when it is opened.
    name = os.fspath(path).lower().removesuffix(".gz").removesuffix(".zst")
    return _OF_ENDING.get(os.path.splitext(name)[1])


def format_of(path: Path, name: str | None = None) -> str:
    """Return the name of the format of a file: this one, or by the ending of its name; standard input has JSON lines.

    Raises:
        InputError: there is no such format, or the ending does not say it.
    """
    if name is not None and name not in FORMATS:
        raise InputError(f"no such format; there are {', '.join(FORMATS)}", text=name)
    name = name or ("jsonl" if path == "-" else find_format(path))
    if name is None:
        raise InputError(f"its name does not say the format; name one of {', '.join(FORMATS)}", path=path)
    return name


#: From the cells of the first row of a table to its columns.
Header = Callable[[Sequence[str]], Columns]


def with_columns(form: Format, records: Iterable[Line], header: Header, path: Path) -> Iterator[Line]:
    """Yield the lines of a file, each with the columns of its table; the first row of a table becomes a blank line."""
    columns: Columns | None = None
    for line in records:
        if form.cells is not None and columns is None and not line.is_blank and not line.error:
            try:
                with _located(path, line):
                    columns = header(form.cells(line.raw))
                line = line._replace(number=0)
            except RecordError as e:
                line = line._replace(error=e.message)
        yield line._replace(columns=columns) if columns else line


@contextmanager
def _located(path: Path, line: Line) -> Iterator[None]:
    """Name the file and the line in a FormatError."""
    try:
        yield
    except FormatError as e:
        raise FormatError(e.message, path=path, line=line.number, text=e.text) from e


def read_suggestions(path: Path, format: str | None = None) -> Iterator[Part]:
    """Read the parts of a file of suggestions, in order: records, bad records, and the text between them.

    Args:
        path: the file; ``-`` is standard input, a file packed by gzip is unpacked.
        format: one of :data:`FORMATS`; by default that of the file's ending.

    Raises:
        InputError: no such format; the file cannot be read (as soon as the first part is asked for).
        FormatError: the header of the file lacks what the format needs, or it holds something else.
    """
    form = FORMATS[format_of(path, format)]
    rows = with_columns(form, form.cut(path), tables.suggestion_columns, path)
    return (line.raw if line.is_blank else _read_suggestion(form, line, path) for line in rows)


def _read_suggestion(form: Format, line: Line, path: Path, fields: dict[str, Any] | None = None) -> Record | BadRecord:
    id_ = line.name
    try:
        with _located(path, line):
            fields = read_fields(form, line) if fields is None else fields
            id_ = tables.record_id(fields, line)
            return form.record(fields, id_, line)
    except SuggestionError as problem:
        return bad_record(problem, id_, line, path)


def read_record(value: Any, number: int, path: Path) -> Record | BadRecord:
    """Read a record of suggestions that has come as a JSON object; the number and the path are for errors."""
    if not isinstance(value, dict):
        return bad_record(RecordError("a JSON object is needed on every line", value), None, Line(number, ""), path)
    return _read_suggestion(FORMATS["jsonl"], Line(number, ""), path, value)


def read_fields(form: Format, line: Line) -> dict[str, Any]:
    """Return the named values of a record; a SuggestionError costs the record, a FormatError the file."""
    if line.error:
        raise RecordError(line.error)
    return form.fields(line)


def read_rows(
    path: Path, format: str | None = None, *, records: Iterable[Line] | None = None
) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Read the records of a file as named values; a bad one has none, and its line has the error.

    With ``records`` these are read in place of the file, whose path is for errors then.

    Raises:
        InputError: no such format; the file cannot be read.
        FormatError: two columns have one name.
    """
    form = FORMATS[format_of(path, format)]
    given = form.cut(path) if records is None else records
    for line in with_columns(form, given, lambda cells: Columns(tables.checked_names(cells)), path):
        if not line.is_blank:
            try:
                with _located(path, line):
                    fields = read_fields(form, line)
            except SuggestionError as e:
                yield line._replace(error=e.message), {}
            else:
                yield line, fields
