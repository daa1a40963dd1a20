"""A job from input to output; see :func:`run`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from usim.batch.backends import Workers
from usim.batch.cache import PRIVATE, Cache
from usim.batch.journal import Journal, Names, Sink, StandardOutput
from usim.batch.reading import Chunk, chunks, packer, packing_of, sources
from usim.batch.work import Done, Engine, Settings, Task, ordered, work
from usim.errors import FormatError, InputError

#: Records a chunk: enough to group sentences of like length, little enough to lose.
CHUNK = 512


class Progress(NamedTuple):
    """How far a job is.

    Attributes:
        records: the records that are done, bad ones left out.
        errors: the bad records.
        before: how many of both were done by an earlier start.
        seconds: the time since this start.
        share: the share of the input that is done; None where its length is not known.
        share_before: the same at this start.
    """

    records: int
    errors: int
    before: int
    seconds: float
    share: float | None
    share_before: float

    @property
    def rate(self) -> float:
        """Records a second since this start."""
        return (self.records + self.errors - self.before) / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that are left, if it goes on like this; None where nothing tells."""
        if self.share is None or self.share <= self.share_before:
            return None
        return self.seconds * (1 - self.share) / (self.share - self.share_before)


@dataclass(frozen=True)
class Summary:
    """What a job did.

    Attributes:
        records: the records in the output.
        errors: the bad records.
        before: how many of both an earlier start had done.
        seconds: the time of this start, loading included.
        parsed: the sentences that were parsed.
        hits: the sentences that were in the cache, of those that differ within a chunk.
        counts: suggestions and verdicts, where there are such.
        signature: what the results were made with.
        output, errors_file: where they are; None for standard output, and where there are no errors.
        notes: what the user should hear of.
    """

    records: int
    errors: int
    before: int
    seconds: float
    parsed: int
    hits: int
    counts: dict[str, int]
    signature: str
    output: str | None
    errors_file: str | None
    notes: tuple[str, ...] = field(default=())

    @property
    def rate(self) -> float:
        """Records a second of this start."""
        return (self.records + self.errors - self.before) / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The summary as JSON values."""
        return {
            "records": self.records,
            "errors": self.errors,
            "before": self.before,
            "seconds": self.seconds,
            "rate": self.rate,
            "cache": {"hits": self.hits, "parsed": self.parsed},
            **({"verdicts": self.counts} if self.counts else {}),
            "signature": self.signature,
            "output": self.output,
            "errors_file": self.errors_file,
            "notes": list(self.notes),
        }


def run(
    given: str | os.PathLike[str],
    output: str | os.PathLike[str],
    task: Task = Task(),  # noqa: B008
    *,
    format: str | None = None,
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    chunk: int = CHUNK,
    cache: str | os.PathLike[str] | None = None,
    cache_limit: int = 4 * 2**30,
    errors: str | os.PathLike[str] | None = None,
    strict: bool = False,
    restart: bool = False,
    watch: Callable[[Progress], None] = lambda _: None,
    bad: Callable[[dict[str, Any]], None] = lambda _: None,
) -> Summary:
    """Score or screen the records of files of any length.

    The output has a line of JSON for each record, in the order of the input; it is the same to the last byte with any
    number of workers, on any backend, and however often the job was interrupted.

    Args:
        given: a file, a folder, a glob, or ``-`` for standard input; see :func:`usim.batch.reading.sources`.
        output: the file to write, packed by its ending (``.gz``, ``.zst``); ``-`` for standard output.
        task: what is done with each record.
        format: the format of the input, one of :data:`usim.batch.reading.FORMATS`; by default by the files' endings.
        jobs, backend, scheduler: who does the work, see :class:`usim.batch.backends.Workers`.
        chunk: how many records are scored together.
        cache: a file that keeps parses for other jobs. Without it, the parses of this job are kept beside the output
            until it is done.
        cache_limit: bytes that the file of parses may take, about.
        errors: where bad records go; by default ``OUTPUT.errors.jsonl``.
        strict: whether to stop at the first bad record.
        restart: whether to begin anew where an interrupted job has left something.
        watch: called when a chunk is done.
        bad: called with bad records where the output is standard output and ``errors`` is not given.

    Raises:
        InputError, FormatError: the input cannot be read, the output cannot be written, workers were lost, a record is
            bad (``strict``), or an interrupted job had other settings or other input. What was done is kept, and the
            same call goes on from there.
        ParsingError: the parser cannot be loaded.
    """
    began = time.perf_counter()
    names = _names(output, errors)
    own = names.own if names is not None else frozenset[Path]()
    files = sources(os.fspath(given), format=format, leave_out=lambda path: path.absolute() in own)
    if names is not None and any(Path(file.path).absolute() == names.output.absolute() for file in files):
        raise InputError("the output would overwrite the input", path=names.output)
    packing = None if names is None else packing_of(names.output.name)
    workers = Workers(jobs, backend, scheduler)
    if cache is not None:
        _made(cache)
    with ExitStack() as stack:
        settings = Settings(task, packing, _cache_path(cache, names, workers, stack), cache_limit)
        if workers.alone:
            engine = Engine(settings)
            stack.callback(engine.close)
            signature, do = engine.signature, engine.work
        mapped = stack.enter_context(workers.started())
        if not workers.alone:
            order = ordered(settings)
            (probe,) = mapped(partial(work, order), [None])
            signature, do = probe.signature, partial(work, order)
        sink: Sink
        if names is None:
            sink = StandardOutput(sys.stdout.buffer, bad)
        else:
            sink = stack.enter_context(Journal(names, _fingerprint(task, signature, chunk, names), restart=restart))
        job = _Job(sink, signature, strict, watch, began)
        if not (isinstance(sink, Journal) and sink.finished):
            stream = job.skipped(chunks(files, chunk, with_header=task.with_header))
            for done in mapped(do, stream):
                job.take(done)
            if not sink.digests and names is not None:  # an empty file that is packed is not an empty file
                sink.add("", packer(packing, str(output))(b"") if packing else b"", b"", {})
        sink.finish()
        return job.summary(names)


def _names(output: str | os.PathLike[str], errors: str | os.PathLike[str] | None) -> Names | None:
    if os.fspath(output) == "-":
        if errors is not None:
            raise InputError("bad records go to standard error where results go to standard output; leave the file out",
                             path=errors)  # fmt: skip
        return None
    path = Path(output)
    if path.exists() and not path.is_file():
        raise InputError("not a file; give the name of a file, or - for standard output", path=path)
    ending = os.path.splitext(path.name.removesuffix(".gz").removesuffix(".zst"))[1]
    if ending in (".tsv", ".csv", ".parquet"):
        raise InputError(f"results are JSON lines; give the output another name than {ending}", path=path)
    return Names(path, None if errors is None else Path(errors))


def _cache_path(cache: str | os.PathLike[str] | None, names: Names | None, workers: Workers, stack: ExitStack) -> str:
    """Where the parses are kept; what is for this job alone and of no use to a second start goes with the stack."""
    if cache is not None:
        return os.path.abspath(cache)
    if not workers.local or (names is None and workers.alone):
        return PRIVATE
    if names is not None:
        path = str(names.cache.absolute())
    else:
        path = os.path.join(stack.enter_context(TemporaryDirectory(prefix="usim-batch-")), "parses")
    # Before the workers start: one of two that made it at the same moment once missed its tables. Where it cannot be
    # made, they will say so.
    if not workers.alone:
        with suppress(InputError):
            _made(path)
    return path


def _made(cache: str | os.PathLike[str]) -> None:
    """Makes a file of parses where there is none."""
    kept = Cache(cache)
    kept.open()
    kept.close()


def _fingerprint(task: Task, signature: str, chunk: int, names: Names) -> dict[str, Any]:
    """All that the output depends on, beside the input; and where the bad records are."""
    return {
        "task": task.kind,
        "signature": signature,
        "source field": task.source_field,
        "output field": task.output_field,
        "tokenised": task.tokenised,
        "max tokens": task.max_tokens,
        "file names": task.with_file,
        "chunk": chunk,
        "errors": str(names.errors.absolute()),
    }


class _Job:
    """What a job has done so far."""

    def __init__(
        self, sink: Sink, signature: str, strict: bool, watch: Callable[[Progress], None], began: float
    ) -> None:
        self._sink, self._signature, self._strict, self._watch, self._began = sink, signature, strict, watch, began
        self._before = sink.counts["records"] + sink.counts["errors"]
        self._share: float | None = None
        self._share_before = 0.0
        self._fresh: Counter[str] = Counter()
        self._notes: dict[str, None] = {}

    def skipped(self, stream: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks that are still to be done.

        Raises:
            InputError: those that are done were others; or a bad record is among them, where none may be.
        """
        if self._strict and self._sink.counts["errors"]:
            raise InputError(f"{self._sink.counts['errors']} bad records are among what is done already; see them, or "
                             "leave --strict out")  # fmt: skip
        for digest in filter(None, self._sink.digests):  # an empty input has one that is of no chunk
            chunk = next(stream, None)
            if chunk is None or chunk.digest != digest:
                place = "its end" if chunk is None else chunk.place
                raise InputError(
                    f"the input is not what it was when this output was begun (from {place} on); bring it back, or "
                    "--restart to begin anew"
                )
            self._share_before = chunk.done or 0.0
        self._watch(self._progress())
        yield from stream

    def take(self, done: Done) -> None:
        """Take the results of the next chunk."""
        if done.signature != self._signature:
            raise InputError(
                f"workers do not agree: one has {done.signature}, another {self._signature}; give all the same version"
            )
        for note in done.notes:
            self._notes[note] = None
        if done.errors and self._strict:
            error = json.loads(done.errors.splitlines()[0])
            raise FormatError(error["reason"], path=error["file"], line=error["line"], text=error["text"])
        self._sink.add(done.digest, done.results, done.errors, done.counts)
        self._fresh.update(done.counts)
        self._share = done.share
        self._watch(self._progress())

    def _progress(self) -> Progress:
        counts = self._sink.counts
        return Progress(
            counts["records"],
            counts["errors"],
            self._before,
            time.perf_counter() - self._began,
            self._share_before if self._share is None and not self._fresh else self._share,
            self._share_before,
        )

    def summary(self, names: Names | None) -> Summary:
        """The summary, when all is done."""
        counts = self._sink.counts
        there = names is not None and counts["errors"] > 0
        return Summary(
            counts["records"],
            counts["errors"],
            self._before,
            time.perf_counter() - self._began,
            counts["parsed"],
            counts["hits"],
            {name: counts[name] for name in ("suggestions", "keep", "review", "drop") if counts[name]},
            self._signature,
            None if names is None else str(names.output),
            str(names.errors) if there and names is not None else None,
            tuple(self._notes),
        )
