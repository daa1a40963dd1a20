"""Lines of a file, each with its error if it has one, and records of suggestions: a text and those for it.

A reader of suggestions yields the parts of a file in order: a :class:`Record`, a :class:`BadRecord` where one cannot be
read, and plain strings for what stands between them (a header, blank lines, the brackets of JSON). Joined, the parts
are the file again; bytes that are not UTF-8 are lone surrogates (``surrogateescape``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import IO, NamedTuple, TypeVar

from usim.errors import FormatError, InputError, SuggestionError, UsimError
from usim.suggestions import Suggestion
from usim.text import Context, check_length
from usim.text.codec import read_as
from usim.text.files import LONGEST_LINE, Path, open_binary, split_lines
from usim.ucca import Graph

_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_BOM = b"\xef\xbb\xbf"

T = TypeVar("T")


class Columns(NamedTuple):
    """The columns of a table: their names, none if records say them (JSON); the last may take all further cells."""

    names: tuple[str, ...] = ()
    has_list: bool = False


class Line(NamedTuple):
    """A line of a file, or a record that stands on several lines or is a cell of one.

    Attributes:
        number: of the line on which it begins, from 1, or of the record where a format has no lines; 0 for what is no
            record (a byte order mark, brackets of JSON, the names of columns).
        raw: its characters as they stand in the file; bytes that are not UTF-8 are lone surrogates.
        error: why it cannot be read.
        name: the name of its record where the format gives one.
        context: what stands around it in a text.
        graph: the graph of its text, where that was read in its place.
        columns: the columns of its table.
    """

    number: int
    raw: str
    error: str | None = None
    name: str | int | None = None
    context: Context | None = None
    graph: Graph | None = None
    columns: Columns = Columns()

    @property
    def id(self) -> str | int:
        """The name of its record where the record itself has none."""
        return self.number if self.name is None else self.name

    @property
    def is_blank(self) -> bool:
        """Whether it is no record."""
        return not self.error and (not self.number or not self.raw.strip(" \r\n"))

    @property
    def text(self) -> str:
        """Its characters without the end of the line, as they can be shown."""
        text = self.raw.removesuffix("\n").removesuffix("\r")
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if self.error else text

    def checked(self) -> Line:
        """Return the line, with an error if it is too long to be scored (:func:`usim.text.check_length`)."""
        try:
            check_length(self.text, "the line")
        except InputError as e:
            return self if self.error else self._replace(error=e.message)
        return self


def lines(path: Path, *, stream: IO[bytes] | None = None) -> Iterator[Line]:
    """Yield the lines of a file, or of a ``stream``, blank ones included; joined, they are the file.

    A line that is not UTF-8 affects no other.

    Raises:
        InputError: the file cannot be opened or read (on), or has a line of more than :data:`LONGEST_LINE`.
    """
    with open_binary(path) if stream is None else nullcontext(stream) as file:
        for number, data, is_cut in split_lines(file):
            if is_cut:
                raise InputError(f"a line of more than {LONGEST_LINE // 2**20} MiB", path=path, line=number)
            if number == 1 and data.startswith(_BOM):
                yield Line(0, "\ufeff")
                data = data[len(_BOM) :]
            raw = data.decode("utf-8", "surrogateescape")
            is_utf8 = raw.isascii() or not _NOT_UTF8.search(raw)
            yield Line(number, raw, None if is_utf8 else "not UTF-8; convert the file to UTF-8")


def read_sentences(path: Path) -> list[Line]:
    """Read a file with a sentence a line; ``-`` is standard input. See :func:`lines` for errors."""
    return [line for line in lines(path) if line.number]


@dataclass(frozen=True, slots=True)
class Record:
    """A text with the suggestions for it, in the order of the file.

    Attributes:
        id: the record's name in its file, or its line where it has none.
        line: the line on which it begins, from 1.
        text: a sentence or a longer text.
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
    """A record that cannot be read; its ``id`` is its name, where that could be read, else as a :class:`Record`."""

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
