"""Read the files of Smart Word Suggestions: gold data, what single annotators wrote, predictions of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from usim.benchmarks.sws.values import Annotation, Gold, Mark, Sentence, Span, Target
from usim.errors import FormatError, InputError
from usim.text import Path, fail, member, read_json


def read_gold(path: Path) -> dict[str, Sentence]:
    """Read the published data: sentence id → ``sentence_split`` and ``substitutes``.

    ``substitutes`` = [[[start, end], {suggestion: votes, …}, type], …], in words, the end exclusive.

    Raises:
        InputError, FormatError: the file cannot be read, or a record is not of that form.
    """
    gold = {}
    for name, record in read_json(path).items():
        words = _words(member(record, "sentence_split", path, name, list), path, name)
        targets: dict[Span, Target] = {}
        for item in member(record, "substitutes", path, name, list):
            if not isinstance(item, list) or len(item) != 3:
                fail("a target must be [[start, end], {suggestion: votes}, type]", path, name, item)
            span = _span(item[0], words, path, name)
            if span in targets:
                fail("two targets with the same span", path, name, item)
            votes = item[1]
            whole = isinstance(votes, dict) and all(type(v) is int and v > 0 for v in votes.values())
            if not whole or not votes:
                fail("suggestions must be an object from each suggestion to its votes, 1 or more", path, name, item)
            targets[span] = Target(*span, votes, _type(item[2], path, name))
        gold[name] = Sentence(words, tuple(targets.values()))
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
            marks[annotator] = {}
            if not isinstance(items, list):
                fail(f"annotator {annotator!r} must have an array of targets", path, name, items)
            for item in items:
                if not isinstance(item, list) or len(item) != 3:
                    fail("a target must be [[start, end], [suggestion, …], type]", path, name, item)
                span = _span(item[0], words, path, name)
                if span in marks[annotator]:
                    fail(f"annotator {annotator!r} marks the same span twice", path, name, item)
                suggestions = _strings(item[1], path, name)
                marks[annotator][span] = Mark(tuple(dict.fromkeys(suggestions)), _type(item[2], path, name))
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
            if not isinstance(item, list) or len(item) != 2 or not isinstance(item[0], list) or len(item[0]) != 3:
                fail("a target must be [[text, start, end], [suggestion, …]]", path, name, item)
            span = _span(item[0][1:], words, path, name)
            text, there = str(item[0][0]), " ".join(words[slice(*span)])
            if _squeezed(text) != _squeezed(there):
                fail(f"the words {span[0]} to {span[1]} are {there!r}, not the text of the target", path, name, item)
            if span in targets:
                fail("two targets with the same span; put their suggestions into one", path, name, item)
            targets[span] = tuple(_strings(item[1], path, name))
        predictions[name] = targets
    return predictions


def _words(value: list[Any], path: Path, name: str) -> tuple[str, ...]:
    return tuple(_strings(value, path, name))


def _strings(value: object, path: Path, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        fail("an array of strings is needed", path, name, value)
    return value


def _span(value: object, words: Sequence[str], path: Path, name: str) -> Span:
    if not isinstance(value, list) or len(value) != 2 or not all(type(place) is int for place in value):
        fail("a span must be two integers, the first word and the word after the last", path, name, value)
    start, end = value
    if not 0 <= start < end <= len(words):
        fail(f"a span must lie within the {len(words)} words of the sentence", path, name, value)
    return start, end


def _type(value: object, path: Path, name: str) -> int:
    if type(value) is not int or value not in (1, 2):
        fail("the type of a target must be 1 or 2", path, name, value)
    return value


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()
