"""Standard streams that are closed, full, or whose reader has gone away."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Any


def fill_closed() -> None:
    """Let a standard stream that is closed be an empty one, before another file takes its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def write_utf8() -> None:
    """Let standard output be UTF-8 with line ends as they are, as files are; a terminal keeps its encoding.

    A lone surrogate is written as the byte that it stands for (``surrogateescape``), and what a terminal cannot show as
    an escape.
    """
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.isatty():
        sys.stdout.reconfigure(errors="backslashreplace")
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")


class _Messages(io.FileIO):
    """Standard error that loses what it cannot write: messages that are lost do not make a result wrong."""

    def write(self, data: Any) -> int:
        """Write bytes, and say that all were written even if they were not."""
        with suppress(OSError):
            super().write(data)
        return len(data)


def lose_messages() -> None:
    """Let standard error lose what it cannot write, be it full or closed at the other end."""
    error = sys.stderr
    if error is sys.__stderr__ and isinstance(error, io.TextIOWrapper):
        raw = _Messages(error.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw), encoding=error.encoding, errors=error.errors, line_buffering=True
        )


def discard() -> None:
    """Discard what standard output holds; it failed, and flushing it would fail again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def problem_of(error: OSError) -> str:
    """Return in one line what could not be read or written."""
    if error.filename is not None:
        place = os.fsdecode(error.filename)
    else:
        place = "output" if error.errno == errno.ENOSPC else "standard input or output"
    return f"{place}: {error.strerror or error}"
