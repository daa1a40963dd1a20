"""The values and files of Smart Word Suggestions: gold data, what single annotators wrote, predictions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from usim.errors import FormatError, InputError
from usim.records import RecordError
from usim.records.sws import read_target
from usim.text import Span
from usim.text.files import Path, fail, member, read_json


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


def read_gold(path: Path) -> dict[str, Sentence]:
    """Read the published data: sentence id → ``sentence_split`` and ``substitutes``.

    ``substitutes`` = [[[start, end], {suggestion: votes, …}, type], …], in words, the end exclusive.

    Raises:
        InputError, FormatError: the file cannot be read, or a record is not of that form.
    """
    gold = {}
    for name, record in read_json(path).items():
        words = _words(member(record, "sentence_split", path, name, list), path, name)
        targets = []
        items = member(record, "substitutes", path, name, list)
        for span, votes, kind in read_spans(items, "{suggestion: votes}", words, path, name):
            if not isinstance(votes, dict) or not votes or not all(type(v) is int and v > 0 for v in votes.values()):
                fail("suggestions must be an object from each suggestion to its votes, 1 or more", path, name, votes)
            targets.append(SwsTarget(*span, votes, kind))
        gold[name] = Sentence(words, tuple(targets))
    if not gold:
        raise InputError("no sentence in the gold file", path=path)
    return gold


def read_predictions(path: Path, gold: Gold) -> dict[str, dict[Span, tuple[str, ...]]]:
    """Read a system's output as the published scorer takes it: sentence id → ``input_words`` and ``substitute_topk``.

    ``substitute_topk`` = [[[text, start, end], [suggestion, …]], …], best first.

    Raises:
        InputError, FormatError: the file cannot be read, a record is not of that form, or does not fit the gold data.
    """
    records = read_json(path)
    for name, record in records.items():
        if isinstance(record, dict) and "input_words" not in record and "substitutes" in record:
            raise FormatError("gold data given as predictions; they have input_words and substitute_topk", path=path)
        if name not in gold:
            fail("this sentence is not in the gold file; are these the same data?", path, name)
    predictions: dict[str, dict[Span, tuple[str, ...]]] = {}
    for name, sentence in gold.items():
        if name not in records:
            fail("this sentence of the gold file is missing; give it an empty substitute_topk", path, name)
        record = records[name]
        words = _words(member(record, "input_words", path, name, list), path, name)
        if words != sentence.words:
            fail("input_words are not the words of the gold sentence", path, name, " ".join(words))
        targets: dict[Span, tuple[str, ...]] = {}
        for item in member(record, "substitute_topk", path, name, list):
            try:
                span, suggestions = read_target(item, words)
            except RecordError as e:
                fail(e.message, path, name, item)
            if span in targets:
                fail("two targets with the same span; put their suggestions into one", path, name, item)
            targets[span] = tuple(suggestions)
        predictions[name] = targets
    return predictions


def read_spans(
    items: list[Any], form: str, words: Sequence[str], path: Path, name: str
) -> Iterator[tuple[Span, Any, int]]:
    """Yield the span, the suggestions and the type of targets; ``form`` is that of suggestions."""
    spans: set[Span] = set()
    for item in items:
        if not isinstance(item, list) or len(item) != 3:
            fail(f"a target must be [[start, end], {form}, type]", path, name, item)
        place, suggestions, kind = item
        if not isinstance(place, list) or len(place) != 2 or not all(type(number) is int for number in place):
            fail("a span must be two integers, the first word and the word after the last", path, name, place)
        start, end = place
        if not 0 <= start < end <= len(words):
            fail(f"a span must lie within the {len(words)} words of the sentence", path, name, place)
        if (start, end) in spans:
            fail("two targets with the same span", path, name, item)
        spans.add((start, end))
        if type(kind) is not int or kind not in (1, 2):
            fail("the type of a target must be 1 or 2", path, name, kind)
        yield (start, end), suggestions, kind


def _words(value: list[Any], path: Path, name: str) -> tuple[str, ...]:
    return tuple(strings_of(value, path, name))


def strings_of(value: object, path: Path, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        fail("an array of strings is needed", path, name, value)
    return value
