"""JSON lines: a record a line, with the substitutes of one target, or whole changed texts, or both.

::

    {"id": "a", "sentence": "An intimate friend.", "start": 3, "end": 11, "substitutes": ["close", "cosy"]}
    {"id": "b", "sentence": "He go home.", "corrections": ["He goes home.", "He went home."]}

``start`` and ``end`` count characters from 0, the end exclusive. ``sentence`` may be a longer text. ``target``, if it
is there, has to be the text at that place. An empty substitute deletes. ``id`` may be a string or a number; without
it, the number of the line stands for it. Other members are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from usim.errors import SuggestionError
from usim.suggestions import _jsontext
from usim.suggestions.records import Part, Path, Record, RecordError, Suggestion, bad, checked, is_text, lines

_LISTS = ("substitutes", "corrections")


def read(path: Path) -> Iterator[Part]:
    """The parts of a file of JSON lines.

    Raises:
        InputError: it cannot be opened or read.
    """
    for number, raw in lines(path):
        if not raw.strip() or not number:
            yield raw
        else:
            yield part(raw, number, path)


def part(raw: str, line: int, path: Path) -> Part:
    """The record, or bad record, that a line is."""
    name: str | int | None = None
    try:
        if not is_text(raw):
            raise RecordError("not UTF-8; convert the file to UTF-8")
        record = _value(raw)
        given = record.get("id", line)
        name = given if isinstance(given, str) or type(given) is int else None
        if name is None:
            raise RecordError("'id' must be a string or an integer", given)
        return _record(record, name, line, raw)
    except (RecordError, SuggestionError) as problem:
        return bad(problem, name, line, raw, path)


def _value(raw: str) -> dict[str, Any]:
    try:
        value, end = _jsontext.decode(raw.rstrip("\r\n"))
    except _jsontext.NotJsonError as e:
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
    found = {key: record[key] for key in _LISTS if key in record}
    if not found:
        raise RecordError("'substitutes' or 'corrections' must be there")
    for key, values in found.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise RecordError(f"{key!r} must be an array of strings", values)
    suggestions: list[Suggestion] = []
    if "substitutes" in found:
        if "start" not in record or "end" not in record:
            raise RecordError("substitutes need the 'start' and 'end' of what they replace")
        span = checked(text, record["start"], record["end"], record.get("target"))
        suggestions += [Suggestion(value, span) for value in found["substitutes"]]
    suggestions += [Suggestion(value) for value in found.get("corrections", ())]
    sizes = [len(found.get(key, ())) for key in _LISTS]

    def without(dropped: frozenset[int]) -> str:
        kept = raw
        for key, first, size in zip(_LISTS, (0, sizes[0]), sizes, strict=True):
            gone = {place - first for place in dropped if first <= place < first + size}
            if gone:
                kept = _jsontext.without(kept, _jsontext.member(kept, key).start, gone)
        return kept

    return Record(name, line, text, tuple(suggestions), raw, without)
