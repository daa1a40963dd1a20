"""What a worker does: from a chunk of raw records to the lines of their results.

This is the one place where the batch meets the rest of usim: :class:`usim.scorer.Scorer` and
:class:`usim.screen.Screen`. Everything goes by chunks, and the results of a chunk depend on nothing but the chunk
and the task.
"""

from __future__ import annotations

import json
import os
import pickle
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from usim._version import __version__
from usim.batch.cache import PRIVATE, Cache
from usim.batch.reading import Chunk, Header, Raw, packer
from usim.batch.remembering import remembering
from usim.errors import InputError, UsimError
from usim.judge import DEFAULT_JUDGE, Judge, Thresholds, resolve_judge
from usim.measures import PRESETS, usim_score
from usim.parsing import Parser, load
from usim.scorer import Scorer
from usim.screen import Screen, Screened
from usim.suggestions import BadRecord, Record
from usim.suggestions import jsonl as suggestions_jsonl
from usim.suggestions import tsv as suggestions_tsv
from usim.text import tokenise

#: No judge: USim alone, without a verdict and reasons.
NO_JUDGE = "none"
_SHOWN = 200  # characters of a bad record
_LONG_TOKEN = 64  # characters; a text of longer ones is none

# What a single record can bring about, however odd it is; anything else is the whole job's problem.
_OF_RECORD = (UsimError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class Task:
    """What is to be done with each record; all that its result depends on.

    Attributes:
        kind: ``score``: pairs of a source and an output; ``screen``: suggestions for a text.
        parser: a parser, or the name of one for :func:`usim.parsing.load`.
        guidelines: see :func:`usim.parsing.load`.
        threads: how many threads the parser of each worker may use.
        preset: the name of a preset, see :data:`usim.measures.PRESETS`.
        judge: a judge, the name of one for :func:`usim.judge.load_judge`, or ``none``.
        keep, drop: where verdicts change; by default the judge's own.
        inflect, context: whether substitutes are lemmas, and whether sentences are read with the text around them, see
            :class:`usim.screen.Screen`.
        tokenised: whether the tokens of pairs are what stands between blanks.
        source_field, output_field: the fields that have the sentences of a pair.
        max_tokens: a text with more is a bad record.
        with_file: whether results name their file.
    """

    kind: Literal["score", "screen"] = "score"
    parser: str | Parser = "en"
    guidelines: int | None = None
    threads: int = 1
    preset: str = "default"
    judge: str | Judge = DEFAULT_JUDGE
    keep: float | None = None
    drop: float | None = None
    inflect: bool = False
    context: bool = False
    tokenised: bool = False
    source_field: str = "source"
    output_field: str = "output"
    max_tokens: int = 2000
    with_file: bool = False

    def with_header(self, line: bytes) -> bool:
        """Whether the first line of a TSV file names the columns."""
        names = line.decode("utf-8", "replace").split("\t")
        if self.kind == "screen":
            return "sentence" in (name.strip().lower() for name in names)
        return self.source_field in names and self.output_field in names


class Settings(NamedTuple):
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


class Done(NamedTuple):
    """What came of a chunk.

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


class _BadError(Exception):
    """What is wrong with a record, and its id where it has one."""

    def __init__(self, reason: str, id: object = None) -> None:
        super().__init__(reason)
        self.reason, self.id = reason, id


#: The fields that a result has, after those that were given; and what it adds to the counts.
Found = tuple[dict[str, Any], Counter[str]]


class Engine:
    """Does the work of chunks; holds the loaded parser, the judge and the open cache.

    Raises:
        UsimError: the parser or the judge cannot be loaded, or a package is missing.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings, self._task = settings, settings.task
        self._pack = packer(settings.packing, "the output")
        task = self._task
        parser = task.parser
        if isinstance(parser, str):
            parser = load(parser, threads=task.threads, guidelines=task.guidelines)
        self._cache = Cache(settings.cache, limit=settings.cache_limit)
        kinds: dict[str, type[_Kind]] = {"score": _Plain if task.judge == NO_JUDGE else _Pairs, "screen": _Suggestions}
        self._kind = kinds[task.kind](task, remembering(parser, self._cache))
        self.signature = self._kind.signature

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def work(self, chunk: Chunk) -> Done:
        """The results of a chunk."""
        counts: Counter[str] = Counter()
        results: list[bytes] = []
        errors: list[bytes] = []
        before = self._cache.hits, self._cache.misses
        for raw, found in zip(chunk.records, self._found(chunk), strict=True):
            if isinstance(found, _BadError):
                errors.append(self._error(raw, chunk.headers[raw.source], found))
            else:
                line, counted = found
                results.append(line)
                counts.update(counted)
        counts["records"], counts["errors"] = len(results), len(errors)
        counts["hits"], counts["parsed"] = self._cache.hits - before[0], self._cache.misses - before[1]
        return Done(
            chunk.number,
            chunk.digest,
            chunk.done,
            self._pack(b"".join(results)) if results else b"",
            b"".join(errors),
            dict(counts),
            self.signature,
            () if self._cache.fault is None else (self._cache.fault,),
        )

    def _found(self, chunk: Chunk) -> Iterator[tuple[bytes, Counter[str]] | _BadError]:
        """For each record its line, or what is wrong with it."""
        read = [self._read(raw, chunk.headers[raw.source]) for raw in chunk.records]
        good = [item for item in read if not isinstance(item, _BadError)]
        try:
            found: Iterator[Found | _BadError] = iter(self._kind.found([item for _, item in good]))
        except _OF_RECORD:
            found = (self._alone(given, item) for given, item in good)
        for raw, one in zip(chunk.records, read, strict=True):
            if isinstance(one, _BadError):
                yield one
                continue
            made = next(found)
            if isinstance(made, _BadError):
                yield made
                continue
            try:
                yield self._line(raw, chunk.headers[raw.source], one[0], made[0]), made[1]
            except ValueError as e:
                yield _BadError(f"cannot be written as JSON: {e}", one[0].get("id"))

    def _alone(self, given: Mapping[str, Any], item: Any) -> Found | _BadError:
        """The result of a single record, after a chunk has failed because of one of them."""
        try:
            (found,) = self._kind.found([item])
        except UsimError as e:
            return _BadError(e.message, given.get("id"))
        except _OF_RECORD as e:
            return _BadError(f"{type(e).__name__}: {e}", given.get("id"))
        return found

    def _read(self, raw: Raw, header: Header) -> tuple[dict[str, Any], Any] | _BadError:
        """What was given, and what of it is worked on."""
        try:
            if raw.error is not None:
                raise _BadError(raw.error)
            try:
                text = raw.data.decode()
            except UnicodeDecodeError as e:
                raise _BadError(
                    f"not UTF-8: byte 0x{raw.data[e.start]:02x} at position {e.start + 1}; convert the file"
                ) from e
            return self._kind.read(text, raw.line, header)
        except _BadError as e:
            return e

    def _line(self, raw: Raw, header: Header, given: Mapping[str, Any], found: Mapping[str, Any]) -> bytes:
        own: dict[str, Any] = {"file": header.path} if self._task.with_file else {}
        own |= {"line": raw.line, **found}
        # A field that has the name of one of usim's own is kept all the same.
        hidden = {name: value for name, value in given.items() if name in own or name == "given"}
        kept = {name: value for name, value in given.items() if name not in hidden}
        return _json(kept | own | ({"given": hidden} if hidden else {}))

    def _error(self, raw: Raw, header: Header, bad: _BadError) -> bytes:
        text = raw.data[: 4 * _SHOWN].decode("utf-8", "replace")
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        name = {} if bad.id is None else {"id": bad.id}
        return _json({"file": header.path, "line": raw.line, **name, "reason": bad.reason, "text": shown})


def _json(value: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can write and UTF-8 cannot
        return json.dumps(value, allow_nan=False).encode() + b"\n"


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as e:
        raise _BadError(f"not JSON ({e.msg}, column {e.colno})") from e
    except RecursionError as e:
        raise _BadError("not JSON that can be read (nested too deeply)") from e
    except ValueError as e:
        raise _BadError(f"not JSON that can be read ({e})") from e
    if not isinstance(value, dict):
        raise _BadError("a JSON object is needed on every line")
    return value


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


# -- the tasks -------------------------------------------------------------------------------------------------------


class _Kind:
    """A kind of task: how a record is read, and what comes of many of them."""

    signature: str

    def __init__(self, task: Task, parser: Parser) -> None:
        self.task = task
        self.parser = parser

    def read(self, text: str, line: int, header: Header) -> tuple[dict[str, Any], Any]:
        """The fields that were given and are kept, and what is worked on.

        Raises:
            _BadError: it is not what the task needs.
        """
        raise NotImplementedError

    def found(self, items: Sequence[Any]) -> list[Found | _BadError]:
        """What comes of what was read."""
        raise NotImplementedError

    def check_length(self, text: str, name: str, id: object) -> None:
        """Refuse a text that is too long to be a sentence or a passage."""
        limit = self.task.max_tokens
        if len(text) <= limit:
            return
        # Megabytes of text are not worth being cut into tokens.
        count, what = len(text.split()), "words"
        if count <= limit:
            count, what = len(text) // _LONG_TOKEN, "tokens"
        if count <= limit:
            count, what = len(tokenise(text)), "tokens"
        if count > limit:
            raise _BadError(f"{name} has {count} {what} or more, and {limit} are the most: cut it into passages", id)

    def make_judge(self) -> Judge:
        """The judge of the task, with its thresholds."""
        task = self.task
        preset = PRESETS[task.preset]
        try:
            judge = resolve_judge(task.judge, preset=preset, threads=task.threads)
            own = judge.thresholds
            keep, drop = (own.keep if task.keep is None else task.keep), (own.drop if task.drop is None else task.drop)
            return resolve_judge(judge, Thresholds(keep, drop))
        except ValueError as e:
            raise InputError(str(e)) from e


Sentence = str | tuple[str, ...]


class _PairKind(_Kind):
    """Pairs of a source and an output."""

    def read(self, text: str, line: int, header: Header) -> tuple[dict[str, Any], Any]:
        task = self.task
        if header.format == "tsv":
            cells = text.split("\t")
            columns = [task.source_field, task.output_field]
            if header.first:
                columns = header.first.decode("utf-8", "replace").split("\t")
            if len(cells) != len(columns):
                raise _BadError(f"{len(cells)} cells, and {len(columns)} are needed: {', '.join(columns)}")
            given: dict[str, Any] = dict(zip(columns, cells, strict=True))
        else:
            given = _object(text)
        pair = tuple(self._sentence(given, name) for name in (task.source_field, task.output_field))
        for name in (task.source_field, task.output_field):
            given.pop(name, None)
        return given, pair

    def _sentence(self, given: Mapping[str, Any], name: str) -> Sentence:
        id = given.get("id")
        if name not in given:
            raise _BadError(f"no field {name!r}", id)
        value = given[name]
        if isinstance(value, str):
            self.check_length(value, repr(name), id)
            return tuple(value.split()) if self.task.tokenised else value
        if isinstance(value, list) and all(isinstance(token, str) and token for token in value):
            if len(value) > self.task.max_tokens:
                raise _BadError(f"{name!r} has {len(value)} tokens, and {self.task.max_tokens} are the most", id)
            return tuple(value)
        raise _BadError(f"{name!r} must be a text, or an array of its tokens", id)


class _Plain(_PairKind):
    """Pairs with USim alone."""

    def __init__(self, task: Task, parser: Parser) -> None:
        super().__init__(task, parser)
        self.preset = PRESETS[task.preset]
        self.signature = f"usim|parser:{parser.name}|{self.preset.signature}|v:{__version__}"

    def found(self, items: Sequence[tuple[Sentence, Sentence]]) -> list[Found | _BadError]:
        distinct = list(dict.fromkeys(sentence for pair in items for sentence in pair))
        graphs = dict(zip(distinct, self.parser.parse(distinct), strict=True))
        made: list[Found | _BadError] = []
        for source, output in items:
            score = usim_score(graphs[source], graphs[output], self.preset)
            texts = {"source": _shown(source), "output": _shown(output)}
            made.append(({**texts, "score": score.f, "usim": score.as_dict()}, Counter()))
        return made


class _Pairs(_PairKind):
    """Pairs with a judgement."""

    def __init__(self, task: Task, parser: Parser) -> None:
        super().__init__(task, parser)
        self._scorer = Scorer(parser, judge=self.make_judge(), preset=PRESETS[task.preset], threads=task.threads)
        self.signature = self._scorer.signature

    def found(self, items: Sequence[tuple[Sentence, Sentence]]) -> list[Found | _BadError]:
        self._scorer.sources.clear()  # the last bits of vectors may depend on what is read together
        results = self._scorer.score_pairs(items, batch=max(1, len(items)))
        return [(result.as_dict(), Counter({result.judgement.verdict: 1})) for result in results]


def _shown(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else " ".join(sentence)


class _Suggestions(_Kind):
    """Suggestions for texts."""

    def __init__(self, task: Task, parser: Parser) -> None:
        super().__init__(task, parser)
        self._screen = Screen(
            parser,
            self.make_judge(),
            threads=task.threads,
            inflect=task.inflect,
            context=task.context,
            preset=PRESETS[task.preset],
        )
        self.signature = self._screen.signature

    def read(self, text: str, line: int, header: Header) -> tuple[dict[str, Any], Any]:
        given: dict[str, Any]
        if header.format == "tsv":
            columns: tuple[str, ...] = suggestions_tsv.COLUMNS
            if header.first:
                columns = suggestions_tsv.header_of(header.first.decode("utf-8", "replace"), header.path, 1) or columns
            part = suggestions_tsv.part(text, columns, line, header.path)
            cells = text.split("\t")
            given = dict(zip(columns[:-1], cells, strict=False))
            given[columns[-1]] = [cell for cell in cells[len(columns) - 1 :] if cell.strip()]
        else:
            given = _object(text)
            part = suggestions_jsonl.part(text, line, header.path)
        if isinstance(part, BadRecord):
            raise _BadError(part.error.message, part.id if part.id != line else None)
        assert isinstance(part, Record)
        self.check_length(part.text, "'sentence'", part.id)
        for suggestion in part.suggestions:
            self.check_length(suggestion.substitute, "a suggestion", part.id)
        return given, part

    def found(self, items: Sequence[Record]) -> list[Found | _BadError]:
        self._screen.sources.clear()
        made: list[Found | _BadError] = []
        for record, (part, found) in zip(items, self._screen.screen_records(items), strict=True):
            if isinstance(part, BadRecord):
                made.append(_BadError(part.error.message, record.id))
                continue
            suggestions = [
                {**one.as_dict(), **suggestion.about} for one, suggestion in zip(found, record.suggestions, strict=True)
            ]
            made.append(({"suggestions": suggestions}, _counted(found)))
        return made


def _counted(found: Sequence[Screened]) -> Counter[str]:
    counts: Counter[str] = Counter(one.verdict for one in found)
    counts["suggestions"] = len(found)
    return counts


# -- in other processes ----------------------------------------------------------------------------------------------


class _Here(threading.local):
    """The engine of this thread, and what it was made from."""

    order: bytes = b""
    engine: Engine | None = None


_here = _Here()


def ordered(settings: Settings) -> bytes:
    """Settings as bytes for :func:`work`: workers load a parser once for all chunks with the same bytes.

    No two calls give the same: workers may outlive a job, and its file of parses does not.
    """
    try:
        import cloudpickle as pickler  # Dask brings it; it also takes parsers that a notebook defines
    except ImportError:
        import pickle as pickler
    return bytes(pickler.dumps((settings, os.getpid(), uuid4().hex)))


def work(order: bytes, chunk: Chunk | None) -> Done:
    """What a worker is called with: the results of a chunk; without one, only what they would be made with.

    Args:
        order: of :func:`ordered`.
        chunk: the chunk.
    """
    if _here.engine is None or _here.order != order:
        if _here.engine is not None:
            _here.engine.close()
            _here.engine = None
        settings, parent, _ = pickle.loads(order)
        if os.getppid() == parent:
            _end_with(parent)
        _here.engine, _here.order = Engine(settings), order
    if chunk is None:
        return Done(-1, "", None, b"", b"", {}, _here.engine.signature)
    return _here.engine.work(chunk)


def _end_with(parent: int) -> None:
    """Let this process end when its parent is killed: it would wait for more work for minutes."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="usim-batch-parent", daemon=True).start()
