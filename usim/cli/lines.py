"""Sentences as users give them to a command: a file with a sentence a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from usim.errors import InputError
from usim.text import LONGEST_LINE, Context, check_length, contexts_in_order, open_binary, split_lines


class Line(NamedTuple):
    """A line of input: its number, counted from 1, its text, what is wrong with it, and what stands around it."""

    number: int
    text: str
    error: str | None = None
    context: Context | None = None

    def sentence(self, tokenised: bool) -> str | tuple[str, ...]:
        """Return the line as a parser takes it: as text, or as the tokens between its blanks."""
        return tuple(self.text.split()) if tokenised else self.text

    def checked(self) -> Line:
        """Return the line, marked as one that cannot be scored if it is too long (:func:`usim.text.check_length`)."""
        try:
            check_length(self.text, "the line")
        except InputError as e:
            return self if self.error else self._replace(error=e.message)
        return self


def read_lines(path: str) -> list[Line]:
    """Read the lines of a file in UTF-8; ``-`` is standard input.

    A line that is not UTF-8, or too long, is marked as such.

    Raises:
        InputError: the file cannot be opened or read.
    """
    try:
        with open_binary(path) as file:
            return [_line(raw.number, raw.data, is_too_long=raw.is_too_long) for raw in split_lines(file)]
    except InputError as e:
        reason = getattr(e.__cause__, "strerror", None)
        raise InputError(reason or e.message, path=path) from e


def as_document(rows: Sequence[tuple[Line, ...]]) -> list[tuple[Line, ...]]:
    """Return rows whose first lines are a text: each has the others around it as its context."""
    contexts = contexts_in_order([source.text for source, *_ in rows])
    return [(row[0]._replace(context=context), *row[1:]) for row, context in zip(rows, contexts, strict=True)]


def _line(number: int, data: bytes, *, is_too_long: bool) -> Line:
    if number == 1:
        data = data.removeprefix(b"\xef\xbb\xbf")
    data = data.removesuffix(b"\n").removesuffix(b"\r")
    if is_too_long:
        return Line(number, data.decode("utf-8", "replace"), f"a line of more than {LONGEST_LINE // 2**20} MiB")
    try:
        return Line(number, data.decode("utf-8"))
    except UnicodeDecodeError as e:
        problem = f"byte 0x{data[e.start]:02x} at position {e.start + 1} is not UTF-8: convert the file"
        return Line(number, data.decode("utf-8", "replace"), problem)
