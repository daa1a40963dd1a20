"""Standard streams that are closed, full, or whose reader has gone away."""

from __future__ import annotations

import codecs
import errno
import json
import os
import sys
from io import TextIOWrapper


def fill_closed() -> None:
    """Put a placeholder where standard input, output or error is closed; reading or writing it raises an OSError.

    Without one, the next file that is opened would take the place of the stream. Placeholders are opened the wrong way
    round, so that each use of standard input and output fails; messages are discarded.
    """
    for name, flag in (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            placeholder = os.open(os.devnull, flag)
            setattr(sys, name, open(placeholder, mode, encoding="utf-8", errors="backslashreplace"))  # noqa: SIM115


def accept_all() -> None:
    """Let standard output write characters that its encoding lacks as JSON does: → in Latin-1 is ``\\u2192``."""
    codecs.register_error("usim-json", _escaped)
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="usim-json")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def discard() -> None:
    """Discard what standard output and standard error hold; they failed, and flushing them would fail again at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(null, stream.fileno())
    os.close(null)


def problem_of(error: OSError) -> str:
    """Return in one line what could not be read or written."""
    if error.filename is not None:
        place = os.fsdecode(error.filename)
    else:
        place = "output" if error.errno == errno.ENOSPC else "standard input or output"
    return f"{place}: {error.strerror or error}"
