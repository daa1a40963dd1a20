"""Input of any length as chunks of raw records: any format of :mod:`usim.records`; files and globs.

Records are only cut apart here. What they say is read where they are scored, so that one process can keep many busy.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from usim.errors import InputError
from usim.records import FORMATS, Line, format_of
from usim.records.formats import Header, with_columns

_CHUNK_BYTES = 2**15  # a chunk ends where it has so many, even if it has few records: the work of some seconds


class Source(NamedTuple):
    """A file to read: its path, ``-`` for standard input, and the name of its format."""

    path: str
    format: str


class Chunk(NamedTuple):
    """Records of a file that are scored together; ``share`` of the input is read with it, None if that is unknown."""

    source: Source
    lines: tuple[Line, ...]
    share: float | None

    @property
    def digest(self) -> str:
        """By which the chunk is known again."""
        said = repr((self.source.format, self.lines))
        return blake2b(said.encode(), digest_size=12).hexdigest()


def sources(given: str, *, format: str | None = None, leave_out: Collection[Path] = ()) -> list[Source]:
    """Return the files that a file, a glob or ``-`` names; in a glob, without the absolute paths in ``leave_out``."""
    paths = [given]
    if given != "-" and (os.path.isdir(given) or not os.path.exists(given)):
        named = sorted(glob.glob(given, recursive=True))
        paths = [path for path in named if os.path.isfile(path) and Path(path).absolute() not in leave_out]
        if not paths:
            raise InputError("no such file, and no glob that fits one, such as 'FOLDER/**/*.jsonl'", path=given)
    return [Source(path, format_of(path, format)) for path in paths]


def chunks(files: Iterable[Source], size: int, *, header: Header) -> Iterator[Chunk]:
    """Cut the records of files, not blank lines, into chunks of at most ``size``; equal input gives equal chunks."""
    files = list(files)
    is_plain = all(FORMATS[kind].is_text and path != "-" and not path.lower().endswith(".gz") for path, kind in files)
    total = sum(os.path.getsize(path) for path, _ in files) if is_plain else 0
    read = 0

    def share() -> float | None:
        return min(read / total, 1.0) if total else None

    for file in files:
        form = FORMATS[file.format]
        pending: list[Line] = []
        room = _CHUNK_BYTES
        for line in with_columns(form, form.cut(file.path), header, file.path):
            length = len(line.raw.encode("utf-8", "surrogateescape"))
            read += length
            if line.is_blank:
                continue
            pending.append(line)
            room -= length
            if len(pending) == size or room <= 0:
                yield Chunk(file, tuple(pending), share())
                pending, room = [], _CHUNK_BYTES
        if pending:
            yield Chunk(file, tuple(pending), share())
