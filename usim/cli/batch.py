"""``usim batch``: score or screen files of any length."""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import warn
from usim.text import counted

if TYPE_CHECKING:
    from usim.batch import Summary

_EVERY = 30.0  # seconds between the lines of a log


@shared.subcommand(
    "usim batch pairs.jsonl -o results.jsonl --jobs 4",
    "usim batch pairs.tsv -o results.jsonl --columns src,tgt",
    "usim batch suggestions.jsonl -o verdicts.jsonl.gz --task screen",
    "usim batch letters.jsonl -o compared.jsonl --task compare",
)
@click.argument("given", metavar="INPUT")
@option("-o", "--output", required=True, metavar="OUTPUT", help="Where to write.")
@option("--task", "kind", type=click.Choice(["score", "screen", "compare"]), default="score",
        help="Score pairs, screen suggestions, or compare texts.")  # fmt: skip
@shared.format_in_option
@option("--columns", metavar="SOURCE,OUTPUT",
        help="The fields of a pair.  [default: source,output; before,after for texts]")  # fmt: skip
@option("-j", "--jobs", type=shared.AT_LEAST_ONE, metavar="N",
        help="How many workers.  [default: 1; on a cluster all of its workers]")  # fmt: skip
@option("--scheduler", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler: tcp://HOST:PORT.")
@option("--chunk", type=shared.AT_LEAST_ONE, default=64, metavar="N", help="How many records a worker takes at a time.")
@shared.verdict_options
@shared.policy_option
@shared.preset_option
@shared.parser_options
@shared.tokenised_option
def batch(given: str, output: str, kind: str, format_in: str | None, columns: str | None, **options: Any) -> None:
    """Score pairs, screen suggestions or compare texts, in files of any length, on one core or on many.

    INPUT is a file, a glob in quotation marks, or - for standard input: JSON lines, TSV, CSV, Parquet or M2, plain or
    packed (gzip). With --task screen it may also be a system's output for Smart Word Suggestions.
    OUTPUT gets a line of JSON for each record, in the order of INPUT; it is packed if its name ends in .gz, and
    Parquet if it ends in .parquet. For scores a record has the fields "source" and "output", for screening those of
    usim screen, and to compare texts "before" and "after"; other fields come out as they are. See docs/how-to/batch.md.

    If the command is killed, run it again: it goes on where it was. OUTPUT appears when all is done; bad records are
    in OUTPUT.errors.jsonl, with their lines and reasons. An older OUTPUT stays if no record can be read.

    Exit code: 0 done, 1 no record could be read, 2 stopped, or something could not be read: a record (all others are
    done) or the rest of a file.
    """
    from usim.batch import Task, run

    if kind != "score" and options["tokenised"]:
        raise click.UsageError("--tokenised is for pairs")
    if columns is not None:
        names = [name.strip() for name in columns.split(",")]
        if len(names) != 2 or kind == "screen":
            raise click.UsageError("--columns takes two names, of the source and of the output; not for --task screen")
        options["names"] = tuple(names)
    with_file = given != "-" and not os.path.isfile(given)  # results of several files have to name the file
    job = shared.pop_options(options, "jobs", "scheduler", "chunk")
    task = Task(kind=kind, with_file=with_file, **options)  # type: ignore[arg-type]
    watch = _Watch()
    try:
        done = run(given, output, task, format=format_in, watch=watch, **job)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(watch.saved()) from None
    finally:
        watch.end()
    for note in done.notes:
        warn(note)
    click.echo(_summary_text(done), err=True)
    if done.reasons:
        counts = [f"{count} × {reason}" for reason, count in done.reasons]
        if more := done.errors - sum(count for _, count in done.reasons):
            counts.append(counted(more, "other"))
        warn(f"{counted(done.errors, 'error')}: {'; '.join(counts)}")
    if done.is_kept:
        warn(f"no record has a result: {output} stays as it was")
    if done.errors or done.is_kept:
        sys.exit(2 if done.records else 1)


def _summary_text(summary: Summary) -> str:
    text = counted(summary.records, "record")
    text += f", {counted(summary.errors, 'error')}" + (f" ({summary.errors_file})" if summary.errors_file else "")
    if summary.verdicts:
        text += "; " + ", ".join(f"{count} {name}" for name, count in summary.verdicts.items())
    text += f"\n{summary.seconds:.1f} s, {summary.rate:.1f} records/s"
    if summary.before:
        text += f"; {counted(summary.before, 'record')} had been done before"
    return f"{text}\n{summary.signature}"


class _Watch:
    """Shows progress: in one line on a terminal, otherwise in a new line every 30 seconds."""

    def __init__(self) -> None:
        self._following = _EVERY
        self._last: Summary | None = None

    def __call__(self, progress: Summary) -> None:
        self._last = progress
        if sys.stderr.isatty():
            click.echo(f"\r{progress_text(progress)}\x1b[K", err=True, nl=False)
        elif progress.seconds >= self._following:
            self._following = progress.seconds + _EVERY
            click.echo(f"usim: {progress_text(progress)}", err=True)

    def end(self) -> None:
        if self._last and sys.stderr.isatty():
            click.echo(err=True)

    def saved(self) -> str:
        """Return what an interrupted job has saved, in a line."""
        done = self._last.records + self._last.errors if self._last else 0
        goes_on = "; the same command goes on from there" if done else ""
        return f"{counted(done, 'result')} saved{goes_on}"


def progress_text(progress: Summary) -> str:
    parts = [f"{progress.records} records"]
    if progress.errors:
        parts.append(counted(progress.errors, "error"))
    if progress.share is not None:
        parts.append(f"{100 * progress.share:.1f} %")
    parts.append(f"{progress.rate:.1f}/s")
    if progress.left is not None:
        parts.append(f"{timedelta(seconds=round(progress.left))} left")
    return ", ".join(parts)
