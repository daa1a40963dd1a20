"""Files that are one JSON object, a member a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from usim.errors import FormatError, SuggestionError
from usim.suggestions import _jsontext
from usim.suggestions.records import BadRecord, Part, Path, Record, RecordError, bad, is_text, whole

#: From a record's name, its value, its text and its line to the record; raises RecordError or SuggestionError.
Make = Callable[[str, Any, str, int], Record]


def members(path: Path, make: Make, *, within: str | None = None) -> Iterator[Part]:
    """The parts of a file whose outermost object is made of records.

    Args:
        path: the file.
        make: how a record is made.
        within: the member of the outermost object that holds the records where the object itself does not; taken if
            there is such a member and its value is an object.

    A fault in the JSON itself makes one bad record of the rest, as nothing tells where the next one would begin.

    Raises:
        InputError: the file cannot be opened or read.
    """
    content = whole(path)
    mark = "\ufeff" if content.startswith("\ufeff") else ""
    if mark:
        content = content[1:]
        yield mark
    done, line = 0, 1
    seen: set[str] = set()
    try:
        for found in _jsontext.members(content, _begin(content, within)):
            line += content.count("\n", done, found.key_start)
            yield content[done : found.start]
            done = found.end
            raw = content[found.start : found.end]
            yield _part(found, raw, line, path, make, twice=found.key in seen)
            seen.add(found.key)
            line += content.count("\n", found.key_start, found.end)
        _, end = _jsontext.decode(content)
        if content[end:].strip():
            raise _jsontext.NotJsonError("not JSON (more after its end)", end)
        yield content[done:]
    except _jsontext.NotJsonError as e:
        where = content.count("\n", 0, e.place) + 1
        shown = content[e.place : e.place + 40]
        error = FormatError(
            f"{e.message}; nothing can be read from here on",
            path=path,
            line=where,
            text=shown,
        )
        yield BadRecord(None, where, error, content[done:])


def _begin(content: str, within: str | None) -> int:
    """Where the object of the records begins."""
    if within is None:
        return 0
    found = [m for m in _jsontext.members(content) if m.key == within and isinstance(m.value, dict)]
    return found[-1].start if found else 0


def _part(found: _jsontext.Member, raw: str, line: int, path: Path, make: Make, *, twice: bool) -> Part:
    try:
        if twice:
            raise RecordError("a second record of this name")
        if not is_text(raw) or not is_text(found.key):
            raise RecordError("not UTF-8; convert the file to UTF-8")
        return make(found.key, found.value, raw, line)
    except (RecordError, SuggestionError) as problem:
        return bad(problem, found.key, line, raw, path)
