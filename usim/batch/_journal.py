"""The results of a job on disk, so that the job can be killed at any moment and go on.

While a job runs, ``OUTPUT.partial`` stands beside its output. It only grows: a line of JSON with the settings of the
job, and a line for each finished chunk, with its results and its bad records. A line that is cut off or damaged is
done again, with all that follow it. When all is done, the results and the bad records are copied into files, each of
which gets its name when it is whole, and ``OUTPUT.partial`` is deleted. Where no record has a result, older files stay.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from usim.batch._worker import ChunkResult
from usim.errors import InputError
from usim.records.tables import write_parquet
from usim.text import written_beside

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two jobs from one output there
    fcntl = None  # type: ignore[assignment]

_BEGIN = b'{"journal of usim batch": '
_REASONS = 1000  # different reasons of bad records that are counted


def partial_of(output: Path) -> Path:
    """Return the file that stands beside an output until all is done."""
    return output.with_name(output.name + ".partial")


def errors_of(output: Path) -> Path:
    """Return the file of the bad records beside an output."""
    return output.with_name(output.name + ".errors.jsonl")


class Journal:
    """Results in files, see the module's text; ``settings`` are all that results depend on beside the input.

    ``digests`` and ``counts`` are those of the finished chunks, ``reasons`` how many bad records have which reason;
    ``is_kept`` says whether older files were kept, as no record has a result.
    """

    is_kept = False

    def __init__(self, output: Path, settings: Mapping[str, Any]) -> None:
        self.digests: list[str] = []
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self._output, self._partial = output, partial_of(output)
        with self._writing():
            self._file = open(self._partial, "a+b", buffering=0)  # noqa: SIM115
        try:
            with self._writing():
                self._begin(settings)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, settings: Mapping[str, Any]) -> None:
        """Find the finished chunks; cut off what follows them."""
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as e:
                raise InputError("another usim batch is writing this output; wait for it", path=self._output) from e
        head = _BEGIN + b"7, " + json.dumps(settings)[1:].encode() + b"\n"
        with open(self._partial, "rb") as file:
            before = file.readline()
        if before[: len(_BEGIN)] != _BEGIN[: len(before)]:
            raise InputError("no journal of usim batch; name another file", path=self._partial)
        if not before.endswith(b"\n"):
            self._file.truncate(0)
            self._write(head)
        elif before != head:
            message = "a job of other settings has begun this output; give them, or delete this file to begin anew"
            raise InputError(f"{message}{_differing(before, head)}", path=self._partial)
        end = len(head)
        for line, result in self._lines():
            end += len(line)
            self._take(result)
        self._file.truncate(end)

    def _lines(self) -> Iterator[tuple[bytes, ChunkResult]]:
        """Yield the lines of the finished chunks, with what they say."""
        with open(self._partial, "rb") as file, suppress(msgspec.DecodeError, UnicodeDecodeError):
            file.readline()
            while (line := file.readline()).endswith(b"\n"):
                yield line, msgspec.json.decode(line, type=ChunkResult)

    def _take(self, result: ChunkResult) -> None:
        self.digests.append(result.digest)
        self.counts.update(result.counts)
        for line in result.errors.split("\n")[:-1]:
            reason = msgspec.json.decode(line)["reason"]
            if reason in self.reasons or len(self.reasons) < _REASONS:
                self.reasons[reason] += 1

    def add(self, result: ChunkResult) -> None:
        """Take the results of the next chunk; if they cannot be written, what there was before them is safe."""
        with self._writing():
            self._write(msgspec.json.encode(result) + b"\n")
        self._take(result)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
        os.fsync(self._file.fileno())

    def _results(self) -> Iterator[bytes]:
        return (result.results.encode() for _, result in self._lines())

    def finish(self) -> None:
        """Write the files under their names; without bad records there is no file of them."""
        with self._writing():
            self.is_kept = not self.counts["records"] and self._output.exists()
            if not self.is_kept:
                self._name_files(self._output, errors_of(self._output))
            self._file.close()
            self._partial.unlink(missing_ok=True)

    def _name_files(self, output: Path, errors: Path) -> None:
        if self.counts["errors"]:
            with written_beside(errors, "batch") as file:
                file.writelines(result.errors.encode() for _, result in self._lines())
            if not self.counts["records"]:
                return
        else:
            errors.unlink(missing_ok=True)
        with written_beside(output, "batch") as file:
            if output.suffix.lower() == ".parquet":
                write_parquet(lambda: chain.from_iterable(map(bytes.splitlines, self._results())), file)
            elif output.suffix.lower() == ".gz":  # packed chunks one after another are a packed file
                chunks = filter(None, self._results()) if self.counts["records"] else [b""]
                file.writelines(gzip.compress(chunk, 6, mtime=0) for chunk in chunks)
            else:
                file.writelines(self._results())

    def close(self) -> None:
        """Let another process go on; leave nothing where no chunk is finished."""
        if not self._file.closed:
            self._file.close()
            if not self.digests:
                self._partial.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Turn what goes wrong in the block into an error that says what to do."""
        try:
            yield
        except OSError as e:
            message = f"cannot be written ({e.strerror or e}); what is done so far is kept: give the same command again"
            raise InputError(message, path=self._output) from e


def _differing(before: bytes, head: bytes) -> str:
    """Return the settings in which two first lines of a journal differ, as the end of a sentence."""
    try:
        was, now = _settings(before), _settings(head)
    except (ValueError, LookupError, AttributeError):  # the file is damaged
        return ""
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    return ": " + "; ".join(f"{name}: was {was.get(name, 'none')}, is {now.get(name, 'none')}" for name in names)


def _settings(line: bytes) -> dict[str, Any]:
    """Return the settings in the first line of a journal, and each part of the signature as one."""
    settings: dict[str, Any] = json.loads(line)
    parts = (part.partition(":") for part in settings.pop("signature").split("|"))
    return settings | {name: value for name, _, value in parts}
