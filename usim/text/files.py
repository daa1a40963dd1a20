"""Reading the files of the benchmarks, with errors that say where and what to do."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from usim.errors import FormatError, InputError

Path = str | os.PathLike[str]


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, unpacked where its name ends in ``.gz``; ``-`` is standard input.

    Raises:
        InputError: no such file, no permission, not UTF-8, not gzip.
    """
    name = os.fspath(path)
    try:
        if name == "-":
            data = sys.stdin.buffer.read()
        elif name.endswith(".gz"):
            with gzip.open(name) as packed:
                data = packed.read()
        else:
            with open(name, "rb") as file:
                data = file.read()
    except (OSError, EOFError) as e:
        reason = getattr(e, "strerror", None) or str(e)
        raise InputError(f"cannot be read ({reason}); check the name of the file", path=name) from e
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise InputError("not UTF-8; convert the file to UTF-8", path=name, line=line) from e


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file whose outermost value is an object.

    Raises:
        InputError: the file cannot be read.
        FormatError: it is not JSON, has a key twice, or is not an object.
    """
    name = os.fspath(path)
    text = read_text(path)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise FormatError("a key is there twice; remove one of the two", path=name, text=twice)
        return found

    try:
        value = json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as e:
        raise FormatError(f"not JSON ({e.msg}, column {e.colno})", path=name, line=e.lineno) from e
    if not isinstance(value, dict):
        raise FormatError("a JSON object is needed, from record ids to records", path=name, text=text[:40])
    return value


def read_csv(path: Path, needed: tuple[str, ...], *, text: str | None = None) -> Iterator[tuple[int, dict[str, str]]]:
    """The records of a CSV file with a header, each with the line on which it ends.

    Args:
        path: the file.
        needed: columns that have to be there.
        text: what is in the file, where it has been read already.

    Raises:
        InputError: the file cannot be read.
        FormatError: a needed column is missing, or a record has too few or too many fields.
    """
    name = os.fspath(path)
    content = read_text(path) if text is None else text
    reader = csv.DictReader(io.StringIO(content, newline=""), strict=True)
    try:
        header = list(reader.fieldnames or [])
        for column in needed:
            if column not in header:
                raise FormatError(f"no column {column!r} in the header", path=name, line=1, text=",".join(header))
        for record in reader:
            if None in record or None in record.values():
                raise FormatError(
                    f"a record with {'more' if None in record else 'fewer'} fields than the header has",
                    path=name,
                    line=reader.line_num,
                )
            yield reader.line_num, record
    except csv.Error as e:
        raise FormatError(f"not CSV ({e})", path=name, line=reader.line_num) from e


def fail(message: str, path: Path, record: str, text: object = None) -> NoReturn:
    """Raise a FormatError that names the record."""
    raise FormatError(
        f"record {record!r}: {message}",
        path=path,
        text=None if text is None else json.dumps(text, ensure_ascii=False, default=str),
    )


def member(record: object, key: str, path: Path, name: str, kind: type | tuple[type, ...]) -> Any:
    """The value of a key of a JSON record, which has to be there and of the kind asked for."""
    if not isinstance(record, Mapping):
        fail("an object is needed", path, name, record)
    if key not in record:
        fail(f"the field {key!r} is missing", path, name)
    value = record[key]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        fail(f"the field {key!r} must be of type {' or '.join(_JSON[k] for k in kinds)}", path, name, value)
    return value


_JSON: dict[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
