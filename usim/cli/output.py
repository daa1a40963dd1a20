"""Output of commands, and the standard streams: results, and warnings and progress to standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from usim.errors import InputError
from usim.text import as_cell, is_foreign, visible
from usim.text.codec import json_text
from usim.text.files import written_whole

if TYPE_CHECKING:
    from rich.console import RenderableType

T = TypeVar("T")
#: How many lines that are not English, or cannot be evaluated, are named; the others are counted.
NAMED = 5


def warn(message: str) -> None:
    click.echo(visible(f"usim: warning: {message}"), err=True)


def warn_of_languages(path: str, languages: Mapping[int, str | None]) -> None:
    """Warn of the lines that are not English: name the first few, and count the others."""
    foreign = {line: language for line, language in languages.items() if is_foreign(language)}
    for line, language in islice(foreign.items(), NAMED):
        place = f"{path}:{line}: " if path else ""
        warn(f"{place}this seems not to be English ({language}); usim reads English, and the result means little")
    if len(foreign) > NAMED:
        warn(f"{len(foreign) - NAMED} more lines seem not to be English")


def tsv_line(*cells: object) -> str:
    """Return cells as a line of a table, which a spreadsheet shows as text; None and not-a-number are empty."""
    shown = (as_cell(cell) if isinstance(cell, str) else "" if cell is None or cell != cell else cell for cell in cells)
    return "\t".join(visible(" ".join(str(cell).split())) for cell in shown) + "\n"


class JsonRecords:
    """Writes records as JSON: with ``jsonl`` a line each, with ``json`` one value at the end, with a summary."""

    def __init__(self, form: str, stream: IO[str]) -> None:
        self._form = form
        self._stream = stream
        self._records: list[object] = []

    def write(self, record: object) -> None:
        """Write a record, or keep it for the end; in any other form do nothing."""
        if self._form == "jsonl":
            self._stream.write(json_text(record))
        elif self._form == "json":
            self._records.append(record)

    def end(self, summary: object) -> None:
        """Write the one value of ``json``."""
        if self._form == "json":
            self._stream.write(json_text({"results": self._records, "summary": summary}, indent=1))


def progress(items: Iterable[T], total: int | None, what: str, *, quiet: bool = False) -> Iterator[T]:
    """Yield the items, with a progress bar on standard error if that is a terminal.

    There is no bar if results go to a terminal, where they show the progress, unless standard output is ``quiet``.
    """
    if total == 1 or not sys.stderr.isatty() or (sys.stdout.isatty() and not quiet):
        yield from items
        return
    with click.progressbar(items, total, what, file=sys.stderr) as bar:
        yield from bar


def rendered(parts: Iterable[RenderableType], output: str | None) -> str:
    """Return parts as rich renders them, with colours if the output is a terminal that has them.

    Rich itself would exit with 1 if the reader went away, so it does not write.
    """
    from rich.console import Console

    is_shown = output in (None, "-")
    console = Console(highlight=False, soft_wrap=True, force_terminal=None if is_shown else False)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return capture.get()


@contextmanager
def opened_output(path: str | None) -> Iterator[IO[str]]:
    """Open standard output, or a file that appears under its name only when it is whole."""
    if path is None or path == "-":
        yield sys.stdout
        return
    try:
        with written_whole(path) as file:
            yield file
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e


def keep_older(path: str | None) -> None:
    """End a command that could read no record before its output gets its name, if there is an older one."""
    if path not in (None, "-") and os.path.isfile(path):
        warn(f"no record could be read: {path} stays as it was")
        sys.exit(2)


def write_output(path: str | None, text: str) -> None:
    with opened_output(path) as stream:
        stream.write(text)


class _Messages(io.FileIO):
    """Standard error that loses what it cannot write: lost messages do not make a result wrong."""

    def write(self, data: Any) -> int:
        """Write bytes, and say that all were written even if they were not."""
        with suppress(OSError):
            super().write(data)
        return len(data)


def prepare_streams() -> None:
    """Make the standard streams fit for a command.

    - An empty stream replaces a closed one, before another file can take its place.
    - Standard error loses what it cannot write, be it full or closed at the other end.
    - Standard output is UTF-8 with line ends as they are, as files are, and a lone surrogate is written as the byte
      that it stands for (``surrogateescape``). A terminal keeps its encoding, and shows what that lacks as an escape.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    error, output = sys.stderr, sys.stdout
    if error is sys.__stderr__ and isinstance(error, io.TextIOWrapper):
        raw = io.BufferedWriter(_Messages(error.fileno(), "w", closefd=False))
        sys.stderr = io.TextIOWrapper(raw, encoding=error.encoding, errors=error.errors, line_buffering=True)
    if isinstance(output, io.TextIOWrapper) and output.isatty():
        output.reconfigure(errors="backslashreplace")
    elif isinstance(output, io.TextIOWrapper):
        output.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")


def discard() -> None:
    """Discard what standard output holds: it failed, and would fail again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
