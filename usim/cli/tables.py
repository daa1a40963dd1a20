"""Pairs in tables: a source and the outputs of one system or of several, by the names of their columns.

CSV and TSV have a header, JSON lines have fields. M2 has no columns: its sentence lines are the sources, and the
correction of each annotator is a system.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from usim.cli.lines import Line
from usim.errors import InputError
from usim.suggestions import BadRecord, Record, read
from usim.text import context_between, parse_json, read_lines, read_text, unpacked_name

#: The formats, by the ending of a file's name without ``.gz`` or ``.zst``.
ENDINGS = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".m2": "m2"}
_SOURCE, _OUTPUT = "source", "output"
#: The columns of the text on both sides of a sentence.
_BEFORE, _AFTER = "before", "after"
_OTHERS = (_SOURCE, _BEFORE, _AFTER, "id")


@dataclass(frozen=True)
class Table:
    """Sources, and what each system made of them.

    Attributes:
        names: of the systems.
        rows: for each record the source and the outputs of the systems, each with the line that it stands on; the
            source with what the columns ``before`` and ``after`` have around it.
    """

    names: tuple[str, ...]
    rows: list[tuple[Line, ...]]


def format_of(path: str) -> str | None:
    """Return the format of a table by the ending of its name; None if it is no table."""
    return ENDINGS.get(os.path.splitext(unpacked_name(path))[1].lower())


def read_table(path: str, columns: Sequence[str] = (), *, scalars: Sequence[str] = ()) -> Table:
    """Read a table.

    Args:
        path: the file; its ending says the format.
        columns: the names of the columns of the source and of each system; by default ``source``, and ``output`` or, if
            there is none, all others.
        scalars: columns in which JSON may have numbers and truth values in place of texts.

    Raises:
        InputError: the file cannot be read, or a column is not in it.
    """
    form = format_of(path)
    if form is None:
        raise InputError(f"its name must end in {', '.join(ENDINGS)}; or give two files, SOURCE and OUTPUT", path=path)
    if form == "m2":
        if columns:
            raise InputError("M2 has no columns: its systems are the annotators; leave --columns out", path=path)
        return _read_m2(path)
    records = list({"csv": _read_csv, "tsv": _read_tsv, "jsonl": _read_jsonl}[form](path))
    if not records:
        raise InputError("there are no records in it", path=path)
    known = list(dict.fromkeys(name for _, fields in records if isinstance(fields, dict) for name in fields))
    chosen = list(columns) or _columns(known, path)
    if len(chosen) < 2 or len(set(chosen)) < len(chosen):
        raise InputError("name the column of the source, and one for each system, each once", path=path)
    for name in chosen:
        if name not in known:
            raise InputError(f"no column {name!r}; there are {', '.join(map(repr, known)) or 'none'}", path=path)
    return Table(tuple(chosen[1:]), [_row(number, fields, chosen, scalars) for number, fields in records])


def _columns(known: list[str], path: str) -> list[str]:
    if _SOURCE not in known or len(known) < 2:
        names = ", ".join(map(repr, known))
        raise InputError(
            f"no column {_SOURCE!r} with another beside it; there are {names}: name them with --columns SOURCE,A,B",
            path=path,
        )
    return [_SOURCE, _OUTPUT] if _OUTPUT in known else [_SOURCE, *(name for name in known if name not in _OTHERS)]


def _row(number: int, fields: dict[str, Any] | str, columns: Sequence[str], scalars: Sequence[str]) -> tuple[Line, ...]:
    if isinstance(fields, str):
        return tuple(Line(number, "", fields) for _ in columns)
    source, *rest = (_cell(number, fields, name, name in scalars) for name in columns)
    around = [fields[name] if name in fields and name not in columns else "" for name in (_BEFORE, _AFTER)]
    if not all(isinstance(text, str | None) for text in around):
        return source._replace(error=source.error or f"{_BEFORE!r} and {_AFTER!r} must be texts"), *rest
    return source._replace(context=context_between(*(text or "" for text in around))), *rest


def _cell(number: int, fields: dict[str, Any], name: str, is_scalar: bool) -> Line:
    value = fields.get(name)
    if is_scalar and isinstance(value, bool | int | float):
        value = str(int(value)) if value in (0, 1) else str(value)
    if isinstance(value, str):
        return Line(number, value)
    return Line(number, "", f"no column {name!r}" if value is None else f"{name!r} is no text")


_Records = Iterator[tuple[int, dict[str, Any] | str]]


def _read_csv(path: str) -> _Records:
    return _delimited(path, csv.reader(io.StringIO(read_text(path), newline=""), strict=True))


def _read_tsv(path: str) -> _Records:
    header: list[str] | None = None
    for number, raw in read_lines(path):
        line = raw.rstrip("\r\n")
        if not line:
            continue
        cells = line.split("\t")
        if header is None:
            header = _header(cells, path)
        else:
            yield number, _fields(header, cells)


def _delimited(path: str, rows: Any) -> _Records:
    header: list[str] | None = None
    try:
        for cells in rows:
            if not cells:
                continue
            if header is None:
                header = _header(cells, path)
            else:
                yield rows.line_num, _fields(header, cells)
    except csv.Error as e:
        raise InputError(f"not CSV ({e})", path=path, line=rows.line_num) from e


def _header(cells: list[str], path: str) -> list[str]:
    names = [cell.strip() for cell in cells]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise InputError(f"two columns are called {repeated!r}", path=path, line=1)
    return names


def _fields(header: list[str], cells: list[str]) -> dict[str, Any] | str:
    if len(cells) != len(header):
        return f"{len(cells)} cells, and the header has {len(header)}"
    return dict(zip(header, cells, strict=True))


def _read_jsonl(path: str) -> _Records:
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError as e:
            yield number, f"not JSON ({e})"
            continue
        yield number, value if isinstance(value, dict) else "a JSON object is needed on every line"


def _read_m2(path: str) -> Table:
    """Read M2; an annotator without an edit in a sentence leaves it as it is."""
    sources: list[Line] = []
    corrected: list[dict[str, str]] = []
    for part in read(path, "m2"):
        if isinstance(part, BadRecord):
            sources.append(Line(part.line, "", part.error.message))
            corrected.append({})
        elif isinstance(part, Record):
            sources.append(Line(part.line, part.text))
            corrected.append(
                {
                    str(suggestion.about["annotator"]): suggestion.substitute
                    for suggestion in part.suggestions
                    if suggestion.span is None
                }
            )
    names = sorted({name for outputs in corrected for name in outputs}) or ["0"]
    rows = [
        (source, *(Line(source.number, outputs.get(name, source.text), source.error) for name in names))
        for source, outputs in zip(sources, corrected, strict=True)
    ]
    if not rows:
        raise InputError("there are no sentences in it", path=path)
    return Table(tuple(names), rows)
