"""What a job has done so far, on disk, so that it can be killed at any moment and go on.

While a job runs, ``OUTPUT.partial`` stands beside its output: an SQLite file with a row for the settings of the job,
and a row for each chunk, with the digest of its records and their results. ``OUTPUT.partial.parses`` has the parses of
this job. When all is done, the results are written to the output and the bad records to their file, each of which gets
its name when it is whole, and the two go away. Each row has a checksum, so that what was edited or damaged is noticed.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

from usim.batch._cache import remove_cache
from usim.errors import FormatError, InputError
from usim.records.tables import write_parquet
from usim.text import written_beside
from usim.text.databases import files_of, open_table, remove_database

_MARK = 0x75736A6F  # "usjo"
_TABLE = (
    "chunks (number INTEGER PRIMARY KEY, digest TEXT NOT NULL, results BLOB NOT NULL, bad BLOB NOT NULL, "
    "counts TEXT NOT NULL, seal BLOB NOT NULL)"
)
#: What SQLite says of a file that another process has, makes or deletes at this moment.
_IN_USE = (
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL,
)  # fmt: skip
_LARGEST = 10**9  # bytes of a row: the most that SQLite holds


class StandardOutput:
    """Results to a stream as they come, bad records to a function, with the face of a journal without a past."""

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
        self.parses = output.with_name(output.name + ".partial.parses")

    @property
    def by_role(self) -> dict[str, Path]:
        """All of the files, by what they are."""
        return {
            "the output": self.output,
            "the file of bad records": self.errors,
            **{f"what is done so far ({path.name})": path for path in files_of(self.partial)},
            **{f"the parses of this job ({path.name})": path for path in files_of(self.parses)},
        }


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
        self._began = False
        with _writing(files.partial):
            files.output.parent.mkdir(parents=True, exist_ok=True)
        if restart:
            with suppress(FormatError):
                self._open().close()
            remove_database(files.partial, _MARK)
            remove_cache(files.parses)
        self._table = self._open()
        try:
            token = self._read(json.loads(json.dumps(settings)))
            if not self.digests:  # a job that has not started can be started with other settings
                token = token_hex(4)
                with _writing(files.partial):
                    self._table.execute("DELETE FROM chunks")
                    self._insert("", b"", b"", {**settings, "token": token})
        except BaseException:
            self.close()
            raise
        self._token, self._began = token, True

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the files; another process may go on. Where no chunk is done yet, nothing is left but parses."""
        self._table.close()
        if self._began and not self.digests:
            remove_database(self.files.partial, _MARK)

    def _open(self) -> sqlite3.Connection:
        try:
            table = open_table(self.files.partial, _MARK, _TABLE, "journal of usim batch", is_alone=True)
        except InputError as e:
            code = getattr(e.__cause__, "sqlite_errorcode", None)
            if code is not None and code & 0xFF in _IN_USE:
                message = f"another usim batch is writing this output, or was until now ({e.__cause__}); wait for it"
                raise InputError(message, path=self.files.output) from e
            if code == sqlite3.SQLITE_CORRUPT:
                raise self._damage() from e
            raise
        table.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST)
        return table

    def _damage(self) -> FormatError:
        message = "damaged: the results are not those that usim wrote; --restart begins anew"
        return FormatError(message, path=self.files.partial)

    def _read(self, settings: Mapping[str, Any]) -> str:
        """Take the chunks that are done, and return the token of the job."""
        token, before = "", {}
        try:
            for place, (number, *row, seal) in enumerate(self._table.execute("SELECT * FROM chunks ORDER BY number")):
                if len(row) != 4 or number != place or seal != _seal(number, *row):
                    raise self._damage()
                digest, _, _, counts = row
                if number:
                    self._take(digest, json.loads(counts))
                else:
                    before = json.loads(counts)
                    token = before.pop("token")
        except sqlite3.DatabaseError as e:
            raise self._damage() from e
        differing = [name for name in {**before, **settings} if before.get(name) != settings.get(name)]
        if self.digests and differing:
            changes = "; ".join(
                "{} was {}, is {}".format(
                    name, *(json.dumps(each.get(name), ensure_ascii=False) for each in (before, settings))
                )
                for name in differing
            )
            raise InputError(
                f"a job of other settings has begun this output ({changes}); give the same to go on, or --restart to "
                "begin anew",
                path=self.files.partial,
            )
        return token

    def _data(self, column: str) -> Iterator[bytes]:
        """Yield what a column has of each chunk."""
        return (data for (data,) in self._table.execute(f"SELECT {column} FROM chunks ORDER BY number"))

    def _take(self, digest: str, counts: Mapping[str, int]) -> None:
        self.digests.append(digest)
        self.counts.update(counts)

    def add(self, digest: str, results: bytes, bad: bytes, counts: Mapping[str, int]) -> None:
        """Take the results of the next chunk; where they cannot be written, what there was before them is safe."""
        with _writing(self.files.partial):
            self._insert(digest, results, bad, counts)
        self._take(digest, counts)

    def _insert(self, digest: str, results: bytes, bad: bytes, counts: Mapping[str, Any]) -> None:
        number = len(self.digests) + bool(self._began)
        row = digest, results, bad, json.dumps(counts)
        self._table.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)", (number, *row, _seal(number, *row)))

    def finish(self) -> None:
        """Write the files under their names; without bad records there is no file of them."""
        files = self.files
        with _writing(files.output):
            if self.counts["errors"]:
                with written_beside(files.errors, self._token) as file:
                    file.writelines(self._data("bad"))
            else:
                files.errors.unlink(missing_ok=True)
            with written_beside(files.output, self._token) as file:
                if files.output.suffix.lower() == ".parquet":
                    write_parquet(lambda: chain.from_iterable(map(bytes.splitlines, self._data("results"))), file)
                else:
                    file.writelines(self._data("results"))
            _sync_folder(files.output.parent)
            self._table.close()
            remove_cache(files.parses)
            remove_database(files.partial, _MARK)


def _seal(number: int, digest: str, results: bytes, bad: bytes, counts: str) -> bytes:
    """Return the checksum of a row."""
    about = json.dumps([number, digest, len(results), counts])
    return blake2b(b"".join((about.encode(), results, bad)), digest_size=16).digest()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turn what goes wrong in the block into an error that says what to do."""
    try:
        yield
    except (OSError, sqlite3.Error) as e:
        reason = getattr(e, "strerror", None) or e
        message = (
            f"cannot be written ({reason}); what is done so far is kept: see to it, and give the same command again"
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
