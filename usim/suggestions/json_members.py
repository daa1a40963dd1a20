"""Files that are one JSON object, in which each member is a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from usim.errors import FormatError, SuggestionError
from usim.suggestions import json_text
from usim.suggestions.records import BadRecord, Part, Record, RecordError, bad_record, check_text, whole
from usim.text import Path

#: From a record's name, its value, its text and its line to the record; raises a SuggestionError.
MakeRecord = Callable[[str, Any, str, int], Record]


def members(path: Path, make_record: MakeRecord, *, within: str | None = None) -> Iterator[Part]:
    """Read a file whose outermost object is made of records, part by part.

    Args:
        path: the file.
        make_record: how a record is made.
        within: the member of the outermost object that holds the records where the object itself does not; taken if
            there is such a member and its value is an object.

    A fault in the JSON itself makes one bad record of the rest, because nothing shows where the next one would begin.

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
        for member in json_text.members(content, _begin(content, within)):
            line += content.count("\n", done, member.key_start)
            yield content[done : member.start]
            done = member.end
            raw = content[member.start : member.end]
            yield _part(member, raw, line, path, make_record, is_repeated=member.key in seen)
            seen.add(member.key)
            line += content.count("\n", member.key_start, member.end)
        _, end = json_text.decode(content)
        if content[end:].strip():
            raise json_text.NotJsonError("not JSON (more after its end)", end)
        yield content[done:]
    except json_text.NotJsonError as e:
        line = content.count("\n", 0, e.place) + 1
        shown = content[e.place : e.place + 40]
        error = FormatError(f"{e.message}; nothing can be read from here on", path=path, line=line, text=shown)
        yield BadRecord(None, line, error, content[done:])


def _begin(content: str, within: str | None) -> int:
    """Return where the object of the records begins."""
    if within is None:
        return 0
    objects = [m for m in json_text.members(content) if m.key == within and isinstance(m.value, dict)]
    return objects[-1].start if objects else 0


def _part(
    member: json_text.Member, raw: str, line: int, path: Path, make_record: MakeRecord, *, is_repeated: bool
) -> Part:
    try:
        if is_repeated:
            raise RecordError("a second record of this name")
        check_text(raw + member.key)
        return make_record(member.key, member.value, raw, line)
    except SuggestionError as problem:
        return bad_record(problem, member.key, line, raw, path)
