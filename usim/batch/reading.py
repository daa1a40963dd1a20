"""Input of any length as chunks of raw records: JSON lines, TSV, Parquet; plain, gzip or zstd; files, folders, globs.

Only lines are cut here. What a record says is read where it is scored, so that one process can keep many busy. Memory
holds one chunk; a line is never read beyond :data:`LONGEST` bytes.
"""

from __future__ import annotations

import glob
import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, NamedTuple

from usim.errors import InputError

#: The longest line in bytes; a longer one is a bad record.
LONGEST = 16 * 2**20
_CHUNK_BYTES = 4 * 2**20  # a chunk ends where it has so many, however few records they are
_PACKINGS = {".gz": "gzip", ".zst": "zstd"}
_FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "tsv", ".parquet": "parquet"}
#: The formats by name.
FORMATS = ("jsonl", "tsv", "parquet")
_BOM = b"\xef\xbb\xbf"


class Source(NamedTuple):
    """A file to read: its path, ``-`` for standard input, and its format."""

    path: str
    format: str


class Raw(NamedTuple):
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
        done: the share of the input that is read with it, in [0, 1]; None where the length is not known.
    """

    number: int
    headers: dict[int, Header]
    records: tuple[Raw, ...]
    digest: str
    done: float | None

    @property
    def place(self) -> str:
        """Where the chunk begins, for messages."""
        first = self.records[0]
        return f"{self.headers[first.source].path}:{first.line}"


# -- which files -----------------------------------------------------------------------------------------------------


def sources(
    given: str, *, format: str | None = None, leave_out: Callable[[Path], bool] = lambda _: False
) -> list[Source]:
    """The files that an argument names: a file, a folder (with all below it), a glob, or ``-``.

    Args:
        given: the argument.
        format: the format of all of them; by default that of each file's ending.
        leave_out: files of a folder or a glob that are not meant.

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
        found = [p for p in sorted(path.rglob("*")) if p.is_file() and _format_of(p) and not _hidden(p, path)]
        found = [p for p in found if not leave_out(p)]
        if not found:
            raise InputError(f"a folder without files in {', '.join(_FORMATS)}, packed or not", path=given)
    elif path.exists():
        found = [path]
    else:
        names = sorted(glob.glob(given, recursive=True))
        found = [p for p in map(Path, names) if p.is_file() and not leave_out(p)]
        if not found:
            raise InputError("no such file or folder, and no glob that fits one", path=given)
    made = []
    for p in found:
        form = format or _format_of(p)
        if form is None:
            raise InputError(f"its name does not say the format; say it: --format {'|'.join(FORMATS)}", path=p)
        made.append(Source(str(p), form))
    return made


def packing_of(name: str) -> str | None:
    """How a file of this name is packed: ``gzip``, ``zstd``, or None.

    >>> packing_of("out.jsonl.zst"), packing_of("out.jsonl")
    ('zstd', None)
    """
    return _PACKINGS.get(os.path.splitext(name.lower())[1])


def _format_of(path: Path) -> str | None:
    name = path.name.lower()
    if packing_of(name):
        name = os.path.splitext(name)[0]
    return _FORMATS.get(os.path.splitext(name)[1])


def _hidden(path: Path, below: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(below).parts)


# -- chunks ----------------------------------------------------------------------------------------------------------


def chunks(given: Iterable[Source], size: int, *, with_header: Callable[[bytes], bool]) -> Iterator[Chunk]:
    """The records of files, in chunks.

    The same input gives the same chunks. A chunk may have records of several files. Blank lines are no records.

    Args:
        given: the files.
        size: how many records a chunk has at most.
        with_header: whether the first line of a TSV file names its columns.

    Raises:
        InputError: a file cannot be opened or read.
    """
    files = list(given)
    total = 0 if any(f.path == "-" for f in files) else sum(_size(f.path) for f in files)
    before = 0
    number = 0
    pending: list[Raw] = []
    headers: dict[int, Header] = {}
    room = _CHUNK_BYTES
    for index, file in enumerate(files):
        header = Header(file.path, file.format)
        place = _Place()
        for line, data, error in _READERS[file.format](file.path, place):
            if file.format == "tsv" and not header.first and line == 1 and error is None and with_header(data):
                header = header._replace(first=data)
                continue
            headers[index] = header
            pending.append(Raw(index, line, data, error))
            room -= len(data)
            if len(pending) == size or room <= 0:
                yield _chunk(number, headers, pending, (before + place.read()) / total if total else None)
                number, pending, headers, room = number + 1, [], {}, _CHUNK_BYTES
        if total:
            before += _size(file.path)
    if pending:
        yield _chunk(number, headers, pending, 1.0 if total else None)


def _chunk(number: int, headers: dict[int, Header], records: list[Raw], done: float | None) -> Chunk:
    hashed = blake2b(digest_size=12)
    for header in headers.values():
        hashed.update(b"%s %d %s" % (header.format.encode(), len(header.first), header.first))
    for raw in records:
        hashed.update(b"%d %d %d " % (raw.line, raw.error is not None, len(raw.data)))
        hashed.update(raw.data)
    return Chunk(number, headers, tuple(records), hashed.hexdigest(), None if done is None else min(done, 1.0))


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
    """The lines of a file that are not blank; a fault in its packing ends it with a bad record."""
    number = 0
    try:
        with _opened(path) as file:
            stream, place.read = _unpacked(file, path)
            while line := stream.readline(LONGEST + 1):
                number += 1
                if number == 1:
                    line = line.removeprefix(_BOM)
                error = None
                if len(line) > LONGEST:
                    error = f"a line of more than {LONGEST // 2**20} MiB"
                    rest = line
                    while rest and not rest.endswith(b"\n"):
                        rest = stream.readline(LONGEST)
                    line = line[:1024]
                line = line.rstrip(b"\r\n")
                if error or line.strip(blank):
                    yield number, line, error
    except (gzip.BadGzipFile, EOFError, zlib.error, _ZstdError) as e:
        place.read = lambda: _size(path)
        yield number + 1, b"", f"the file is damaged, and cannot be read from here on: {e}"
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e})", path=path, line=number or None) from e


class _ZstdError(Exception):
    """What zstandard raises, as a class that is there without zstandard."""


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        yield sys.stdin.buffer
    else:
        with open(path, "rb") as file:
            yield file


def _unpacked(file: IO[bytes], path: str) -> tuple[IO[bytes], Callable[[], int]]:
    """The content of a file by what it begins with, whatever its name says, and how far it has been read."""
    buffered: Any = file if isinstance(file, io.BufferedReader) else io.BufferedReader(file)
    begin = buffered.peek(4)[:4]
    at: Callable[[], int] = buffered.tell if path != "-" else int
    if begin[:2] == b"\x1f\x8b":
        return gzip.open(buffered), at  # type: ignore[return-value]
    if begin == b"\x28\xb5\x2f\xfd":
        return io.BufferedReader(_Zstd(buffered, path), 2**18), at
    return buffered, at


class _Zstd(io.RawIOBase):
    """The content of a zstd file of any number of frames; unlike zstandard's reader, a frame without its end is a
    fault."""

    def __init__(self, file: IO[bytes], path: str) -> None:
        zstandard = _zstandard(path)
        self._file = file
        self._frames = zstandard.ZstdDecompressor
        self._frame: Any = None
        self._fault: type[Exception] = zstandard.ZstdError
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            self._packed = self._packed or self._file.read(2**14)
            if not self._packed:
                if self._frame is not None:
                    raise _ZstdError("a frame without its end")
                return 0
            if self._frame is None:
                self._frame = self._frames().decompressobj()
            try:
                self._ready = memoryview(self._frame.decompress(self._packed))
            except self._fault as e:
                raise _ZstdError(str(e)) from e
            self._packed = b""
            if self._frame.eof:
                self._packed, self._frame = self._frame.unused_data, None
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


def _zstandard(path: str) -> Any:
    try:
        import zstandard
    except ImportError as e:
        raise InputError("zstd needs one more package: pip install 'usim-faithfulness[zstd]'", path=path) from e
    return zstandard


def packer(packing: str | None, path: str) -> Callable[[bytes], bytes]:
    """What packs bytes into a member (gzip) or a frame (zstd) of its own; such members one after another are a file.

    Raises:
        InputError: zstandard is not installed.
    """
    if packing is None:
        return lambda data: data
    if packing == "gzip":
        return lambda data: gzip.compress(data, 6, mtime=0)
    compressor = _zstandard(path).ZstdCompressor(level=3)
    return lambda data: bytes(compressor.compress(data))


# -- Parquet ---------------------------------------------------------------------------------------------------------


def _rows(path: str, place: _Place) -> Iterator[Line]:
    """The rows of a Parquet file, each as JSON."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as e:
        raise InputError("Parquet needs one more package: pip install 'usim-faithfulness[parquet]'", path=path) from e
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            rows, size = file.metadata.num_rows, _size(path)
            place.read = lambda: size * number // max(rows, 1)
            for batch in file.iter_batches(batch_size=1024):
                for row in batch.to_pylist():
                    number += 1
                    yield number, json.dumps(row, ensure_ascii=False, default=_plain).encode(), None
    except pa.ArrowException as e:
        if not number:
            raise InputError(f"cannot be read as Parquet ({e})", path=path) from e
        yield number + 1, b"", f"the file is damaged, and cannot be read from here on: {e}"
    except OSError as e:
        raise InputError(f"cannot be read ({e.strerror or e})", path=path) from e


def _plain(value: Any) -> Any:
    """What JSON has no form for, as text."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


_READERS: dict[str, Callable[[str, _Place], Iterator[Line]]] = {
    "jsonl": _lines,
    "tsv": lambda path, place: _lines(path, place, b" \r\n"),  # tabs alone are a record of empty cells
    "parquet": _rows,
}
