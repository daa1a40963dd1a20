"""Lines of a file, each with its error if it has one; every format of records builds on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import nullcontext
from typing import IO, NamedTuple

from usim.errors import InputError
from usim.text import Context, check_length
from usim.text.files import LONGEST_LINE, Path, open_binary, split_lines
from usim.ucca import Graph

_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_BOM = b"\xef\xbb\xbf"


class Columns(NamedTuple):
    """The columns of a table.

    Attributes:
        names: what they are called; none where each record says it (JSON).
        has_list: whether the last of them takes all cells from there on.
    """

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
    """Yield the lines of a file, blank ones included; joined, they are the file.

    A line that is not UTF-8 affects no other.

    Args:
        path: the file.
        stream: what is read in place of the file.

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
