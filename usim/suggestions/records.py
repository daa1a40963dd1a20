"""Suggestions as they come out of a file: records, each with a text and the suggestions for it.

A reader yields the parts of a file in order: a :class:`Record`, a :class:`BadRecord` where one cannot be read, and
plain strings for what stands between them (a header, blank lines, the brackets of JSON). Every part keeps the
characters of the file, so that all parts together are the file again, and :meth:`Record.without` changes only what
it has to. Bytes that are not UTF-8 are kept as lone surrogates (``surrogateescape``). The one exception is a record
that is too long (:attr:`BadRecord.is_cut`), of which only the beginning is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from usim.errors import FormatError, SuggestionError
from usim.suggestions.place import Edit, Placed, apply, check_span, put
from usim.text import LONGEST_LINE, Path, open_binary, read_bounded, split_lines

_SHOWN = 1024  # characters that are kept of a record that is too long
_BLANKS = r"[^\S\x1c-\x1f]*"  # Python takes the separators of ASCII for blanks around a word, but not around a number
_WHOLE_NUMBER = re.compile(rf"{_BLANKS}[0-9]{{1,18}}{_BLANKS}")
#: From a substitute, the text, the span of its target, and the target's universal part of speech where it is known, to
#: the substitute in the target's form.
Inflect = Callable[[str, str, int, int, str | None], str]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposal for a text.

    Attributes:
        substitute: the words to put in, as the file has them; for a correction of the whole text, that text.
        span: the target, in characters of the text; None where the suggestion is a whole new text.
        edits: the changes to carry out as they are, where the file says them (M2); else None.
        about: other fields of the file, for the output.
    """

    substitute: str
    span: tuple[int, int] | None = None
    edits: tuple[Edit, ...] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def placed(self, text: str, inflect: Inflect | None = None) -> Placed:
        """Put the suggestion into the text.

        Args:
            text: the text of the record.
            inflect: puts a substitute into the form of its target; None to take it as it is. Corrections and edits that
                the file spells out are always taken as they are.

        Raises:
            SuggestionError: the span does not fit the text.
        """
        if self.edits is not None:
            return _literal(text, self.edits)
        if self.span is None:
            return _literal(text, (difference(text, self.substitute),))
        start, end = self.span
        new = self.substitute
        if inflect is not None:
            new = inflect(new, text, start, end, self.about.get("pos"))
        return put(text, start, end, new)


def _literal(text: str, edits: tuple[Edit, ...]) -> Placed:
    effective = tuple(edit for edit in edits if text[edit.start : edit.end] != edit.new)
    changed = apply(text, effective)
    if not effective:
        return Placed(changed, 0, len(changed), ())
    first, last = effective[0], effective[-1]
    return Placed(changed, first.start, len(changed) - (len(text) - last.end), effective)


def difference(text: str, other: str) -> Edit:
    """Return the one edit that turns a text into another, as short as whole words allow.

    >>> difference("She have two cat.", "She has two cats.")
    Edit(start=4, end=16, new='has two cats')
    """
    shorter = min(len(text), len(other))
    start = end = 0
    while start < shorter and text[start] == other[start]:
        start += 1
    while end < shorter - start and text[-1 - end] == other[-1 - end]:
        end += 1
    # Back to the beginning, and on to the end, of a word that changes within.
    while start and text[start - 1].isalnum() and any(side[start : start + 1].isalnum() for side in (text, other)):
        start -= 1
    while end and text[len(text) - end].isalnum() and _reaches(text, other, start, end):
        end -= 1
    return Edit(start, len(text) - end, other[start : len(other) - end])


def _reaches(text: str, other: str, start: int, end: int) -> bool:
    """Return whether, in one of the two, the part that differs touches the word that follows it."""
    return any(side[start : len(side) - end][-1:].isalnum() for side in (text, other))


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


def bad_record(problem: SuggestionError, id_: str | int | None, line: int, raw: str, path: Path | None) -> BadRecord:
    """Return the bad record for a record with a problem; its error names the record."""
    name = "" if id_ is None else f"record {id_!r}: "
    return BadRecord(id_, line, FormatError(name + problem.message, path=path, line=line, text=problem.text), raw)


def too_long(line: int, raw: str, path: Path | None, id_: str | int | None = None) -> BadRecord:
    """Return the bad record for a record that is longer than a line may be, from its beginning."""
    error = FormatError(f"a record of more than {LONGEST_LINE // 2**20} MiB", path=path, line=line)
    return BadRecord(id_, line, error, raw[:_SHOWN], is_cut=True)


def is_text(raw: str) -> bool:
    """Return whether all of the bytes behind a string were UTF-8."""
    return raw.isascii() or not any("\udc80" <= c <= "\udcff" for c in raw)


def check_text(raw: str) -> None:
    """Check that all of the bytes behind a string were UTF-8.

    Raises:
        RecordError: they were not.
    """
    if not is_text(raw):
        raise RecordError("not UTF-8; convert the file to UTF-8")


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


class Line(NamedTuple):
    """A line of a file of suggestions.

    Attributes:
        number: counted from 1; 0 for a byte order mark, which is a line of its own.
        raw: the line with its end as it stands in the file.
        is_cut: whether it is longer than :data:`~usim.text.LONGEST_LINE`; ``raw`` is its beginning then.
    """

    number: int
    raw: str
    is_cut: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether the line holds no record."""
        return not self.number or not self.raw.strip()


def lines(path: Path) -> Iterator[Line]:
    """Read the lines of a file; of a line that is too long only the beginning is held in memory.

    Raises:
        InputError: the file cannot be opened or read.
    """
    with open_binary(path) as file:
        for number, data, is_cut in split_lines(file):
            if number == 1 and data.startswith(b"\xef\xbb\xbf"):
                yield Line(0, "\ufeff")
                data = data[3:]
            yield Line(number, data.decode("utf-8", "surrogateescape"), is_cut)


def whole(path: Path) -> str:
    """Read a whole file, with bytes that are not UTF-8 as :func:`lines` has them.

    Raises:
        InputError: the file cannot be opened or read, or is too large.
    """
    with open_binary(path) as file:
        return read_bounded(file, path).decode("utf-8", "surrogateescape")


def stop(message: str, path: Path, line: int | None = None, text: str | None = None) -> NoReturn:
    """Raise a FormatError for a file that is not of its format at all."""
    raise FormatError(message, path=path, line=line, text=text)
