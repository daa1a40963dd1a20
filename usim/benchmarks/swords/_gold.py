"""The values and files of SWORDS, and what its scorer compares: lemmas, and shares of positive labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from usim.benchmarks.case import Place, read_record
from usim.errors import FormatError, InputError
from usim.lexicon import Lemmatise
from usim.text.files import Path, fail, member, read_json

#: Judgements, as the data name them. The implicit ones come from people who were asked for substitutes, not shown them.
POSITIVE = frozenset({"TRUE", "TRUE_IMPLICIT"})
#: From which share of its labels a substitute counts, as in the published scorer.
THRESHOLDS = {"a": 0.5 + 1e-4, "c": 0.1}


class SwordsTarget(NamedTuple):
    """A word to replace: the word, its universal part of speech, and substitute → the labels it was given."""

    word: str
    pos: str | None
    labels: Mapping[str, tuple[str, ...]]


Gold = Mapping[str, SwordsTarget]
#: SwordsTarget id → substitutes with their scores; a higher score is better, among equals the earlier.
Predictions = Mapping[str, Sequence[tuple[str, float]]]


# Reading


class _Target(Struct):
    target: str
    pos: str | None = None
    context_id: str = ""
    offset: Annotated[int, Meta(ge=0)] = 0


class _Substitute(Struct):
    target_id: str
    substitute: str


class _Context(Struct):
    context: str


_Labels = Annotated[
    tuple[Literal["TRUE", "TRUE_IMPLICIT", "FALSE", "FALSE_IMPLICIT", "UNSURE"], ...], Meta(min_length=1)
]


def read_gold(path: Path) -> dict[str, SwordsTarget]:
    """Read a data set in the SWORDS format: ``targets``, ``substitutes`` and ``substitute_labels``, packed or not.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    data = read_json(path)
    targets = _records(data, "targets", _Target, path)
    labels = _records(data, "substitute_labels", _Labels, path)
    judged: dict[str, dict[str, tuple[str, ...]]] = {target: {} for target in targets}
    for sid, substitute in _records(data, "substitutes", _Substitute, path).items():
        if substitute.target_id not in judged:
            fail("its target is not among the targets", path, sid, substitute.target_id)
        if sid not in labels:
            fail("its labels are missing", path, sid)
        of_target = judged[substitute.target_id]
        of_target[substitute.substitute] = (*of_target.get(substitute.substitute, ()), *labels[sid])
    if not targets:
        raise InputError("no target in the gold file", path=path)
    return {tid: SwordsTarget(target.target, target.pos, judged[tid]) for tid, target in targets.items()}


def _records(data: Mapping[str, Any], name: str, kind: Any, path: Path) -> dict[str, Any]:
    """Return the records of a member of a file, by their ids."""
    records = member(data, name, path, "the whole file", dict)
    return {key: read_record(value, kind, path, key) for key, value in records.items()}


def read_contexts(path: Path) -> dict[str, Place]:
    """Read the targets of a data set in their texts.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    data = read_json(path)
    contexts = _records(data, "contexts", _Context, path)
    places: dict[str, Place] = {}
    for tid, target in _records(data, "targets", _Target, path).items():
        if target.context_id not in contexts:
            fail("its context is not among the contexts", path, tid)
        text, end = contexts[target.context_id].context, target.offset + len(target.target)
        if text[target.offset : end] != target.target:
            fail(f"the target is not at offset {target.offset} of its context", path, tid, target.target)
        places[tid] = Place(text, target.offset, end, target.pos)
    return places


def read_predictions(path: Path, gold: Gold) -> dict[str, list[tuple[str, float]]]:
    """Read a system's substitutes: target id → [[substitute, score], …], alone or under ``substitutes``.

    Targets of the gold data may be missing: nothing is proposed for them.

    Raises:
        InputError, FormatError: the file cannot be read, is not of that form, or does not fit the gold data.
    """
    records = read_json(path)
    if "contexts" in records and "targets" in records:
        raise FormatError("gold data given as predictions; they have [[substitute, score], …] by target", path=path)
    if "substitutes_lemmatized" in records or isinstance(records.get("substitutes"), dict):
        records = member(records, "substitutes", path, "the whole file", dict)
    for tid in records:
        if tid not in gold:
            fail("this target is not in the gold file; are these the same data?", path, tid)
    return {tid: read_record(items, list[tuple[str, float]], path, tid) for tid, items in records.items()}


# Lemmas


def lemmatised_gold(gold: Gold, lemmatise: Lemmatise) -> dict[str, SwordsTarget]:
    """Lemmatise the gold data and join the labels of equal lemmas; UNSURE and lemmas without another label go."""
    result = {}
    for tid, target in gold.items():
        target_lemma = compared_form(target.word, target.pos, lemmatise)
        labels: dict[str, tuple[str, ...]] = {}
        for substitute, given in target.labels.items():
            lemma = compared_form(substitute, target.pos, lemmatise)
            if lemma != target_lemma:
                labels[lemma] = (*labels.get(lemma, ()), *given)
        sure = {lemma: tuple(label for label in given if label != "UNSURE") for lemma, given in labels.items()}
        sure = {lemma: given for lemma, given in sure.items() if given}
        if sure:
            result[tid] = target._replace(labels=sure)
    return result


def lemmatised_predictions(predictions: Predictions, gold: Gold, lemmatise: Lemmatise) -> dict[str, dict[str, float]]:
    """Lemmatise a system's substitutes: lemma → its best score, best first."""
    result = {}
    for tid, substitutes in predictions.items():
        target = gold[tid]
        target_lemma = compared_form(target.word, target.pos, lemmatise)
        scores: dict[str, float] = {}
        for substitute, score_ in substitutes:
            lemma = compared_form(substitute, target.pos, lemmatise)
            if lemma != target_lemma:
                scores[lemma] = max(score_, scores.get(lemma, -math.inf))
        result[tid] = dict(sorted(scores.items(), key=lambda item: -item[1]))
    return result


def compared_form(text: str, pos: str | None, lemmatise: Lemmatise) -> str:
    """Return a substitute or a target as it is compared: its lemma in lower case."""
    return lemmatise(text, pos).lower().strip()


def sure_shares(target: SwordsTarget) -> dict[str, float]:
    """Return substitute → the share of positive labels among those that are not UNSURE, where it has such labels."""
    sure = {s: [label for label in labels if label != "UNSURE"] for s, labels in target.labels.items()}
    return {s: sum(label in POSITIVE for label in given) / len(given) for s, given in sure.items() if given}


def votes_of(target: SwordsTarget) -> dict[str, int]:
    """Return substitute → the number of its labels that are positive."""
    return {s: sum(label in POSITIVE for label in labels) for s, labels in target.labels.items()}


def positive_shares(target: SwordsTarget) -> dict[str, float]:
    """Return substitute → the share of its labels that are positive, in [0, 1]; for :func:`lemmatised_gold`."""
    votes = votes_of(target)
    return {s: votes[s] / len(labels) for s, labels in target.labels.items()}
