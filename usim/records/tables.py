"""Tables: JSON lines, tab-separated values, CSV and Parquet, of pairs, of suggestions, of anything with named fields.

docs/how-to/screen.md says which fields a record of suggestions has, and in which columns; other fields are left alone.
In TSV and CSV empty cells are no suggestions, as spreadsheets fill up lines with them. A table with ``sentence`` and
``substitutes`` alone is as ProLex has it (Zhang et al. 2024). In TSV nothing is quoted or escaped.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import IO, Any

import msgspec
from msgspec import Struct

from usim.errors import FormatError, InputError, extra
from usim.records._record import Columns, Line, Record, RecordError, lines, read_value
from usim.suggestions import OFFSETS, Suggestion, check_span
from usim.text import from_cell
from usim.text.codec import encode
from usim.text.files import Path, parse_json

_MARKED = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_LISTS = ("substitutes", "corrections")
_QUOTED = "a cell in quotation marks, as a spreadsheet writes it; in TSV nothing is quoted: save the table as CSV"
_NAMES = {"substitute": "substitutes", "correction": "corrections"}
_ROWS = 64  # rows of a Parquet file that are read at once
_WRITTEN = 4096  # rows of one that are written at once

#: Cuts a record into cells.
Cells = Callable[[str], list[str]]
#: Makes a row of cells, without the end of the line.
Join = Callable[[Sequence[str]], str]


class _Suggested(Struct):
    sentence: str
    start: int | None = None
    end: int | None = None
    target: str | None = None
    substitutes: list[str] | None = None
    corrections: list[str] | None = None


def csv_rows(path: Path) -> Iterator[Line]:
    """Yield the rows of a CSV file, each numbered by its first line: a quoted cell may go over several lines.

    A quotation mark that is never closed, or not within the longest cell of :mod:`csv`, makes its own line bad alone.
    """
    waiting: deque[Line] = deque()
    stream = lines(path)
    row: list[Line] = []

    def texts() -> Iterator[str]:
        while (line := waiting.popleft() if waiting else next(stream, None)) is not None:
            row.append(line)
            yield line.raw

    while True:
        row.clear()
        try:
            next(csv.reader(texts(), strict=True))
        except StopIteration:
            return
        except csv.Error:
            waiting.extendleft(reversed(row[1:]))
            del row[1:]
        error = next((line.error for line in row if line.error), None)
        yield row[0]._replace(raw="".join(line.raw for line in row), error=error)


def parquet_rows(path: Path) -> Iterator[Line]:
    """Yield the rows of a Parquet file, each as JSON."""
    if path == "-":
        raise InputError("Parquet cannot be read from standard input; name the file")
    pa, pq = load_parquet()
    number = 0
    try:
        with open(path, "rb") as binary, pq.ParquetFile(binary) as file:
            for batch in file.iter_batches(batch_size=_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield Line(number, json.dumps(row, ensure_ascii=False, default=_as_text))
    except (pa.ArrowException, UnicodeDecodeError) as e:
        raise InputError(f"cannot be read as Parquet from row {number + 1} on ({e})", path=path) from e
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e}); check the name of the file", path=path) from e


def load_parquet() -> tuple[Any, Any]:
    parquet = extra("pyarrow.parquet", "Parquet needs", "pyarrow", of="parquet")
    return import_module("pyarrow"), parquet


def write_parquet(rows: Callable[[], Iterable[bytes]], target: IO[bytes]) -> None:
    """Write JSON lines of usim's own, as ``rows`` returns them twice, as Parquet.

    Columns are texts, numbers or truth values; all else is JSON in texts.
    """
    pa, pq = load_parquet()
    kinds: dict[str, set[type]] = {}
    for line in rows():
        for name, value in msgspec.json.decode(line).items():
            kinds.setdefault(name, set()).add(_kind(value))
    types = {(bool,): pa.bool_(), (int,): pa.int64(), (float,): pa.float64(), (float, int): pa.float64()}
    types_of = {name: tuple(sorted(own - {type(None)}, key=lambda t: t.__name__)) for name, own in kinds.items()}
    schema = pa.schema([(name, types.get(own, pa.string())) for name, own in types_of.items()])
    texts = {name for name, own in types_of.items() if own not in types}
    with pq.ParquetWriter(target, schema) as writer:
        stream = iter(rows())
        while block := [msgspec.json.decode(line) for line in islice(stream, _WRITTEN)]:
            for row in block:
                for name in texts & row.keys():
                    if not isinstance(row[name], str | None):
                        row[name] = encode(row[name]).decode()
            writer.write_table(pa.Table.from_pylist(block, schema))


def _kind(value: Any) -> type:
    is_long = type(value) is int and not -(2**63) <= value < 2**63
    return type(value) if isinstance(value, bool | int | float | str | None) and not is_long else dict


def _as_text(value: Any) -> str:
    """Return a value that JSON has no form for as text: a date, or a text that its file has as bytes."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def tsv_cells(raw: str) -> list[str]:
    return raw.rstrip("\r\n").split("\t")


def csv_cells(raw: str) -> list[str]:
    """Return the cells of a row; raise a RecordError where it is no row of CSV."""
    try:
        rows = list(csv.reader(io.StringIO(raw, newline=""), strict=True))
    except csv.Error as e:
        raise RecordError(f"not CSV ({e})", raw.strip()) from e
    if len(rows) != 1:
        raise RecordError("not CSV (a line end outside of quotation marks)", raw.strip())
    return rows[0]


def csv_line(cells: Sequence[str]) -> str:
    """Return cells as a row of CSV, without the end of the line."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="").writerow(cells)
    return stream.getvalue()


def json_fields(line: Line) -> dict[str, Any]:
    """Return the fields of a line of JSON; raise a RecordError where it is no JSON object, or a deep one."""
    try:
        value = parse_json(line.raw.rstrip("\r\n"))
    except json.JSONDecodeError as e:
        place = f"column {e.colno}" if e.lineno == 1 else f"line {e.lineno}, column {e.colno}"
        raise RecordError(f"not JSON ({e.msg}, {place})", line.raw.strip()) from e
    except ValueError as e:
        raise RecordError(f"not JSON that can be read ({e})", line.raw.strip()) from e
    if not isinstance(value, dict):
        raise RecordError("a JSON object is needed on every line", line.raw.strip())
    return value


def cell_fields(cells_of: Cells, line: Line) -> dict[str, Any]:
    cells, columns = cells_of(line.raw), line.columns
    names = columns.names[:-1] if columns.has_list else columns.names
    if len(cells) < len(names) or (len(cells) > len(names) and not columns.has_list):
        needed = f"{len(names)} are needed: {', '.join(names)}"
        raise RecordError(f"{len(cells)} cells, and {needed}", line.raw.strip("\r\n"))
    if cells_of is tsv_cells:
        for k, cell in enumerate(cells):  # a sentence may stand in quotation marks of its own
            if _is_quoted(cell) and ('""' in cell[1:-1] or k >= len(names)):
                raise RecordError(_QUOTED, cell)
    fields: dict[str, Any] = dict(zip(names, cells, strict=False))
    if "sentence" not in names:  # a table of pairs; in one of suggestions, offsets count what stands there
        fields = {name: from_cell(cell) for name, cell in fields.items()}
    if columns.has_list:
        fields[columns.names[-1]] = [cell for cell in cells[len(names) :] if cell.strip()]
    return fields


def _is_quoted(cell: str) -> bool:
    """Return whether a cell is one that a spreadsheet has put into quotation marks, and doubled those in it.

    >>> [_is_quoted(cell) for cell in ('"a"', '"a ""b"" c"', '"a" or "b"', '"', "a")]
    [True, True, False, False, False]
    """
    return len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1].replace('""', "")


def checked_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns; raise a FormatError where two of them are the same."""
    names = tuple(cell.strip() for cell in cells)
    if len(names) == 1 and ";" in names[0]:
        hint = "save the table with commas, or with tabs as .tsv"
        raise FormatError(f"semicolons between the cells; {hint}", line=1, text=names[0])
    if any(map(_is_quoted, names)):
        raise FormatError(_QUOTED, line=1, text=", ".join(names))
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise FormatError(f"two columns are called {repeated!r}", line=1)
    return names


def suggestion_columns(cells: Sequence[str]) -> Columns:
    """Return the columns that the header of a table of suggestions names; raise a FormatError where one is missing."""
    names = tuple(name.lower() for name in checked_names(cells))
    shown = ", ".join(names)
    if "sentence" not in names:
        hint = "; pairs of a source and an output are for usim score and usim batch" if "source" in names else ""
        expected = "id, sentence, start, end, substitutes"
        raise FormatError(f"no column 'sentence' in the header; expected are {expected}{hint}", line=1, text=shown)
    if "substitutes" in names and not {"start", "end"} & set(names):
        return Columns(names)
    names = (*names[:-1], _NAMES.get(names[-1], names[-1]))
    if names[-1] not in _LISTS:
        raise FormatError("the last column must be 'substitutes' or 'corrections'", line=1, text=shown)
    missing = [name for name in ("start", "end") if name not in names and names[-1] == "substitutes"]
    if missing:
        raise FormatError(f"no column {missing[0]!r} in the header; substitutes need it", line=1, text=shown)
    return Columns(names, has_list=True)


def record_id(fields: dict[str, Any], line: Line) -> str | int:
    """Return the name of a record; raise a RecordError where it is neither a string nor an integer."""
    given = fields.get("id")
    if given is None or (line.columns.names and not given):  # an empty cell
        given = line.id
    if not isinstance(given, str) and type(given) is not int:
        raise RecordError("'id' must be a string or an integer", given)
    return given


def table_record(join: Join, fields: dict[str, Any], id_: str | int, line: Line) -> Record:
    """Return the record of suggestions that a row holds; ``join`` makes a row of cells, for :meth:`Record.without`."""
    columns = line.columns
    is_marked = bool(columns.names) and not columns.has_list
    values = dict(fields)
    if is_marked:
        text, start, end = unmarked(fields["sentence"])
        names = [each for each in fields["substitutes"].split(", ") if each]
        values |= {"sentence": text, "start": start, "end": end, "target": None, "substitutes": names}
    elif columns.names:
        values |= {name: fields[name].strip() for name in ("start", "end") if name in fields}
    given = read_value(values, _Suggested, strict=not columns.names)
    proposed = {key: texts for key in _LISTS if (texts := getattr(given, key)) is not None}
    if not proposed:
        raise RecordError("'substitutes' or 'corrections' must be there, and not null")
    text, start, end = given.sentence, given.start or 0, given.end or 0
    if given.substitutes is not None:
        if given.start is None or given.end is None:
            raise RecordError("substitutes need the 'start' and 'end' of what they replace")
        check_span(text, start, end)
        if given.target is not None and given.target != text[start:end]:
            message = f"the text from {start} to {end} is not the target {given.target!r}; {OFFSETS}"
            raise RecordError(message, text[start:end])
    suggestions = [Suggestion(value, (start, end)) for value in proposed.get("substitutes", ())]
    suggestions += [Suggestion(value) for value in proposed.get("corrections", ())]

    def without(dropped: frozenset[int]) -> str:
        kept: dict[str, Any] = {}
        places = iter(range(len(suggestions)))
        for key, values in proposed.items():
            kept[key] = [value for value in values if next(places) not in dropped]
        if is_marked:
            kept = {"substitutes": ", ".join(kept["substitutes"])}
        end = line.raw[len(line.raw.rstrip("\r\n")) :]
        if not columns.names:
            return json.dumps(fields | kept, ensure_ascii=line.raw.isascii()) + end
        written = ((fields | kept)[name] for name in columns.names)
        return join([cell for value in written for cell in (value if isinstance(value, list) else [value])]) + end

    return Record(id_, line.number, text, tuple(suggestions), line.raw, without)


def unmarked(sentence: str) -> tuple[str, int, int]:
    """Return a sentence without the ``**`` around its target, and where the target is, whole words or not."""
    match = _MARKED.search(sentence)
    if not match:
        raise RecordError("no target between ** in the sentence", sentence)
    text = sentence[: match.start()] + match.group(1) + sentence[match.end() :]
    return text, match.start(), match.start() + len(match.group(1))
