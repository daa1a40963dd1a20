"""What a worker does: from a chunk of raw records to the lines of their results.

The results of a chunk depend on nothing but the chunk and the task.
"""

from __future__ import annotations

import pickle
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Literal
from uuid import uuid4

from msgspec import Struct

from usim.batch._backends import Workers
from usim.batch._reading import Chunk, Source
from usim.errors import FormatError, LanguageWarning, UsimError
from usim.judge import Result
from usim.options import Options
from usim.records import FORMATS, BadRecord, Columns, Format, Line, RecordError, read_pair
from usim.records.formats import read_fields
from usim.records.tables import checked_names, record_id, suggestion_columns
from usim.scorer import Pair, Scorer
from usim.screen import Screen
from usim.text import as_list, check_length
from usim.text.codec import encode

_SHOWN = 200  # characters of a bad record

#: A record's result: its fields.
Outcome = dict[str, Any]
# What a single record can bring about, however odd it is; anything else is the whole job's problem.
_OF_RECORD = (UsimError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class Task(Options):
    """What is to be done with each record; all that its result depends on, see :class:`usim.options.Options`, too.

    Attributes:
        kind: ``score`` pairs, ``screen`` suggestions for a text, ``compare`` two versions of a text.
        names: of the fields of a pair; by default ``source`` and ``output``, of two texts ``before`` and ``after``.
        with_file: whether results name their file.
    """

    kind: Literal["score", "screen", "compare"] = "score"
    names: tuple[str, str] | None = field(default=None, kw_only=True)
    with_file: bool = field(default=False, kw_only=True)

    @property
    def fields(self) -> tuple[str, str]:
        return self.names or (("before", "after") if self.kind == "compare" else ("source", "output"))

    def columns(self, cells: Sequence[str]) -> Columns:
        """Return the columns of a table by its first row; raise a FormatError if it names others than are needed."""
        if self.kind == "screen":
            return suggestion_columns(cells)
        names = checked_names(cells)
        if not set(self.fields) <= set(names):
            source, output = self.fields
            is_screened = "sentence" in names
            hint = "suggestions are for --task screen" if is_screened else "name them by --columns SOURCE,OUTPUT"
            message = f"no columns {source!r} and {output!r} in the first row; {hint}"
            raise FormatError(message, text=", ".join(names))
        return Columns(names)


class ChunkResult(Struct, frozen=True):
    """The lines of the results and of the bad records of a chunk, counts of both, and what they were made with."""

    signature: str
    digest: str = ""
    share: float | None = None
    counts: dict[str, int] = {}
    results: str = ""
    errors: str = ""


class ChunkProcessor:
    """A task with its parser and its judge loaded: chunks in, results out."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._engine: Any = Screen(options=task) if task.kind == "screen" else Scorer(options=task)

    def __call__(self, chunk: Chunk | None) -> ChunkResult:
        """Return the results of a chunk; without one, the signature alone."""
        signature = str(self._engine.signature)
        if chunk is None:
            return ChunkResult(signature)
        counts: Counter[str] = Counter()
        lines: list[bytes] = []
        errors: list[bytes] = []
        for line, fields, outcome in self._outcomes(chunk):
            if isinstance(outcome, str):
                errors.append(_error_line(line, chunk.source.path, fields, outcome))
            else:
                lines.append(self._line(line, chunk.source.path, fields, outcome))
                suggestions = outcome.get("suggestions")
                counts.update(each["verdict"] for each in (suggestions or [outcome]) if "verdict" in each)
                counts["suggestions"] += len(suggestions or ())
        counts["records"], counts["errors"] = len(lines), len(errors)
        texts = (b"".join(part).decode() for part in (lines, errors))
        return ChunkResult(signature, chunk.digest, chunk.share, dict(counts), *texts)

    def _outcomes(self, chunk: Chunk) -> Iterator[tuple[Line, dict[str, Any], Outcome | str]]:
        """Yield each record with its fields and its result, or why there is none."""
        inputs = [(line, *self._read(line, chunk.source)) for line in chunk.lines]
        good = [item for _, _, item, error in inputs if error is None]
        with warnings.catch_warnings(action="ignore", category=LanguageWarning):  # each result names its language
            results: Iterator[Outcome | str] = map(self._single_result, good)
            if self._task.kind != "compare":  # texts have nothing in common that would be read once
                with suppress(*_OF_RECORD):
                    results = iter(self._results(good))
            for line, fields, _, error in inputs:
                yield line, fields, next(results) if error is None else error

    def _single_result(self, item: Any) -> Outcome | str:
        try:
            (result,) = self._results([item])
        except _OF_RECORD as e:
            return e.message if isinstance(e, UsimError) else f"{type(e).__name__}: {e}"
        return result

    def _results(self, items: Sequence[Any]) -> list[Outcome | str]:
        """Return the result of each item, or why there is none."""
        engine = self._engine
        engine.sources.clear()  # the last bits of vectors may depend on what is read together
        if self._task.kind == "score":
            return [result.to_dict() for result in engine.score_pairs(items, batch=max(1, len(items)))]
        if self._task.kind == "compare":
            return [engine.compare_texts(before, after).to_dict() for before, after, _ in items]
        return [
            part.error.message
            if isinstance(part, BadRecord)
            else {"suggestions": [{**each.to_dict(), **s.about} for each, s in zip(own, part.suggestions, strict=True)]}
            for part, own in engine.screen_records(items)
        ]

    def _read(self, line: Line, source: Source) -> tuple[dict[str, Any], Any, str | None]:
        """Return the fields of a record and the item to be scored; or the fields, None and what is wrong."""
        form = FORMATS[source.format]
        fields: dict[str, Any] = {}
        try:
            fields = read_fields(form, line)
            return fields, self._item(fields, form, line), None
        except FormatError as e:
            raise FormatError(e.message, path=source.path, line=line.number, text=e.text) from e
        except _OF_RECORD as e:
            return fields, None, e.message if isinstance(e, UsimError) else f"cannot be read: {e}"

    def _item(self, fields: dict[str, Any], form: Format, line: Line) -> Any:
        """Return what is judged of a record, and remove the fields of a pair, which the output does not repeat."""
        if self._task.kind == "screen":
            return form.record(fields, record_id(fields, line), line)
        names = self._task.fields
        if form is FORMATS["m2"] and names[1] not in fields:
            if names[1] == "output":
                raise RecordError("M2 has annotators in place of an output: --columns source,0 names the first")
            fields[names[1]] = fields.get(names[0])  # an annotator without an edit leaves a sentence as it is
        texts, context = read_pair(fields, names)
        for name, text in zip(names, texts, strict=True):
            if self._task.kind == "score":
                check_length(text, repr(name), max_tokens=self._task.max_tokens)
            fields.pop(name, None)
        return (*texts, context)

    def _line(self, line: Line, path: str, fields: Mapping[str, Any], result: Mapping[str, Any]) -> bytes:
        own: dict[str, Any] = {"file": path} if self._task.with_file else {}
        own |= {"line": line.number, **result}
        # A field that has the name of one of usim's own is kept all the same.
        hidden = {name: value for name, value in fields.items() if name in own or name == "given"}
        kept = {name: value for name, value in fields.items() if name not in hidden}
        return encode(kept | own | ({"given": hidden} if hidden else {})) + b"\n"


def _error_line(line: Line, path: str, fields: Mapping[str, Any], reason: str) -> bytes:
    shown = line.text if len(line.text) <= _SHOWN else line.text[: _SHOWN - 1] + "…"
    named = {} if fields.get("id") is None else {"id": fields["id"]}
    return encode({"file": path, "line": line.number, **named, "reason": reason, "text": shown}) + b"\n"


#: What each thread has loaded, and the bytes that it was made from.
_kept = threading.local()


def _there(pickled: bytes, chunk: Any) -> Any:
    """Work on a chunk with what pickled settings make: it is made once for all calls of a thread with equal bytes."""
    if getattr(_kept, "pickled", None) != pickled:
        make, settings, _ = pickle.loads(pickled)
        _kept.work, _kept.pickled = make(settings), pickled
    return _kept.work(chunk)


def chunk_function(task: Task, workers: Workers) -> Callable[[Chunk | None], ChunkResult]:
    """Return what the workers do with a chunk; each loads the parser once for a job."""
    if workers.is_this_process:
        return ChunkProcessor(task)
    try:
        import cloudpickle as pickler  # joblib or Dask brings it; it also takes parsers that a notebook defines
    except ImportError:
        import pickle as pickler
    # No two jobs have the same bytes: workers may outlive a job, and files that its task names may change.
    return partial(_there, bytes(pickler.dumps((ChunkProcessor, task, uuid4().hex))))


def score_many(pairs: Iterable[Pair], *, n_jobs: int | None, scorer: Scorer, chunk: int) -> Iterator[Result]:
    """Score pairs on many cores; see :func:`usim.score_many`."""
    workers = Workers(n_jobs)
    pickled = (_scoring, scorer.options, "")
    score = partial(_score, scorer) if workers.is_this_process else partial(_there, pickle.dumps(pickled))
    stream = map(as_list, pairs)
    for results in workers.map(score, iter(lambda: list(islice(stream, chunk)), [])):
        yield from results


def _scoring(options: Options) -> Callable[[list[Pair]], list[Result]]:
    return partial(_score, Scorer(options=options))


def _score(scorer: Scorer, chunk: list[Pair]) -> list[Result]:
    scorer.sources.clear()
    return list(scorer.score_pairs(chunk, batch=len(chunk)))
