"""A job from input to output; see :func:`run`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from usim.batch._backends import Workers
from usim.batch._journal import Journal, errors_of, partial_of
from usim.batch._reading import Chunk, chunks, sources
from usim.batch._worker import Task, chunk_function
from usim.errors import InputError
from usim.records.tables import load_parquet
from usim.text.files import Path as AnyPath
from usim.text.files import check_outputs

#: Records a chunk: enough to group sentences of similar length, few enough to lose.
CHUNK = 64


@dataclass(frozen=True)
class Summary:
    """How far a job is, and at its end with what.

    Attributes:
        records, errors: how many records are in the output, and how many are bad.
        before: how many of both an earlier start had done.
        seconds: the time of this start, loading included.
        share: the share of the input that is done; None where it is not known.
        verdicts: how many suggestions there were, and how many of each verdict; from here on at the end alone.
        signature: what the results were made with.
        errors_file: where the bad records are; None if there are none, or older files were kept.
        reasons: the commonest reasons of the bad records, and how many have each.
        is_kept: whether older files were kept, for no record has a result.
        notes: messages for the user, about workers that were lost.
    """

    records: int
    errors: int
    before: int
    seconds: float
    share: float | None = None
    verdicts: dict[str, int] = field(default_factory=dict)
    signature: str = ""
    errors_file: str | None = None
    reasons: tuple[tuple[str, int], ...] = ()
    is_kept: bool = False
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


def run(
    given: AnyPath,
    output: AnyPath,
    task: Task = Task(),  # noqa: B008
    *,
    format: str | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    chunk: int = CHUNK,
    watch: Callable[[Summary], None] = lambda _: None,
) -> Summary:
    """Score, screen or compare the records of files of any length.

    The output has a line of JSON for each record, in the order of the input; it is the same to the last byte with any
    number of workers, on any backend, and however often the job was interrupted. If no record has a result, there is no
    output, and an older one stays.

    Args:
        given: a file, a glob, or ``-`` for standard input; see ``usim.batch._reading.sources``.
        output: the file to write, packed by its ending (``.gz``), or as Parquet (``.parquet``). Bad records go to
            ``OUTPUT.errors.jsonl``.
        task: what is done with each record.
        format: the format of the input, one of :data:`usim.records.FORMATS`; by default by the files' endings.
        jobs, scheduler: where the work is done, see ``usim.batch._backends.Workers``.
        chunk: how many records are scored together.
        watch: called when a chunk is done, with how far the job is.

    Raises:
        InputError, FormatError: the input cannot be read; the output cannot be written, or is the input; workers were
            lost; an interrupted job had other settings or other input. What was done is kept, and the same call goes on
            from there.
        ParsingError: the parser cannot be loaded.
    """
    began = time.perf_counter()
    target = Path(output)
    outputs = _outputs(target)
    inputs = sources(os.fspath(given), format=format, leave_out={path.absolute() for path in outputs.values()})
    check_outputs((source.path for source in inputs), outputs.items())
    workers = Workers(jobs, scheduler)
    process = chunk_function(task, workers)
    with ExitStack() as stack:
        stack.enter_context(workers.connected())
        (first,) = workers.map(process, [None])
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
        journal = stack.enter_context(closing(Journal(target, settings)))
        counts = journal.counts
        before = counts["records"] + counts["errors"]
        anew = f"bring it back and give the same command again, or delete {partial_of(target)} to begin anew"
        stream = chunks(inputs, chunk, header=task.columns)
        _skip_done(stream, journal.digests, anew)

        def progress(share: float | None = None) -> Summary:
            return Summary(counts["records"], counts["errors"], before, time.perf_counter() - began, share)

        watch(progress())
        with closing(workers.map(process, stream)) as results:
            for result in results:
                if result.signature != first.signature:
                    versions = f"one has {result.signature}, another {first.signature}"
                    raise InputError(f"workers do not agree: {versions}; give all the same version")
                journal.add(result)
                watch(progress(result.share))
        journal.finish()
    return replace(
        progress(),
        verdicts={name: counts[name] for name in ("suggestions", "keep", "review", "drop") if counts[name]},
        signature=first.signature,
        errors_file=str(errors_of(target)) if counts["errors"] and not journal.is_kept else None,
        reasons=tuple(journal.reasons.most_common(3)),
        is_kept=journal.is_kept,
        notes=tuple(dict.fromkeys(workers.notes)),
    )


def _skip_done(stream: Iterator[Chunk], digests: Iterable[str], anew: str) -> None:
    """Read the chunks that are done, which have to be what they were; ``anew`` says what to do otherwise."""
    for digest in digests:
        chunk = next(stream, None)
        if chunk is None or chunk.digest != digest:
            place = "its end" if chunk is None else f"{chunk.source.path}:{chunk.lines[0].number}"
            raise InputError(f"the input is not what it was when this output was begun (from {place} on); {anew}")


def _outputs(path: Path) -> dict[str, Path]:
    """Return the files of a job by what they are; raise an InputError where the output cannot be one."""
    if path == Path("-") or (path.exists() and not path.is_file()):
        raise InputError("not a file; give the name of a file", path=path)
    if path.suffix == ".parquet":
        load_parquet()  # before anything is scored
    elif Path(path.name.removesuffix(".gz")).suffix in (".tsv", ".csv", ".zst", ".parquet"):
        raise InputError("results are JSON lines, packed or not (.jsonl, .jsonl.gz), or Parquet (.parquet)", path=path)
    done = partial_of(path)
    return {"the output": path, "the file of bad records": errors_of(path), f"what is done so far ({done.name})": done}
