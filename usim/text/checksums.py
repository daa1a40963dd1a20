"""SHA-256 checksums of model files: a file that is damaged, cut short or replaced is named before it is used."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from usim.errors import ParsingError

#: The state of a file when its checksum was computed: device, inode, size, time of the last change.
_State = tuple[int, int, int, int]
#: The checksum of each file that this process has read: a second model with the same files does not read them again.
_known: dict[str, tuple[_State, str]] = {}


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits.

    A file that has not changed since this process last read it is not read again.

    Raises:
        OSError: the file cannot be read.
    """
    status = os.stat(path)
    state = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    key = os.path.abspath(path)
    known = _known.get(key)
    if known is None or known[0] != state:
        with open(path, "rb") as file:
            known = _known[key] = state, hashlib.file_digest(file, "sha256").hexdigest()
    return known[1]


def check_digests(folder: Path, digests: Mapping[str, str]) -> None:
    """Check that the files of a model are those that its settings name.

    Args:
        folder: the folder of the model.
        digests: for each file, as a path from the folder, its SHA-256 in hexadecimal digits.

    Raises:
        ParsingError: a file is missing, cannot be read, or has other bytes; the error names the file.
    """
    if not isinstance(digests, Mapping):
        raise ParsingError("the checksums of the model files must be an object", path=folder / "settings.json")
    paths = [folder / name for name in digests]
    with ThreadPoolExecutor(2) as pool:  # hashlib releases the interpreter's lock
        computations = [pool.submit(digest_of, path) for path in paths]
    for path, computation, expected in zip(paths, computations, digests.values(), strict=True):
        try:
            digest = computation.result()
        except OSError as e:
            raise ParsingError(f"a file of the model cannot be read ({e.strerror or e})", path=path) from e
        if digest != expected:
            what = "is empty" if not path.stat().st_size else "is damaged, or belongs to another model"
            raise ParsingError(f"this file of the model {what}: its SHA-256 is not the one in the settings", path=path)
