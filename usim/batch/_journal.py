"""What a job has done so far, on disk, so that it can be killed at any moment and go on.

While a job runs, ``OUTPUT.partial`` stands beside its output. It only grows: a line of JSON with the settings of the
job, and for each chunk that is done a line with its digest, its counts and a checksum, followed by its results and its
bad records as they go into their files. A chunk that a kill cut off is done again. When all is done, the results and
the bad records are copied into files, each of which gets its name when it is whole, and ``OUTPUT.partial`` goes away.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, NamedTuple
from zlib import crc32

from usim.errors import FormatError, InputError
from usim.records.tables import write_parquet
from usim.text import written_beside

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two jobs from one output there
    fcntl = None  # type: ignore[assignment]

_BEGIN = b'{"journal of usim batch": 2, '


class StandardOutput:
    """Write results to a stream as they come, and hand bad records to a function; it cannot go on after a kill."""

    def __init__(self, stream: IO[bytes] | None, on_bad_record: Callable[[dict[str, Any]], None]) -> None:
        if stream is None:
            raise InputError("standard output is closed; give the name of a file")
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self._stream, self._on_bad_record = stream, on_bad_record

    def add(self, digest: str, results: bytes, bad: bytes, counts: Mapping[str, int]) -> None:
        """Take the results of the next chunk."""
        for line in bad.splitlines():
            self._on_bad_record(json.loads(line))
        try:
            self._stream.write(results)
            self._stream.flush()
        except BrokenPipeError:
            raise
        except OSError as e:
            # What is left in the buffer would be tried once more, in vain, when the program ends.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            raise InputError(f"standard output cannot be written ({e.strerror or e})") from e
        self.counts.update(counts)

    def finish(self) -> None:
        """Do nothing: what there is has been written."""


class OutputFiles:
    """The files of a job: the output and the bad records, and what stands beside them until all is done."""

    def __init__(self, output: Path, errors: Path | None = None) -> None:
        self.output = output
        self.errors = errors or output.with_name(output.name + ".errors.jsonl")
        self.partial = output.with_name(output.name + ".partial")

    @property
    def by_role(self) -> dict[str, Path]:
        """All of the files, by what they are."""
        return {
            "the output": self.output,
            "the file of bad records": self.errors,
            f"what is done so far ({self.partial.name})": self.partial,
        }


class _Place(NamedTuple):
    """Where the results and the bad records of a chunk stand in the file."""

    start: int
    results: int
    bad: int


class Journal:
    """Results in files; see the module's text. A context: the files are closed at its end, and kept.

    Args:
        files: the files.
        settings: all that results depend on beside the input, as JSON values.
        restart: whether to begin anew where a job has left something already.

    Raises:
        InputError: a file cannot be written; another process is at it; what is there was made with other settings, or
            is no file of a job.
        FormatError: what is there is damaged.

    Attributes:
        digests: of the chunks that are done, in order.
        counts: what was counted in them.
    """

    def __init__(self, files: OutputFiles, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        self.files = files
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self._places: list[_Place] = []
        with _writing(files.partial):
            files.output.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.fdopen(os.open(files.partial, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        try:
            self._lock()
            self._token = self._read(settings, restart=restart)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; another process may go on. Where no chunk is done yet, nothing is left."""
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

    def _damage(self) -> FormatError:
        message = "damaged: the results are not those that usim wrote; --restart begins anew"
        return FormatError(message, path=self.files.partial)

    def _read(self, settings: Mapping[str, Any], *, restart: bool) -> str:
        """Take the chunks that are done, drop what a kill cut off, and return the token of the job."""
        with _writing(self.files.partial), open(self.files.partial, "rb") as file:
            first = file.readline()
            if first[: len(_BEGIN)] != _BEGIN[: len(first)]:
                raise InputError("no journal of usim batch; name another file", path=self.files.partial)
            done = file.tell()
            if not restart and first.endswith(b"\n"):
                before = self._value(first)
                while (place := self._read_chunk(file)) is not None:
                    self._places.append(place)
                    done = file.tell()
        if not self.digests:  # a job that has not started can be started with other settings
            token = token_hex(4)
            with _writing(self.files.partial):
                self._file.truncate(0)
                self._write(_BEGIN + json.dumps({**settings, "token": token})[1:].encode() + b"\n")
            return token
        self._file.truncate(done)
        self._file.seek(done)
        given = json.loads(json.dumps(settings))
        names = {**before, **given}.keys() - {"token", "journal of usim batch"}
        differing = [name for name in {**before, **given} if name in names and before.get(name) != given.get(name)]
        if differing:
            changes = "; ".join(
                "{} was {}, is {}".format(
                    name, *(json.dumps(each.get(name), ensure_ascii=False) for each in (before, given))
                )
                for name in differing
            )
            raise InputError(
                f"a job of other settings has begun this output ({changes}); give the same to go on, or --restart to "
                "begin anew",
                path=self.files.partial,
            )
        return str(before.get("token", ""))

    def _value(self, line: bytes) -> dict[str, Any]:
        try:
            value = json.loads(line)
        except ValueError as e:
            raise self._damage() from e
        if not isinstance(value, dict):
            raise self._damage()
        return value

    def _read_chunk(self, file: IO[bytes]) -> _Place | None:
        """Take the next chunk; return None at the end, or where a kill cut it off."""
        line = file.readline()
        if not line.endswith(b"\n"):
            return None
        head = self._value(line)
        try:
            place = _Place(file.tell(), head["results"], head["bad"])
            if os.fstat(file.fileno()).st_size < place.start + place.results + place.bad:
                return None
            data = file.read(place.results) + file.read(place.bad)
            checksum = head.pop("checksum")
            if crc32(data, crc32(json.dumps(head).encode())) != checksum:
                raise self._damage()
            self._take(head["digest"], head["counts"])
        except (LookupError, TypeError, ValueError, AttributeError) as e:
            raise self._damage() from e
        return place

    def _take(self, digest: str, counts: Mapping[str, int]) -> None:
        self.digests.append(digest)
        self.counts.update(counts)

    def add(self, digest: str, results: bytes, bad: bytes, counts: Mapping[str, int]) -> None:
        """Take the results of the next chunk; where they cannot be written, what there was before them is safe."""
        head = {"digest": digest, "results": len(results), "bad": len(bad), "counts": dict(counts)}
        checksum = crc32(results + bad, crc32(json.dumps(head).encode()))
        with _writing(self.files.partial):
            self._write(json.dumps({**head, "checksum": checksum}).encode() + b"\n", results, bad)
        end = self._file.tell()
        self._places.append(_Place(end - len(results) - len(bad), len(results), len(bad)))
        self._take(digest, counts)

    def _write(self, *parts: bytes) -> None:
        rest = memoryview(b"".join(parts))
        while rest:
            rest = rest[self._file.write(rest) :]
        os.fsync(self._file.fileno())

    def _results(self) -> Iterator[bytes]:
        return self._parts((place.start, place.results) for place in self._places)

    def _bad(self) -> Iterator[bytes]:
        return self._parts((place.start + place.results, place.bad) for place in self._places)

    def _parts(self, places: Iterable[tuple[int, int]]) -> Iterator[bytes]:
        with open(self.files.partial, "rb") as file:
            for start, size in places:
                file.seek(start)
                yield file.read(size)

    def finish(self) -> None:
        """Write the files under their names; without bad records there is no file of them."""
        files = self.files
        with _writing(files.output):
            if self.counts["errors"]:
                with written_beside(files.errors, self._token) as file:
                    file.writelines(self._bad())
            else:
                files.errors.unlink(missing_ok=True)
            with written_beside(files.output, self._token) as file:
                if files.output.suffix.lower() == ".parquet":
                    write_parquet(lambda: chain.from_iterable(map(bytes.splitlines, self._results())), file)
                else:
                    file.writelines(self._results())
            _sync_folder(files.output.parent)
            self._remove()
            self._file.close()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn what goes wrong in the block into an error that says what to do."""
    try:
        yield
    except OSError as e:
        message = (
            f"cannot be written ({e.strerror or e}); what is done so far is kept: see to it, and give the same command "
            "again"
        )
        raise InputError(message, path=path) from e


def _sync_folder(path: Path) -> None:
    """Make names that were given in a folder last through a power cut; Windows has no such call."""
    if os.name == "nt":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
