"""Smart Word Suggestions: which words could be better, and which words would be (Wang et al. 2023).

The gold data say which spans of a sentence two or more of ten annotators wanted to improve, what they suggested and how
often (*votes*), and of which of two types a target is. A system names spans and ranked suggestions for each. It is
scored for detection (the spans), for suggestion (the targets that were detected) and end to end.

Two definitions differ:

=============  ========================================  =========================================================
..             ``SCRIPT``: the published scorer          ``PAPER``
=============  ========================================  =========================================================
NDCG           over all suggestions made; the ideal is   over the first m = 5 positions, for the system and for the
               cut to as many as the system made; a      ideal; a repeated suggestion gains once
               repeated suggestion gains each time
accuracy       pooled over detected targets              mean over sentences with a detected target
=============  ========================================  =========================================================

In both, what a suggestion gains is its number of votes, discounted by the logarithm of its position plus one (the base
of the logarithm does not matter to the ratio). For ``PAPER`` that is the simplest reading that gives the figure of the
paper's worked example, a discounted gain of 4.4 against an ideal of 5.1, to the digits printed; :class:`Ndcg` takes
other gains and discounts, and the signature names them.

>>> gold = {"1": Sentence(("An", "intimate", "friend"), (Target(1, 2, {"close": 3, "dear": 1}, 1),))}
>>> result = score(gold, {"1": {(1, 2): ("dear", "close"), (2, 3): ("pal",)}}, resamples=0)
>>> result.figures["p_detection"], result.figures["r_detection"], result.figures["acc_recommendation"]
(0.5, 1.0, 1.0)
>>> result.signature
'usim|sws|def:script|ndcg:votes/log2,m=made,ideal=made|acc:pooled|n:1|v:...'
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple, Unpack

from usim.benchmarks.result import Bootstrap, Figure, FMeasure, Ratio, Result, Tally, check_known
from usim.errors import FormatError, InputError
from usim.signature import Signature
from usim.text import Path, fail, member, read_json

Span = tuple[int, int]


class Target(NamedTuple):
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
    targets: tuple[Target, ...]


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


# Gains and discounts by the names that the signature gives them.
GAINS: dict[str, Callable[[int], float]] = {
    "votes": float,
    "exp": lambda votes: 2.0**votes - 1,
    "hit": lambda votes: float(votes > 0),
}
DISCOUNTS: dict[str, Callable[[int], float]] = {
    "log2": lambda position: 1 / math.log2(position + 1),
    "jarvelin": lambda position: 1 / max(1.0, math.log2(position)),
    "reciprocal": lambda position: 1 / position,
    "none": lambda position: 1.0,
}


@dataclass(frozen=True)
class Ndcg:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002) of ranked suggestions.

    Args:
        m: how many positions count; None for as many as the system filled.
        gain: what a suggestion is worth: ``votes``, ``exp`` (2^votes − 1) or ``hit`` (1 if anyone suggested it).
        discount: what position i divides by: ``log2`` (of i + 1), ``jarvelin`` (log2 of i, 1 at the first place, as in
            the article cited), ``reciprocal`` (i) or ``none``.
        repeats: whether a suggestion that is made twice gains twice.
    """

    m: int | None = 5
    gain: str = "votes"
    discount: str = "log2"
    repeats: bool = False

    def __post_init__(self) -> None:
        if self.m is not None and self.m < 1:
            raise InputError(f"m of NDCG must be at least 1, not {self.m}")
        if self.gain not in GAINS:
            raise InputError("no such gain; there are " + ", ".join(GAINS), text=self.gain)
        if self.discount not in DISCOUNTS:
            raise InputError("no such discount; there are " + ", ".join(DISCOUNTS), text=self.discount)

    @property
    def signature(self) -> str:
        places = "m=made,ideal=made" if self.m is None else f"m={self.m},ideal=m"
        return f"{self.gain}/{self.discount},{places}"

    def dcg(self, gains: Sequence[float]) -> float:
        """Sum the discounted gains of the positions that count."""
        discount = DISCOUNTS[self.discount]
        return sum(gain * discount(position) for position, gain in enumerate(gains[: self.m], 1))

    def gains(self, suggestions: Sequence[str], votes: Mapping[str, int]) -> list[float]:
        """Return the gain of each suggestion, in order."""
        gain = GAINS[self.gain]
        return [
            gain(votes.get(suggestion, 0)) if self.repeats or suggestion not in suggestions[:place] else 0.0
            for place, suggestion in enumerate(suggestions)
        ]

    def of(self, suggestions: Sequence[str], votes: Mapping[str, int]) -> float:
        """Return the gain of ranked suggestions relative to the ideal ranking; 0 without suggestions.

        Args:
            suggestions: best first.
            votes: the gold suggestions with their votes, at least one of them.
        """
        ideal = sorted((GAINS[self.gain](v) for v in votes.values()), reverse=True)
        if self.m is None:
            ideal = ideal[: len(suggestions)]
        best = self.dcg(ideal)
        return self.dcg(self.gains(suggestions, votes)) / best if best else 0.0


@dataclass(frozen=True)
class Definition:
    """How suggestions are scored where the paper and the published script differ."""

    name: str
    ndcg: Ndcg
    pooled: bool

    @property
    def signature(self) -> dict[str, object]:
        accuracy = "pooled" if self.pooled else "by-sentence"
        return {"def": self.name, "ndcg": self.ndcg.signature, "acc": accuracy}

    def with_ndcg(self, *, m: int | None = None, gain: str | None = None, discount: str | None = None) -> Definition:
        """Return the same definition with another NDCG, of which None leaves a setting as it is.

        Raises:
            InputError: no such gain or discount, m below 1.
        """
        ndcg = Ndcg(
            self.ndcg.m if m is None else m, gain or self.ndcg.gain, discount or self.ndcg.discount, self.ndcg.repeats
        )
        return replace(self, ndcg=ndcg)


SCRIPT = Definition("script", Ndcg(m=None, repeats=True), pooled=True)
PAPER = Definition("paper", Ndcg(m=5), pooled=False)
DEFINITIONS = {definition.name: definition for definition in (SCRIPT, PAPER)}


# Reading


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


# Annotators


def merge(annotations: Annotations, *, least: int = 2) -> dict[str, Sentence]:
    """Merge the work of several annotators to gold data.

    Targets with the same span are the same. A suggestion has as many votes as annotators made it. Targets with fewer
    than ``least`` votes in all are left out: the published data have none. The type is that of most annotators, 1
    where both are as frequent.
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
            Target(*span, dict(votes[span]), 1 if types[span][1] >= types[span][2] else 2)
            for span in sorted(votes)
            if votes[span].total() >= least
        )
        gold[name] = Sentence(annotation.words, tuple(targets))
    return gold


class Agreement(NamedTuple):
    """Pairwise agreement of annotators, in [0, 1]; not-a-number where no two annotators can be compared."""

    detection: float
    suggestion: float

    @property
    def figures(self) -> dict[str, float]:
        return {"pa_det": self.detection, "pa_sug": self.suggestion}


def agreement(annotations: Annotations) -> Agreement:
    """Compute PA(det) and PA(sug): how far two annotators agree, by shared over all (McCarthy and Navigli 2007).

    PA(det): for each pair of annotators the mean, over the sentences that both saw and at least one marked, of the
    spans that both marked over the spans that either did; then the mean over pairs. PA(sug): for each pair the mean,
    over the targets that both marked, of the suggestions that both made over those that either did; then the mean over
    pairs with such targets.
    """
    shared_spans: dict[tuple[str, str], list[float]] = defaultdict(list)
    shared_suggestions: dict[tuple[str, str], list[float]] = defaultdict(list)
    for annotation in annotations.values():
        for pair in combinations(sorted(annotation.marks), 2):
            first, second = (annotation.marks[annotator] for annotator in pair)
            if first or second:
                shared_spans[pair].append(_overlap(first, second))
            for span in first.keys() & second.keys():
                if first[span].suggestions or second[span].suggestions:
                    shared_suggestions[pair].append(_overlap(first[span].suggestions, second[span].suggestions))
    return Agreement(_mean_of_means(shared_spans), _mean_of_means(shared_suggestions))


def _overlap(first: Iterable[object], second: Iterable[object]) -> float:
    return len(set(first) & set(second)) / len(set(first) | set(second))


def _mean_of_means(by_pair: Mapping[tuple[str, str], list[float]]) -> float:
    means = [sum(values) / len(values) for values in by_pair.values()]
    return sum(means) / len(means) if means else math.nan


# Scoring


def score(
    gold: Gold,
    predictions: Predictions,
    *,
    definition: Definition = SCRIPT,
    agreed: Agreement | None = None,
    **bootstrap: Unpack[Bootstrap],
) -> Result:
    """Compute all figures of the benchmark.

    Args:
        gold: the sentences.
        predictions: the system's targets in each sentence; sentences that are not in it have none.
        definition: ``SCRIPT``, ``PAPER``, or another one.
        agreed: the agreement of the annotators whose work was merged to the gold data, to report it with the rest.
        bootstrap: settings of the intervals over sentences, see :class:`~usim.benchmarks.result.Bootstrap`.

    Returns:
        figures in [0, 1], under the names of the published script:

        - ``p_detection``, ``r_detection``, ``f_detection``, ``f_detection_05``: spans found;
        - ``weighted_acc_detection``: votes of the targets found over all votes;
        - ``substitute_rate``: the improvable ratio, words in the spans named over all words;
        - ``acc_recommendation``: how often the first suggestion for a detected target is one of the gold ones;
        - ``ndcg_recommendation``: mean over the detected targets;
        - ``p_recommendation``, ``r_recommendation``, ``f_recommendation``, ``f_recommendation_05``: suggestions made
          for detected targets, as sets (in the script only);
        - ``p_e2e``, ``r_e2e``, ``f_e2e``, ``f_e2e_05``: targets detected whose first suggestion is a gold one;
        - ``r_detection``, ``acc_recommendation`` and ``r_e2e`` with ``_type.1``, ``_type.2`` for the targets of a type,
          and ``_votes.2``, ``_votes.3``, … for those with a voting index;
        - ``pa_det`` and ``pa_sug`` if the agreement is given.

    Raises:
        InputError: no sentence, or predictions for a sentence that is not in the gold data.
    """
    parts = {} if agreed is None else {"gold": "merged"}
    result = tally(gold, predictions, definition=definition, parts=parts).result(**bootstrap)
    return result if agreed is None else replace(result, figures=result.figures | agreed.figures)


def tally(
    gold: Gold,
    predictions: Predictions,
    *,
    definition: Definition = SCRIPT,
    parts: Mapping[str, object] = MappingProxyType({}),
) -> Tally:
    """Count what each sentence adds to the figures of :func:`score`.

    Args:
        gold, predictions, definition: as for :func:`score`.
        parts: what else the signature says, before the definition.

    Raises:
        InputError: predictions for a sentence that is not in the gold data.
    """
    check_known(gold, predictions, "sentence")
    records = [_record(sentence, predictions.get(name, {}), definition) for name, sentence in gold.items()]
    levels = sorted({target.votes for sentence in gold.values() for target in sentence.targets})
    return Tally("sws", records, _figures(levels), {**parts, **definition.signature})


def report_agreement(annotations: Annotations) -> Result:
    """Report the agreement of annotators alone: figures ``pa_det`` and ``pa_sug``."""
    annotators = {annotator for annotation in annotations.values() for annotator in annotation.marks}
    parts = {"pa": "shared/either", "annotators": len(annotators), "n": len(annotations)}
    return Result("sws", agreement(annotations).figures, {}, Signature.stamped("sws", parts))


def _groups(target: Target) -> tuple[str, ...]:
    return "", f"_type.{target.type}", f"_votes.{target.votes}"


def _record(sentence: Sentence, predicted: Mapping[Span, Sequence[str]], definition: Definition) -> dict[str, float]:
    record: dict[str, float] = defaultdict(float)
    record["words"] = len(sentence.words)
    record["words named"] = sum(end - start for start, end in predicted)
    record["found"] = len(predicted)
    for target in sentence.targets:
        suggestions = predicted.get(target.span)
        hit = bool(suggestions) and suggestions[0] in target.suggestions if suggestions is not None else False
        record["votes"] += target.votes
        for group in _groups(target):
            record["targets" + group] += 1
            record["detected" + group] += suggestions is not None
            record["hit" + group] += hit
        if suggestions is not None:
            record["votes detected"] += target.votes
            record["made"] += len(suggestions)
            record["wanted"] += len(target.suggestions)
            record["right"] += len(set(suggestions) & set(target.suggestions))
            record["ndcg"] += definition.ndcg.of(suggestions, target.suggestions)
    for column in [column for column in record if column.startswith("detected")]:
        group = column.removeprefix("detected")
        detected, hits = record[column], record["hit" + group]
        if definition.pooled:
            record["accurate" + group], record["judged" + group] = hits, detected
        elif detected:
            record["accurate" + group], record["judged" + group] = hits / detected, 1
    return record


def _figures(levels: Sequence[int]) -> dict[str, Figure]:
    groups = ["_type.1", "_type.2", *(f"_votes.{level}" for level in levels)]
    figures: dict[str, Figure] = {}

    def measured(name: str, precision: Ratio, recall: Ratio) -> None:
        figures["p_" + name], figures["r_" + name] = precision, recall
        figures["f_" + name] = FMeasure(precision, recall)
        figures[f"f_{name}_05"] = FMeasure(precision, recall, beta=0.5)

    measured("detection", Ratio("detected", "found"), Ratio("detected", "targets"))
    figures |= {f"r_detection{group}": Ratio("detected" + group, "targets" + group) for group in groups}
    figures["weighted_acc_detection"] = Ratio("votes detected", "votes")
    figures["substitute_rate"] = Ratio("words named", "words")
    for group in ("", *groups):
        figures[f"acc_recommendation{group}"] = Ratio("accurate" + group, "judged" + group)
    figures["ndcg_recommendation"] = Ratio("ndcg", "detected")
    measured("recommendation", Ratio("right", "made"), Ratio("right", "wanted"))
    measured("e2e", Ratio("hit", "found"), Ratio("hit", "targets"))
    figures |= {f"r_e2e{group}": Ratio("hit" + group, "targets" + group) for group in groups}
    return figures
