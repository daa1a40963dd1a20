"""Corpora of corrections in the form of JFLEG: a folder of files with a sentence a line.

``X.src`` holds the sources, ``X.ref0``, ``X.ref1``, … a correction of each, ``X.SYSTEM.out`` what a system made of
them; ``X`` is ``dev`` or ``test`` or whatever it is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from usim.errors import InputError
from usim.text import read_text


@dataclass(frozen=True)
class Corrections:
    """Sources with what people and systems made of them, all of the same length and order.

    Attributes:
        name: what the files' names begin with.
        sources: the sentences.
        references: corrections by people, by the number of the file.
        systems: outputs, by the name of the system.
    """

    name: str
    sources: list[str]
    references: dict[str, list[str]]
    systems: dict[str, list[str]]


def read_corrections(folder: Path, part: str | None = None) -> Corrections:
    """Read a folder.

    Args:
        folder: where the files are.
        part: what their names begin with; only needed where the folder holds several parts.

    Raises:
        InputError: no such folder, no sources or no references in it, or files of different lengths.
    """
    if not folder.is_dir():
        raise InputError("no such folder; one with files like dev.src, dev.ref0, dev.SYSTEM.out is needed", path=folder)
    parts = sorted(file.name.removesuffix(".src") for file in folder.glob("*.src"))
    parts = [name for name in parts if "." not in name]  # dev.spellchecked.src is no source of its own
    if part is None and len(parts) != 1:
        found = f"there are {', '.join(parts)}: choose one with --part" if parts else "there is no file like dev.src"
        raise InputError(found, path=folder)
    name = parts[0] if part is None else part
    sources = _lines(folder / f"{name}.src")
    references, systems = {}, {}
    for file in sorted(folder.glob(f"{name}.*")):
        rest = file.name.removeprefix(f"{name}.")
        if re.fullmatch(r"ref\d+", rest):
            references[rest] = _lines(file, len(sources))
        elif rest.endswith(".out"):
            systems[rest.removesuffix(".out")] = _lines(file, len(sources))
    if not references:
        raise InputError(f"there is no file like {name}.ref0", path=folder)
    return Corrections(name, sources, references, systems)


def _lines(path: Path, wanted: int | None = None) -> list[str]:
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if wanted is not None and len(lines) != wanted:
        raise InputError(f"{len(lines)} lines, but the sources have {wanted}", path=path)
    if not lines:
        raise InputError("no sentences in it", path=path)
    return [line.strip() for line in lines]


def others(sentences: list[str], seed: int) -> list[str]:
    """For each sentence another one, drawn at random; every place is taken once where that is possible.

    Raises:
        InputError: all sentences are the same.
    """
    if len(set(sentences)) < 2:
        raise InputError("random other sentences need at least two different ones")
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(sentences))
    # Each goes to the next in a random round, so nobody keeps the own place; texts that are there twice are left.
    drawn = dict(zip(order.tolist(), np.roll(order, -1).tolist(), strict=True))
    made = []
    for place, sentence in enumerate(sentences):
        other = drawn[place]
        while sentences[other] == sentence:
            other = int(rng.integers(len(sentences)))
        made.append(sentences[other])
    return made
