"""What the commands share: options, reading lines, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from usim.errors import InputError
from usim.text import written_whole

if TYPE_CHECKING:
    from usim.parsing import Parser

T = TypeVar("T")


def parser_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--parser``, ``--guidelines`` and ``--threads``."""
    for option in (
        click.option(
            "--parser",
            default="en",
            show_default=True,
            help="Which parser makes the graphs: en, onnx:DIR, xml:DIR, mrp:FILE or tupa:MODEL (see docs/parsers.md).",
        ),
        click.option(
            "--guidelines",
            type=click.Choice(["1", "2"]),
            help="Which version of the UCCA guidelines to parse by.  [default: the parser's own]",
        ),
        click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Threads of the parser."),
    ):
        function = option(function)
    return function


def tokenised_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--tokenised``."""
    return click.option("--tokenised", is_flag=True, help="Take the tokens as they stand between blanks.")(function)


def preset_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--preset``."""
    return click.option(
        "--preset",
        type=click.Choice(["default", "paper", "reference"]),
        default="default",
        show_default=True,
        help="How graphs are aligned and compared: usim's choice, the paper's formula, the published scorer's.",
    )(function)


def make_parser(parser: str, guidelines: str | None, threads: int) -> Parser:
    """The parser that the options ask for."""
    from usim.parsing import load

    return load(parser, threads=threads, guidelines=None if guidelines is None else int(guidelines))


def sentence(line: str, tokenised: bool) -> str | tuple[str, ...]:
    """A line as the parser takes it."""
    return tuple(line.split()) if tokenised else line


class Line(NamedTuple):
    """A line of input: its number, counted from 1, and its text, or what is wrong with it."""

    number: int
    text: str
    error: str | None = None


def read_lines(path: str) -> list[Line]:
    """The lines of a file in UTF-8; ``-`` is standard input. A line that is not UTF-8 is marked, the others are kept.

    Raises:
        InputError: the file cannot be opened.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    read = []
    for number, line in enumerate(lines, start=1):
        try:
            read.append(Line(number, line.removesuffix(b"\r").decode("utf-8")))
        except UnicodeDecodeError as e:
            wrong = f"byte 0x{line[e.start]:02x} at position {e.start + 1} is not UTF-8: convert the file"
            read.append(Line(number, line.decode("utf-8", "replace"), wrong))
    return read


def warn(message: str) -> None:
    """A warning on standard error."""
    click.echo(f"usim: warning: {message}", err=True)


def progress(items: Iterable[T], total: int | None, what: str, *, quiet: bool = False) -> Iterator[T]:
    """The items, with a progress bar on standard error if that is a terminal and there is some waiting to do.

    Args:
        items: what is worked on.
        total: how many there are; None if nobody knows.
        what: the name of the work.
        quiet: whether nothing goes to standard output meanwhile; results on the terminal show themselves how far it is.
    """
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    console = Console(stderr=True)
    if not console.is_terminal or (sys.stdout.isatty() and not quiet) or (total is not None and total < 50):
        yield from items
        return
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    # Standard output is left alone: what goes there are results, and they are not for this terminal.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


@contextmanager
def opened_output(path: str | None, *, exact: bool = False) -> Iterator[IO[str]]:
    """Standard output, or a file that appears under its name only when it is whole.

    Args:
        path: the file; None or ``-`` for standard output.
        exact: whether to write UTF-8 and nothing else whatever the terminal wants, with lone surrogates as the bytes
            that they stand for (``surrogateescape``) and line ends as they are.
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
