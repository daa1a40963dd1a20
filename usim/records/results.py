"""Results read back from files: what ``usim score``, ``usim screen`` and ``usim batch`` wrote, pair by pair.

A file has JSON lines, or is Parquet, in whose cells lists are JSON. A record with suggestions is as many pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct

from usim.errors import FormatError, UsimError
from usim.evidence import Finding
from usim.measures import Alignment, UsimScore, usim_score
from usim.records._record import Line
from usim.records.formats import find_format, read_rows
from usim.text.codec import Share, read_as
from usim.text.files import Path, parse_json
from usim.ucca import from_mrp
from usim.verdicts import Cause, Judgement, Result, Verdict

_NESTED = ("usim", "cause", "findings", "suggestions")  # JSON in the cells of Parquet
_SHOWN = 60  # characters of a bad line in its message

_Places = tuple[tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]], ...]


class _Pair(Struct):
    """A result as JSON has it; ``score`` is USim in one number, or ``usim`` where there is no ``score``."""

    source: str
    output: str
    faithfulness: Share
    verdict: Verdict
    cause: Cause | None = None
    score: Share | None = None
    usim: Any = None
    findings: list[Finding] | None = None
    language: Any = None
    graphs: dict[str, Any] | None = None
    alignment: _Places = ()


class _Record(Struct):
    error: Any = None
    id: Any = None
    line: Any = None
    suggestions: list[_Pair] | None = None


def read_results(path: Path, *, records: Iterable[Line] | None = None) -> Iterator[Result | str | FormatError]:
    """Yield the results in a file, record by record; ``-`` is standard input.

    A record that could not be scored comes as the reason why, and a line that is no result as an error. If there are
    ``records``, these lines of JSON are read in place of the file, whose path is for errors then.

    Raises:
        InputError: the file cannot be opened or read, or the package that unpacks it is missing.
    """
    is_parquet = records is None and find_format(path) == "parquet"
    for line, fields in read_rows(path, "parquet" if is_parquet else "jsonl", records=records):
        try:
            if line.error:
                raise FormatError(line.error)
            nested = [name for name in _NESTED if isinstance(fields.get(name), str)] if is_parquet else []
            yield from _results(fields | {name: parse_json(fields[name]) for name in nested}, line.number)
        except UsimError as e:
            text = line.text.strip()
            shown = text[:_SHOWN] + "…" * (len(text) > _SHOWN)
            yield FormatError(e.message, path=path, line=line.number, text=shown)


def _results(fields: dict[str, Any], line: int) -> list[Result | str]:
    """Return the results of a record; raise a UsimError where it is none."""
    record = read_as(fields, _Record)
    if isinstance(record.error, str):
        return [record.error]
    has_id = isinstance(record.id, str | int) and record.id != ""
    name = str(record.id if has_id else line if record.line is None else record.line)
    pairs = [read_as(fields, _Pair)] if "suggestions" not in fields else record.suggestions or []
    return [_result(pair, name) for pair in pairs]


def _result(pair: _Pair, name: str) -> Result:
    usim = read_as(pair.usim, Share) if pair.score is None else pair.score
    language = pair.language if isinstance(pair.language, str) else None
    findings = tuple(finding for finding in pair.findings or () if finding.is_shown)
    for finding in findings:
        for spans, text in ((finding.source_spans, pair.source), (finding.output_spans, pair.output)):
            if not all(0 <= start <= end <= len(text) for start, end in spans):
                raise FormatError("`source_spans` and `output_spans` must be places in the text")
    usim_score = None if pair.graphs is None else _usim_score(pair.graphs, pair.alignment)
    judgement = Judgement(pair.faithfulness, findings, usim_score, verdict=pair.verdict, cause=pair.cause)
    return Result(pair.source, pair.output, usim, judgement, language=language, name=name)


def _usim_score(graphs: dict[str, Any], alignment: _Places) -> UsimScore:
    if not {"source", "output"} <= graphs.keys():
        raise FormatError("`graphs` must have `source` and `output`")
    source, output = from_mrp(graphs["source"]), from_mrp(graphs["output"])
    sizes = len(source.terminals), len(output.terminals)
    if not all(i < sizes[0] and j < sizes[1] for i, j in alignment):
        raise FormatError("`alignment` must be pairs of tokens")
    return usim_score(source, output, token_alignment=Alignment.from_pairs(alignment, *sizes))
