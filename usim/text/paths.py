"""Whether two names are one file, so that no output is written over an input or over another output."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from typing import IO

from usim.errors import InputError
from usim.text.files import Path

Identity = tuple[int | str, ...]

_PREFIX = re.compile(r"[A-Za-z][\w-]+:")


def files_named(value: str, output: Path) -> Iterator[str]:
    """Yield the files that an option names, by itself or behind a prefix as in ``mrp:FILE``.

    Of a folder, as in ``xml:DIR``, that is ``output`` if it is a file there.

    >>> list(files_named(f"mrp:{__file__}", "graphs.mrp")) == [__file__]
    True
    """
    for name in {value, _PREFIX.sub("", value, count=1)}:
        if os.path.isfile(name):
            yield name
        elif (name != value or os.sep in name) and os.path.isdir(name) and os.path.isfile(output):
            folder = os.path.join(os.path.realpath(name), "")
            yield from [os.fspath(output)] if os.path.realpath(output).startswith(folder) else []


def check_distinct(inputs: Iterable[Path], outputs: Iterable[tuple[str, Path]], *, to_standard_output: bool) -> None:
    """Check that no output is an input or another output, by the files they are and not by their names.

    Args:
        inputs: paths, ``-`` for standard input; those that options name, too (:func:`files_named`).
        outputs: what each file is, and its path.
        to_standard_output: whether standard output is one of the outputs.

    Raises:
        InputError: two of them are one file.
    """
    roles: dict[Identity, tuple[str, bool]] = {}
    for path in inputs:
        identity = _standard_identity(sys.stdin) if path == "-" else _file_identity(path)
        if identity is not None:
            roles.setdefault(identity, ("an input", True))
    identities = [(role, os.fspath(path), _file_identity(path)) for role, path in outputs]
    if to_standard_output and (identity := _standard_identity(sys.stdout)) is not None:
        identities.insert(0, ("standard output", "-", identity))
    for role, path, identity in identities:
        if identity not in roles:
            roles[identity] = role, False
            continue
        other, is_input = roles[identity]
        if is_input:
            raise InputError(f"{role} would overwrite {other}; give it another name", path=path)
        raise InputError(f"{role} and {other} are the same file; give one of them another name", path=path)


def _file_identity(path: Path) -> Identity:
    """Return what a file is, whatever its name: its device and inode, or where it would be if it does not exist."""
    real = os.path.realpath(path)
    try:
        state = os.stat(real)
        if state.st_ino:
            return state.st_dev, state.st_ino
    except OSError:
        pass
    folder, name = os.path.split(real)
    try:
        state = os.stat(folder)
        return state.st_dev, state.st_ino, os.path.normcase(name)
    except OSError:
        return (os.path.normcase(real),)


def _standard_identity(stream: IO[str] | None) -> Identity | None:
    """Return what a standard stream is, if it is a regular file."""
    try:
        state = os.fstat(stream.fileno()) if stream is not None else None
    except (OSError, ValueError):
        return None
    return (state.st_dev, state.st_ino) if state is not None and stat.S_ISREG(state.st_mode) else None
