"""What single annotators of Smart Word Suggestions wrote: how far they agree, and what they say together."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Literal, NamedTuple

from msgspec import Struct

from usim.benchmarks.case import read_record
from usim.benchmarks.sws import SCRIPT, Definition, Sentence, Sws, SwsTarget, check_spans
from usim.errors import InputError
from usim.text import Span
from usim.text.files import Path, read_json


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


Annotations = Mapping[str, Annotation]


class _Record(Struct):
    sentence_split: tuple[str, ...]
    annotations: dict[str, list[tuple[Span, list[str], Literal[1, 2]]]]


def read_annotations(path: Path) -> dict[str, Annotation]:
    """Read what single annotators wrote: the form of the gold data, with ``annotations`` in place of ``substitutes``.

    ``annotations`` = {annotator: [[[start, end], [suggestion, …], type], …]}; an annotator who saw a sentence and
    marked nothing has an empty array.

    Raises:
        InputError, FormatError: the file cannot be read, or a record is not of that form.
    """
    annotations = {}
    for name, value in read_json(path).items():
        record = read_record(value, _Record, path, name)
        marks: dict[str, dict[Span, Mark]] = {}
        for annotator, targets in record.annotations.items():
            check_spans((span for span, _, _ in targets), len(record.sentence_split), path, name)
            marks[annotator] = {span: Mark(tuple(dict.fromkeys(found)), kind) for span, found, kind in targets}
        annotations[name] = Annotation(record.sentence_split, marks)
    if not annotations:
        raise InputError("no sentence in the file of annotations", path=path)
    return annotations


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


def one_against_the_others(annotations: Annotations, *, definition: Definition = SCRIPT) -> dict[str, float]:
    """Score each annotator as a system against the merged work of the others, and average (*Human* in Wang et al.).

    An annotator is scored on the sentences that he or she saw; suggestions keep the order of writing. A figure is the
    mean over the annotators for whom it is defined.

    Raises:
        InputError: no sentence has the work of several annotators.
    """
    figures: dict[str, list[float]] = defaultdict(list)
    for annotator in sorted({name for annotation in annotations.values() for name in annotation.marks}):
        seen = {name: annotation for name, annotation in annotations.items() if annotator in annotation.marks}
        rest = {
            name: Annotation(words, {other: marks[other] for other in marks if other != annotator})
            for name, (words, marks) in seen.items()
        }
        gold = merge({name: annotation for name, annotation in rest.items() if annotation.marks})
        own = {name: {s: mark.suggestions for s, mark in seen[name].marks[annotator].items()} for name in gold}
        for name, value in (Sws(gold, definition=definition).score(own, resamples=0).figures if gold else {}).items():
            if not math.isnan(value):
                figures[name].append(value)
    if not figures:
        raise InputError("no sentence has the work of several annotators")
    return {name: sum(values) / len(values) for name, values in figures.items()}
