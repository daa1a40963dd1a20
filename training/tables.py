"""Read tables of words and phrases: plain text files beside the modules that use them.

A line is an entry; ``[name]`` begins a section, a blank line separates groups of entries, ``# `` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path


def parts_of(entry: str, separator: str, columns: int | None = None) -> tuple[str, ...]:
    """Return the parts of an entry without blanks around; raise a ValueError if one is empty, or for another number."""
    parts = tuple(part.strip() for part in entry.split(separator))
    if not all(parts) or columns not in (None, len(parts)):
        raise ValueError(f"{columns or 'no empty'} parts with {separator!r} between them expected: {entry!r}")
    return parts


class Table:
    """The sections of a file."""

    def __init__(self, path: Path) -> None:
        self._sections: dict[str, list[list[str]]] = {}
        groups: list[list[str]] = []
        for line in map(str.strip, path.read_text(encoding="utf-8").splitlines()):
            if line.startswith("# "):
                continue
            if heading := re.fullmatch(r"\[([\w.-]+)\]", line):
                groups = self._sections[heading.group(1)] = [[]]
            elif not line:
                groups.append([])
            else:
                groups[-1].append(line)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sections)

    def groups(self, section: str) -> list[list[str]]:
        """Return the entries of a section by their groups."""
        return [group for group in self._sections[section] if group]

    def texts(self, section: str) -> list[str]:
        """Return the entries of a section."""
        return [entry for group in self.groups(section) for entry in group]

    def words(self, section: str) -> list[str]:
        """Return the words and phrases of a section, which have commas between them."""
        return [word for entry in self.texts(section) for word in parts_of(entry, ",")]

    def rows(self, section: str, columns: int | None = None) -> list[tuple[str, ...]]:
        """Return the entries of a section, whose columns have ``/`` between them."""
        return [parts_of(entry, " / ", columns) for entry in self.texts(section)]

    def choices(self, section: str) -> dict[str, tuple[tuple[str, float], ...]]:
        """Return what may stand for each word, with the label of each: ``word / other .1 / other .2``."""
        return {
            word: tuple((text, float(label)) for text, label in (choice.rsplit(" ", 1) for choice in choices))
            for word, *choices in self.rows(section)
        }

    def contrasts(self, section: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
        """Return what each entry contrasts: ``context : like / like ~ unlike / unlike``; the context may be missing."""
        entries = []
        for entry in self.texts(section):
            context, _, rest = entry.rpartition(" : ")
            like, unlike = parts_of(rest, "~", 2)
            entries.append((context, parts_of(like, " / "), parts_of(unlike, " / ")))
        return entries
