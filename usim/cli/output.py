"""Output of commands: results to standard output or a file, warnings and progress to standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import IO, TYPE_CHECKING, TypeVar

import click

from usim.errors import InputError
from usim.text import is_foreign
from usim.text.codec import json_text
from usim.text.files import written_whole

if TYPE_CHECKING:
    from rich.console import RenderableType

T = TypeVar("T")


def warn(message: str) -> None:
    """Write a warning to standard error."""
    click.echo(f"usim: warning: {message}", err=True)


class ForeignLines:
    """Warns of lines that seem not to be English: the first few one by one, the others by their number."""

    _NAMED = 5

    def __init__(self, path: str) -> None:
        self._path = path
        self._lines: set[int] = set()

    def see(self, language: str | None, line: int) -> None:
        """Warn if the language of a line is not English."""
        if not is_foreign(language) or line in self._lines:
            return
        self._lines.add(line)
        if len(self._lines) <= self._NAMED:
            place = f"{self._path}:{line}: " if self._path else ""
            warn(f"{place}this seems not to be English ({language}); usim reads English, and the result means little")

    def finish(self) -> None:
        """Warn of the number of further lines."""
        if len(self._lines) > self._NAMED:
            warn(f"{len(self._lines) - self._NAMED} more lines seem not to be English")


def tsv_line(*cells: object) -> str:
    """Return cells as a line of a table, each on one line; None and not-a-number are empty."""
    return "\t".join("" if cell is None or cell != cell else " ".join(str(cell).split()) for cell in cells)


def counted(number: int, noun: str) -> str:
    """Return a number with what it counts.

    >>> counted(1, "file"), counted(2, "file")
    ('1 file', '2 files')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def echo_json(record: object) -> None:
    """Print a JSON value."""
    click.echo(json_text(record, indent=1), nl=False)


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
            value = {"results": self._records, "summary": summary}
            self._stream.write(json_text(value, indent=1))


def check_gate(problems: Iterable[str]) -> None:
    """Print what is below a threshold, and exit with 1 if anything is."""
    is_passed = True
    for problem in problems:
        click.echo(f"usim: {problem}", err=True)
        is_passed = False
    if not is_passed:
        sys.exit(1)


def progress(items: Iterable[T], total: int | None, what: str, *, quiet: bool = False) -> Iterator[T]:
    """Yield the items, with a progress bar on standard error if that is a terminal.

    There is no bar if results go to a terminal, where they show the progress, unless standard output is ``quiet``.
    """
    if total == 1 or (sys.stdout.isatty() and not quiet):
        yield from items
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    console = Console(stderr=True)
    if not console.is_terminal:
        yield from items
        return
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    # Results go to standard output, which may be a file: the bar must not take them to the terminal.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


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


def has_colours(output: str | None) -> bool:
    """Return whether the output is a terminal with colours, which $NO_COLOR can switch off."""
    from rich.console import Console

    console = Console()
    return output in (None, "-") and console.is_terminal and console.color_system is not None and not console.no_color


@contextmanager
def opened_output(path: str | None, *, exact: bool = False) -> Iterator[IO[str]]:
    """Open standard output, or a file that appears under its name only when it is whole.

    With ``exact``, the text is written as UTF-8 whatever the encoding of the terminal, with lone surrogates as the
    bytes that they stand for (``surrogateescape``) and line ends as they are.
    """
    if path is None or path == "-":
        if exact and isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
        yield sys.stdout
        return
    try:
        with written_whole(path, errors="surrogateescape" if exact else "strict") as file:
            yield file
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e
