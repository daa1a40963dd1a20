"""Results read back from files: what ``usim score``, ``usim screen`` and ``usim batch`` wrote, pair by pair.

A file is a table (JSON lines, TSV, CSV, Parquet), or the one JSON value of ``usim score --format json`` or ``usim
explain --format json``. A record with suggestions is as many pairs. Where the cells of a table are texts, values such
as reasons are JSON in them; reasons as plain text (``usim score --format tsv``) are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, get_args

from usim.errors import FormatError, SuggestionError, UsimError
from usim.judge import Verdict
from usim.records._lines import Line, lines
from usim.records.formats import FORMATS, find_format, read_rows, rows_of
from usim.records.tables import Columns, json_fields
from usim.text import Span, token_spans, token_texts
from usim.text.files import Path, parse_json
from usim.ucca import Graph, from_mrp

_VERDICTS = frozenset(get_args(Verdict))
_LARGEST_VALUE = 2**28  # characters of a file that is one JSON value
_NESTED = ("score", "usim", "faithfulness", "reasons", "suggestions", "line")  # which are text in a cell
_SHOWN = 60  # characters of a bad line in its message


@dataclass(frozen=True, slots=True)
class StoredReason:
    """A reason as it stands in a file.

    Attributes:
        kind: what it is, see :data:`usim.compare.KINDS`.
        text: in words.
        weight: how grave, in [0, 1].
        source, output: where its words stand in either sentence, in characters from 0, the end exclusive.
    """

    kind: str
    text: str
    weight: float
    source: tuple[Span, ...]
    output: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A pair of sentences with what was said about it.

    Attributes:
        name: the record's id, or the number of its line.
        source, output: the sentences before and after the change.
        faithfulness: in [0, 1]; USim where there was no judge.
        verdict: keep, review or drop; None where there was no judge.
        usim: USim in one number, in [0, 1].
        reasons: what people are told that speaks against the change, the gravest first.
        language: the language of the sentences where it is not English.
        graphs: both graphs and the alignment of their tokens, where the file has them.
    """

    name: str
    source: str
    output: str
    faithfulness: float
    verdict: Verdict | None
    usim: float
    reasons: tuple[StoredReason, ...]
    language: str | None = None
    graphs: tuple[Graph, Graph, tuple[tuple[int, int], ...]] | None = None


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
    return _read(rows_of(FORMATS["jsonl"], _lines(stream), path), path)


def _read(rows: Iterable[tuple[Line, dict[str, Any]]], path: Path) -> Iterator[StoredResult | Unscored | BadLine]:
    for line, fields in rows:
        try:
            if line.error:
                raise ValueError(line.error)
            yield from _results(fields, int(line.id))
        except (ValueError, UsimError) as e:
            message = e.message if isinstance(e, UsimError) else str(e)
            place = "" if line.name is None else f"result {line.name}: "
            text = line.text.strip()
            shown = text[:_SHOWN] + "…" * (len(text) > _SHOWN)
            yield BadLine(FormatError(place + message, path=path, line=line.number, text=shown))


def _lines(stream: Iterable[Line]) -> Iterator[Line]:
    """Yield lines of JSON; from a JSON value over several lines, a line for each of its results."""
    stream = iter(stream)
    first = next((line for line in stream if not line.is_blank), None)
    if first is None or first.raw.strip() != "{":
        yield from chain(() if first is None else [first], stream)
        return
    pieces, size = [first.raw], 0
    for line in stream:
        pieces.append(line.raw)
        if line.error or (size := size + len(line.raw)) > _LARGEST_VALUE:
            yield first._replace(error=line.error or f"a JSON value of more than {_LARGEST_VALUE // 2**20} MiB")
            return
    whole = first._replace(raw="".join(pieces))
    try:
        value = json_fields(whole, Columns())
    except SuggestionError as e:
        yield whole._replace(error=e.message)
        return
    records = value.get("results", [value])
    if not isinstance(records, list):
        yield whole._replace(error="'results' must be an array of objects")
        return
    for number, record in enumerate(records, start=1):
        yield Line(1, json.dumps(record), name=number)


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


def _results(record: Mapping[str, Any], line: int) -> Iterator[StoredResult | Unscored]:
    """Yield the results of a record; raise a ValueError or a UsimError where it is none."""
    if isinstance(record.get("error"), str):
        yield Unscored(line, record["error"])
        return
    name = record.get("id")
    name = str(name) if isinstance(name, str | int) and name != "" else str(record.get("line", line))
    if "suggestions" not in record:
        yield _result(record, name)
        return
    # All of a record or nothing of it.
    yield from [_result(each, name) for each in _objects(record, "suggestions")]


def _objects(record: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    values = record.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise ValueError(f"{key!r} must be an array of objects")
    return values


def _result(record: Mapping[str, Any], name: str) -> StoredResult:
    for key in ("source", "output"):
        if not isinstance(record.get(key), str):
            raise ValueError(f"no text {key!r}: not a result of usim score, screen or batch")
    source, output = record["source"], record["output"]
    usim = _share(record, "score" if "score" in record else "usim")
    verdict = record.get("verdict")
    if verdict is not None and str(verdict) not in _VERDICTS:
        raise ValueError(f"'verdict' must be keep, review or drop, not {json.dumps(verdict)[:_SHOWN]}")
    language = record.get("language")
    return StoredResult(
        name,
        source,
        output,
        usim if verdict is None else _share(record, "faithfulness"),
        verdict,
        usim,
        tuple(_reason(each, source, output) for each in _objects(record, "reasons") if each.get("shown", True)),
        language if isinstance(language, str) else None,
        _graphs(record) if "graphs" in record else None,
    )


def _share(record: Mapping[str, Any], key: str) -> float:
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{key!r} must be a number from 0 to 1, not {json.dumps(value)[:_SHOWN]}")
    return float(value)


def _reason(reason: Mapping[str, Any], source: str, output: str) -> StoredReason:
    kind, text = reason.get("kind"), reason.get("text")
    if not isinstance(kind, str) or not isinstance(text, str):
        raise ValueError("a reason needs a 'kind' and a 'text'")
    return StoredReason(
        kind, text, _share(reason, "weight"), _spans(reason, "source", source), _spans(reason, "target", output)
    )


def _spans(reason: Mapping[str, Any], side: str, text: str) -> tuple[Span, ...]:
    """Return where the words of a reason stand; results of version 0.2 have the places of tokens alone."""
    spans = reason.get(f"{side}_spans")
    if spans is None:
        places = reason.get(side, [])
        in_text = token_spans(text, token_texts(text))
        if not isinstance(places, list) or not all(type(i) is int and 0 <= i < len(in_text) for i in places):
            return ()  # the text was cut into other tokens
        return tuple(span for i in places if (span := in_text[i]) is not None)
    if not _are_pairs(spans) or not all(start <= end <= len(text) for start, end in spans):
        raise ValueError(f"'{side}_spans' must be an array of places in the text")
    return tuple((start, end) for start, end in spans)


def _are_pairs(value: object) -> bool:
    """Return whether a value is an array of pairs of whole numbers that are not negative."""
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(place) is int and place >= 0 for place in pair)
        for pair in value
    )


def _graphs(record: Mapping[str, Any]) -> tuple[Graph, Graph, tuple[tuple[int, int], ...]]:
    graphs, alignment = record["graphs"], record.get("alignment", [])
    if not isinstance(graphs, dict) or not {"source", "output"} <= set(graphs):
        raise ValueError("'graphs' must have 'source' and 'output'")
    source, output = from_mrp(graphs["source"]), from_mrp(graphs["output"])
    sizes = len(source.terminals), len(output.terminals)
    if not _are_pairs(alignment) or not all(i < sizes[0] and j < sizes[1] for i, j in alignment):
        raise ValueError("'alignment' must be pairs of tokens")
    return source, output, tuple((i, j) for i, j in alignment)
