"""A job from input to output; see :func:`run`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from usim.batch._backends import Workers
from usim.batch._journal import Journal, OutputFiles, StandardOutput
from usim.batch._reading import Chunk, chunks, packer, sources, state_of
from usim.batch._tasks import Task
from usim.batch._worker import ChunkProcessor, ChunkResult, WorkerSettings, encode_settings, process_chunk
from usim.errors import FormatError, InputError
from usim.records import DAMAGED
from usim.records.tables import load_parquet
from usim.text.codec import json_text, values_of
from usim.text.files import Path as AnyPath
from usim.text.files import unpacked_name, written_whole
from usim.text.paths import check_distinct, files_named

#: Records a chunk: enough to group sentences of similar length, few enough to lose.
CHUNK = 512
_ANEW = "bring it back and give the same command again, or --restart to begin anew"


@dataclass(frozen=True)
class Progress:
    """How far a job is.

    Attributes:
        records: the records that are in the output.
        errors: the bad records.
        before: how many of both an earlier start had done.
        seconds: the time of this start, loading included.
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
        """Records a second of this start."""
        return (self.records + self.errors - self.before) / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that are left at the rate so far; None where that is not known."""
        if self.share is None or self.share <= self.share_before:
            return None
        return self.seconds * (1 - self.share) / (self.share - self.share_before)


@dataclass(frozen=True)
class Summary:
    """What a job did.

    Attributes:
        records, errors, before, seconds, rate: as of :class:`Progress`, at its end.
        verdicts: how many suggestions there were, and how many of each verdict.
        signature: what the results were made with.
        output, errors_file: where they are; None for standard output, and if there are no errors.
        notes: messages for the user, about workers that were lost.
        damaged: the files that could not be read to their end.
    """

    records: int
    errors: int
    before: int
    seconds: float
    verdicts: dict[str, int]
    signature: str
    output: str | None
    errors_file: str | None
    notes: tuple[str, ...]
    damaged: tuple[str, ...]
    rate: float

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        values: dict[str, Any] = values_of(self)
        return values


def run(
    given: AnyPath,
    output: AnyPath,
    task: Task = Task(),  # noqa: B008
    *,
    format: str | None = None,
    jobs: int | None = None,
    backend: str | None = None,
    scheduler: str | None = None,
    chunk: int = CHUNK,
    errors: AnyPath | None = None,
    summary: AnyPath | None = None,
    strict: bool = False,
    restart: bool = False,
    watch: Callable[[Progress], None] = lambda _: None,
    bad: Callable[[dict[str, Any]], None] = lambda _: None,
) -> Summary:
    """Score or screen the records of files of any length.

    The output has a line of JSON for each record, in the order of the input; it is the same to the last byte with any
    number of workers, on any backend, and however often the job was interrupted.

    Args:
        given: a file, a folder, a glob, or ``-`` for standard input; see ``usim.batch._reading.sources``.
        output: the file to write, packed by its ending (``.gz``, ``.zst``), or as Parquet (``.parquet``); ``-`` for
            standard output.
        task: what is done with each record.
        format: the format of the input, one of :data:`usim.records.FORMATS`; by default by the files' endings.
        jobs, backend, scheduler: where the work is done, see ``usim.batch._backends.Workers``.
        chunk: how many records are scored together.
        errors: where bad records go; by default ``OUTPUT.errors.jsonl``.
        summary: a file that gets the summary as JSON.
        strict: whether to stop at the first bad record.
        restart: whether to begin anew where an interrupted job has left something.
        watch: called when a chunk is done.
        bad: called with bad records where the output is standard output and ``errors`` is not given.

    Raises:
        InputError, FormatError: the input cannot be read, or changed while the job ran; the output cannot be written,
            or is the input; workers were lost; a record is bad (``strict``); an interrupted job had other settings or
            other input. What was done is kept, and the same call goes on from there.
        ParsingError: the parser cannot be loaded.
    """
    began = time.perf_counter()
    files = _output_files(output, errors)
    own = {} if files is None else files.by_role
    inputs = sources(os.fspath(given), format=format, leave_out={path.absolute() for path in own.values()})
    states = {source.path: state_of(source.path) for source in inputs}
    outputs = own | ({} if summary is None else {"the summary": Path(summary)})
    options = [value for value in (task.model, task.parser, task.judge) if isinstance(value, str)]
    named = [file for value in options for path in (Path(), *outputs.values()) for file in files_named(value, path)]
    check_distinct([*states, *named], list(outputs.items()), to_standard_output=files is None)
    workers = Workers(jobs, backend, scheduler)
    with ExitStack() as stack:
        settings = WorkerSettings(task, os.fspath(output))
        if workers.is_this_process:
            process: Callable[[Chunk | None], ChunkResult] = ChunkProcessor(settings).process
        else:
            process = partial(process_chunk, encode_settings(settings))
        mapped = stack.enter_context(workers.started())
        ((signature, *_),) = mapped(process, [None])
        if files is None:
            sink: Journal | StandardOutput = StandardOutput(None if sys.stdout is None else sys.stdout.buffer, bad)
        else:
            sink = stack.enter_context(Journal(files, _fingerprint(task, signature, chunk, files), restart=restart))
        counts = sink.counts
        if strict and counts["errors"]:
            message = f"{counts['errors']} bad records are among what is done already; see them, or leave --strict out"
            raise InputError(message)
        before = counts["records"] + counts["errors"]
        damaged: list[str] = []
        stream = _noting_damage(chunks(inputs, chunk, header=task.columns), damaged)
        share_before = _skip_done(stream, sink.digests)

        def progress(share: float | None) -> Progress:
            seconds = time.perf_counter() - began
            return Progress(counts["records"], counts["errors"], before, seconds, share, share_before)

        watch(progress(share_before))
        with closing(mapped(process, stream)) as results:
            for result in results:
                if result.signature != signature:
                    versions = f"one has {result.signature}, another {signature}"
                    raise InputError(f"workers do not agree: {versions}; give all the same version")
                if result.errors and strict:
                    error = json.loads(result.errors.splitlines()[0])
                    raise FormatError(error["reason"], path=error["file"], line=error["line"], text=error["text"])
                sink.add(result.digest, result.results, result.errors, result.counts)
                watch(progress(result.share))
        for path, state in states.items():
            if state_of(path) != state:
                raise InputError(f"the input changed while the job ran; what is done is kept: {_ANEW}", path=path)
        if not sink.digests and files is not None:  # an empty file that is packed is not an empty file
            sink.add("", packer(os.fspath(output))(b""), b"", {})
        sink.finish()
    end = progress(None)
    done = Summary(
        end.records,
        end.errors,
        before,
        end.seconds,
        {name: counts[name] for name in ("suggestions", "keep", "review", "drop") if counts[name]},
        signature,
        None if files is None else str(files.output),
        str(files.errors) if files is not None and end.errors else None,
        tuple(dict.fromkeys(workers.notes)),
        tuple(damaged),
        end.rate,
    )
    if summary is not None:
        try:
            with written_whole(summary) as file:
                file.write(json_text(done.to_dict(), indent=1))
        except OSError as e:
            raise InputError(e.strerror or str(e), path=summary) from e
    return done


def _noting_damage(stream: Iterator[Chunk], damaged: list[str]) -> Iterator[Chunk]:
    """Yield chunks; note the files whose last line says that they are damaged."""
    for chunk in stream:
        if (chunk.lines[-1].error or "").startswith(DAMAGED):
            damaged.append(chunk.source.path)
        yield chunk


def _skip_done(stream: Iterator[Chunk], digests: Iterable[str]) -> float:
    """Read the chunks that are done, which have to be what they were; return the share of the input that they are."""
    share = 0.0
    for digest in filter(None, digests):  # an empty input has one that is of no chunk
        chunk = next(stream, None)
        if chunk is None or chunk.digest != digest:
            place = "its end" if chunk is None else chunk.place
            raise InputError(f"the input is not what it was when this output was begun (from {place} on); {_ANEW}")
        share = chunk.share or 0.0
    return share


def _output_files(output: AnyPath, errors: AnyPath | None) -> OutputFiles | None:
    if os.fspath(output) == "-":
        if errors is not None:
            raise InputError("bad records go to standard error where results go to standard output; leave the file out",
                             path=errors)  # fmt: skip
        return None
    path = Path(output)
    if path.exists() and not path.is_file():
        raise InputError("not a file; give the name of a file, or - for standard output", path=path)
    unpacked = Path(unpacked_name(path.name))
    if unpacked.suffix in (".tsv", ".csv"):
        message = f"results are JSON lines or Parquet; give the output another name than {unpacked.suffix}"
        raise InputError(message, path=path)
    if unpacked.suffix == ".parquet":
        if path.name != unpacked.name:
            raise InputError(f"Parquet is packed already; leave {path.suffix} out", path=path)
        load_parquet(path)  # before anything is scored
    return OutputFiles(path, None if errors is None else Path(errors))


def _fingerprint(task: Task, signature: str, chunk: int, files: OutputFiles) -> dict[str, Any]:
    """Return all that the output depends on beside the input, and where the bad records are."""
    return {
        "task": task.kind,
        "signature": signature,
        "source field": task.fields[0],
        "output field": task.fields[1],
        "tokenised": task.tokenised,
        "max tokens": task.max_tokens,
        "file names": task.with_file,
        "chunk": chunk,
        "errors": str(files.errors.absolute()),
    }
