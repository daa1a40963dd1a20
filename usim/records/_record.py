"""Suggestions as they come out of a file: records, each with a text and the suggestions for it.

A reader yields the parts of a file in order: a :class:`Record`, a :class:`BadRecord` where one cannot be read, and
plain strings for what stands between them (a header, blank lines, the brackets of JSON). Every part keeps the
characters of the file: joined, the parts are the file again, and :meth:`Record.without` writes only those records anew
that lose suggestions. Bytes that are not UTF-8 are kept as lone surrogates (``surrogateescape``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TypeVar

from usim.errors import FormatError, SuggestionError, UsimError
from usim.records._lines import Line
from usim.suggestions import Suggestion
from usim.text.codec import read_as
from usim.text.files import Path

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """A text with the suggestions for it.

    Attributes:
        id: the record's name in its file, or its line where it has none.
        line: the line on which it begins, from 1.
        text: a sentence or a longer text.
        suggestions: in the order of the file.
        raw: the record as it stands in the file.
    """

    id: str | int
    line: int
    text: str
    suggestions: tuple[Suggestion, ...]
    raw: str
    _without: Callable[[frozenset[int]], str] = field(repr=False, compare=False)

    def without(self, dropped: Collection[int]) -> str:
        """Return the record as it stands in the file without the suggestions at some places, counted from 0."""
        return self._without(frozenset(dropped)) if dropped else self.raw


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that cannot be read.

    Attributes:
        id: its name, where that could be read.
        line: the line on which it begins, from 1.
        error: what is wrong with it.
        raw: the record as it stands in the file.
    """

    id: str | int | None
    line: int
    error: FormatError
    raw: str


Part = Record | BadRecord | str


class RecordError(SuggestionError):
    """A fault of the record that is being read; readers turn it into a :class:`BadRecord`."""

    def __init__(self, message: str, text: object = None) -> None:
        shown = text if text is None or isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str)
        super().__init__(message, text=shown)


def read_value(value: object, kind: type[T], *, strict: bool = True) -> T:
    """Return a value as a type (:func:`usim.text.codec.read_as`); raise a RecordError where it has another shape."""
    try:
        return read_as(value, kind, strict=strict)
    except FormatError as e:
        raise RecordError(e.message, value) from e


def bad_record(problem: UsimError, id_: str | int | None, line: Line, path: Path | None) -> BadRecord:
    """Return the bad record for a record with a problem; its error names the record."""
    name = "" if id_ is None else f"record {id_!r}: "
    error = FormatError(name + problem.message, path=path, line=line.number, text=problem.text)
    return BadRecord(id_, line.number, error, line.raw)
