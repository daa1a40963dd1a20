"""The values and files of SWORDS, and what its scorer compares: lemmas, and shares of positive labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from usim.benchmarks.case import Place
from usim.errors import FormatError, InputError
from usim.lexicon import Lemmatise
from usim.text.files import Path, fail, member, read_json

#: Judgements, as the data name them. The implicit ones come from people who were asked for substitutes, not shown them.
POSITIVE = frozenset({"TRUE", "TRUE_IMPLICIT"})
LABELS = POSITIVE | {"FALSE", "FALSE_IMPLICIT", "UNSURE"}
#: From which share of its labels a substitute counts, as in the published scorer.
THRESHOLDS = {"a": 0.5 + 1e-4, "c": 0.1}


#: Parts of speech of the earlier form that have another name today.
_EARLIER_POS = {
    "CONJ": "CCONJ", "PRT": "PART", "OTH": "X", "PUNC": "PUNCT", "PROP": "PROPN", "UNKN": None, "PHRS": None,
}  # fmt: skip


class SwordsTarget(NamedTuple):
    """A word to replace: the word, its universal part of speech, and substitute → the labels it was given."""

    word: str
    pos: str | None
    labels: Mapping[str, tuple[str, ...]]


Gold = Mapping[str, SwordsTarget]
#: SwordsTarget id → substitutes with their scores; a higher score is better, among equals the earlier.
Predictions = Mapping[str, Sequence[tuple[str, float]]]


# Reading


def read_gold(path: Path) -> dict[str, SwordsTarget]:
    """Read a data set in the SWORDS format: ``targets``, ``substitutes`` and ``substitute_labels``, packed or not.

    The earlier form of its authors, in which sentences hold words and these their substitutes, is read, too.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    data = read_data(path)
    name = "the whole file"
    targets = member(data, "targets", path, name, dict)
    substitutes = member(data, "substitutes", path, name, dict)
    labels = member(data, "substitute_labels", path, name, dict)
    judged: dict[str, dict[str, tuple[str, ...]]] = {target: {} for target in targets}
    for sid, substitute in substitutes.items():
        tid = member(substitute, "target_id", path, sid, str)
        if tid not in judged:
            fail("its target is not among the targets", path, sid, tid)
        given = member(labels, sid, path, f"labels of {sid}", list)
        if not given or not all(isinstance(label, str) and label in LABELS for label in given):
            fail("labels must be one or more of " + ", ".join(sorted(LABELS)), path, sid, given)
        word = member(substitute, "substitute", path, sid, str)
        judged[tid][word] = (*judged[tid].get(word, ()), *given)
    gold = {}
    for tid, target in targets.items():
        pos = target.get("pos") if isinstance(target, dict) else None
        gold[tid] = SwordsTarget(member(target, "target", path, tid, str), pos, judged[tid])
    if not gold:
        raise InputError("no target in the gold file", path=path)
    return gold


def read_data(path: Path) -> dict[str, Any]:
    """Read the file of a data set; the earlier form (``ss``, ``ws``, ``wprimes``) is turned into that of SWORDS.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of one of the two forms.
    """
    data = read_json(path)
    if "ss" not in data or "targets" in data:
        return data
    new: dict[str, Any] = {name: {} for name in ("contexts", "targets", "substitutes", "substitute_labels")}
    for i, sentence in enumerate(member(data, "ss", path, "the whole file", list)):
        cid = f"c{i}"
        new["contexts"][cid] = {"context": member(sentence, "s", path, cid, str)}
        for j, word in enumerate(member(sentence, "ws", path, cid, list)):
            tid = f"{cid}t{j}"
            parts = member(word, "pos", path, tid, list)
            new["targets"][tid] = {
                "context_id": cid,
                "target": member(word, "w", path, tid, str),
                "offset": member(word, "off", path, tid, int),
                "pos": _EARLIER_POS.get(parts[0], parts[0]) if parts else None,
            }
            for k, substitute in enumerate(member(word, "wprimes", path, tid, list)):
                sid = f"{tid}s{k}"
                new["substitutes"][sid] = {
                    "target_id": tid,
                    "substitute": member(substitute, "wprime", path, sid, str),
                }
                new["substitute_labels"][sid] = member(substitute, "human_labels", path, sid, list)
    return new


def read_contexts(path: Path) -> dict[str, Place]:
    """Read the targets of a data set in their texts.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    data = read_data(path)
    contexts = member(data, "contexts", path, "the whole file", dict)
    places: dict[str, Place] = {}
    for tid, target in member(data, "targets", path, "the whole file", dict).items():
        context = contexts.get(member(target, "context_id", path, tid, str))
        if context is None:
            fail("its context is not among the contexts", path, tid)
        text = member(context, "context", path, tid, str)
        word, start = member(target, "target", path, tid, str), member(target, "offset", path, tid, int)
        if start < 0 or text[start : start + len(word)] != word:
            fail(f"the target is not at offset {start} of its context", path, tid, word)
        pos = target.get("pos")
        places[tid] = Place(text, start, start + len(word), pos if isinstance(pos, str) else None)
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
    predictions: dict[str, list[tuple[str, float]]] = {}
    for tid, items in records.items():
        if tid not in gold:
            fail("this target is not in the gold file; are these the same data?", path, tid)
        if not isinstance(items, list):
            fail("an array of [substitute, score] is needed", path, tid, items)
        predictions[tid] = []
        for item in items:
            if not isinstance(item, list) or len(item) != 2 or not isinstance(item[0], str) or not is_number(item[1]):
                fail("a substitute must be [text, score]", path, tid, item)
            predictions[tid].append((item[0], float(item[1])))
    return predictions


def is_number(value: object) -> bool:
    """Return whether a value of JSON is a number, and one that a float can hold."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return not math.isnan(value)
    except OverflowError:
        return False


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
