"""The values and files of Smart Word Suggestions: gold data and predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from usim.benchmarks.case import read_record
from usim.errors import FormatError, InputError
from usim.records import RecordError
from usim.records.sws import read_target
from usim.text import Span
from usim.text.files import Path, fail, read_json


class SwsTarget(NamedTuple):
    """A span of words that could be better: first word, word after the last, suggestion → votes, type (1 or 2)."""

    start: int
    end: int
    suggestions: Mapping[str, int]
    type: int

    @property
    def span(self) -> Span:
        return self.start, self.end

    @property
    def votes(self) -> int:
        """The voting index: how many suggestions the annotators made for the target in all."""
        return sum(self.suggestions.values())


class Sentence(NamedTuple):
    """A sentence of the gold data: its words and its targets, no two of them with the same span."""

    words: tuple[str, ...]
    targets: tuple[SwsTarget, ...]


Gold = Mapping[str, Sentence]
#: Sentence → span → suggestions, best first.
Predictions = Mapping[str, Mapping[Span, Sequence[str]]]

_Votes = Annotated[dict[str, Annotated[int, Meta(ge=1)]], Meta(min_length=1)]


class _GoldRecord(Struct):
    sentence_split: tuple[str, ...]
    substitutes: list[tuple[Span, _Votes, Literal[1, 2]]]


class _PredictionRecord(Struct):
    input_words: tuple[str, ...]
    substitute_topk: list[Any]


def read_gold(path: Path) -> dict[str, Sentence]:
    """Read the published data: sentence id → ``sentence_split`` and ``substitutes``.

    ``substitutes`` = [[[start, end], {suggestion: votes, …}, type], …], in words, the end exclusive.

    Raises:
        InputError, FormatError: the file cannot be read, or a record is not of that form.
    """
    gold = {}
    for name, value in read_json(path).items():
        record = read_record(value, _GoldRecord, path, name)
        check_spans((span for span, _, _ in record.substitutes), len(record.sentence_split), path, name)
        targets = tuple(SwsTarget(*span, votes, kind) for span, votes, kind in record.substitutes)
        gold[name] = Sentence(record.sentence_split, targets)
    if not gold:
        raise InputError("no sentence in the gold file", path=path)
    return gold


def check_spans(spans: Iterable[Span], words: int, path: Path, name: str) -> None:
    """Check that spans lie within the words of a sentence, and that no two are the same; ``name`` is its record's.

    Raises:
        FormatError: they do not, or two are.
    """
    seen: set[Span] = set()
    for start, end in spans:
        if not 0 <= start < end <= words:
            fail(f"a span must lie within the {words} words of the sentence", path, name, (start, end))
        if (start, end) in seen:
            fail("two targets with the same span; put their suggestions into one", path, name, (start, end))
        seen.add((start, end))


def read_predictions(path: Path, gold: Gold) -> dict[str, dict[Span, tuple[str, ...]]]:
    """Read a system's output as the published scorer takes it: sentence id → ``input_words`` and ``substitute_topk``.

    ``substitute_topk`` = [[[text, start, end], [suggestion, …]], …], best first.

    Raises:
        InputError, FormatError: the file cannot be read, a record is not of that form, or does not fit the gold data.
    """
    records = read_json(path)
    for name, value in records.items():
        if isinstance(value, dict) and "input_words" not in value and "substitutes" in value:
            raise FormatError("gold data given as predictions; they have input_words and substitute_topk", path=path)
        if name not in gold:
            fail("this sentence is not in the gold file; are these the same data?", path, name)
    predictions = {}
    for name, sentence in gold.items():
        if name not in records:
            fail("this sentence of the gold file is missing; give it an empty substitute_topk", path, name)
        record = read_record(records[name], _PredictionRecord, path, name)
        if record.input_words != sentence.words:
            fail("input_words are not the words of the gold sentence", path, name, " ".join(record.input_words))
        try:
            targets = [read_target(item, sentence.words) for item in record.substitute_topk]
        except RecordError as e:
            raise FormatError(f"record {name!r}: {e.message}", path=path, text=e.text) from e
        check_spans((span for span, _ in targets), len(sentence.words), path, name)
        predictions[name] = {span: tuple(suggestions) for span, suggestions in targets}
    return predictions
