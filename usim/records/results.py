"""Results read back from files: what ``usim score``, ``usim screen`` and ``usim batch`` wrote, pair by pair.

A file is a table (JSON lines, TSV, CSV, Parquet), or the one JSON value of ``usim score --format json`` or ``usim
explain --format json``. A record with suggestions is as many pairs. Where the cells of a table are texts, values such
as reasons are JSON in them; reasons as plain text (``usim score --format tsv``) are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any

from msgspec import Meta, Struct

from usim.compare import Reason
from usim.errors import FormatError, SuggestionError, UsimError
from usim.judge import StoredResult, Verdict
from usim.records._lines import Line, lines
from usim.records.formats import FORMATS, find_format, read_rows, rows_of
from usim.records.tables import Columns, json_fields
from usim.text.codec import Share, read_as
from usim.text.files import Path, parse_json
from usim.ucca import Graph, from_mrp

_LARGEST_VALUE = 2**28  # characters of a file that is one JSON value
_NESTED = ("score", "usim", "faithfulness", "reasons", "suggestions", "line")  # JSON in the cells of a table
_SHOWN = 60  # characters of a bad line in its message

_Places = tuple[tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]], ...]


class _Pair(Struct):
    """A result as JSON has it; ``score`` is USim in one number, or ``usim`` where there is no ``score``."""

    source: str
    output: str
    score: Share | None = None
    usim: Any = None
    faithfulness: Share | None = None
    verdict: Verdict | None = None
    reasons: list[Reason] | None = None
    language: Any = None
    graphs: dict[str, Any] | None = None
    alignment: _Places = ()


class _Record(Struct):
    error: Any = None
    id: Any = None
    line: Any = None
    suggestions: list[_Pair] | None = None


@dataclass(frozen=True, slots=True)
class Unscored:
    """A record that says itself that it could not be scored, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no result; the error says the file, the line and what is wrong."""

    error: FormatError


def read_results(path: Path) -> Iterator[StoredResult | Unscored | BadLine]:
    """Read a file of results, record by record; ``-`` is standard input.

    Raises:
        InputError: the file cannot be opened or read, or the package that unpacks it is missing.
    """
    form = find_format(path)
    if form not in ("tsv", "csv", "parquet"):
        return results_of(lines(path), path)
    return _read(((line, _nested(fields)) for line, fields in read_rows(path, form)), path)


def results_of(stream: Iterable[Line], path: Path) -> Iterator[StoredResult | Unscored | BadLine]:
    """Read results from lines of JSON; ``path`` is their name in errors."""
    return _read(_rows(iter(stream), path), path)


def _read(rows: Iterable[tuple[Line, Any]], path: Path) -> Iterator[StoredResult | Unscored | BadLine]:
    for line, fields in rows:
        try:
            if line.error:
                raise FormatError(line.error)
            yield from _results(fields, int(line.id))
        except UsimError as e:
            place = "" if line.name is None else f"result {line.name}: "
            text = line.text.strip()
            shown = text[:_SHOWN] + "…" * (len(text) > _SHOWN)
            yield BadLine(FormatError(place + e.message, path=path, line=line.number, text=shown))


def _rows(stream: Iterator[Line], path: Path) -> Iterator[tuple[Line, Any]]:
    """Yield the records of JSON lines; of a JSON value over several lines, each of its results."""
    first = next((line for line in stream if not line.is_blank), None)
    if first is None or first.raw.strip() != "{":
        yield from rows_of(FORMATS["jsonl"], chain(() if first is None else [first], stream), path)
        return
    pieces, size = [first.raw], 0
    for line in stream:
        pieces.append(line.raw)
        if line.error or (size := size + len(line.raw)) > _LARGEST_VALUE:
            yield first._replace(error=line.error or f"a JSON value of more than {_LARGEST_VALUE // 2**20} MiB"), {}
            return
    whole = first._replace(raw="".join(pieces))
    try:
        value = json_fields(whole, Columns())
    except SuggestionError as e:
        yield whole._replace(error=e.message), {}
        return
    records = value.get("results", [value])
    if not isinstance(records, list):
        yield whole._replace(error="'results' must be an array of objects"), {}
        return
    for number, record in enumerate(records, start=1):
        yield Line(1, "", name=number), record


def _nested(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a row with those that are JSON in their cells as values."""
    read: dict[str, Any] = {}
    for name in _NESTED:
        if isinstance(fields.get(name), str):
            with suppress(ValueError):
                read[name] = parse_json(fields[name])
    if isinstance(fields.get("reasons"), str) and "reasons" not in read:
        read["reasons"] = []
    return {name: value for name, value in fields.items() if value != ""} | read


def _results(fields: Any, line: int) -> list[StoredResult | Unscored]:
    """Return the results of a record; raise a UsimError where it is none."""
    record = read_as(fields, _Record)
    if isinstance(record.error, str):
        return [Unscored(line, record.error)]
    has_id = isinstance(record.id, str | int) and record.id != ""
    name = str(record.id if has_id else line if record.line is None else record.line)
    pairs = [read_as(fields, _Pair)] if "suggestions" not in fields else record.suggestions or []
    return [_result(pair, name) for pair in pairs]


def _result(pair: _Pair, name: str) -> StoredResult:
    usim = read_as(pair.usim, Share) if pair.score is None else pair.score
    faithfulness = usim if pair.verdict is None else pair.faithfulness
    if faithfulness is None:
        raise FormatError("a verdict without a `faithfulness`")
    language = pair.language if isinstance(pair.language, str) else None
    reasons = tuple(reason for reason in pair.reasons or () if reason.is_shown)
    for reason in reasons:
        for spans, text in ((reason.source_spans, pair.source), (reason.target_spans, pair.output)):
            if not all(0 <= start <= end <= len(text) for start, end in spans):
                raise FormatError("`source_spans` and `target_spans` must be places in the text")
    graphs = None if pair.graphs is None else _graphs(pair.graphs, pair.alignment)
    return StoredResult(name, pair.source, pair.output, faithfulness, pair.verdict, usim, reasons, language, graphs)


def _graphs(graphs: dict[str, Any], alignment: _Places) -> tuple[Graph, Graph, tuple[tuple[int, int], ...]]:
    if not {"source", "output"} <= graphs.keys():
        raise FormatError("`graphs` must have `source` and `output`")
    source, output = from_mrp(graphs["source"]), from_mrp(graphs["output"])
    if not all(i < len(source.terminals) and j < len(output.terminals) for i, j in alignment):
        raise FormatError("`alignment` must be pairs of tokens")
    return source, output, alignment
