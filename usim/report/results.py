"""Results read back from files: what ``usim score``, ``usim screen`` and ``usim batch`` wrote, pair by pair.

A file has JSON lines, packed or not (``.gz``, ``.zst``), or the one JSON value of ``usim score --format json`` or
``usim explain --format json``. A record with suggestions is as many pairs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, get_args

from usim.errors import FormatError, UsimError
from usim.judge import Verdict
from usim.text import LONGEST_LINE, Path, open_binary, parse_json, read_bounded, split_lines, token_spans, token_texts
from usim.ucca import Graph, from_mrp

Span = tuple[int, int]
_VERDICTS = frozenset(get_args(Verdict))
_LARGEST_VALUE = 2**28  # bytes of a file that is one JSON value
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
    """A record that says itself that it could not be scored.

    Attributes:
        line: the number of its line.
        reason: what was wrong with it.
    """

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no result.

    Attributes:
        error: the file, the line and what is wrong.
    """

    error: FormatError


def read_results(path: Path) -> Iterator[StoredResult | Unscored | BadLine]:
    """Read a file of results, record by record; ``-`` is standard input.

    Raises:
        InputError: the file cannot be opened or read, or the package that unpacks it is missing.
    """
    with open_binary(path) as file:
        yield from read_stream(file, path)


def read_stream(file: IO[bytes], path: Path) -> Iterator[StoredResult | Unscored | BadLine]:
    """Read results from a stream, record by record; ``path`` is its name in errors.

    Raises:
        InputError: the stream cannot be read.
    """
    first = True
    for line in split_lines(file):
        data = line.data.removeprefix(b"\xef\xbb\xbf") if line.number == 1 else line.data
        if not data.strip():
            continue
        if line.is_too_long:
            yield _bad(f"a line of more than {LONGEST_LINE // 2**20} MiB", path, line.number, data)
            continue
        if first and data.strip() == b"{":  # a JSON value over several lines
            yield from _whole(data + read_bounded(file, path, limit=_LARGEST_VALUE), path)
            return
        first = False
        try:
            yield from _results(_object(data), line.number)
        except (ValueError, UsimError) as e:
            yield _bad(e.message if isinstance(e, UsimError) else str(e), path, line.number, data)


def _bad(message: str, path: Path, line: int, data: bytes) -> BadLine:
    text = data.decode("utf-8", "replace").strip()
    return BadLine(FormatError(message, path=path, line=line, text=text[:_SHOWN] + "…" * (len(text) > _SHOWN)))


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = parse_json(data.decode("utf-8"))
    except json.JSONDecodeError as e:
        raise ValueError(f"not JSON ({e.msg})") from e
    if not isinstance(value, dict):
        raise ValueError("a result is a JSON object")
    return value


def _whole(data: bytes, path: Path) -> Iterator[StoredResult | Unscored | BadLine]:
    try:
        value = _object(data)
        records = value.get("results", [value])
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise ValueError("'results' must be an array of objects")
    except ValueError as e:
        yield _bad(str(e), path, 1, data[:1000])
        return
    for number, record in enumerate(records, start=1):
        try:
            yield from _results(record, number)
        except (ValueError, UsimError) as e:
            message = e.message if isinstance(e, UsimError) else str(e)
            yield _bad(f"result {number}: {message}", path, 1, json.dumps(record).encode()[:1000])


def _results(record: Mapping[str, Any], line: int) -> Iterator[StoredResult | Unscored]:
    """Yield the results of a record.

    Raises:
        ValueError: it is none.
        UsimError: it has graphs that are none.
    """
    if isinstance(record.get("error"), str):
        yield Unscored(line, record["error"])
        return
    name = record.get("id")
    name = str(name) if isinstance(name, str | int) and name != "" else str(record.get("line", line))
    if "suggestions" not in record:
        yield _result(record, name)
        return
    suggestions = record["suggestions"]
    if not isinstance(suggestions, list) or not all(isinstance(each, dict) for each in suggestions):
        raise ValueError("'suggestions' must be an array of objects")
    # All of a record or nothing of it.
    yield from [_result(each, name) for each in suggestions]


def _result(record: Mapping[str, Any], name: str) -> StoredResult:
    for key in ("source", "output"):
        if not isinstance(record.get(key), str):
            raise ValueError(f"no text {key!r}: not a result of usim score, screen or batch")
    source, output = record["source"], record["output"]
    usim = _share(record, "score" if "score" in record else "usim")
    verdict = record.get("verdict")
    if verdict is not None and str(verdict) not in _VERDICTS:
        raise ValueError(f"'verdict' must be keep, review or drop, not {json.dumps(verdict)[:_SHOWN]}")
    reasons = record.get("reasons") or []
    if not isinstance(reasons, list) or not all(isinstance(reason, dict) for reason in reasons):
        raise ValueError("'reasons' must be an array of objects")
    language = record.get("language")
    return StoredResult(
        name,
        source,
        output,
        usim if verdict is None else _share(record, "faithfulness"),
        verdict,
        usim,
        tuple(_reason(reason, source, output) for reason in reasons if reason.get("shown", True)),
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
    if not isinstance(spans, list) or not all(_is_span(span, len(text)) for span in spans):
        raise ValueError(f"'{side}_spans' must be an array of places in the text")
    return tuple((start, end) for start, end in spans)


def _is_span(span: object, length: int) -> bool:
    return (
        isinstance(span, list)
        and len(span) == 2
        and all(type(place) is int for place in span)
        and 0 <= span[0] <= span[1] <= length
    )


def _graphs(record: Mapping[str, Any]) -> tuple[Graph, Graph, tuple[tuple[int, int], ...]]:
    graphs, alignment = record["graphs"], record.get("alignment", [])
    if not isinstance(graphs, dict) or not {"source", "output"} <= set(graphs):
        raise ValueError("'graphs' must have 'source' and 'output'")
    source, output = from_mrp(graphs["source"]), from_mrp(graphs["output"])
    sizes = len(source.terminals), len(output.terminals)
    pairs = []
    for pair in alignment if isinstance(alignment, list) else [alignment]:
        if not (
            isinstance(pair, list)
            and len(pair) == 2
            and all(type(place) is int and 0 <= place < size for place, size in zip(pair, sizes, strict=True))
        ):
            raise ValueError("'alignment' must be pairs of tokens")
        pairs.append((pair[0], pair[1]))
    return source, output, tuple(pairs)
