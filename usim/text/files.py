"""The one place that opens files: read as text or as lines, unpacked, bounded; written whole or not at all.

Errors say which file and which line is wrong, and what to do.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path as _Path
from secrets import token_hex
from typing import IO, Any, NoReturn, cast

from usim.errors import FormatError, InputError

Path = str | os.PathLike[str]

#: The longest line that is read, in bytes. A longer one is an error, or a bad record where there are records.
LONGEST_LINE = 16 * 2**20
#: The largest file that is read as a whole, in bytes once unpacked.
LARGEST_FILE = 2**30
#: The same of a packed file.
LARGEST_PACKED = 50_000_000
#: How many objects and arrays of JSON may be open at once.
DEEPEST_JSON = 200
# A bracket, or a whole string, so that brackets in it are not counted. A string without an end goes on to the end.
_JSON_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_OTHERS = (b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ")  # how files begin that zstd, bzip2 and xz have packed
#: Files of other programs: how they begin, in lower case, and how their names end.
_FOREIGN = (
    ("a PDF", (b"%pdf-",), (".pdf",)),
    ("RTF", (b"{\\rtf",), (".rtf",)),
    ("a page in HTML", (b"<!doctype html", b"<html"), (".html", ".htm")),
)
_SHOWN = 1024
_PEEKED = 512  # bytes that are looked at to tell whether a file is text
#: Of more than so many bytes one in so many at the most controls a device in a text, and those are none of lines.
_FEW, _RARE, _CONTROLS = 8, 20, bytes((*range(9), *range(14, 27), *range(28, 32)))


#: What a reader may raise over a packed file that is damaged.
PACKING_ERRORS = (EOFError, zlib.error, gzip.BadGzipFile)


# -- reading ---------------------------------------------------------------------------------------------------------


@contextmanager
def open_binary(path: Path, data: bytes | None = None) -> Iterator[IO[bytes]]:
    """Open a file to read bytes from, unpacked if it is packed by gzip; ``-`` is standard input.

    With its ``data`` nothing is opened. A file counts as packed if its first bytes say so, or if its name ends in
    ``.gz``.

    Raises:
        InputError: the file cannot be opened or read, here or while the block reads from it; or it is no text.
    """
    name = os.fspath(path)
    try:
        if data is not None:
            yield _text_stream(io.BufferedReader(io.BytesIO(data)), path)
        elif name == "-":
            if sys.stdin is None:  # a program may be started without one
                raise InputError("standard input is closed; give the name of a file", path=name)
            yield _text_stream(sys.stdin.buffer, path)
        else:
            with open(name, "rb") as file:
                yield _text_stream(file, path)
    except PACKING_ERRORS as e:
        raise InputError(f"cannot be read to its end ({e}); the file is damaged", path=name) from e
    except OSError as e:
        hint = "" if name == "-" else "; check the name of the file"
        raise InputError(f"cannot be read ({e.strerror or e}){hint}", path=name) from e


def _text_stream(stream: Any, path: Path) -> IO[bytes]:
    """Return the stream, unpacked, unless its first bytes show that it is no text in UTF-8."""
    start = _start(stream)
    if start.startswith(b"\x1f\x8b") or os.fspath(path).endswith(".gz"):
        stream = gzip.GzipFile(fileobj=stream)
        start = _start(stream)
    if start.startswith(_OTHERS):
        raise InputError("packed otherwise than by gzip; unpack it first", path=path)
    name, head = os.fspath(path).lower(), start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        if name.endswith((".xlsx", ".xlsm", ".xls", ".ods")):
            raise InputError("a spreadsheet, which usim does not read; save it as CSV", path=path)
        raise InputError("not UTF-8 text but a file of Word's or another archive; save it as plain text", path=path)
    if start.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) or start.count(0) * 3 > len(start) > _FEW:
        raise InputError("not UTF-8 text but UTF-16, as it seems; save it as UTF-8", path=path)
    if sum(map(start.count, _CONTROLS)) * _RARE > len(start) > _FEW:
        raise InputError("no text but bytes of a program or another file; name a file of text", path=path)
    for kind, begins, ends in _FOREIGN:
        if head.startswith(begins) or name.endswith(ends):
            raise InputError(f"{kind}, which usim does not read; save it as text, Markdown or Word (.docx)", path=path)
    return cast(IO[bytes], stream)


def _start(stream: Any) -> bytes:
    return stream.peek(_PEEKED)[:_PEEKED] if hasattr(stream, "peek") else b""


def split_lines(stream: IO[bytes], *, limit: int = LONGEST_LINE) -> Iterator[tuple[int, bytes, bool]]:
    """Cut a stream into lines, and hold no more of a line in memory than a limit allows.

    Yields:
        the number of each line, from 1, its bytes with its end, and whether it has more bytes than the limit, its end
        included; of such a line only the first 1024 bytes.
    """
    number = 0
    while data := stream.readline(limit + 1):
        number += 1
        is_too_long, start = len(data) > limit, data[:_SHOWN]
        while is_too_long and data and not data.endswith(b"\n"):
            data = stream.readline(2**16)
        yield number, start if is_too_long else data, is_too_long


def read_text(path: Path, *, data: bytes | None = None, limit: int = LARGEST_FILE, has_mark: bool = False) -> str:
    """Read a file in UTF-8 as a whole, unpacked as by :func:`open_binary`; ``-`` is standard input.

    A byte order mark is left out unless the text ``has_mark``.

    Raises:
        InputError: the file cannot be read or unpacked, is not UTF-8, or has more bytes than the limit.
    """
    with open_binary(path, data) as stream:
        content = read_bounded(stream, path, limit=limit)
    try:
        return content.decode("utf-8" if has_mark else "utf-8-sig")
    except UnicodeDecodeError as e:
        line = content.count(b"\n", 0, e.start) + 1
        raise InputError("not UTF-8; convert the file to UTF-8", path=path, line=line) from e


def text_lines(text: str) -> list[str]:
    """Cut a text at line feeds and carriage returns alone; others of :meth:`str.splitlines` may stand in a sentence.

    >>> text_lines("a b\\r\\nc\\u2028d")
    ['a b', 'c\\u2028d']
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def read_bounded(stream: IO[bytes] | gzip.GzipFile, path: Path, *, limit: int = LARGEST_FILE) -> bytearray:
    """Read a stream to its end; raise an InputError about ``path`` where it has more bytes than the limit.

    A packed one has :data:`LARGEST_PACKED` at most: few bytes could unpack to more than the memory holds.
    """
    data = bytearray()
    if isinstance(stream, gzip.GzipFile) and limit > LARGEST_PACKED:
        limit, hint = LARGEST_PACKED, ", unpacked; unpack it first"
    else:
        hint = ""
    while piece := stream.read(min(2**20, limit + 1 - len(data))):
        data += piece
        if len(data) > limit:
            raise InputError(f"a file of more than {limit} bytes{hint}", path=path)
    return data


def parse_json(text: str | bytes, **options: Any) -> Any:
    """Parse JSON; ``options`` go to :func:`json.loads`.

    The limit of Python's recursion depends on the caller; :data:`DEEPEST_JSON` is the same wherever a text is read.

    Raises:
        ValueError: it is not JSON, nested too deeply, or has a number of too many digits.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    if text.count("[") + text.count("{") > DEEPEST_JSON:
        brackets = (match[0] for match in _JSON_BRACKET.finditer(text))
        if max(accumulate((each in "[{") - (each in "]}") for each in brackets)) > DEEPEST_JSON:
            raise ValueError(f"nested more than {DEEPEST_JSON} levels deep")
    return json.loads(text, **options)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file whose outermost value is an object.

    Raises:
        InputError: the file cannot be read.
        FormatError: it is not JSON, has a key twice, or is not an object.
    """
    name = os.fspath(path)
    text = read_text(path)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            ((repeated, _),) = Counter(key for key, _ in pairs).most_common(1)
            raise FormatError("a key is there twice; remove one of the two", path=name, text=repeated)
        return record

    try:
        value = parse_json(text, object_pairs_hook=unique)
    except ValueError as e:
        raise FormatError(f"not JSON ({e})", path=name, line=getattr(e, "lineno", None)) from e
    if not isinstance(value, dict):
        raise FormatError("a JSON object is needed, from record ids to records", path=name, text=text[:40])
    return value


def read_csv(
    path: Path, needed: tuple[str, ...], *, text: str | None = None, delimiter: str = ","
) -> Iterator[tuple[int, dict[str, str]]]:
    """Read the records of a CSV file with a header, each with the line on which it ends.

    Args:
        needed: columns that have to be there.
        text: the content of the file, if it has been read already.

    Raises:
        FormatError: it is not CSV, lacks a column, or a record has too few or too many fields.
    """
    content = read_text(path) if text is None else text
    reader = csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    try:
        header = list(reader.fieldnames or [])
        for column in needed:
            if column not in header:
                raise FormatError(f"no column {column!r} in the header", path=path, line=1, text=",".join(header))
        for record in reader:
            if None in record or None in record.values():
                raise FormatError("a record with other fields than the header has", path=path, line=reader.line_num)
            yield reader.line_num, record
    except csv.Error as e:
        raise FormatError(f"not CSV ({e})", path=path, line=reader.line_num) from e


def fail(message: str, path: Path, record: str, text: object = None) -> NoReturn:
    """Raise a FormatError that names the record."""
    shown = None if text is None else json.dumps(text, ensure_ascii=False, default=str)
    raise FormatError(f"record {record!r}: {message}", path=path, text=shown)


# -- writing ---------------------------------------------------------------------------------------------------------


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """Open a text file to write to; it gets its name when the block ends without an error, see :func:`written_beside`.

    A path that exists and is no regular file (``/dev/stdout``) is written to directly. Text is UTF-8, with line ends as
    they are, and with lone surrogates as the bytes that they stand for (``surrogateescape``).

    Raises:
        OSError: the file cannot be written.
    """
    target = _Path(path)
    if target.exists() and not target.is_file():
        with open(target, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            yield file
        return
    with written_beside(target) as binary:
        file = io.TextIOWrapper(binary, encoding="utf-8", errors="surrogateescape", newline="\n")
        yield file
        file.flush()


@contextmanager
def written_beside(target: _Path, token: str | None = None) -> Iterator[IO[bytes]]:
    """Open a file beside another one, whose place and permissions it takes when the block ends without an error.

    After an error it is removed, and the other one is as it was. A symbolic link stays: what it leads to is written.

    Args:
        target: the other one, which need not be there.
        token: a part of the file's name, by which a second try finds what a kill has left; by default another each
            time.

    Raises:
        OSError: the file cannot be written.
    """
    target = _Path(os.path.realpath(target))
    partial = target.with_name(f"{target.name[:200]}.{token or token_hex(4)}.part")
    if token is not None:
        partial.unlink(missing_ok=True)
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    try:
        # "x" neither writes over a file of the user nor follows a symbolic link. Until it is whole nobody else may read
        # what takes the place of another file, not even if a kill leaves it behind.
        private = 0o666 if mode is None else mode & 0o700
        with open(partial, "xb", opener=lambda name, flags: os.open(name, flags, private)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            partial.chmod(mode)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def check_outputs(
    inputs: Iterable[Path], outputs: Iterable[tuple[str, Path]], *, to_standard_output: bool = False
) -> None:
    """Check that outputs can be written, before there is work: none is an input or another output, each has a folder.

    Files are compared by what they are and not by their names.

    Args:
        inputs: paths, ``-`` for standard input.
        outputs: what each file is, and its path.
        to_standard_output: whether standard output is one of the outputs.

    Raises:
        InputError: two of them are one file, or a folder is not there.
    """
    outputs = list(outputs)
    taken = {_identity(path if path != "-" else 0): "" for path in inputs}
    streams: list[tuple[str, Path | int]] = [("standard output", 1)] if to_standard_output else []
    for role, path in (*streams, *outputs):
        other = taken.setdefault(_identity(path), role)
        if not other:
            raise InputError(f"{role} would overwrite an input; give it another name", path=str(path))
        if other != role:
            raise InputError(f"{role} and {other} are the same file; give one of them another name", path=str(path))
    for _, path in outputs:
        if not _Path(path).parent.is_dir():
            raise InputError("cannot be written: its folder is not there; make it first", path=str(path))


def _identity(path: Path | int) -> object:
    """Return what a file is, whatever its name; of what is no regular file something that nothing equals."""
    try:
        state = os.stat(path)
    except OSError:
        return object() if isinstance(path, int) else os.path.realpath(path)
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) else object()
