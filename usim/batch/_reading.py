"""Input of any length as chunks of raw records: any format of :mod:`usim.records`; files, folders, globs.

Records are only cut apart here. What they say is read where they are scored, so that one process can keep many busy.
Memory holds one chunk.
"""

from __future__ import annotations

import glob
import gzip
import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, NamedTuple

from usim.errors import InputError
from usim.records import FORMATS, Line, find_format
from usim.records.formats import Header, with_columns
from usim.records.tables import Columns
from usim.text.files import load_zstandard

_CHUNK_BYTES = 4 * 2**20  # a chunk ends where it has so many, even if it has few records


class Source(NamedTuple):
    """A file to read: its path, ``-`` for standard input, the name of its format, and the columns of a table."""

    path: str
    format: str
    columns: Columns = Columns()


@dataclass(frozen=True)
class Chunk:
    """Records of a file that are scored together.

    Attributes:
        source: the file, with the columns of its table.
        lines: the records as they stand in it, in order.
        digest: of both.
        share: the share of the input that is read with it, in [0, 1]; None where the length is not known.
    """

    source: Source
    lines: tuple[Line, ...]
    digest: str
    share: float | None

    @property
    def place(self) -> str:
        """Where the chunk begins, as messages say it."""
        return f"{self.source.path}:{self.lines[0].number}"


# -- which files -----------------------------------------------------------------------------------------------------


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


# -- chunks ----------------------------------------------------------------------------------------------------------


def chunks(files: Iterable[Source], size: int, *, header: Header) -> Iterator[Chunk]:
    """Cut the records of files into chunks of at most ``size``; the same input gives the same chunks.

    Blank lines are no records.
    """
    files = list(files)
    sizes = [(state_of(file.path) or (0,))[0] for file in files]
    total = sum(sizes) if all(file.path != "-" for file in files) else 0
    before = 0
    for file, length in zip(files, sizes, strict=True):
        form = FORMATS[file.format]
        on_disk: list[IO[bytes]] = []
        pending: list[Line] = []
        room = _CHUNK_BYTES
        source = file
        for line, columns in with_columns(form, form.cut(file.path, on_disk.append), header, file.path):
            if columns is None:
                continue
            source = file._replace(columns=columns)
            pending.append(line)
            room -= len(line.raw)
            if len(pending) == size or room <= 0:
                read = on_disk[0].tell() if on_disk and not on_disk[0].closed else 0
                yield _chunk(source, pending, min((before + read) / total, 1.0) if total else None)
                pending, room = [], _CHUNK_BYTES
        before += length
        if pending:
            yield _chunk(source, pending, min(before / total, 1.0) if total else None)


def _chunk(source: Source, lines: list[Line], share: float | None) -> Chunk:
    hashed = blake2b(repr((source.format, source.columns)).encode(), digest_size=12)
    for line in lines:
        raw = line.raw.encode("utf-8", "surrogatepass")
        hashed.update(b"%d %d %d " % (line.number, line.error is not None, len(raw)))
        hashed.update(raw)
    return Chunk(source, tuple(lines), hashed.hexdigest(), share)


def packer(name: str) -> Callable[[bytes], bytes]:
    """Return a function that packs bytes as the ending of a file's name says: into a member (gzip) or a frame (zstd).

    Such members one after another are a packed file.

    >>> packer("out.jsonl.gz")(b"")[:2], packer("out.jsonl")(b"")
    (b'\\x1f\\x8b', b'')
    """
    if name.lower().endswith(".gz"):
        return lambda data: gzip.compress(data, 6, mtime=0)
    if name.lower().endswith(".zst"):
        compressor = load_zstandard(name).ZstdCompressor(level=3, write_checksum=True)
        return lambda data: bytes(compressor.compress(data))
    return lambda data: data
