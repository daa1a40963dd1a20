"""Pairs: sources, and what one system or several made of them, in tables, M2 or parallel files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from usim.errors import FormatError, InputError
from usim.records._record import Line, RecordError, read_sentences
from usim.records.formats import FORMATS, find_format, read_rows
from usim.text import Context, context_between
from usim.text.files import Path
from usim.ucca.files import GraphFile, holds_graphs, read_graphs

#: The columns of the text on both sides of a sentence.
_AROUND = ("before", "after")


@dataclass(frozen=True)
class PairTable:
    """Sources, and what each system made of them.

    Attributes:
        names: of the systems.
        rows: of each record the lines of the source and of the outputs; the source has what stands around it (columns
            ``before`` and ``after``), and the error of a bad record.
    """

    names: tuple[str, ...]
    rows: list[tuple[Line, ...]]


def read_table(path: str, columns: Sequence[str] = (), *, scalars: Sequence[str] = ()) -> PairTable:
    """Read pairs in columns.

    Args:
        path: the file; its ending says the format.
        columns: the names of the columns of the source and of each system; by default ``source``, and ``output`` or, if
            there is none, all others.
        scalars: columns in which JSON may have numbers and truth values in place of texts.

    Raises:
        InputError: the file cannot be read, or a column is not in it.
    """
    form = find_format(path)
    if form is None:
        endings = ", ".join(ending for each in FORMATS.values() for ending in each.endings)
        raise InputError(f"its name must end in {endings}; or give two files, SOURCE and OUTPUT", path=path)
    records = list(read_rows(path, form))
    if not records:
        raise InputError("there are no records in it", path=path)
    known = list(dict.fromkeys(name for _, fields in records for name in fields))
    if not known:
        line = records[0][0]
        raise FormatError(line.error or "no fields in it", path=path, line=line.number, text=line.text)
    if form == "m2":
        known = ["source", *(sorted(set(known) - {"source", "id"}) or ["0"])]
    chosen = list(columns) or _columns(known, path)
    if len(chosen) < 2 or len(set(chosen)) < len(chosen):
        raise InputError("name the column of the source, and one for each system, each once", path=path)
    for name in chosen:
        if name not in known:
            raise InputError(f"no column {name!r}; there are {', '.join(map(repr, known)) or 'none'}", path=path)
    rows = []
    for line, fields in records:
        # An annotator without an edit in a sentence leaves it as it is.
        values = dict.fromkeys(chosen, fields.get("source")) | fields if form == "m2" else fields
        for name in scalars:
            if isinstance(value := values.get(name), bool | int | float):
                values = values | {name: str(int(value)) if value in (0, 1) else str(value)}
        try:
            if line.error:
                raise RecordError(line.error)
            texts, context = read_pair(values, chosen)
        except RecordError as e:
            rows.append((Line(line.number, "", e.message), *[Line(line.number, "")] * (len(chosen) - 1)))
        else:
            source, *outputs = (Line(line.number, text) for text in texts)
            rows.append((source._replace(context=context), *outputs))
    return PairTable(tuple(chosen[1:]), rows)


def read_pair(fields: dict[str, Any], names: Sequence[str]) -> tuple[list[str], Context | None]:
    """Return the texts in these fields, and the text around them in ``before`` and ``after``.

    Raises:
        RecordError: a field is missing, null, or no text.
    """
    texts: list[Any] = [fields.get(name) for name in names]
    around = ["" if set(_AROUND) & set(names) else fields.get(name) or "" for name in _AROUND]
    for name, text in zip((*names, *_AROUND), (*texts, *around), strict=True):
        if text is None:
            raise RecordError(f"{name!r} is null" if name in fields else f"no field {name!r}")
        if not isinstance(text, str):
            raise RecordError(f"{name!r} is no text")
    return texts, context_between(*around)


def _columns(known: list[str], path: str) -> list[str]:
    if "source" not in known or len(known) < 2:
        hint = f"there are {', '.join(map(repr, known))}: name them with --columns SOURCE,A,B"
        raise InputError(f"no column 'source' with another beside it; {hint}", path=path)
    others = [name for name in known if name not in ("source", "id", *_AROUND)]
    return ["source", *(["output"] if "output" in known else others)]


def parallel_files(paths: Sequence[Path]) -> PairTable:
    """Read parallel files: the sources, and what each system made of them. A system is called as its file.

    They have a sentence a line; or graphs (:func:`usim.ucca.files.read_graphs`), in the order of the files.

    Raises:
        InputError: a file cannot be read, or they are not parallel.
    """
    names = tuple(os.fspath(path) for path in paths[1:])
    if paths.count("-") > 1 or len(set(names)) < len(names):
        raise InputError("name each of the files once")
    columns = [_graph_lines(path) if holds_graphs(path) else read_sentences(path) for path in paths]
    for path, column in zip(paths, columns, strict=True):
        if column and column[0].text.startswith('{"'):
            hint = "graphs to be scored are MRP (usim parse --format mrp), and a table of pairs is one file alone"
            raise InputError(f"JSON in place of a sentence a line; {hint}", path=path, line=1)
        if len(column) != len(columns[0]):
            longer, shorter = (path, paths[0]) if len(column) > len(columns[0]) else (paths[0], path)
            sizes = f"{paths[0]} has {len(columns[0])} lines, {path} has {len(column)}, and they must be parallel"
            hint = "usim compare takes texts whose sentences are not"
            line = min(len(column), len(columns[0])) + 1
            raise InputError(f"this line has no partner in {shorter}: {sizes}; {hint}", path=longer, line=line)
    return PairTable(names, list(zip(*columns, strict=True)))


def _graph_lines(path: Path) -> list[Line]:
    return [
        Line(number, each.graph.text(), graph=each.graph)
        if isinstance(each, GraphFile)
        else Line(number, "", str(each))
        for number, each in enumerate(read_graphs(path), 1)
    ]
