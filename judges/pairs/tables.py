"""Read tables of words and phrases: plain text files beside the makers.

A line is an entry; ``[name]`` begins a section, a blank line separates groups of entries, ``# `` begins a comment. What
reads tables raises a :class:`TableError` for a line that it cannot read, and for a section that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class TableError(ValueError):
    """A line of a table cannot be read; the message names the file and the line."""


class Line(NamedTuple):
    """An entry of a table, with its file and line."""

    text: str
    path: Path
    number: int

    def error(self, message: str) -> TableError:
        """Return an error that names the file, the line and its text."""
        return TableError(f"{self.path.name}, line {self.number}: {message}: {self.text!r}")

    def split(self, separator: str, columns: int | None = None) -> tuple[str, ...]:
        """Return the parts of the entry without the blanks around them.

        Raises:
            TableError: a part is empty, or there are not as many as there should be.
        """
        parts = tuple(part.strip() for part in self.text.split(separator))
        if not all(parts) or columns not in (None, len(parts)):
            raise self.error(f"{columns or 'no empty'} parts with {separator!r} between them expected")
        return parts


class Table:
    """The sections of a file.

    Raises:
        TableError: a section stands there twice, or an entry before the first section.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._sections: dict[str, list[list[Line]]] = {}
        groups: list[list[Line]] = []
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            line = Line(text.strip(), path, number)
            if line.text.startswith("# "):
                continue
            if heading := re.fullmatch(r"\[([\w.-]+)\]", line.text):
                if heading.group(1) in self._sections:
                    raise line.error("a section of this name stands above")
                groups = self._sections[heading.group(1)] = [[]]
            elif not line.text:
                groups.append([])
            elif not groups or not self._sections:
                raise line.error("an entry before the first section")
            else:
                groups[-1].append(line)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections)

    def line_groups(self, section: str) -> list[list[Line]]:
        """Return the entries of a section by their groups."""
        if section not in self._sections:
            raise TableError(f"{self.path.name}: no section [{section}]")
        return [group for group in self._sections[section] if group]

    def lines(self, section: str) -> list[Line]:
        """Return the entries of a section."""
        return [line for group in self.line_groups(section) for line in group]

    def texts(self, section: str) -> list[str]:
        """Return the entries of a section as they stand there."""
        return [line.text for line in self.lines(section)]

    def words(self, section: str) -> list[str]:
        """Return the words and phrases of a section, which have commas between them."""
        return [word for line in self.lines(section) for word in line.split(",")]

    def rows(self, section: str, columns: int | None = None) -> list[tuple[str, ...]]:
        """Return the entries of a section, whose columns have ``/`` between them."""
        return [line.split(" / ", columns) for line in self.lines(section)]

    def contrasts(self, section: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Return what each entry contrasts: ``context : like / like ~ unlike / unlike``; the context may be missing."""
        entries = []
        for line in self.lines(section):
            context, _, rest = line.text.rpartition(" : ")
            like, unlike = (line._replace(text=part) for part in line._replace(text=rest).split("~", 2))
            entries.append((context, like.split(" / "), unlike.split(" / ")))
        return entries
