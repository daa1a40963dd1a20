"""The results of a job on disk, so that the job can be killed at any moment and go on.

While a job runs, ``OUTPUT.partial`` stands beside its output. It only grows: a line of JSON with the settings of the
job, and for each finished chunk a line with a checksum, its digest and its counts, followed by its results and its bad
records as they go into their files. A chunk that is cut off or damaged is done again, with all that follow it. When all
is done, the results and the bad records are copied into files, each of which gets its name when it is whole, and
``OUTPUT.partial`` is deleted.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Annotated, Any
from zlib import crc32

import msgspec

from usim.errors import InputError
from usim.records.tables import write_parquet
from usim.text import written_beside
from usim.text.codec import encode

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two jobs from one output there
    fcntl = None  # type: ignore[assignment]

_BEGIN = b'{"journal of usim batch": '
_Size = Annotated[int, msgspec.Meta(ge=0)]


class StandardOutput:
    """Writes results to a stream as they come, and hands bad records to a function; it cannot go on after a kill."""

    def __init__(self, stream: IO[bytes] | None, on_bad_record: Callable[[dict[str, Any]], None]) -> None:
        if stream is None:
            raise InputError("standard output is closed; give the name of a file")
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self._stream, self._on_bad_record = stream, on_bad_record

    def add(self, digest: str, results: bytes, bad: bytes, counts: Mapping[str, int]) -> None:
        """Write the results of the next chunk."""
        for line in bad.splitlines():
            self._on_bad_record(json.loads(line))
        try:
            self._stream.write(results)
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as e:
            raise InputError(f"standard output cannot be written ({e.strerror or e})") from e
        self.counts.update(counts)

    def finish(self) -> None:
        """Do nothing: what there is has been written."""


class OutputFiles:
    """The files of a job: the output, the bad records, and what stands beside them until all is done."""

    def __init__(self, output: Path, errors: Path | None = None) -> None:
        self.output = output
        self.errors = errors or output.with_name(output.name + ".errors.jsonl")
        self.partial = output.with_name(output.name + ".partial")

    @property
    def by_role(self) -> dict[str, Path]:
        """All of the files, by what they are."""
        partial = f"what is done so far ({self.partial.name})"
        return {"the output": self.output, "the file of bad records": self.errors, partial: self.partial}


class _Done(msgspec.Struct):
    """A finished chunk: its digest, how many bytes of results and of bad records follow, what was counted in it."""

    digest: str
    results: _Size
    bad: _Size
    counts: dict[str, int]


class Journal:
    """Results in files; see the module's text. A context: the file is closed at its end, and kept.

    Args:
        files: the files.
        settings: all that results depend on beside the input, as JSON values.
        restart: whether to begin anew where a job has left something already.

    Raises:
        InputError: a file cannot be written; another process is at it; what is there was made with other settings, or
            is no file of a job.

    Attributes:
        digests: of the finished chunks, in order.
        counts: what was counted in them.
    """

    def __init__(self, files: OutputFiles, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        self.files = files
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self._places: list[tuple[int, _Done]] = []  # where the results of each chunk begin
        with _writing(files.partial):
            files.output.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
            self._file = os.fdopen(os.open(files.partial, flags, 0o666), "r+b", buffering=0)
        try:
            self._lock()
            with _writing(files.partial), open(files.partial, "rb") as file:
                self._read(file, settings, restart=restart)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file, so that another process may go on; leave none where no chunk is finished."""
        if not self._file.closed and not self.digests:
            self._remove()
        self._file.close()

    def _lock(self) -> None:
        """Keep other jobs from this output."""
        try:
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.files.partial))
        except OSError:
            is_ours = False
        if not is_ours:  # or it was, until another process finished
            message = "another usim batch is writing this output, or was until now; wait for it"
            raise InputError(message, path=self.files.output)

    def _remove(self) -> None:
        if os.name == "nt":  # an open file cannot be deleted there
            self._file.close()
        self.files.partial.unlink(missing_ok=True)

    def _read(self, file: IO[bytes], settings: Mapping[str, Any], *, restart: bool) -> None:
        """Find the finished chunks; cut off what follows them."""
        head = _BEGIN + b"3, " + json.dumps(settings)[1:].encode() + b"\n"
        before = file.readline()
        if before[: len(_BEGIN)] != _BEGIN[: len(before)]:
            raise InputError("no journal of usim batch; name another file", path=self.files.partial)
        is_begun = before.endswith(b"\n") and not restart
        if is_begun and before != head:
            raise InputError(
                f"a job of other settings has begun this output ({_difference(before, head)}); give the same to go on, "
                "or --restart to begin anew",
                path=self.files.partial,
            )
        end = len(before)
        while is_begun and (done := _next_chunk(file)) is not None:
            end = file.tell()
            self._take(end, done)
        self._file.truncate(end if is_begun else 0)
        self._file.seek(0, os.SEEK_END)
        if not is_begun:
            self._write(head)

    def _take(self, end: int, done: _Done) -> None:
        """Count a finished chunk, which ends at a place of the file."""
        self._places.append((end - done.results - done.bad, done))
        self.digests.append(done.digest)
        self.counts.update(done.counts)

    def add(self, digest: str, results: bytes, bad: bytes, counts: Mapping[str, int]) -> None:
        """Take the results of the next chunk; if they cannot be written, what there was before them is safe."""
        done = _Done(digest, len(results), len(bad), dict(counts))
        line = encode(done) + b"\n"
        with _writing(self.files.partial):
            self._write(b"%08x " % crc32(results + bad, crc32(line)) + line + results + bad)
        self._take(self._file.tell(), done)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
        os.fsync(self._file.fileno())

    def _parts(self, *, bad: bool) -> Iterator[bytes]:
        """Yield the results of each chunk, or its bad records."""
        with open(self.files.partial, "rb") as file:
            for start, done in self._places:
                file.seek(start + done.results if bad else start)
                yield file.read(done.bad if bad else done.results)

    def finish(self) -> None:
        """Write the files under their names; without bad records there is no file of them."""
        files = self.files
        with _writing(files.output):
            if self.counts["errors"]:
                with written_beside(files.errors, "batch") as file:
                    file.writelines(self._parts(bad=True))
            else:
                files.errors.unlink(missing_ok=True)
            with written_beside(files.output, "batch") as file:
                if files.output.suffix.lower() == ".parquet":
                    write_parquet(lambda: chain.from_iterable(map(bytes.splitlines, self._parts(bad=False))), file)
                else:
                    file.writelines(self._parts(bad=False))
            _sync_folder(files.output.parent)
            self._remove()
            self._file.close()


def _next_chunk(file: IO[bytes]) -> _Done | None:
    """Read the next chunk of a journal; return None at its end, or where it was cut off or damaged."""
    checksum, _, line = file.readline().partition(b" ")
    try:
        done = msgspec.json.decode(line, type=_Done)
        data = file.read(min(done.results + done.bad, os.fstat(file.fileno()).st_size))
        return done if crc32(data, crc32(line)) == int(checksum, 16) else None
    except (msgspec.DecodeError, ValueError):
        return None


def _difference(before: bytes, after: bytes) -> str:
    """Return which settings differ between two heads of journals."""
    try:
        old, new = json.loads(before), json.loads(after)
    except ValueError:
        return "its own cannot be read"
    return "; ".join(
        f"{name} was {json.dumps(old.get(name))}, is {json.dumps(value)}"
        for name, value in new.items()
        if old.get(name) != value
    )


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn what goes wrong in the block into an error that says what to do."""
    try:
        yield
    except OSError as e:
        message = f"cannot be written ({e.strerror or e}); what is done so far is kept: give the same command again"
        raise InputError(message, path=path) from e


def _sync_folder(path: Path) -> None:
    """Make names that were given in a folder last through a power cut; Windows has no such call."""
    if os.name != "nt":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
