"""Corpora of corrections in the form of JFLEG: a folder of files with a sentence a line.

``X.src`` holds the sources, ``X.ref0``, ``X.ref1``, … a correction of each, ``X.SYSTEM.out`` the output of a system;
``X`` is ``dev`` or ``test`` or another name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from usim.errors import InputError
from usim.text.files import read_text


class Corrections(NamedTuple):
    """Sources with their corrections, by people and by systems and their names, all of the same length and order."""

    sources: list[str]
    references: dict[str, list[str]]
    systems: dict[str, list[str]]


def read_corrections(folder: Path, part: str | None = None) -> Corrections:
    """Read a folder; ``part`` is the beginning of the names, where it holds several parts."""
    if not folder.is_dir():
        raise InputError("no such folder; one with files like dev.src, dev.ref0, dev.SYSTEM.out is needed", path=folder)
    parts = sorted(file.name.removesuffix(".src") for file in folder.glob("*.src"))
    parts = [name for name in parts if "." not in name]  # dev.spellchecked.src holds no further sources
    if part is None and len(parts) != 1:
        problem = f"there are {', '.join(parts)}: choose one with --part" if parts else "there is no file like dev.src"
        raise InputError(problem, path=folder)
    name = parts[0] if part is None else part
    sources = _read_lines(folder / f"{name}.src")
    references, systems = {}, {}
    for file in sorted(folder.glob(f"{name}.*")):
        rest = file.name.removeprefix(f"{name}.")
        if re.fullmatch(r"ref\d+", rest):
            references[rest] = _read_lines(file, len(sources))
        elif rest.endswith(".out"):
            systems[rest.removesuffix(".out")] = _read_lines(file, len(sources))
    if not references:
        raise InputError(f"there is no file like {name}.ref0", path=folder)
    return Corrections(sources, references, systems)


def _read_lines(path: Path, count: int | None = None) -> list[str]:
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if count is not None and len(lines) != count:
        raise InputError(f"{len(lines)} lines, but the sources have {count}", path=path)
    if not lines:
        raise InputError("no sentences in it", path=path)
    return [line.strip() for line in lines]
