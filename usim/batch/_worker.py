"""What a worker does: from a chunk of raw records to the lines of their results."""

from __future__ import annotations

import pickle
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import uuid4

from usim.batch._reading import Chunk, RawRecord, Source, packer
from usim.batch._tasks import BadRecordError, PairRunner, Result, SuggestionRunner, Task, TextRunner
from usim.errors import FormatError, SuggestionError, UsimError
from usim.records import FORMATS
from usim.records.formats import read_fields
from usim.records.tables import unmarked_value
from usim.text.codec import encode

_SHOWN = 200  # characters of a bad record

# What a single record can bring about, however odd it is; anything else is the whole job's problem.
_OF_RECORD = (UsimError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class WorkerSettings(NamedTuple):
    """The task of a job, and the output, whose ending says how results are packed."""

    task: Task
    output: str


class ChunkResult(NamedTuple):
    """The results of a chunk.

    Attributes:
        signature: what the results were made with.
        digest, share: of the chunk, see ``usim.batch._reading.Chunk``.
        results: the lines of its results, packed.
        errors: the lines of its bad records, plain.
        counts: ``records``, ``errors``, verdicts.
    """

    signature: str
    digest: str = ""
    share: float | None = None
    results: bytes = b""
    errors: bytes = b""
    counts: Mapping[str, int] = {}


class ChunkProcessor:
    """A task with its parser and its judge loaded: chunks in, results out."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._task = settings.task
        self._pack = packer(settings.output)
        kind = {"score": PairRunner, "screen": SuggestionRunner, "compare": TextRunner}[settings.task.kind]
        self._runner: Any = kind(settings.task, settings.task.load_parser())

    def process(self, chunk: Chunk | None) -> ChunkResult:
        """Return the results of a chunk; without one, the signature alone."""
        signature = self._runner.signature
        if chunk is None:
            return ChunkResult(signature)
        counts: Counter[str] = Counter()
        lines: list[bytes] = []
        errors: list[bytes] = []
        for raw, outcome in zip(chunk.records, self._outcomes(chunk), strict=True):
            header = chunk.headers[raw.source]
            if not isinstance(outcome, BadRecordError):
                fields, (result, record_counts) = outcome
                lines.append(self._line(raw, header, fields, result))
                counts.update(record_counts)
            else:
                errors.append(self._error_line(raw, header, outcome))
        counts["records"], counts["errors"] = len(lines), len(errors)
        results = self._pack(b"".join(lines)) if lines else b""
        return ChunkResult(signature, chunk.digest, chunk.share, results, b"".join(errors), dict(counts))

    def _outcomes(self, chunk: Chunk) -> Iterator[tuple[Mapping[str, Any], Result] | BadRecordError]:
        """Yield for each record its fields and its result, or what is wrong with it."""
        inputs = [self._read(raw, chunk.headers[raw.source]) for raw in chunk.records]
        good = [record for record in inputs if not isinstance(record, BadRecordError)]
        try:
            results: Iterator[Result | BadRecordError] = iter(self._runner.results([item for _, item in good]))
        except _OF_RECORD:
            results = (self._single_result(fields, item) for fields, item in good)
        for record in inputs:
            if isinstance(record, BadRecordError):
                yield record
            else:
                result = next(results)
                yield result if isinstance(result, BadRecordError) else (record[0], result)

    def _single_result(self, fields: Mapping[str, Any], item: Any) -> Result | BadRecordError:
        """Return the result of a single record, after a chunk has failed because of one of them."""
        result: Result | BadRecordError
        try:
            (result,) = self._runner.results([item])
        except UsimError as e:
            return BadRecordError(e.message, fields.get("id"))
        except _OF_RECORD as e:
            return BadRecordError(f"{type(e).__name__}: {e}", fields.get("id"))
        return result

    def _read(self, raw: RawRecord, header: Source) -> tuple[dict[str, Any], Any] | BadRecordError:
        """Return the fields of a record and the item to be scored, or what is wrong with it."""
        form = FORMATS[header.format]
        try:
            fields = read_fields(form, raw.line, header.columns)
            return fields, self._runner.item(fields, form, raw.line, header.columns)
        except BadRecordError as e:
            return e
        except SuggestionError as e:
            return BadRecordError(e.message)
        except FormatError as e:
            raise FormatError(e.message, path=header.path, line=raw.line.number, text=e.text) from e
        except _OF_RECORD as e:
            return BadRecordError(f"cannot be read: {e}")

    def _line(self, raw: RawRecord, header: Source, fields: Mapping[str, Any], result: Mapping[str, Any]) -> bytes:
        own: dict[str, Any] = {"file": header.path} if self._task.with_file else {}
        own |= {"line": raw.line.number, **result}
        # A field that has the name of one of usim's own is kept all the same.
        fields = {name: unmarked_value(value) for name, value in fields.items()}
        hidden = {name: value for name, value in fields.items() if name in own or name == "given"}
        kept = {name: value for name, value in fields.items() if name not in hidden}
        return encode(kept | own | ({"given": hidden} if hidden else {})) + b"\n"

    def _error_line(self, raw: RawRecord, header: Source, error: BadRecordError) -> bytes:
        text = raw.line.text
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        place = {"file": header.path, "line": raw.line.number}
        problem = {"reason": error.reason, "text": shown}
        named = {} if error.id is None else {"id": unmarked_value(error.id)}
        return encode({**place, **named, **problem}) + b"\n"


# -- in other processes ----------------------------------------------------------------------------------------------


#: The processor of each thread, and the settings that it was loaded with.
_loaded = threading.local()


def encode_settings(settings: WorkerSettings) -> bytes:
    """Return settings as bytes for :func:`process_chunk`: workers load a parser once for all chunks with equal bytes.

    No two calls return the same bytes: workers may outlive a job, and files that its task names may change.
    """
    try:
        import cloudpickle as pickler  # Dask brings it; it also takes parsers that a notebook defines
    except ImportError:
        import pickle as pickler
    return bytes(pickler.dumps((settings, uuid4().hex)))


def process_chunk(settings: bytes, chunk: Chunk | None) -> ChunkResult:
    """Return the results of a chunk in a worker that gets its settings by :func:`encode_settings`."""
    if getattr(_loaded, "settings", None) != settings:
        decoded, _ = pickle.loads(settings)
        _loaded.processor, _loaded.settings = ChunkProcessor(decoded), settings
    result: ChunkResult = _loaded.processor.process(chunk)
    return result
