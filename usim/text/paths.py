"""Whether two names are one file, so that no output is written over an input or over another output."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from usim.errors import InputError
from usim.text.files import Path


def check_distinct(
    inputs: Iterable[Path], outputs: Iterable[tuple[str, Path]], *, to_standard_output: bool = False
) -> None:
    """Check that no output is an input or another output, by the files they are and not by their names.

    Args:
        inputs: paths, ``-`` for standard input.
        outputs: what each file is, and its path.
        to_standard_output: whether standard output is one of the outputs.

    Raises:
        InputError: two of them are one file.
    """
    taken = {_identity(path if path != "-" else 0): "" for path in inputs}
    streams: list[tuple[str, Path | int]] = [("standard output", 1)] if to_standard_output else []
    for role, path in (*streams, *outputs):
        identity = _identity(path)
        if (other := taken.get(identity)) == "":
            raise InputError(f"{role} would overwrite an input; give it another name", path=str(path))
        if other:
            raise InputError(f"{role} and {other} are the same file; give one of them another name", path=str(path))
        taken[identity] = role


def _identity(path: Path | int) -> object:
    """Return what a file is, whatever its name; of what is no regular file something that nothing equals."""
    try:
        state = os.stat(path)
    except OSError:
        return object() if isinstance(path, int) else os.path.realpath(path)
    return (state.st_dev, state.st_ino) if stat.S_ISREG(state.st_mode) else object()
