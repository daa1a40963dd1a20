"""Suggestions as they come out of a file: records, each with a text and the suggestions for it.

A reader yields the parts of a file in order: a :class:`Record`, a :class:`BadRecord` where one cannot be read, and
plain strings for what stands between them (a header, blank lines, the brackets of JSON). Every part keeps the
characters of the file, so that all parts together are the file again, and :meth:`Record.without` writes a record anew
only where it has to. Bytes that are not UTF-8 are kept as lone surrogates (``surrogateescape``). The one exception is a
record that is too long (:attr:`BadRecord.is_cut`), of which only the beginning is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from usim.errors import FormatError, SuggestionError
from usim.records.lines import Line
from usim.suggestions import Suggestion, check_span
from usim.text import Path

_BLANKS = r"[^\S\x1c-\x1f]*"  # Python takes the separators of ASCII for blanks around a word, but not around a number
_WHOLE_NUMBER = re.compile(rf"{_BLANKS}[0-9]{{1,18}}{_BLANKS}")


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
        """Return the record as it stands in the file without the suggestions to drop; ``raw`` if there are none.

        Args:
            dropped: places of suggestions, from 0.

        Raises:
            IndexError: there is no such suggestion.
        """
        places = frozenset(dropped)
        if any(not 0 <= place < len(self.suggestions) for place in places):
            raise IndexError(
                f"record {self.id!r} has {len(self.suggestions)} suggestions, from 0; dropped: {sorted(places)}"
            )
        return self._without(places) if places else self.raw


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that cannot be read.

    Attributes:
        id: its name, where that could be read.
        line: the line on which it begins, from 1.
        error: what is wrong with it.
        raw: the record as it stands in the file.
        is_cut: whether ``raw`` is only its beginning, because it is too long to be held in memory.
    """

    id: str | int | None
    line: int
    error: FormatError
    raw: str
    is_cut: bool = False


Part = Record | BadRecord | str


class RecordError(SuggestionError):
    """A fault of the record that is being read; readers turn it into a :class:`BadRecord`."""

    def __init__(self, message: str, text: object = None) -> None:
        shown = text if text is None or isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str)
        super().__init__(message, text=shown)


def bad_record(problem: SuggestionError, id_: str | int | None, line: Line, path: Path | None) -> BadRecord:
    """Return the bad record for a record with a problem; its error names the record."""
    name = "" if id_ is None else f"record {id_!r}: "
    error = FormatError(name + problem.message, path=path, line=line.number, text=problem.text)
    return BadRecord(id_, line.number, error, line.raw, line.is_cut)


def whole_number(digits: str, name: str) -> int:
    """Return the whole number that a cell of a file holds; blanks around it do not matter.

    Args:
        digits: the cell.
        name: of the cell, for the error.

    Raises:
        RecordError: it is no whole number, or one of more than 18 digits.
    """
    if not _WHOLE_NUMBER.fullmatch(digits):
        raise RecordError(f"{name!r} must be a whole number", digits)
    return int(digits)


def checked_span(text: str, start: object, end: object, target: object = None) -> tuple[int, int]:
    """Check a span from a file against its text, and return it.

    Args:
        text: the text.
        start, end: the span, from a file.
        target: the text of the span according to the file, if the file has it.

    Raises:
        RecordError: start or end is no integer, or the span does not hold the target.
        SuggestionError: the span lies outside of the text or cuts a word.
    """
    if type(start) is not int or type(end) is not int:
        raise RecordError("'start' and 'end' must be integers", [start, end])
    check_span(text, start, end)
    if target is not None and target != text[start:end]:
        raise RecordError(f"the text from {start} to {end} is not the target {target!r}", text[start:end])
    return start, end
