"""What a worker does: from a chunk of raw records to the lines of their results."""

from __future__ import annotations

import pickle
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import uuid4

from usim.batch.cache import PRIVATE, Cache, with_cache
from usim.batch.reading import Chunk, RawRecord, Source, packer
from usim.batch.tasks import BadRecordError, Result, Task, task_runner
from usim.errors import FormatError, UsimError
from usim.records import FORMATS, json_line

_SHOWN = 200  # characters of a bad record

# What a single record can bring about, however odd it is; anything else is the whole job's problem.
_OF_RECORD = (UsimError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class WorkerSettings(NamedTuple):
    """The task of a job and what its workers need beside it.

    Attributes:
        task: the task.
        packing: how results are packed, see :func:`usim.batch.reading.packing_of`.
        cache: the file of parses; :data:`usim.batch.cache.PRIVATE` for one of each worker's own.
        cache_limit: bytes that it may take.
    """

    task: Task
    packing: str | None = None
    cache: str = PRIVATE
    cache_limit: int = 4 * 2**30


class ChunkResult(NamedTuple):
    """The results of a chunk.

    Attributes:
        chunk: its number.
        digest: its digest.
        share: the share of the input that is done with it, None where that is not known.
        results: the lines of its results, packed.
        errors: the lines of its bad records, plain.
        counts: ``records``, ``errors``, ``parsed``, ``hits``, verdicts.
        signature: what the results were made with.
        notes: what the user should hear of.
    """

    chunk: int
    digest: str
    share: float | None
    results: bytes
    errors: bytes
    counts: dict[str, int]
    signature: str
    notes: tuple[str, ...] = ()


class ChunkProcessor:
    """A task with its parser and its judge loaded: chunks in, results out.

    Args:
        settings: the task, and how its results are packed.

    Attributes:
        signature: what results are made with.

    Raises:
        UsimError: the parser or the judge cannot be loaded.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        task = settings.task
        self._task = task
        self._pack = packer(settings.packing, "the output")
        self._cache = Cache(settings.cache, limit=settings.cache_limit)
        self._runner = task_runner(task, with_cache(task.load_parser(), self._cache))
        self.signature = self._runner.signature

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def process(self, chunk: Chunk) -> ChunkResult:
        """Return the results of a chunk."""
        counts: Counter[str] = Counter()
        lines: list[bytes] = []
        errors: list[bytes] = []
        before = self._cache.hits, self._cache.misses
        for raw, outcome in zip(chunk.records, self._outcomes(chunk), strict=True):
            if isinstance(outcome, BadRecordError):
                errors.append(self._error_line(raw, chunk.headers[raw.source], outcome))
            else:
                line, record_counts = outcome
                lines.append(line)
                counts.update(record_counts)
        counts["records"], counts["errors"] = len(lines), len(errors)
        counts["hits"], counts["parsed"] = self._cache.hits - before[0], self._cache.misses - before[1]
        return ChunkResult(
            chunk.number,
            chunk.digest,
            chunk.share,
            self._pack(b"".join(lines)) if lines else b"",
            b"".join(errors),
            dict(counts),
            self.signature,
            () if self._cache.fault is None else (self._cache.fault,),
        )

    def _outcomes(self, chunk: Chunk) -> Iterator[tuple[bytes, Counter[str]] | BadRecordError]:
        """Yield for each record its line and counts, or what is wrong with it."""
        inputs = [self._read(raw, chunk.headers[raw.source]) for raw in chunk.records]
        good = [record for record in inputs if not isinstance(record, BadRecordError)]
        try:
            results: Iterator[Result | BadRecordError] = iter(self._runner.results([item for _, item in good]))
        except _OF_RECORD:
            results = (self._single_result(fields, item) for fields, item in good)
        for raw, record in zip(chunk.records, inputs, strict=True):
            if isinstance(record, BadRecordError):
                yield record
                continue
            result = next(results)
            if isinstance(result, BadRecordError):
                yield result
                continue
            fields = record[0]
            try:
                yield self._line(raw, chunk.headers[raw.source], fields, result[0]), result[1]
            except ValueError as e:
                yield BadRecordError(f"cannot be written as JSON: {e}", fields.get("id"))

    def _single_result(self, fields: Mapping[str, Any], item: Any) -> Result | BadRecordError:
        """Return the result of a single record, after a chunk has failed because of one of them."""
        try:
            (result,) = self._runner.results([item])
        except UsimError as e:
            return BadRecordError(e.message, fields.get("id"))
        except _OF_RECORD as e:
            return BadRecordError(f"{type(e).__name__}: {e}", fields.get("id"))
        return result

    def _read(self, raw: RawRecord, header: Source) -> tuple[dict[str, Any], Any] | BadRecordError:
        """Return the fields of a record and the item to be scored, or what is wrong with it.

        Raises:
            FormatError: the header of its file is not what the task needs.
        """
        try:
            return self._runner.read(FORMATS[header.format], raw.line, header.columns)
        except BadRecordError as e:
            return e
        except FormatError as e:
            raise FormatError(e.message, path=header.path, line=raw.line.number, text=e.text) from e
        except _OF_RECORD as e:
            return BadRecordError(f"cannot be read: {e}")

    def _line(self, raw: RawRecord, header: Source, fields: Mapping[str, Any], result: Mapping[str, Any]) -> bytes:
        own: dict[str, Any] = {"file": header.path} if self._task.with_file else {}
        own |= {"line": raw.line.number, **result}
        # A field that has the name of one of usim's own is kept all the same.
        hidden = {name: value for name, value in fields.items() if name in own or name == "given"}
        kept = {name: value for name, value in fields.items() if name not in hidden}
        return json_line(kept | own | ({"given": hidden} if hidden else {}), allow_nan=False).encode()

    def _error_line(self, raw: RawRecord, header: Source, error: BadRecordError) -> bytes:
        text = raw.line.text
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        place = {"file": header.path, "line": raw.line.number}
        problem = {"reason": error.reason, "text": shown}
        named = {} if error.id is None else {"id": error.id}
        try:
            return json_line({**place, **named, **problem}, allow_nan=False).encode()
        except ValueError:  # an id such as 1e999
            return json_line({**place, **problem}).encode()


# -- in other processes ----------------------------------------------------------------------------------------------


class _Loaded(threading.local):
    """The processor of this thread, and the settings that it was loaded with."""

    settings: bytes = b""
    processor: ChunkProcessor | None = None


_loaded = _Loaded()


def encode_settings(settings: WorkerSettings) -> bytes:
    """Return settings as bytes for :func:`process_chunk`: workers load a parser once for all chunks with equal bytes.

    No two calls return the same bytes: workers may outlive a job, and its file of parses does not.
    """
    try:
        import cloudpickle as pickler  # Dask brings it; it also takes parsers that a notebook defines
    except ImportError:
        import pickle as pickler
    return bytes(pickler.dumps((settings, uuid4().hex)))


def process_chunk(settings: bytes, chunk: Chunk | None) -> ChunkResult:
    """Return the results of a chunk in a worker; without a chunk, its signature alone.

    Args:
        settings: of :func:`encode_settings`.
        chunk: the chunk.
    """
    if _loaded.processor is None or _loaded.settings != settings:
        if _loaded.processor is not None:
            _loaded.processor.close()
            _loaded.processor = None
        decoded, _ = pickle.loads(settings)
        _loaded.processor, _loaded.settings = ChunkProcessor(decoded), settings
    if chunk is None:
        return ChunkResult(-1, "", None, b"", b"", {}, _loaded.processor.signature)
    return _loaded.processor.process(chunk)
