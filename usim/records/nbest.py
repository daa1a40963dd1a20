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
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from usim.errors import FormatError, InputError
from usim.records._lines import read_sentences
from usim.records._pairs import Table, parallel_files, read_table
from usim.records.formats import find_format, read_rows
from usim.text.files import Path, read_lines

#: The formats of one file with all candidates beside tables.
FORMATS = ("jsonl", "moses", "fairseq")
_MOSES = re.compile(r"\s*(?P<number>\d{1,9})\s*\|\|\|(?P<text>.*?)(?:\|\|\|.*)?", re.DOTALL)
_ALIGNMENT = re.compile(r" ?\|\d+-\d+\|")
_FAIRSEQ = re.compile(r"(?P<kind>[SH])-(?P<number>\d{1,9})\t(?:(?P<score>-?[\d.einf+-]+)\t)?(?P<text>.*)")


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


def format_of(path: Path) -> str:
    """Return the format of a file: that of a table by its name, otherwise by its first line."""
    form = "jsonl" if path == "-" else find_format(path)
    if form is not None:
        return form
    first = next((line for _, line in read_lines(path, errors="surrogateescape") if line.strip()), "")
    if _MOSES.match(first):
        return "moses"
    return "fairseq" if re.match(r"[A-Z]-\d+\t|20\d\d-", first) else "jsonl"


def read_nbest(path: Path, form: str | None = None, sources: Path | None = None) -> Iterator[CandidateList]:
    """Read a file of candidates.

    Args:
        path: the file; ``-`` for JSON lines on standard input.
        form: one of :data:`FORMATS`; by default :func:`format_of`.
        sources: the file with a source a line, for ``moses``.

    Raises:
        InputError: a file cannot be read, or there is no file of sources, or no use for one.
        FormatError: a line is not of the format.
    """
    form = form or format_of(path)
    if (form == "moses") != (sources is not None):
        raise InputError(
            "n-best lists of Moses need the file of the sources: --source FILE"
            if sources is None
            else f"the sources are in the file itself ({form}); leave --source out",
            path=path,
        )
    if form == "moses":
        assert sources is not None
        return _read_moses(path, sources)
    if form == "fairseq":
        return _read_fairseq(path)
    return _read_jsonl(path) if form == "jsonl" else _of_table(read_table(os.fspath(path)), path)


def read_parallel(sources: Path, outputs: Sequence[Path]) -> Iterator[CandidateList]:
    """Read the outputs of several systems, in files that are parallel to that of the sources.

    Raises:
        InputError: a file cannot be read, or has more or fewer lines.
    """
    return _of_table(parallel_files([sources, *outputs]), sources)


def _of_table(table: Table, path: Path) -> Iterator[CandidateList]:
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


def _read_moses(path: Path, sources: Path) -> Iterator[CandidateList]:
    texts = [line.text.strip() for line in read_sentences(sources)]
    seen: set[int] = set()
    for number, group in groupby(_moses_lines(path), key=lambda parsed: parsed[1]):
        lines = list(group)
        line = lines[0][0]
        if number >= len(texts):
            raise FormatError(f"source {number}, and {sources} has {len(texts)} lines", path=path, line=line)
        if number in seen:
            raise FormatError(f"source {number} again: its candidates must stand together", path=path, line=line)
        seen.add(number)
        yield CandidateList(line, texts[number], tuple(Candidate(text) for _, _, text in lines))


def _moses_lines(path: Path) -> Iterator[tuple[int, int, str]]:
    """Yield the number of each line, the number of its source, and its candidate."""
    for line, text in read_lines(path):
        if text.strip():
            match = _MOSES.fullmatch(text.rstrip("\r\n"))
            if match is None:
                raise FormatError("a line must be: number ||| candidate ||| …", path=path, line=line, text=text.strip())
            yield line, int(match["number"]), " ".join(_ALIGNMENT.sub("", match["text"]).split())


def _read_fairseq(path: Path) -> Iterator[CandidateList]:
    sources: dict[int, tuple[int, str]] = {}
    candidates: dict[int, list[Candidate]] = {}
    for line, text in read_lines(path):
        match = _FAIRSEQ.fullmatch(text.rstrip("\r\n"))
        if match is None:
            continue
        number = int(match["number"])
        if match["kind"] == "S":
            sources[number] = (line, match["text"].strip())
        elif number not in sources:
            raise FormatError(f"a candidate before its source S-{number}", path=path, line=line, text=text.strip())
        else:
            candidates.setdefault(number, []).append(Candidate(match["text"].strip()))
    for number in sorted(candidates):  # fairseq writes the longest sentences first
        first, source = sources[number]
        yield CandidateList(first, source, tuple(candidates[number]))
