"""What a job has done so far, on disk, so that it can be killed at any moment and go on.

``OUTPUT.partial.journal`` has a line for the settings of the job and a line for each chunk: the digest of its records,
where its results end in the other files (:mod:`usim.batch.paths`), and a checksum of them. The results of a chunk are
on disk before its line in the journal is; what is in a file beyond the last whole line of the journal is cut off when
the job goes on. The files get their final names when all is done.

Each line of the journal also has a checksum of itself and of the line before it. So a journal that was edited or
damaged is noticed, and so are results that are not the ones that were written.
"""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, NamedTuple

from filelock import FileLock, Timeout

from usim.batch.cache import remove_cache
from usim.batch.paths import OutputFiles, open_regular
from usim.errors import FormatError, InputError

_VERSION = 2
_BEGIN = b'{"usim batch": '  # of every journal of any version
_PIECE = 2**20  # bytes that are read at a time


class StandardOutput:
    """Results to a stream as they come, bad records to a function, with the face of a journal without a past.

    Raises:
        InputError: the stream is closed.
    """

    finished = False

    def __init__(self, stream: IO[bytes] | None, on_bad_record: Callable[[dict[str, Any]], None]) -> None:
        if stream is None:
            raise InputError("standard output is closed; give the name of a file")
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self._stream, self._on_bad_record = stream, on_bad_record

    def add(self, digest: str, results: bytes, errors: bytes, counts: Mapping[str, int]) -> None:
        """Take the results of the next chunk.

        Raises:
            BrokenPipeError: nobody reads the results any more.
            InputError: they cannot be written.
        """
        for line in errors.splitlines():
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


class _Ends(NamedTuple):
    """The lengths of the files of results and of bad records after a chunk."""

    results: int = 0
    bad: int = 0


class Journal:
    """Results in files; see the module's text. A context: the files are closed at its end, and kept.

    Args:
        files: the files.
        settings: all that results depend on beside the input, as JSON values.
        restart: whether to begin anew where a job has left something already.

    Raises:
        InputError: a file cannot be written; another process is at it; what is there was made with other settings, or
            is no file of a job.
        FormatError: the journal or the results are damaged.

    Attributes:
        digests: of the chunks that are done, in order.
        counts: what was counted in them.
        finished: whether the output only has to get its name.
    """

    def __init__(self, files: OutputFiles, settings: Mapping[str, Any], *, restart: bool = False) -> None:
        self.files = files
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self.finished = False
        self._began = False
        self._settings = dict(settings)
        self._check = ""  # the checksum of the last line
        self._open: list[IO[bytes]] = []
        self._lock = FileLock(files.lock, timeout=0, thread_local=False)
        with _writing(files.journal):
            files.output.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire()
            except Timeout as e:
                raise InputError("another usim batch is writing this output; wait for it", path=files.output) from e
        try:
            self._begin(restart)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files; another process may go on. Where no chunk is done yet, nothing is left but parses."""
        for file in self._open:
            file.close()
        self._open.clear()
        if self._began and not self.digests and not self.finished:
            for path in (self.files.results, self.files.bad, self.files.journal):
                path.unlink(missing_ok=True)
        self._began = False
        if self._lock.is_locked:
            with suppress(OSError):  # Windows deletes no open file; its lock deletes the file itself
                if not self.files.lock.stat().st_size:
                    self.files.lock.unlink()
            self._lock.release()

    # -- going on ----------------------------------------------------------------------------------------------------

    def _begin(self, restart: bool) -> None:
        if not os.path.lexists(self.files.journal):
            for path in (self.files.results, self.files.bad):
                if os.path.lexists(path):
                    raise InputError(
                        "a file of this name is there already, and no journal says that it is of an interrupted job; "
                        "move it away, or give the output another name",
                        path=path,
                    )
        with _writing(self.files.journal):
            self._journal = self._open_file(self.files.journal)
        content = self._journal.read()
        if not (content.startswith(_BEGIN) or _BEGIN.startswith(content)):
            message = f"not a journal of usim batch; to begin anew, move it and {self.files.results.name} away"
            raise FormatError(message, path=self.files.journal, line=1)
        lines = [] if restart else self._read_journal(content)
        kept = 0  # bytes of the journal that count
        ends = _Ends()
        if len(lines) > 1:  # a job that has not started can be started with other settings
            first, *chunks = lines
            self._check_settings(first["settings"])
            kept, self._check = first["end"], first["check"]
            self.finished = "finished" in lines[-1]
            with _writing(self.files.results):
                ends, kept = self._check_results([line for line in chunks if "digest" in line], kept)
        if self.finished:
            return
        with _writing(self.files.results):
            _cut(self._journal, kept)
            if restart:
                remove_cache(self.files.cache)
            if not kept:
                self._line({"usim batch": _VERSION, "settings": self._settings})
            self._results, self._bad = self._open_file(self.files.results), self._open_file(self.files.bad)
            for file, end in zip((self._results, self._bad), ends, strict=True):
                _cut(file, end)
            _sync_folder(self.files.output.parent)
        self._began = True

    def _open_file(self, path: Path) -> IO[bytes]:
        file = open_regular(path)
        self._open.append(file)
        return file

    def _read_journal(self, content: bytes) -> list[dict[str, Any]]:
        """Return the whole lines of the journal, each with its ``end`` in the file."""
        lines: list[dict[str, Any]] = []
        end = 0
        check = ""
        for number, raw in enumerate(content.split(b"\n")[:-1], 1):  # what follows the last newline is half a line
            end += len(raw) + 1
            try:
                value = json.loads(raw)
                if number == 1 and value.get("usim batch") != _VERSION:
                    raise FormatError("not the journal of a job of this version of usim; --restart begins anew",
                                      path=self.files.journal, line=1)  # fmt: skip
                check = _check_of(value, check)
                is_whole = value["check"] == check
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                is_whole = False
            if not is_whole or (lines and "finished" in lines[-1]):
                raise FormatError("damaged: the line is not what usim wrote; --restart begins anew",
                                  path=self.files.journal, line=number)  # fmt: skip
            lines.append(value | {"end": end})
        return lines

    def _check_settings(self, before: Mapping[str, Any]) -> None:
        now = json.loads(json.dumps(self._settings))
        differing = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        if differing:
            changes = "; ".join(
                "{} was {}, is {}".format(
                    name, *(json.dumps(each.get(name), ensure_ascii=False) for each in (before, now))
                )
                for name in differing
            )
            raise InputError(
                f"a job of other settings has begun this output ({changes}); give the same to go on, or --restart to "
                "begin anew",
                path=self.files.results,
            )

    def _check_results(self, lines: list[dict[str, Any]], kept: int) -> tuple[_Ends, int]:
        """Take the chunks whose results are there, and return their ends in the files and in the journal.

        A job that has finished may have given its files their names already.

        Raises:
            FormatError: the results are not those that were written.
        """
        ends = _Ends()
        if self.finished and self.files.is_parquet and not self.files.results.exists():  # the table has its name
            for line in lines:
                self._take(line)
            return ends, kept
        paths = [self.files.results, self.files.bad]
        if self.finished:
            finals = (self.files.output, self.files.errors)
            paths = [path if path.exists() else final for path, final in zip(paths, finals, strict=True)]
        with _reading(paths[0]) as results, _reading(paths[1]) as bad:
            for line in lines:
                next_ends = _Ends(line["results"], line["bad"])
                pieces = zip((results, bad), ends, next_ends, strict=True)
                hashed = blake2b(digest_size=16)
                is_complete = all(_hash_piece(file, after - before, hashed) for file, before, after in pieces)
                if not is_complete and not self.finished:  # after a power cut they may be shorter than the journal says
                    break
                if hashed.hexdigest() != line["written"]:
                    raise _damage(paths[0])
                ends, kept, self._check = next_ends, line["end"], line["check"]
                self._take(line)
            for path, file, end in zip(paths, (results, bad), ends, strict=True):
                if self.finished and end and file.read(1):
                    raise _damage(path)
        return ends, kept

    def _take(self, line: Mapping[str, Any]) -> None:
        self.digests.append(line["digest"])
        self.counts.update(line["counts"])

    # -- writing -----------------------------------------------------------------------------------------------------

    def add(self, digest: str, results: bytes, errors: bytes, counts: Mapping[str, int]) -> None:
        """Take the results of the next chunk.

        Raises:
            InputError: they cannot be written; what there was before them is safe.
        """
        with _writing(self.files.results):
            for file, data in ((self._results, results), (self._bad, errors)):
                if data:
                    _write(file, data)
            written = blake2b(results + errors, digest_size=16).hexdigest()
            ends = {"results": self._results.tell(), "bad": self._bad.tell()}
            line = {"digest": digest, **ends, "written": written, "counts": dict(counts)}
            self._line(line)
        self._take(line)

    def finish(self) -> None:
        """Give the files their names; without bad records there is no file of them."""
        with _writing(self.files.output):
            if not self.finished:
                self._line({"finished": True})
            for file in self._open[1:]:  # Windows renames no open file
                file.close()
            # From here on, a new start comes back to exactly this point.
            if self.files.bad.exists():
                if self.files.bad.stat().st_size:
                    self.files.bad.replace(self.files.errors)
                else:
                    self.files.errors.unlink(missing_ok=True)
                    self.files.bad.unlink()
            if self.files.results.exists():
                self.files.publish()
            remove_cache(self.files.cache)
            _sync_folder(self.files.output.parent)
            self._journal.close()
            self.files.journal.unlink()
            self._began = False

    def _line(self, value: Mapping[str, Any]) -> None:
        self._check = _check_of(value, self._check)
        _write(self._journal, json.dumps({**value, "check": self._check}).encode() + b"\n")


def _check_of(line: Mapping[str, Any], before: str) -> str:
    """Return the checksum of a line without its own, after a line with the checksum ``before``."""
    content = json.dumps({name: value for name, value in line.items() if name != "check"}, sort_keys=True)
    return blake2b(f"{before} {content}".encode(), digest_size=8).hexdigest()


def _damage(path: Path) -> FormatError:
    return FormatError("damaged: the results are not those that usim wrote; --restart begins anew", path=path)


def _reading(path: Path) -> IO[bytes]:
    return open_regular(path) if path.exists() else io.BytesIO()


def _hash_piece(file: IO[bytes], size: int, hashed: blake2b) -> bool:
    """Hash the next ``size`` bytes of a file; return whether it had that many."""
    while size > 0 and (data := file.read(min(size, _PIECE))):
        hashed.update(data)
        size -= len(data)
    return size == 0


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn what goes wrong in the block into an error that says what to do."""
    try:
        yield
    except OSError as e:
        raise InputError(
            f"cannot be written ({e.strerror or e}); what is done so far is kept: see to it, and give the same command "
            "again",
            path=path,
        ) from e


def _write(file: IO[bytes], data: bytes) -> None:
    """Write all of it, to the disk."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())


def _cut(file: IO[bytes], end: int) -> None:
    file.truncate(end)
    file.seek(end)


def _sync_folder(path: Path) -> None:
    """Make names that were given in a folder last through a power cut; Windows has no such call."""
    if os.name == "nt":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
