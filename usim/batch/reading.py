"""Input of any length as chunks of raw records: JSON lines, TSV, Parquet; plain, gzip or zstd; files, folders, globs.

Only lines are cut here. What a record says is read where it is scored, so that one process can keep many busy. Memory
holds one chunk; a line is never read beyond :data:`MAX_LINE` bytes, and packed files are unpacked in small pieces.
"""

from __future__ import annotations

import glob
import gzip
import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, NamedTuple

from usim.errors import FormatError, InputError
from usim.text import PACKING_ERRORS, load_zstandard, open_zstd

#: How the last bad record of a file begins whose rest cannot be unpacked.
DAMAGED = "the file is damaged, and cannot be read from here on"
#: The longest line in bytes; a longer one is a bad record.
MAX_LINE = 16 * 2**20
_CHUNK_BYTES = 4 * 2**20  # a chunk ends where it has so many, even if it has few records
_PACKINGS = {".gz": "gzip", ".zst": "zstd"}
_FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "tsv", ".parquet": "parquet"}
#: The formats by name.
FORMATS = ("jsonl", "tsv", "parquet")
_BOM = b"\xef\xbb\xbf"
_KEPT_OF_LONG = 1024  # bytes of a line that is too long, to show it by
_ROWS = 64  # rows of a Parquet file that are read at once


class Source(NamedTuple):
    """A file to read: its path, ``-`` for standard input, and its format."""

    path: str
    format: str


class RawRecord(NamedTuple):
    """A record as it stands in its file.

    Attributes:
        source: the number of its file, from 0.
        line: the number of its line, from 1; in Parquet of its row.
        data: its bytes, without the end of the line.
        error: why it cannot be read, if that is known already.
    """

    source: int
    line: int
    data: bytes
    error: str | None = None


class Header(NamedTuple):
    """What is known of a file: its path, its format, and the first line of a TSV file."""

    path: str
    format: str
    first: bytes = b""


@dataclass(frozen=True)
class Chunk:
    """Records that are scored together.

    Attributes:
        number: its number, from 0.
        headers: what is known of each file that it has records of.
        records: the records, in the order of the input.
        digest: of all that is above.
        share: the share of the input that is read with it, in [0, 1]; None where the length is not known.
    """

    number: int
    headers: dict[int, Header]
    records: tuple[RawRecord, ...]
    digest: str
    share: float | None

    @property
    def place(self) -> str:
        """Where the chunk begins, as messages say it."""
        first = self.records[0]
        return f"{self.headers[first.source].path}:{first.line}"


# -- which files -----------------------------------------------------------------------------------------------------


def sources(
    given: str, *, format: str | None = None, leave_out: Callable[[Path], bool] = lambda _: False
) -> list[Source]:
    """Return the files that an argument names: a file, a folder (with all below it), a glob, or ``-``.

    Args:
        given: the argument.
        format: the format of all of them; by default that of each file's ending.
        leave_out: which files of a folder or a glob are no input.

    Raises:
        InputError: no such files, or no way to know their format.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"no such format; there are {', '.join(FORMATS)}", text=format)
    if given == "-":
        if format == "parquet":
            raise InputError("Parquet cannot come from standard input, as its end says what is where; name the file")
        return [Source("-", format or "jsonl")]
    path = Path(given)
    if path.is_dir():
        below = sorted(path.rglob("*"))
        paths = [p for p in below if p.is_file() and _format_of(p) and not _is_hidden(p, path) and not leave_out(p)]
        if not paths:
            raise InputError(f"a folder without files in {', '.join(_FORMATS)}, packed or not", path=given)
    elif path.exists():
        paths = [path]
    else:
        names = sorted(glob.glob(given, recursive=True))
        paths = [p for p in map(Path, names) if p.is_file() and not leave_out(p)]
        if not paths:
            raise InputError("no such file or folder, and no glob that fits one", path=given)
    files = []
    for p in paths:
        file_format = format or _format_of(p)
        if file_format is None:
            raise InputError(f"its name does not say the format; say it: --format {'|'.join(FORMATS)}", path=p)
        files.append(Source(str(p), file_format))
    return files


def packing_of(name: str) -> str | None:
    """Return how a file of this name is packed: ``gzip``, ``zstd``, or None.

    >>> packing_of("out.jsonl.zst"), packing_of("out.jsonl")
    ('zstd', None)
    """
    return _PACKINGS.get(os.path.splitext(name.lower())[1])


def _format_of(path: Path) -> str | None:
    name = path.name.lower()
    if packing_of(name):
        name = os.path.splitext(name)[0]
    return _FORMATS.get(os.path.splitext(name)[1])


def _is_hidden(path: Path, below: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(below).parts)


# -- whether they stay what they are ---------------------------------------------------------------------------------


class FileState(NamedTuple):
    """What a file looked like at some time: as long as nothing of this changes, its content does not.

    Attributes:
        size: in bytes.
        identity: its device and inode.
        changed: when its content and its inode last changed, in nanoseconds.
    """

    size: int
    identity: tuple[int, int]
    changed: tuple[int, int]


def state_of(path: str) -> FileState | None:
    """Return the state of a file; None where there is no file with a size, such as a pipe."""
    try:
        info = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
    except (OSError, ValueError, AttributeError):
        return None
    if not stat.S_ISREG(info.st_mode):
        return None
    return FileState(info.st_size, (info.st_dev, info.st_ino), (info.st_mtime_ns, info.st_ctime_ns))


# -- chunks ----------------------------------------------------------------------------------------------------------


def chunks(files: Iterable[Source], size: int, *, with_header: Callable[[bytes], bool]) -> Iterator[Chunk]:
    """Cut the records of files into chunks.

    The same input gives the same chunks. A chunk may have records of several files. Blank lines are no records.

    Args:
        files: the files.
        size: how many records a chunk has at most.
        with_header: whether the first line of a TSV file names its columns.

    Raises:
        InputError: a file cannot be opened or read.
        FormatError: a TSV file names other columns than are needed.
    """
    files = list(files)
    total = 0 if any(f.path == "-" for f in files) else sum(_size(f.path) for f in files)
    before = 0
    number = 0
    pending: list[RawRecord] = []
    headers: dict[int, Header] = {}
    room = _CHUNK_BYTES
    for index, file in enumerate(files):
        header = Header(file.path, file.format)
        place = _Place()
        for line, data, error in _READERS[file.format](file.path, place):
            is_first = file.format == "tsv" and not header.first and line == 1 and error is None
            if is_first and _has_header(with_header, data, file.path):
                header = header._replace(first=data)
                continue
            headers[index] = header
            pending.append(RawRecord(index, line, data, error))
            room -= len(data)
            if len(pending) == size or room <= 0:
                yield _chunk(number, headers, pending, (before + place.read()) / total if total else None)
                number, pending, headers, room = number + 1, [], {}, _CHUNK_BYTES
        if total:
            before += _size(file.path)
    if pending:
        yield _chunk(number, headers, pending, 1.0 if total else None)


def _has_header(with_header: Callable[[bytes], bool], line: bytes, path: str) -> bool:
    try:
        return with_header(line)
    except FormatError as e:
        raise FormatError(e.message, path=path, line=1, text=e.text) from e


def _chunk(number: int, headers: dict[int, Header], records: list[RawRecord], share: float | None) -> Chunk:
    hashed = blake2b(digest_size=12)
    for header in headers.values():
        hashed.update(b"%s %d %s" % (header.format.encode(), len(header.first), header.first))
    for raw in records:
        hashed.update(b"%d %d %d " % (raw.line, raw.error is not None, len(raw.data)))
        hashed.update(raw.data)
    return Chunk(number, headers, tuple(records), hashed.hexdigest(), None if share is None else min(share, 1.0))


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


class _Place:
    """How far a file has been read, in bytes of the file as it is on disk."""

    def __init__(self) -> None:
        self.read: Callable[[], int] = int


Line = tuple[int, bytes, str | None]


def _lines(path: str, place: _Place, blank: bytes = b" \t\r\n") -> Iterator[Line]:
    """Yield the lines of a file that are not blank; a fault in its packing ends it with a bad record."""
    number = 0
    try:
        with _opened(path) as file:
            stream, place.read = _unpacked(file, path)
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                if number == 1:
                    line = line.removeprefix(_BOM)
                error = None
                if len(line) > MAX_LINE:
                    error = f"a line of more than {MAX_LINE // 2**20} MiB"
                    rest = line
                    while rest and not rest.endswith(b"\n"):
                        rest = stream.readline(MAX_LINE)
                    line = line[:_KEPT_OF_LONG]
                line = line.rstrip(b"\r\n")
                if error or line.strip(blank):
                    yield number, line, error
    except PACKING_ERRORS as e:
        place.read = lambda: _size(path)
        yield number + 1, b"", f"{DAMAGED}: {e}"
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e})", path=path, line=number or None) from e


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed; give the name of a file")
        yield sys.stdin.buffer
    else:
        with open(path, "rb") as file:
            yield file


def _unpacked(file: IO[bytes], path: str) -> tuple[IO[bytes], Callable[[], int]]:
    """Return the content of a file, unpacked by what it begins with, and a function that says how far it is read."""
    buffered: Any = file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)
    begin = buffered.peek(4)[:4]
    at: Callable[[], int] = buffered.tell if path != "-" else int
    if begin[:2] == b"\x1f\x8b":
        return gzip.open(buffered), at  # type: ignore[return-value]
    if begin == b"\x28\xb5\x2f\xfd":
        return open_zstd(buffered, path), at
    return buffered, at


def packer(packing: str | None, path: str) -> Callable[[bytes], bytes]:
    """Return a function that packs bytes into a member (gzip) or a frame (zstd) of its own.

    Such members one after another are a packed file.

    Raises:
        InputError: zstandard is not installed.
    """
    if packing is None:
        return lambda data: data
    if packing == "gzip":
        return lambda data: gzip.compress(data, 6, mtime=0)
    compressor = load_zstandard(path).ZstdCompressor(level=3, write_checksum=True)
    return lambda data: bytes(compressor.compress(data))


# -- Parquet ---------------------------------------------------------------------------------------------------------


def _rows(path: str, place: _Place) -> Iterator[Line]:
    """Yield the rows of a Parquet file, each as JSON."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as e:
        raise InputError("Parquet needs one more package: pip install pyarrow", path=path) from e
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            rows, size = file.metadata.num_rows, _size(path)
            place.read = lambda: size * number // max(rows, 1)
            for batch in file.iter_batches(batch_size=_ROWS):
                for k in range(batch.num_rows):
                    number += 1
                    try:  # a row at a time, so that one that is not UTF-8 costs no other
                        (row,) = batch.slice(k, 1).to_pylist()
                    except UnicodeDecodeError:
                        yield number, b"", "a text of the row is not UTF-8; write the file anew"
                        continue
                    data = json.dumps(row, ensure_ascii=False, default=_plain).encode()
                    if len(data) > MAX_LINE:
                        yield number, data[:_KEPT_OF_LONG], f"a row of more than {MAX_LINE // 2**20} MiB"
                    else:
                        yield number, data, None
    except pa.ArrowException as e:
        if not number:
            raise InputError(f"cannot be read as Parquet ({e})", path=path) from e
        yield number + 1, b"", f"{DAMAGED}: {e}"
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e})", path=path) from e


def _plain(value: Any) -> Any:
    """Return a value that JSON has no form for, as text."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


_READERS: dict[str, Callable[[str, _Place], Iterator[Line]]] = {
    "jsonl": _lines,
    "tsv": lambda path, place: _lines(path, place, b" \r\n"),  # tabs alone are a record of empty cells
    "parquet": _rows,
}
