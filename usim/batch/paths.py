"""The files of a job: where they stand, and that none of them is another one.

While a job runs, its files stand beside those that they will become: ``OUTPUT.partial`` and
``OUTPUT.errors.jsonl.partial``, ``OUTPUT.partial.journal``, ``OUTPUT.partial.parses`` (the parses of this job) and
``OUTPUT.partial.lock``.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from usim.batch.cache import files_of, remove_cache
from usim.errors import InputError

Identity = tuple[int | str, ...]


class OutputFiles:
    """The files of a job with the output ``output``; see the module's text.

    Attributes:
        output, errors: the files that the user asked for.
        results, bad: what they are while the job runs.
        journal: what is done so far.
        cache: the parses of this job.
        lock: held while a process writes to these files.
    """

    def __init__(self, output: Path, errors: Path | None = None) -> None:
        self.output = output
        self.errors = errors or output.with_name(output.name + ".errors.jsonl")
        base = output.name + ".partial"
        self.results = output.with_name(base)
        self.bad = self.errors.with_name(self.errors.name + ".partial")
        self.journal = output.with_name(base + ".journal")
        self.cache = output.with_name(base + ".parses")
        self.lock = output.with_name(base + ".lock")

    @property
    def by_role(self) -> dict[str, Path]:
        """All of the files, by what they are."""
        caches = {f"the parses of this job ({path.name})": path for path in files_of(self.cache)}
        return {
            "the output": self.output,
            "the file of bad records": self.errors,
            f"the results so far ({self.results.name})": self.results,
            f"the bad records so far ({self.bad.name})": self.bad,
            f"the journal ({self.journal.name})": self.journal,
            f"the lock ({self.lock.name})": self.lock,
            **caches,
        }

    @property
    def absolute(self) -> frozenset[Path]:
        """All of the files as absolute paths: they are no input, wherever they lie."""
        return frozenset(path.absolute() for path in self.by_role.values())

    def remove_cache(self) -> None:
        """Delete the parses of the job."""
        remove_cache(self.cache)


def check_distinct(inputs: Iterable[str], outputs: Iterable[tuple[str, Path]], *, to_standard_output: bool) -> None:
    """Check that no output is an input or another output, by the files they are and not by their names.

    Args:
        inputs: paths, ``-`` for standard input.
        outputs: what each file is, and its path.
        to_standard_output: whether standard output is one of the outputs.

    Raises:
        InputError: two of them are one file.
    """
    roles: dict[Identity, tuple[str, bool]] = {}
    for path in inputs:
        identity = _standard_identity(sys.stdin) if path == "-" else file_identity(path)
        if identity is not None:
            roles.setdefault(identity, ("the input", True))
    for role, path, identity in _identities(outputs, to_standard_output):
        if identity not in roles:
            roles[identity] = role, False
            continue
        other, is_input = roles[identity]
        if is_input:
            raise InputError(f"{role} would overwrite the input; give it another name", path=path)
        raise InputError(f"{role} and {other} are the same file; give one of them another name", path=path)


def _identities(outputs: Iterable[tuple[str, Path]], to_standard_output: bool) -> Iterator[tuple[str, str, Identity]]:
    if to_standard_output:
        identity = _standard_identity(sys.stdout)
        if identity is not None:
            yield "standard output", "-", identity
    for role, path in outputs:
        yield role, str(path), file_identity(path)


def file_identity(path: str | os.PathLike[str]) -> Identity:
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


def open_regular(path: Path) -> IO[bytes]:
    """Open a file to read and write, made if it is not there, without following a symbolic link.

    Raises:
        OSError: it cannot be opened; it is a link, or no regular file.
    """
    if path.is_symlink():  # also where the system has no O_NOFOLLOW
        raise OSError(0, "a symbolic link stands there; remove it")
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    # Without a buffer: what could not be written would be written once more when the file is closed.
    file = open(os.open(path, flags, 0o666), "r+b", buffering=0)  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(0, "not a regular file")
    return file
