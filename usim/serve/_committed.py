"""The last committed version of a file, read with git."""

from __future__ import annotations

import subprocess
from pathlib import Path

from usim.errors import InputError

_SECONDS = 20.0


def committed_text(path: Path) -> str:
    """Return the text of a file as it was committed last.

    Raises:
        InputError: git is not installed, or has no such version.
    """
    # cat-file, because show would run the converters that the settings of a repository may name.
    command = ["git", "-C", str(path.parent), "cat-file", "blob", f"HEAD:./{path.name}"]
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_SECONDS, check=False)
    except FileNotFoundError as e:
        raise InputError("the last committed version needs git, which is not installed", path=path) from e
    except subprocess.TimeoutExpired as e:
        raise InputError(f"git has not answered within {_SECONDS:g} seconds", path=path) from e
    if done.returncode:
        why = " ".join(done.stderr.decode("utf-8", "replace").split()).removeprefix("fatal: ")
        raise InputError(f"git has no committed version: {why}", path=path)
    return done.stdout.decode("utf-8", "replace")
