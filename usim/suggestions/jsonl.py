"""JSON lines: a record a line, with the substitutes of one target, or whole changed texts, or both.

::

    {"id": "a", "sentence": "An intimate friend.", "start": 3, "end": 11, "substitutes": ["close", "cosy"]}
    {"id": "b", "sentence": "He go home.", "corrections": ["He goes home.", "He went home."]}

``start`` and ``end`` count characters from 0, the end exclusive. ``sentence`` may be a longer text. ``target``, if it
is there, has to be the text at that place. An empty substitute deletes. ``id`` may be a string or a number; without it,
a record is named by the number of its line. Other members are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from usim.errors import SuggestionError
from usim.suggestions import json_text
from usim.suggestions.records import (
    Part,
    Record,
    RecordError,
    Suggestion,
    bad_record,
    check_text,
    checked_span,
    lines,
    too_long,
)
from usim.text import Path

_LISTS = ("substitutes", "corrections")


def read(path: Path) -> Iterator[Part]:
    """Read a file of JSON lines part by part.

    Raises:
        InputError: the file cannot be opened or read.
    """
    for line in lines(path):
        if line.is_cut:
            yield too_long(line.number, line.raw, path)
        else:
            yield line.raw if line.is_blank else part(line.raw, line.number, path)


def part(raw: str, line: int, path: Path) -> Part:
    """Read a line as a record, or as a bad record."""
    name: str | int | None = None
    try:
        check_text(raw)
        record = _value(raw)
        given = record.get("id", line)
        name = given if isinstance(given, str) or type(given) is int else None
        if name is None:
            raise RecordError("'id' must be a string or an integer", given)
        return _record(record, name, line, raw)
    except SuggestionError as problem:
        return bad_record(problem, name, line, raw, path)


def _value(raw: str) -> dict[str, Any]:
    try:
        value, end = json_text.decode(raw.rstrip("\r\n"))
    except json_text.NotJsonError as e:
        raise RecordError(f"{e.message}, column {e.place + 1}", raw.strip()) from e
    if raw[end:].strip():
        raise RecordError(f"not JSON (more after its end, column {end + 1})", raw[end:].strip())
    if not isinstance(value, dict):
        raise RecordError("a JSON object is needed on every line", raw.strip())
    return value


def _record(record: dict[str, Any], name: str | int, line: int, raw: str) -> Record:
    text = record.get("sentence")
    if not isinstance(text, str):
        raise RecordError("'sentence' must be there and be a string", text)
    proposed = {key: record[key] for key in _LISTS if key in record}
    if not proposed:
        raise RecordError("'substitutes' or 'corrections' must be there")
    for key, values in proposed.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise RecordError(f"{key!r} must be an array of strings", values)
    suggestions: list[Suggestion] = []
    if "substitutes" in proposed:
        if "start" not in record or "end" not in record:
            raise RecordError("substitutes need the 'start' and 'end' of what they replace")
        span = checked_span(text, record["start"], record["end"], record.get("target"))
        suggestions += [Suggestion(value, span) for value in proposed["substitutes"]]
    suggestions += [Suggestion(value) for value in proposed.get("corrections", ())]
    sizes = [len(proposed.get(key, ())) for key in _LISTS]

    def without(dropped: frozenset[int]) -> str:
        kept = raw
        for key, first, size in zip(_LISTS, (0, sizes[0]), sizes, strict=True):
            gone = {place - first for place in dropped if first <= place < first + size}
            if gone:
                kept = json_text.without(kept, json_text.member(kept, key).start, gone)
        return kept

    return Record(name, line, text, tuple(suggestions), raw, without)
