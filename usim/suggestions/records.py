"""Suggestions as they come out of a file: records, each of a text and what is proposed for it.

A reader yields the parts of a file in order: a :class:`Record`, a :class:`BadRecord` where one cannot be read, and
plain strings for what stands between them (a header, blank lines, the brackets of JSON). Every part keeps the very
characters of the file, so that the parts put together are the file again, and :meth:`Record.without` changes what it
has to and no more. Bytes that are no UTF-8 are carried through as lone surrogates (``surrogateescape``).
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, NoReturn

from usim.errors import FormatError, InputError, SuggestionError
from usim.suggestions.place import Edit, Placed, apply, check_span, put

Path = str | os.PathLike[str]
#: From a substitute, the text, the span of its target, and the target's universal part of speech where it is known, to
#: the substitute in the target's form.
Inflect = Callable[[str, str, int, int, str | None], str]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One proposal for a text.

    Attributes:
        substitute: the words to put in, as the file has them; for a correction of the whole text, that text.
        span: the target, in characters of the text; None where the whole text is proposed anew.
        edits: the changes to carry out as they are, where the file says them (M2); else None.
        about: what else the file says of it, for the output.
    """

    substitute: str
    span: tuple[int, int] | None = None
    edits: tuple[Edit, ...] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def placed(self, text: str, inflect: Inflect | None = None) -> Placed:
        """The text as it becomes.

        Args:
            text: the text of the record.
            inflect: how a substitute gets the form of its target; None to take it as it is. Corrections and edits that
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
    made = tuple(edit for edit in edits if text[edit.start : edit.end] != edit.new)
    changed = apply(text, made)
    if not made:
        return Placed(changed, 0, len(changed), ())
    first, last = made[0], made[-1]
    return Placed(changed, first.start, len(changed) - (len(text) - last.end), made)


def difference(text: str, other: str) -> Edit:
    """The one edit that makes a text into another, as short as whole words allow.

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
    """Whether, in one of the two, the part that differs touches the word that follows it."""
    return any(side[start : len(side) - end][-1:].isalnum() for side in (text, other))


@dataclass(frozen=True, slots=True)
class Record:
    """A text with what is proposed for it.

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
        """The record as it stands in the file, less some of its suggestions; ``raw`` where none is dropped.

        Args:
            dropped: places of suggestions, from 0.

        Raises:
            IndexError: there is no such suggestion.
        """
        gone = frozenset(dropped)
        if any(not 0 <= place < len(self.suggestions) for place in gone):
            raise IndexError(
                f"record {self.id!r} has {len(self.suggestions)} suggestions, from 0; dropped: {sorted(gone)}"
            )
        return self._without(gone) if gone else self.raw


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that cannot be read: what is wrong with it, and how it stands in the file."""

    id: str | int | None
    line: int
    error: FormatError
    raw: str


Part = Record | BadRecord | str


class RecordError(Exception):
    """What is wrong with the record that is being read; for readers, which make a :class:`BadRecord` of it."""

    def __init__(self, message: str, text: object = None) -> None:
        super().__init__(message)
        self.message = message
        self.text = text if text is None or isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str)


def bad(
    problem: RecordError | SuggestionError, id_: str | int | None, line: int, raw: str, path: Path | None
) -> BadRecord:
    """The record with a problem, as an error that names it."""
    name = "" if id_ is None else f"record {id_!r}: "
    return BadRecord(id_, line, FormatError(name + problem.message, path=path, line=line, text=problem.text), raw)


def is_text(raw: str) -> bool:
    """Whether all of the bytes behind a string were UTF-8."""
    return raw.isascii() or not any("\udc80" <= c <= "\udcff" for c in raw)


def checked(text: str, start: object, end: object, target: object = None) -> tuple[int, int]:
    """A span of a text that fits it.

    Args:
        text: the text.
        start, end: the span, from a file.
        target: what the file says is there, if it does.

    Raises:
        RecordError: no integers, or not the target.
        SuggestionError: outside of the text, or within a word.
    """
    if type(start) is not int or type(end) is not int:
        raise RecordError("'start' and 'end' must be integers", [start, end])
    check_span(text, start, end)
    if target is not None and target != text[start:end]:
        raise RecordError(f"the text from {start} to {end} is not the target {target!r}", text[start:end])
    return start, end


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A file to read bytes from, unpacked where its name ends in ``.gz``; ``-`` is standard input.

    Raises:
        InputError: it cannot be opened or read.
    """
    name = os.fspath(path)
    try:
        if name == "-":
            yield sys.stdin.buffer
        elif name.endswith(".gz"):
            with gzip.open(name) as packed:
                yield packed  # type: ignore[misc]
        else:
            with open(name, "rb") as file:
                yield file
    except (OSError, EOFError) as e:
        reason = getattr(e, "strerror", None) or str(e)
        raise InputError(f"cannot be read ({reason}); check the name of the file", path=name) from e


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, each with its end as it is; a byte order mark is a line 0 of its own."""
    with opened(path) as file:
        for number, raw in enumerate(file, 1):
            if number == 1 and raw.startswith(b"\xef\xbb\xbf"):
                yield 0, "\ufeff"
                raw = raw[3:]
            yield number, raw.decode("utf-8", "surrogateescape")


def whole(path: Path) -> str:
    """The whole of a file, as :func:`lines` has it."""
    with opened(path) as file:
        return file.read().decode("utf-8", "surrogateescape")


def stop(message: str, path: Path, line: int | None = None, text: str | None = None) -> NoReturn:
    """Raise a FormatError for a file that is not of its format at all."""
    raise FormatError(message, path=path, line=line, text=text)
