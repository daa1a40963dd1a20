"""The command line for tests: as a user types it, or the same within this process, which is many times faster."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from usim.cli import main

#: The installed command, as the beginning of a command line.
USIM = (sys.executable, "-c", "from usim.cli import main; main()")


def usim(*arguments: str | Path, stdin: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the installed command."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    command = [*USIM, *map(str, arguments)]
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=120)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def usim_here(
    *arguments: str | Path, stdin: str | bytes = b"", main: Callable[[list[str]], int | None] = main
) -> subprocess.CompletedProcess[str]:
    """Run the console script's function, with streams of its own."""
    code: object = 0
    with CliRunner().isolation(input=stdin) as (out, err, *_):
        try:
            code = main([*map(str, arguments)]) or 0
        except SystemExit as e:
            code = e.code or 0
        # What is shown by handlers is flushed when a process ends.
        sys.stdout.flush()
        sys.stderr.flush()
        assert isinstance(code, int)
        assert err is not None
        shown, told = (stream.getvalue().decode(errors="surrogateescape") for stream in (out, err))
    return subprocess.CompletedProcess(["usim", *map(str, arguments)], code, shown, told)


def study_here(*arguments: str | Path, stdin: str | bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run ``python -m experiments`` in this process."""
    from experiments.__main__ import main

    return usim_here(*arguments, stdin=stdin, main=main)
