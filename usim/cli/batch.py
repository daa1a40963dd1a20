"""``usim batch``: score or screen files of any length."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from usim.cli.help import subcommand
from usim.cli.options import (
    AT_LEAST_ONE,
    lists_option,
    model_option,
    option,
    parser_option,
    policy_option,
    pop_options,
    preset_option,
    risk_option,
    tokenised_option,
    verdict_options,
)
from usim.cli.output import counted, warn
from usim.errors import InputError
from usim.records import FORMATS

if TYPE_CHECKING:
    from usim.batch import Progress, Summary

_EVERY = 30.0  # seconds between the lines of a log


@subcommand(
    "batch",
    "usim batch pairs.jsonl -o results.jsonl --jobs 4",
    "usim batch pairs.tsv -o results.jsonl --source-field src --output-field tgt",
    "usim batch suggestions/ -o verdicts.jsonl.gz --task screen",
    "usim batch letters.jsonl -o compared.jsonl --task compare",
)
@click.argument("given", metavar="INPUT")
@option("-o", "--output", required=True, metavar="OUTPUT", help="Where to write; - is standard output.")
@option("--task", "kind", type=click.Choice(["score", "screen", "compare"]), default="score",
        help="Score pairs, screen suggestions, or compare texts.")  # fmt: skip
@option("--format-in", "format", type=click.Choice(list(FORMATS)),
        help="The format of INPUT.  [default: by the files' endings; jsonl for standard input]")  # fmt: skip
@option("--source-field", default="source", metavar="NAME", help="The field of the source; before for texts.")
@option("--output-field", default="output", metavar="NAME", help="The field of the output; after for texts.")
@option("-j", "--jobs", type=AT_LEAST_ONE, metavar="N",
        help="How many workers.  [default: 1; on a cluster all that it has]")  # fmt: skip
@option("--backend", metavar="NAME",
        help="Who works: loky (processes here), dask (a cluster), or another of joblib's. [default: loky]")  # fmt: skip
@option("--scheduler", metavar="ADDRESS", help="The scheduler of the Dask cluster: tcp://HOST:PORT.")
@option("--chunk", type=AT_LEAST_ONE, default=512, metavar="N", help="How many records a worker takes at a time.")
@option("--errors", metavar="FILE", help="Where bad records go.  [default: OUTPUT.errors.jsonl]")
@option("--strict", is_flag=True, help="Stop at the first bad record.")
@option("--restart", is_flag=True, help="Begin anew where an interrupted job has left something.")
@option("--summary", metavar="FILE", help="Write the summary to FILE as JSON as well.")
@option("--quiet", is_flag=True, help="No progress.")
@lists_option
@verdict_options
@risk_option
@policy_option
@preset_option
@model_option
@parser_option
@tokenised_option
def command(given: str, output: str, kind: str, quiet: bool, **options: Any) -> None:
    """Score pairs, screen suggestions or compare texts, in files of any length, on one core or on many.

    INPUT is a file, a folder (all below it), a glob in quotation marks, or - for standard input: JSON lines, TSV, CSV,
    Parquet or M2, plain or packed (gzip, zstd); to be screened also a system's output for Smart Word Suggestions.
    OUTPUT gets a line of JSON for each record, in the order of INPUT; it is packed if its name ends in .gz or .zst, and
    Parquet if it ends in .parquet. For scores a record has the fields "source" and "output", for screening those of
    usim screen, and to compare texts "before" and "after"; other fields come out as they are. With --judge none, scores
    have neither a verdict nor reasons. See docs/how-to/batch.md.

    Killed at any moment, the same command goes on where it was. OUTPUT appears when all is done; bad records are in
    OUTPUT.errors.jsonl, with their lines and reasons.

    Exit code: 0 done, 2 stopped, or something could not be read: a record (all others are done) or the rest of a file.
    """
    from usim.batch import NO_JUDGE, Task, run

    if kind != "score" and options["judge"] == NO_JUDGE:
        what = "screening" if kind == "screen" else "comparing texts"
        raise click.UsageError(f"{what} needs a judge; the quickest is --judge usim")
    if kind != "score" and options["tokenised"]:
        raise click.UsageError("--tokenised is for pairs")
    job = pop_options(
        options, "format", "jobs", "backend", "scheduler", "chunk", "errors", "summary", "strict", "restart"
    )
    with_file = given != "-" and not os.path.isfile(given)  # of several files, results have to say which
    task = Task(kind=kind, with_file=with_file, **options)  # type: ignore[arg-type]
    with _watching(quiet) as watch:
        summary = run(
            given,
            output,
            task,
            watch=watch,
            bad=lambda error: warn(f"{error['file']}:{error['line']}: {error['reason']}"),
            **job,
        )
    for note in summary.notes:
        warn(note)
    _say(_summary_text(summary))
    if summary.errors and not summary.records:
        what = "all records are bad" if summary.errors > 1 else "the one record is bad"
        hint = f"{summary.errors_file} says why" if summary.errors_file else "see above"
        done = {"score": "scored", "screen": "screened", "compare": "compared"}[kind]
        raise InputError(f"nothing has been {done}: {what}; {hint}", path=given)
    if summary.damaged:
        raise InputError("the file is damaged: only what stands before that is done", path=summary.damaged[0])
    if summary.errors:
        sys.exit(2)


def _say(text: str) -> None:
    """Write to standard error; a job does not fail because nobody can read of it."""
    with suppress(OSError):
        click.echo(text, err=True)


def _summary_text(summary: Summary) -> str:
    text = counted(summary.records, "record")
    text += f", {counted(summary.errors, 'error')}" + (f" ({summary.errors_file})" if summary.errors_file else "")
    if summary.counts:
        text += "; " + ", ".join(f"{count} {name}" for name, count in summary.counts.items())
    text += f"\n{summary.seconds:.1f} s, {summary.rate:.1f} records/s"
    if summary.before:
        text += f"; {counted(summary.before, 'record')} had been done before"
    return f"{text}\n{summary.signature}"


@contextmanager
def _watching(quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Yield a function that shows progress: as a bar on a terminal, else as a line now and then."""
    if quiet:
        yield lambda _: None
        return
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        following = _EVERY

        def log(progress: Progress) -> None:
            nonlocal following
            if progress.seconds >= following:
                following = progress.seconds + _EVERY
                _say(f"usim: {progress_text(progress)}")

        yield log
        return
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[progress]}"))
    with Bar(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        shown = bar.add_task("starting", total=None, progress="")

        def watch(progress: Progress) -> None:
            total = None if progress.share is None else 1.0
            told = progress_text(progress)
            bar.update(shown, description="batch", total=total, completed=progress.share or 0.0, progress=told)

        yield watch


def progress_text(progress: Progress) -> str:
    """Return how far a job is, in a line."""
    parts = [f"{progress.records} records"]
    if progress.errors:
        parts.append(counted(progress.errors, "error"))
    if progress.share is not None:
        parts.append(f"{100 * progress.share:.1f} %")
    parts.append(f"{progress.rate:.1f}/s")
    if progress.left is not None:
        minutes, seconds = divmod(round(progress.left), 60)
        parts.append(f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d} left")
    return ", ".join(parts)
