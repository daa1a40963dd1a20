"""Sentences as users give them to a command: a file with a sentence a line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from usim.errors import InputError


class Line(NamedTuple):
    """A line of input: its number, counted from 1, and its text, or what is wrong with it."""

    number: int
    text: str
    error: str | None = None

    def sentence(self, tokenised: bool) -> str | tuple[str, ...]:
        """Return the line as a parser takes it: as text, or as the tokens between its blanks."""
        return tuple(self.text.split()) if tokenised else self.text


def read_lines(path: str) -> list[Line]:
    """Read the lines of a file in UTF-8; ``-`` is standard input. A line that is not UTF-8 is marked as such.

    Raises:
        InputError: the file cannot be opened or read.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e
    raw_lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not raw_lines[-1]:
        raw_lines.pop()
    lines = []
    for number, raw in enumerate(raw_lines, start=1):
        try:
            lines.append(Line(number, raw.removesuffix(b"\r").decode("utf-8")))
        except UnicodeDecodeError as e:
            problem = f"byte 0x{raw[e.start]:02x} at position {e.start + 1} is not UTF-8: convert the file"
            lines.append(Line(number, raw.decode("utf-8", "replace"), problem))
    return lines
