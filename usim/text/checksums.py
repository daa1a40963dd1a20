"""The files of a model: its settings, which have the SHA-256 of every other file.

A file that is damaged, cut short or replaced is named before it is used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from usim.errors import ParsingError
from usim.text.files import parse_json


def model_settings(folder: Path, *, name: str = "settings.json") -> tuple[dict[str, Any], str]:
    """Return the settings of the model in a folder, and the SHA-256 of their file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no JSON object.
    """
    content = (folder / name).read_bytes()
    settings = parse_json(content)
    if not isinstance(settings, dict):
        raise ValueError(f"{name} is no object")
    return settings, hashlib.sha256(content).hexdigest()


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_digests(folder: Path, digests: Mapping[str, str], needed: Iterable[str] = ()) -> None:
    """Check that the files of a model are those that its settings name.

    Args:
        digests: for each file, as a path from the folder, its SHA-256 in hexadecimal digits.
        needed: the files that must be among them.

    Raises:
        ParsingError: a file has no checksum, is missing, cannot be read, or has other bytes; the error names the file.
    """
    missing = [name for name in needed if name not in digests]
    if missing:
        what = f"the settings have no SHA-256 of {', '.join(missing)}: install the model anew, or export it anew"
        raise ParsingError(what, path=folder / "settings.json")
    for name, expected in digests.items():
        path = folder / name
        try:
            digest = digest_of(path)
        except (OSError, ValueError) as e:  # a name with a zero byte is no path at all
            why = getattr(e, "strerror", None) or e
            raise ParsingError(f"a file of the model cannot be read ({why})", path=path) from e
        if digest != expected:
            what = "is empty" if not path.stat().st_size else "is damaged, or belongs to another model"
            raise ParsingError(f"this file of the model {what}: its SHA-256 is not the one in the settings", path=path)
