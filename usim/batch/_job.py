"""A job from input to output; see :func:`run`."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from usim.batch._backends import Workers
from usim.batch._journal import Journal, errors_of, partial_of
from usim.batch._reading import Chunk, chunks, sources, state_of
from usim.batch._tasks import Task
from usim.batch._worker import ChunkResult, chunk_function
from usim.errors import FormatError, InputError
from usim.records.tables import load_parquet
from usim.text.codec import json_text, values_of
from usim.text.files import Path as AnyPath
from usim.text.files import check_distinct, written_whole

#: Records a chunk: enough to group sentences of similar length, few enough to lose.
CHUNK = 512
_ANEW = "bring it back and give the same command again, or --restart to begin anew"


@dataclass(frozen=True)
class Summary:
    """How far a job is, and at its end with what.

    Attributes:
        records: the records that are in the output.
        errors: the bad records.
        before: how many of both an earlier start had done.
        seconds: the time of this start, loading included.
        share: the share of the input that is done; None where it is not known.
        verdicts: how many suggestions there were, and how many of each verdict; from here on at the end alone.
        signature: what the results were made with.
        output, errors_file: where they are; None for standard output, and if there are no errors.
        notes: messages for the user, about workers that were lost.
    """

    records: int
    errors: int
    before: int
    seconds: float
    share: float | None = None
    verdicts: dict[str, int] = field(default_factory=dict)
    signature: str = ""
    output: str | None = None
    errors_file: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """Records a second of this start."""
        return (self.records + self.errors - self.before) / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """Seconds that are left at the rate so far; None where that is not known."""
        if not self.share or not self.rate:
            return None
        return (self.records + self.errors) * (1 / self.share - 1) / self.rate

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON values."""
        return {**values_of(self), "rate": self.rate}


def run(
    given: AnyPath,
    output: AnyPath,
    task: Task = Task(),  # noqa: B008
    *,
    format: str | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    chunk: int = CHUNK,
    summary: AnyPath | None = None,
    strict: bool = False,
    restart: bool = False,
    watch: Callable[[Summary], None] = lambda _: None,
    bad: Callable[[dict[str, Any]], None] = lambda _: None,
) -> Summary:
    """Score or screen the records of files of any length.

    The output has a line of JSON for each record, in the order of the input; it is the same to the last byte with any
    number of workers, on any backend, and however often the job was interrupted.

    Args:
        given: a file, a folder, a glob, or ``-`` for standard input; see ``usim.batch._reading.sources``.
        output: the file to write, packed by its ending (``.gz``), or as Parquet (``.parquet``); ``-`` for standard
            output. Bad records go to ``OUTPUT.errors.jsonl``.
        task: what is done with each record.
        format: the format of the input, one of :data:`usim.records.FORMATS`; by default by the files' endings.
        jobs, scheduler: where the work is done, see ``usim.batch._backends.Workers``.
        chunk: how many records are scored together.
        summary: a file that gets the summary as JSON.
        strict: whether to stop at the first bad record.
        restart: whether to begin anew where an interrupted job has left something.
        watch: called when a chunk is done, with how far the job is.
        bad: called with bad records where the output is standard output.

    Raises:
        InputError, FormatError: the input cannot be read, or changed while the job ran; the output cannot be written,
            or is the input; workers were lost; a record is bad (``strict``); an interrupted job had other settings or
            other input. What was done is kept, and the same call goes on from there.
        ParsingError: the parser cannot be loaded.
    """
    began = time.perf_counter()
    target = None if os.fspath(output) == "-" else Path(output)
    outputs = {} if target is None else _outputs(target)
    inputs = sources(os.fspath(given), format=format, leave_out={path.absolute() for path in outputs.values()})
    states = {source.path: state_of(source.path) for source in inputs}
    outputs |= {} if summary is None else {"the summary": Path(summary)}
    check_distinct(states, list(outputs.items()), to_standard_output=target is None)
    workers = Workers(jobs, scheduler)
    with ExitStack() as stack:
        process = chunk_function(task, workers)
        mapped = stack.enter_context(workers.started())
        (first,) = mapped(process, [None])
        journal = None
        if target is not None:
            # All that the output depends on beside the input.
            settings = {
                "task": task.kind,
                "signature": first.signature,
                "fields": task.fields,
                "tokenised": task.tokenised,
                "max tokens": task.max_tokens,
                "file names": task.with_file,
                "chunk": chunk,
            }
            journal = stack.enter_context(closing(Journal(target, settings, restart=restart)))
        counts = Counter[str]() if journal is None else journal.counts
        if strict and counts["errors"]:
            message = f"{counts['errors']} bad records are among what is done already; see them, or leave --strict out"
            raise InputError(message)
        before = counts["records"] + counts["errors"]
        stream = chunks(inputs, chunk, header=task.columns)
        _skip_done(stream, journal.digests if journal else ())

        def progress(share: float | None = None) -> Summary:
            return Summary(counts["records"], counts["errors"], before, time.perf_counter() - began, share)

        watch(progress())
        with closing(mapped(process, stream)) as results:
            for result in results:
                if result.signature != first.signature:
                    versions = f"one has {result.signature}, another {first.signature}"
                    raise InputError(f"workers do not agree: {versions}; give all the same version")
                if result.errors and strict:
                    error = json.loads(result.errors.partition("\n")[0])
                    raise FormatError(error["reason"], path=error["file"], line=error["line"], text=error["text"])
                if journal is None:
                    _print(result, bad)
                    counts.update(result.counts)
                else:
                    journal.add(result)
                watch(progress(result.share))
        for path, state in states.items():
            if state_of(path) != state:
                raise InputError(f"the input changed while the job ran; what is done is kept: {_ANEW}", path=path)
        if journal is not None:
            journal.finish()
    done = replace(
        progress(),
        verdicts={name: counts[name] for name in ("suggestions", "keep", "review", "drop") if counts[name]},
        signature=first.signature,
        output=None if target is None else str(target),
        errors_file=None if target is None or not counts["errors"] else str(errors_of(target)),
        notes=tuple(dict.fromkeys(workers.notes)),
    )
    if summary is not None:
        try:
            with written_whole(summary) as file:
                file.write(json_text(done.to_dict(), indent=1))
        except OSError as e:
            raise InputError(e.strerror or str(e), path=summary) from e
    return done


def _skip_done(stream: Iterator[Chunk], digests: Iterable[str]) -> None:
    """Read the chunks that are done, which have to be what they were."""
    for digest in digests:
        chunk = next(stream, None)
        if chunk is None or chunk.digest != digest:
            place = "its end" if chunk is None else f"{chunk.source.path}:{chunk.lines[0].number}"
            raise InputError(f"the input is not what it was when this output was begun (from {place} on); {_ANEW}")


def _outputs(path: Path) -> dict[str, Path]:
    """Return the files of a job by what they are; raise an InputError where the output cannot be one."""
    if path.exists() and not path.is_file():
        raise InputError("not a file; give the name of a file, or - for standard output", path=path)
    if path.suffix == ".parquet":
        load_parquet(path)  # before anything is scored
    elif Path(path.name.removesuffix(".gz")).suffix in (".tsv", ".csv", ".zst", ".parquet"):
        raise InputError("results are JSON lines, packed or not (.jsonl, .jsonl.gz), or Parquet (.parquet)", path=path)
    done = partial_of(path)
    return {"the output": path, "the file of bad records": errors_of(path), f"what is done so far ({done.name})": done}


def _print(result: ChunkResult, bad: Callable[[dict[str, Any]], None]) -> None:
    """Write results to standard output, and hand bad records to a function."""
    if sys.stdout is None:
        raise InputError("standard output is closed; give the name of a file")
    for line in result.errors.split("\n")[:-1]:
        bad(json.loads(line))
    try:
        sys.stdout.buffer.write(result.results.encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as e:
        raise InputError(f"standard output cannot be written ({e.strerror or e})") from e
