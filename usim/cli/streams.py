"""Standard streams that are closed, full, or whose reader has gone away."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any


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
