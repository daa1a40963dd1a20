"""What a job has done so far, on disk, so that it can be killed at any moment and go on.

While a job runs, its files stand beside those that they will become: ``OUTPUT.partial`` and
``OUTPUT.errors.jsonl.partial``, and ``OUTPUT.partial.journal`` with a line for each chunk. The results of a chunk are
on disk before its line in the journal is; what is in a file beyond the last whole line of the journal is cut off when
the job goes on. The files get their final names when all is done.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

from usim.errors import FormatError, InputError

_VERSION = 1


class Sink(Protocol):
    """Where results go.

    Attributes:
        digests: of the chunks that are done already, in order: they are not computed again.
        counts: what was counted in these.
    """

    digests: list[str]
    counts: Counter[str]

    def add(self, digest: str, results: bytes, errors: bytes, counts: Mapping[str, int]) -> None:
        """Take the next chunk's results."""
        ...

    def finish(self) -> None:
        """All chunks are there."""
        ...


class StandardOutput:
    """Results to a stream as they come, bad records to a function; nothing to go on from."""

    def __init__(self, stream: IO[bytes], bad: Callable[[dict[str, Any]], None]) -> None:
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self._stream, self._bad = stream, bad

    def add(self, digest: str, results: bytes, errors: bytes, counts: Mapping[str, int]) -> None:
        """See :class:`Sink`."""
        for line in errors.splitlines():
            self._bad(json.loads(line))
        self._stream.write(results)
        self._stream.flush()
        self.counts.update(counts)

    def finish(self) -> None:
        """See :class:`Sink`."""


class Names:
    """The files of a job with the output ``output``; see the module's text."""

    def __init__(self, output: Path, errors: Path | None = None) -> None:
        self.output = output
        self.errors = errors or output.with_name(output.name + ".errors.jsonl")
        base = output.name + ".partial"
        self.results = output.with_name(base)
        self.bad = self.errors.with_name(self.errors.name + ".partial")
        self.journal = output.with_name(base + ".journal")
        self.cache = output.with_name(base + ".parses")

    @property
    def own(self) -> frozenset[Path]:
        """All of them: what is no input, wherever it lies."""
        caches = [self.cache.with_name(self.cache.name + more) for more in ("", "-wal", "-shm")]
        return frozenset(
            path.absolute() for path in (self.output, self.errors, self.results, self.bad, self.journal, *caches)
        )

    def remove_cache(self) -> None:
        """Delete the parses of the job."""
        for more in ("", "-wal", "-shm"):
            self.cache.with_name(self.cache.name + more).unlink(missing_ok=True)


class Journal:
    """Results in files; see the module's text. A context: the files are closed at its end, and kept.

    Args:
        names: the files.
        settings: all that results depend on beside the input, as JSON values.
        restart: whether to begin anew where something is there already.

    Raises:
        InputError: a file cannot be written; another process is at it; what is there was made with other settings.
    """

    def __init__(self, names: Names, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        self.names = names
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self.finished = self._begun = False
        self._settings = dict(settings)
        self._files: list[IO[bytes]] = []
        with self._writing(names.journal):
            names.output.parent.mkdir(parents=True, exist_ok=True)
            # Opened before it is locked, and never deleted by anybody without the lock.
            self._journal = self._open(names.journal)
            try:
                fcntl.flock(self._journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as e:
                self.close()
                raise InputError("another usim batch is writing this output; wait for it", path=names.output) from e
            if not names.journal.exists() or not os.path.samestat(
                os.fstat(self._journal.fileno()), names.journal.stat()
            ):
                self.close()
                raise InputError("another usim batch has just finished this output", path=names.output)
        try:
            self._begin(restart)
        except BaseException:
            self.close()
            raise

    def _open(self, path: Path) -> IO[bytes]:
        # Without a buffer: what could not be written would be written once more when the file is closed.
        file = open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+b", buffering=0)  # noqa: SIM115
        self._files.append(file)
        return file

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files; another process may go on. Where no chunk is done yet, nothing is left but parses."""
        if self._begun and not self.digests and not self.finished:
            for path in (self.names.results, self.names.bad, self.names.journal):
                path.unlink(missing_ok=True)
        self._begun = False
        for file in reversed(self._files):  # the journal last, and the lock with it
            file.close()

    # -- going on ----------------------------------------------------------------------------------------------------

    def _begin(self, restart: bool) -> None:
        lines = [] if restart else self._lines()
        kept = 0  # how much of the journal counts
        if len(lines) > 1:  # a job that has done nothing binds nobody
            kept = self._same_settings(*lines[0])
        ends = (0, 0)
        # A job that has finished may have given its files their names already.
        self.finished = len(lines) > 1 and lines[-1][0].get("finished", False)
        for line, end in lines[1:]:
            if "digest" in line and not self.finished and not self._there((line["results"], line["bad"])):
                break
            kept = end
            if "digest" in line:
                ends = (line["results"], line["bad"])
                self.digests.append(line["digest"])
                self.counts.update(line["counts"])
        with self._writing(self.names.results):
            self._cut(self._journal, kept)
            if self.finished:
                return
            if restart:
                self.names.remove_cache()
            if not kept:
                self._line({"usim batch": _VERSION, "settings": self._settings})
            self._results, self._bad = self._open(self.names.results), self._open(self.names.bad)
            for file, end in zip((self._results, self._bad), ends, strict=True):
                self._cut(file, end)
            _sync_folder(self.names.output.parent)
        self._begun = True

    def _lines(self) -> list[tuple[dict[str, Any], int]]:
        """The whole lines of the journal, each with the place where it ends."""
        found: list[tuple[dict[str, Any], int]] = []
        end = 0
        for line in self._journal.read().splitlines(keepends=True):
            end += len(line)
            try:
                value = json.loads(line)
            except ValueError:
                break
            if not line.endswith(b"\n") or not isinstance(value, dict):
                break
            found.append((value, end))
        return found

    def _same_settings(self, line: Mapping[str, Any], end: int) -> int:
        if line.get("usim batch") != _VERSION:
            raise FormatError("not the journal of a job of this version of usim; --restart begins anew",
                              path=self.names.journal, line=1)  # fmt: skip
        before, now = line["settings"], json.loads(json.dumps(self._settings))
        differing = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        if differing:
            told = "; ".join(f"{name} was {_shown(before.get(name))}, is {_shown(now.get(name))}" for name in differing)
            raise InputError(
                f"a job of other settings has begun this output ({told}); give the same to go on, or --restart to begin"
                " anew",
                path=self.names.results,
            )
        return end

    def _there(self, ends: tuple[int, int]) -> bool:
        """Whether the files are as long as the journal says: after a power cut they may not be."""
        paths = (self.names.results, self.names.bad)
        return all(path.exists() and path.stat().st_size >= end for path, end in zip(paths, ends, strict=True))

    def _cut(self, file: IO[bytes], end: int) -> None:
        file.truncate(end)
        file.seek(end)

    # -- writing -----------------------------------------------------------------------------------------------------

    def add(self, digest: str, results: bytes, errors: bytes, counts: Mapping[str, int]) -> None:
        """Take the next chunk's results.

        Raises:
            InputError: they cannot be written; what there was before them is safe.
        """
        with self._writing(self.names.results):
            for file, data in ((self._results, results), (self._bad, errors)):
                if data:
                    _write(file, data)
            ends = {"results": self._results.tell(), "bad": self._bad.tell()}
            self._line({"digest": digest, **ends, "counts": dict(counts)})
        self.digests.append(digest)
        self.counts.update(counts)

    def finish(self) -> None:
        """Give the files their names; no bad records, no file of them."""
        with self._writing(self.names.output):
            if not self.finished:
                self._line({"finished": True})
            # From here on, a new start comes back to exactly this point.
            if self.names.bad.exists():
                if self.names.bad.stat().st_size:
                    self.names.bad.replace(self.names.errors)
                else:
                    self.names.errors.unlink(missing_ok=True)
                    self.names.bad.unlink()
            if self.names.results.exists():
                self.names.results.replace(self.names.output)
            self.names.remove_cache()
            _sync_folder(self.names.output.parent)
            self.names.journal.unlink()

    def _line(self, value: Mapping[str, Any]) -> None:
        _write(self._journal, json.dumps(value, ensure_ascii=False).encode() + b"\n")

    def _writing(self, path: Path) -> _Writing:
        return _Writing(path)


class _Writing:
    """What goes wrong in the block is an error that says what to do."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError):
            raise InputError(
                f"cannot be written ({error.strerror or error}); what is done so far is kept: see to it, and give the "
                "same command again",
                path=self._path,
            ) from error


def _same_file(file: IO[bytes], path: Path) -> bool:
    return path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())


def _write(file: IO[bytes], data: bytes) -> None:
    """Write all of it, to the disk."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())


def _sync_folder(path: Path) -> None:
    """Names that were given in a folder stay after a power cut."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
