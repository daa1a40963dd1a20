"""Tables: JSON lines, tab-separated values, CSV and Parquet, of pairs, of suggestions, of anything with named fields.

A record of suggestions has these fields:

===============  ==================================================================================================
``id``           its name; without it, the number of its line
``sentence``     the text, which may be of several sentences
``start, end``   the target, in characters from 0, the end exclusive; only for substitutes
``target``       if it is there, what has to stand at that place
``substitutes``  what to put there; an empty one deletes
``corrections``  whole changed texts, beside the substitutes or in place of them
===============  ==================================================================================================

Other fields are left alone. In JSON and Parquet, substitutes and corrections are arrays. In TSV and CSV one of them is
the last column: its cell and all cells after it are suggestions, one a cell, and empty cells are none, as spreadsheets
fill up lines with them. Without a header, the columns are ``id, sentence, start, end, substitutes``. A table with
``sentence`` and ``substitutes`` alone is as ProLex has it (Zhang et al. 2024): the target stands between ``**`` in the
sentence, and the substitutes in one cell, with commas between.

In TSV nothing is quoted or escaped: a text with a tab or a line break cannot be written in it.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any, NamedTuple

import msgspec

from usim.errors import FormatError, InputError
from usim.records._lines import DAMAGED, TOO_LONG, Line, lines
from usim.records._record import Record, RecordError
from usim.suggestions import Suggestion, check_span
from usim.text import is_header
from usim.text.codec import encode
from usim.text.files import LONGEST_LINE, Path, parse_json

_MARKED = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_BLANKS = r"[^\S\x1c-\x1f]*"  # Python takes the separators of ASCII for blanks around a word, but not around a number
_WHOLE_NUMBER = re.compile(rf"{_BLANKS}[0-9]{{1,18}}{_BLANKS}")
_LISTS = ("substitutes", "corrections")
_NAMES = {"substitute": "substitutes", "correction": "corrections"}
_ROWS = 64  # rows of a Parquet file that are read at once
_WRITTEN = 4096  # rows of one that are written at once
_SHOWN = 1024  # characters that are kept of a row that is too long

#: Cuts a record into cells.
Cells = Callable[[str], list[str]]
#: Makes a row of cells, without the end of the line.
Join = Callable[[Sequence[str]], str]


class Columns(NamedTuple):
    """The columns of a table.

    Attributes:
        names: what they are called; none where each record says it (JSON).
        has_list: whether the last of them takes all cells from there on.
    """

    names: tuple[str, ...] = ()
    has_list: bool = False


#: The columns of a table of suggestions without a header.
SUGGESTION_COLUMNS = Columns(("id", "sentence", "start", "end", "substitutes"), has_list=True)


# -- a record as it stands in the file --------------------------------------------------------------------------------


def csv_rows(path: Path) -> Iterator[Line]:
    """Yield the rows of a CSV file, each numbered by its first line: a quoted cell may go over several lines.

    A quotation mark that is never closed, or only after more than :data:`LONGEST_LINE`, makes its own line bad and not
    the rest of the file.
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
            error = next((line.error for line in held if line.error), None)
            yield held[0]._replace(raw=row, error=error) if is_whole else held[0]
            waiting.extendleft(reversed([] if is_whole else held[1:]))
            held, marks, size = [], 0, 0
        elif following is None:
            return


def _is_row(row: str) -> bool:
    try:
        return bool(csv_cells(row))
    except RecordError:
        return False


def parquet_rows(path: Path) -> Iterator[Line]:
    """Yield the rows of a Parquet file, each as JSON."""
    if path == "-":
        raise InputError("Parquet cannot be read from standard input; name the file")
    pa, pq = load_parquet(path)
    number = 0
    try:
        with open(path, "rb") as binary, pq.ParquetFile(binary) as file:
            for batch in file.iter_batches(batch_size=_ROWS):
                for place in range(batch.num_rows):
                    number += 1
                    try:  # a row at a time, so that one that is not UTF-8 costs no other
                        (row,) = batch.slice(place, 1).to_pylist()
                    except UnicodeDecodeError:
                        yield Line(number, "", "a text of the row is not UTF-8; write the file anew")
                        continue
                    raw = json.dumps(row, ensure_ascii=False, default=_as_text)
                    is_cut = len(raw.encode()) > LONGEST_LINE
                    yield Line(number, raw[:_SHOWN] if is_cut else raw, TOO_LONG if is_cut else None, is_cut)
    except pa.ArrowException as e:
        if not number:
            raise InputError(f"cannot be read as Parquet ({e})", path=path) from e
        yield Line(number + 1, "", f"{DAMAGED}: {e}", is_cut=True)
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e}); check the name of the file", path=path) from e


def load_parquet(path: Path) -> tuple[Any, Any]:
    """Return the modules pyarrow and pyarrow.parquet."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as e:
        raise InputError("Parquet needs one more package: pip install pyarrow", path=path) from e
    return pyarrow, pyarrow.parquet


def write_parquet(rows: Callable[[], Iterable[bytes]], target: IO[bytes]) -> None:
    """Write JSON lines of usim's own, as ``rows`` returns them twice, as Parquet.

    Columns are texts, numbers or truth values; all else is JSON in texts.
    """
    pa, pq = load_parquet("-")
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


# -- its cells and its fields -----------------------------------------------------------------------------------------


def tsv_cells(raw: str) -> list[str]:
    """Return the cells of a line."""
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


def json_fields(line: Line, columns: Columns) -> dict[str, Any]:
    """Return the fields of a line of JSON; raise a RecordError where it is no JSON object, or a deep one."""
    try:
        value = parse_json(line.raw.rstrip("\r\n"), parse_constant=_refuse_constant, parse_float=_finite)
    except json.JSONDecodeError as e:
        place = f"column {e.colno}" if e.lineno == 1 else f"line {e.lineno}, column {e.colno}"
        raise RecordError(f"not JSON ({e.msg}, {place})", line.raw.strip()) from e
    except ValueError as e:
        raise RecordError(f"not JSON that can be read ({e})", line.raw.strip()) from e
    if not isinstance(value, dict):
        raise RecordError("a JSON object is needed on every line", line.raw.strip())
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:20]} is beyond all numbers")
    return value


def cell_fields(cells_of: Cells, line: Line, columns: Columns) -> dict[str, Any]:
    """Return the fields of a row by the columns of its table."""
    cells = cells_of(line.raw)
    names = columns.names[:-1] if columns.has_list else columns.names
    if len(cells) < len(names) or (len(cells) > len(names) and not columns.has_list):
        raise RecordError(
            f"{len(cells)} cells, and {len(names)} are needed: {', '.join(names)}", line.raw.strip("\r\n")
        )
    fields: dict[str, Any] = dict(zip(names, cells, strict=False))
    if columns.has_list:
        fields[columns.names[-1]] = [cell for cell in cells[len(names) :] if cell.strip()]
    return fields


def checked_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns; raise a FormatError where two of them are the same."""
    names = tuple(cell.strip() for cell in cells)
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise FormatError(f"two columns are called {repeated!r}", line=1)
    return names


def suggestion_columns(cells: Sequence[str]) -> Columns | None:
    """Return the columns that a first row of suggestions names, or None if it names none, see :func:`checked_names`."""
    names = tuple(name.lower() for name in checked_names(cells))
    shown = ", ".join(names)
    if "sentence" not in names:
        if is_header(names):
            expected = ", ".join(SUGGESTION_COLUMNS.names)
            hint = "; pairs of a source and an output are for usim score and usim batch" if "source" in names else ""
            raise FormatError(f"no column 'sentence' in the header; expected are {expected}{hint}", line=1, text=shown)
        return None
    if "substitutes" in names and not {"start", "end"} & set(names):
        return Columns(names)
    names = (*names[:-1], _NAMES.get(names[-1], names[-1]))
    if names[-1] not in _LISTS:
        raise FormatError("the last column must be 'substitutes' or 'corrections'", line=1, text=shown)
    missing = [name for name in ("start", "end") if name not in names and names[-1] == "substitutes"]
    if missing:
        raise FormatError(f"no column {missing[0]!r} in the header; substitutes need it", line=1, text=shown)
    return Columns(names, has_list=True)


# -- suggestions ------------------------------------------------------------------------------------------------------


def record_id(fields: dict[str, Any], line: Line, columns: Columns) -> str | int:
    """Return the name of a record; raise a RecordError where it is neither a string nor an integer."""
    given = fields.get("id")
    if given is None or (columns.names and not given):  # an empty cell
        given = line.id
    if not isinstance(given, str) and type(given) is not int:
        raise RecordError("'id' must be a string or an integer", given)
    return given


def table_record(join: Join, fields: dict[str, Any], id_: str | int, line: Line, columns: Columns) -> Record:
    """Return the record of suggestions that a row holds; ``join`` makes a row of cells, for :meth:`Record.without`."""
    text = fields.get("sentence")
    if not isinstance(text, str):
        raise RecordError("'sentence' must be there and be a string", text)
    proposed = {key: fields[key] for key in _LISTS if fields.get(key) is not None}
    if not proposed:
        raise RecordError("'substitutes' or 'corrections' must be there")
    is_marked = bool(columns.names) and not columns.has_list
    if is_marked:
        text, start, end = unmarked(text)
        check_span(text, start, end)
        proposed = {"substitutes": [each for each in proposed["substitutes"].split(", ") if each]}
    for key, values in proposed.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise RecordError(f"{key!r} must be an array of strings", values)
    if "substitutes" in proposed and not is_marked:
        start, end = _span(text, fields, is_cells=bool(columns.names))
    suggestions = [Suggestion(value, (start, end)) for value in proposed.get("substitutes", ())]
    suggestions += [Suggestion(value) for value in proposed.get("corrections", ())]

    def without(dropped: frozenset[int]) -> str:
        kept: dict[str, Any] = {}
        places = iter(range(len(suggestions)))
        for key, values in proposed.items():
            kept[key] = [value for value in values if next(places) not in dropped]
        if is_marked:
            kept = {"substitutes": ", ".join(kept["substitutes"])}
        return _rewritten(join, line, columns, fields | kept)

    return Record(id_, line.number, text, tuple(suggestions), line.raw, without)


def _span(text: str, fields: dict[str, Any], *, is_cells: bool) -> tuple[int, int]:
    """Return the span that a row names, checked against its text; the numbers of a row of cells are texts."""
    if "start" not in fields or "end" not in fields:
        raise RecordError("substitutes need the 'start' and 'end' of what they replace")
    if is_cells:
        for name in ("start", "end"):
            if not _WHOLE_NUMBER.fullmatch(fields[name]):
                raise RecordError(f"{name!r} must be a whole number", fields[name])
    start, end = (int(fields[name]) if is_cells else fields[name] for name in ("start", "end"))
    if type(start) is not int or type(end) is not int:
        raise RecordError("'start' and 'end' must be integers", [start, end])
    check_span(text, start, end)
    target = fields.get("target")
    if target is not None and target != text[start:end]:
        raise RecordError(f"the text from {start} to {end} is not the target {target!r}", text[start:end])
    return start, end


def _rewritten(join: Join, line: Line, columns: Columns, fields: dict[str, Any]) -> str:
    """Return a row with other values."""
    end = line.raw[len(line.raw.rstrip("\r\n")) :]
    if not columns.names:
        return json.dumps(fields, ensure_ascii=line.raw.isascii()) + end
    values = (fields[name] for name in columns.names)
    cells = [cell for value in values for cell in (value if isinstance(value, list) else [value])]
    return join(cells) + end


def unmarked(sentence: str) -> tuple[str, int, int]:
    """Return a sentence without the ``**`` around its target, and where the target is, whole words or not."""
    match = _MARKED.search(sentence)
    if not match:
        raise RecordError("no target between ** in the sentence", sentence)
    text = sentence[: match.start()] + match.group(1) + sentence[match.end() :]
    return text, match.start(), match.start() + len(match.group(1))
