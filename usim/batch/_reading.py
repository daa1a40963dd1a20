"""Input of any length as chunks of raw records: any format of :mod:`usim.records`; files, folders, globs.

Records are only cut apart here. What they say is read where they are scored, so that one process can keep many busy.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from usim.errors import InputError
from usim.records import FORMATS, Line, find_format
from usim.records.formats import Header, with_columns
from usim.records.tables import Columns

_CHUNK_BYTES = 4 * 2**20  # a chunk ends where it has so many, even if it has few records


class Source(NamedTuple):
    """A file to read: its path, ``-`` for standard input, the name of its format, and the columns of a table."""

    path: str
    format: str
    columns: Columns = Columns()


class Chunk(NamedTuple):
    """Records of a file that are scored together.

    Attributes:
        source: the file, with the columns of its table.
        lines: the records as they stand in it, in order.
        share: the share of the input that is read with it, in [0, 1]; None where the length is not known.
    """

    source: Source
    lines: tuple[Line, ...]
    share: float | None

    @property
    def digest(self) -> str:
        """By which the chunk is known again."""
        hashed = blake2b(repr((self.source.format, self.source.columns)).encode(), digest_size=12)
        for line in self.lines:
            raw = line.raw.encode("utf-8", "surrogatepass")
            hashed.update(b"%d %d %d " % (line.number, line.error is not None, len(raw)))
            hashed.update(raw)
        return hashed.hexdigest()


def sources(given: str, *, format: str | None = None, leave_out: Collection[Path] = ()) -> list[Source]:
    """Return the files that an argument names: a file, a folder (with all below it), a glob, or ``-``.

    In a folder and in a glob, the absolute paths in ``leave_out`` are no input.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"no such format; there are {', '.join(FORMATS)}", text=format)
    if given == "-":
        return [Source("-", format or "jsonl")]
    path = Path(given)
    if path.exists() and not path.is_dir():
        paths = [path]
    else:
        if path.is_dir():
            # In a folder, JSON that is no table is as likely a summary as data.
            below = (p for p in sorted(path.rglob("*")) if find_format(p) not in (None, "sws"))
            named = [p for p in below if not any(part.startswith(".") for part in p.relative_to(path).parts)]
            lack = f"a folder without files in {', '.join(FORMATS)}, packed or not"
        else:
            named = list(map(Path, sorted(glob.glob(given, recursive=True))))
            lack = "no such file or folder, and no glob that fits one"
        paths = [p for p in named if p.is_file() and p.absolute() not in leave_out]
        if not paths:
            raise InputError(lack, path=given)
    files = []
    for p in paths:
        file_format = format or find_format(p)
        if file_format is None:
            raise InputError(f"its name does not say the format; say it: --format-in {'|'.join(FORMATS)}", path=p)
        files.append(Source(str(p), file_format))
    return files


def state_of(path: str) -> tuple[int, int] | None:
    """Return the size and the time of a file, by which a change is known; None where it has no size, as a pipe."""
    try:
        info = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
    except (OSError, ValueError, AttributeError):
        return None
    return (info.st_size, info.st_mtime_ns) if stat.S_ISREG(info.st_mode) else None


def chunks(files: Iterable[Source], size: int, *, header: Header) -> Iterator[Chunk]:
    """Cut the records of files into chunks of at most ``size``; the same input gives the same chunks.

    Blank lines are no records.
    """
    files = list(files)
    sizes = [(state_of(file.path) or (0,))[0] for file in files]
    # What is read is counted in characters: of packed files that says nothing of how far they are read.
    is_known = all(file.path != "-" and FORMATS[file.format].is_text and not _is_packed(file.path) for file in files)
    total = sum(sizes) if is_known else 0
    before = read = 0
    for file, length in zip(files, sizes, strict=True):
        form = FORMATS[file.format]
        pending: list[Line] = []
        room = _CHUNK_BYTES
        source = file
        for line, columns in with_columns(form, form.cut(file.path), header, file.path):
            read += len(line.raw)
            if columns is None:
                continue
            source = file._replace(columns=columns)
            pending.append(line)
            room -= len(line.raw)
            if len(pending) == size or room <= 0:
                yield Chunk(source, tuple(pending), min(read / total, 1.0) if total else None)
                pending, room = [], _CHUNK_BYTES
        before += length
        read = before
        if pending:
            yield Chunk(source, tuple(pending), min(before / total, 1.0) if total else None)


def _is_packed(path: str) -> bool:
    return path.lower().endswith(".gz")
