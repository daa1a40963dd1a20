"""The values and files of Smart Word Suggestions: gold data, what single annotators wrote, predictions."""

from __future__ import annotations

import json
import math
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import IO, Any, NamedTuple

from usim.benchmarks.result import Result
from usim.errors import FormatError, InputError
from usim.records import RecordError
from usim.records.sws import read_target
from usim.signature import Signature
from usim.text import Span, tokenise
from usim.text.files import Path, fail, member, read_json, read_text, text_lines


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


class Mark(NamedTuple):
    """What one annotator wrote about one span: the suggestions, each once, and the type."""

    suggestions: tuple[str, ...]
    type: int


class Annotation(NamedTuple):
    """A sentence as its annotators left it: its words, and annotator → span → mark.

    An annotator who saw the sentence and marked nothing is there with no span.
    """

    words: tuple[str, ...]
    marks: Mapping[str, Mapping[Span, Mark]]


Gold = Mapping[str, Sentence]
#: Sentence → span → suggestions, best first.
Predictions = Mapping[str, Mapping[Span, Sequence[str]]]
Annotations = Mapping[str, Annotation]


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
        for span, votes, kind in _targets(items, "{suggestion: votes}", words, path, name):
            if not isinstance(votes, dict) or not votes or not all(type(v) is int and v > 0 for v in votes.values()):
                fail("suggestions must be an object from each suggestion to its votes, 1 or more", path, name, votes)
            targets.append(SwsTarget(*span, votes, kind))
        gold[name] = Sentence(words, tuple(targets))
    if not gold:
        raise InputError("no sentence in the gold file", path=path)
    return gold


def is_annotation_file(path: Path) -> bool:
    """Return whether a JSON file holds the work of single annotators (:func:`read_annotations`), not merged data."""
    records = read_json(path).values()
    return any(isinstance(record, dict) and "annotations" in record for record in records)


def read_annotations(path: Path) -> dict[str, Annotation]:
    """Read what single annotators wrote: the form of the gold data, with ``annotations`` in place of ``substitutes``.

    ``annotations`` = {annotator: [[[start, end], [suggestion, …], type], …]}; an annotator who saw a sentence and
    marked nothing has an empty array.

    Raises:
        InputError, FormatError: the file cannot be read, or a record is not of that form.
    """
    annotations = {}
    for name, record in read_json(path).items():
        words = _words(member(record, "sentence_split", path, name, list), path, name)
        marks: dict[str, dict[Span, Mark]] = {}
        for annotator, items in member(record, "annotations", path, name, dict).items():
            if not isinstance(items, list):
                fail(f"annotator {annotator!r} must have an array of targets", path, name, items)
            marks[annotator] = {
                span: Mark(tuple(dict.fromkeys(_strings(suggestions, path, name))), kind)
                for span, suggestions, kind in _targets(items, "[suggestion, …]", words, path, name)
            }
        annotations[name] = Annotation(words, marks)
    if not annotations:
        raise InputError("no sentence in the file of annotations", path=path)
    return annotations


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


def _targets(
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
    return tuple(_strings(value, path, name))


def _strings(value: object, path: Path, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        fail("an array of strings is needed", path, name, value)
    return value


def read_sentences(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sentences of a file with their names, as words.

    Args:
        path: data or predictions of Smart Word Suggestions (``.json``: the words are ``sentence_split`` or
            ``input_words``), or a text with a sentence a line, which is tokenised and named by its number from 1; ``-``
            is a text on standard input. Names in ``.gz`` are unpacked.

    Raises:
        InputError, FormatError: the file cannot be read, is not of that form, or has no sentence.
    """
    name = os.fspath(path)
    if not name.removesuffix(".gz").endswith(".json"):
        lines = text_lines(read_text(path))
        if not any(line.strip() for line in lines):
            raise InputError("no sentence in the file", path=path)
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield str(number), tuple(token.text for token in tokenise(line))
        return
    records = read_json(path)
    if not records:
        raise InputError("no sentence in the file", path=path)
    for key, record in records.items():
        words = record.get("sentence_split", record.get("input_words")) if isinstance(record, dict) else None
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            fail("an array of words is needed as 'sentence_split' or 'input_words'", path, key, words)
        yield key, tuple(words)


def write_predictions(
    file: IO[str], predictions: Iterable[tuple[str, Sequence[str], Mapping[Span, Sequence[str]]]]
) -> None:
    """Write predictions as they come, a sentence a line: its name, its words, and span → suggestions."""
    file.write("{")
    for number, (name, words, spans) in enumerate(predictions):
        targets = [
            [[" ".join(words[start:end]), start, end], list(suggestions)] for (start, end), suggestions in spans.items()
        ]
        record = {"input_words": list(words), "substitute_topk": targets}
        file.write(",\n" if number else "\n")
        file.write(f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(record, ensure_ascii=False)}")
    file.write("\n}\n")


# Several annotators: what they say together, and how far they agree


def merge(annotations: Annotations, *, least: int = 2) -> dict[str, Sentence]:
    """Merge the work of several annotators to gold data.

    Targets with the same span are the same. A suggestion has as many votes as annotators made it. The type is that of
    most annotators, 1 where both are as frequent. Targets that fewer than ``least`` annotators marked are left out,
    however much those suggest; the paper leaves out those that one annotator marked.
    """
    gold = {}
    for name, annotation in annotations.items():
        votes: dict[Span, Counter[str]] = defaultdict(Counter)
        types: dict[Span, Counter[int]] = defaultdict(Counter)
        for marks in annotation.marks.values():
            for span, mark in marks.items():
                votes[span].update(mark.suggestions)
                types[span][mark.type] += 1
        targets = (
            SwsTarget(*span, dict(votes[span]), 1 if types[span][1] >= types[span][2] else 2)
            for span in sorted(votes)
            if types[span].total() >= least and votes[span]
        )
        gold[name] = Sentence(annotation.words, tuple(targets))
    return gold


def agreement(annotations: Annotations) -> dict[str, float]:
    """Compute how far two annotators agree, by shared over all (McCarthy and Navigli 2007), in [0, 1].

    ``pa_det``, PA(det): for each pair of annotators the mean, over all sentences that both saw, of the spans that both
    marked over the spans that either did; then the mean over pairs. A sentence in which neither marked anything counts
    among the sentences, as in the paper, and shares nothing. ``pa_sug``, PA(sug): for each pair the mean, over the
    targets that both marked, of the suggestions that both made over those that either did; then the mean over pairs
    with such targets. Not-a-number where no two annotators can be compared.
    """
    shared_spans: dict[tuple[str, str], list[float]] = defaultdict(list)
    shared_suggestions: dict[tuple[str, str], list[float]] = defaultdict(list)
    for annotation in annotations.values():
        for pair in combinations(sorted(annotation.marks), 2):
            first, second = (annotation.marks[annotator] for annotator in pair)
            shared_spans[pair].append(_overlap(first, second))
            for span in first.keys() & second.keys():
                if first[span].suggestions or second[span].suggestions:
                    shared_suggestions[pair].append(_overlap(first[span].suggestions, second[span].suggestions))
    return {"pa_det": _mean_of_means(shared_spans), "pa_sug": _mean_of_means(shared_suggestions)}


def _overlap(first: Iterable[object], second: Iterable[object]) -> float:
    either = set(first) | set(second)
    return len(set(first) & set(second)) / len(either) if either else 0.0


def _mean_of_means(by_pair: Mapping[tuple[str, str], list[float]]) -> float:
    means = [sum(values) / len(values) for values in by_pair.values()]
    return sum(means) / len(means) if means else math.nan


def report_agreement(annotations: Annotations) -> Result:
    """Report the agreement of annotators alone: figures ``pa_det`` and ``pa_sug``."""
    annotators = {annotator for annotation in annotations.values() for annotator in annotation.marks}
    parts = {"pa": "shared/either", "annotators": len(annotators), "n": len(annotations)}
    return Result("sws", agreement(annotations), {}, Signature.stamped("sws", parts))
