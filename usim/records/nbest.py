"""Files with several candidates for each source, as correctors write them.

=========  ======================================================================================================
jsonl      ``{"source": …, "candidates": ["…", {"text": "…", "grammar": .9}]}`` a line
a table    a source and the outputs of several systems in columns, see ``usim.records._pairs``
moses      ``0 ||| candidate ||| features ||| score`` a line, by the number of the source, from 0, in another file
fairseq    the output of ``fairseq-generate``: lines ``S-0<TAB>source`` and ``H-0<TAB>score<TAB>candidate``
parallel   a file of the sources, and a file of each system, line by line
=========  ======================================================================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from usim.errors import FormatError
from usim.records._pairs import PairTable, parallel_files, read_table
from usim.records.formats import find_format, read_rows
from usim.text.files import Path


@dataclass(frozen=True)
class Candidate:
    """A version of a source that a corrector proposes.

    Attributes:
        text: the version.
        grammar: its grammaticality where the file states one, in [0, 1].
    """

    text: str
    grammar: float | None = None


@dataclass(frozen=True)
class CandidateList:
    """A source with its candidates, in the order of the corrector, the best first.

    Attributes:
        line: where it begins in the file, counted from 1.
        source: the sentence before correction.
        candidates: at least one.
    """

    line: int
    source: str
    candidates: tuple[Candidate, ...]


def read_nbest(path: Path) -> Iterator[CandidateList]:
    """Read a file of candidates: a table, or else JSON lines; ``-`` is JSON lines on standard input.

    Raises:
        InputError: the file cannot be read.
        FormatError: a line is not of the format.
    """
    form = "jsonl" if path == "-" else find_format(path) or "jsonl"
    return _read_jsonl(path) if form == "jsonl" else _of_table(read_table(os.fspath(path)), path)


def read_parallel(sources: Path, outputs: Sequence[Path]) -> Iterator[CandidateList]:
    """Read the outputs of several systems, in files that are parallel to that of the sources.

    Raises:
        InputError: a file cannot be read, or has more or fewer lines.
    """
    return _of_table(parallel_files([sources, *outputs]), sources)


def _of_table(table: PairTable, path: Path) -> Iterator[CandidateList]:
    for cells in table.rows:
        error = next((cell.error for cell in cells if cell.error), None)
        if error:
            raise FormatError(error, path=path, line=cells[0].number)
        source, *texts = (cell.text.strip() for cell in cells)
        if source:
            yield CandidateList(cells[0].number, source, tuple(map(Candidate, texts)))


def _read_jsonl(path: Path) -> Iterator[CandidateList]:
    for line, fields in read_rows(path, "jsonl"):
        if line.error:
            raise FormatError(line.error, path=path, line=line.number, text=line.text.strip())
        match fields:
            case {"source": str(source), "candidates": [_, *_] as items}:
                yield CandidateList(line.number, source, tuple(_candidate(item, path, line.number) for item in items))
            case _:
                message = 'a line must be {"source": "…", "candidates": ["…", …]}, with one candidate or more'
                raise FormatError(message, path=path, line=line.number, text=line.text.strip())


def _candidate(item: Any, path: Path, line: int) -> Candidate:
    match item:
        case str(text) | {"text": str(text), "grammar": None}:
            return Candidate(text)
        case {"text": str(text), "grammar": float(score) | int(score)} if 0 <= score <= 1:
            return Candidate(text, float(score))
        case {"text": str(text)} if "grammar" not in item:
            return Candidate(text)
    message = 'a candidate must be a text, or {"text": "…", "grammar": 0 to 1}'
    raise FormatError(message, path=path, line=line, text=str(item))
