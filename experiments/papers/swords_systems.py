"""The systems of the SWORDS paper that are made from published data: CoInCo, the thesaurus, people, the oracle.

Lee et al. (2021) score, beside models, what people wrote down unasked (CoInCo, Kremer et al. 2014), all that Roget's
Thesaurus has, the re-annotation of a subset of the test targets by ten other people (HUMANS), and the labels
themselves (ORACLE). The published code keeps the substitutes of a target in a Python ``set``, so that substitutes with
equal votes come in another order in each run, and its figures at k move by half a point. Here they keep the order of
their file, so that the figures are always the same.
"""

from __future__ import annotations

import pickle
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from usim.benchmarks.case import read_record
from usim.benchmarks.swords import POSITIVE, THRESHOLDS, Gold, SwordsTarget, read_predictions
from usim.errors import FormatError, InputError
from usim.text.files import Path, fail, read_json

_ROGETS_PARTS = {"v": "VERB", "n": "NOUN", "adj": "ADJ", "adv": "ADV"}

Substitutes = dict[str, list[tuple[str, float]]]


def member(record: object, key: str, path: Path, name: str, kind: type | tuple[type, ...]) -> Any:
    """Return the value of a key of a JSON record; raise a FormatError where it is not there, or of another type."""
    if not isinstance(record, Mapping):
        fail("an object is needed", path, name, record)
    if key not in record:
        fail(f"the field {key!r} is missing", path, name)
    value = record[key]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        fail(f"the field {key!r} must be of type {' or '.join(_JSON[k] for k in kinds)}", path, name, value)
    return value


_JSON: dict[type, str] = {
    dict: "object", list: "array", str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"
}  # fmt: skip


def sure_shares(target: SwordsTarget) -> dict[str, float]:
    """Return substitute → the share of positive labels among those that are not UNSURE, where it has such labels."""
    sure = {s: [label for label in labels if label != "UNSURE"] for s, labels in target.labels.items()}
    return {s: sum(label in POSITIVE for label in given) / len(given) for s, given in sure.items() if given}


def read_system(name: str | None, path: Path, gold_path: Path, gold: Gold) -> Substitutes:
    """Read published data as the output of a system: ``coinco``, ``rogets``, or with no name an output or answers."""
    if name is not None:
        return (read_coinco if name == "coinco" else read_rogets)(path, gold_path)
    return read_answers(path, gold)[0] if are_answers(path) else read_predictions(path, gold)


def annotated(annotation: Gold, kind: str = "c") -> Substitutes:
    """Return what people judged to be right as a system: HUMANS from a re-annotation, ORACLE from the gold data.

    ``kind`` is ``a`` for the acceptable substitutes, ``c`` for the conceivable ones, ``all`` for all of them.
    The score is the share of positive labels; those that are UNSURE are left out.
    """
    least = 0.0 if kind == "all" else THRESHOLDS[kind]
    shares = {name: sure_shares(target).items() for name, target in annotation.items()}
    return {name: _sorted([pair for pair in pairs if pair[1] >= least]) for name, pairs in shares.items()}


def read_coinco(path: Path, gold_path: Path) -> Substitutes:
    """Read what the annotators of CoInCo wrote for the targets of SWORDS; the score is their number.

    Args:
        path: CoInCo in the form of SWORDS (``coinco_dev.json.gz``, ``coinco_test.json.gz``).
        gold_path: the data of SWORDS, which name CoInCo's tokens.

    Raises:
        InputError, FormatError: a file cannot be read, is not of that form, or the two have no target in common.
    """
    data = read_json(path)
    whole = "the whole file"
    of_token: dict[str, str] = {}
    for name, target in member(data, "targets", path, whole, dict).items():
        for token in member(target, "extra", path, name, list)[:1]:
            of_token[str(member(token, "legacy_id", path, name, (str, int)))] = name
    labels = member(data, "substitute_labels", path, whole, dict)
    votes: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for sid, substitute in member(data, "substitutes", path, whole, dict).items():
        given = member(labels, sid, path, f"labels of {sid}", list)
        if count := sum(label in POSITIVE for label in given):
            name = member(substitute, "target_id", path, sid, str)
            votes[name].append((member(substitute, "substitute", path, sid, str), float(count)))
    substitutes = {}
    for name, (tokens, _, _) in _targets(gold_path).items():
        if tokens and tokens[0] in of_token:
            substitutes[name] = _sorted(votes[of_token[tokens[0]]])
    if not substitutes:
        raise InputError("it has no target of the gold data; are the two of the same part?", path=path)
    return substitutes


def read_rogets(path: Path, gold_path: Path) -> Substitutes:
    """Read what Roget's Thesaurus has for the targets of SWORDS whose lemmas it has; the score is minus the place.

    The published file (``rogets.pkl``) is pickled. It is read without running anything: it may hold strings, lists and
    dictionaries, and nothing that would have to be imported. The data of SWORDS have the lemma and the part of speech
    of each target.

    Raises:
        InputError, FormatError: a file cannot be read, or is not of that form.
    """
    senses: defaultdict[str, list[tuple[set[str], list[str]]]] = defaultdict(list)
    for (lemma, part), substitutes in _rogets_entries(path):
        parts = {_ROGETS_PARTS.get(re.sub(r"[^A-Za-z]", "", name), "") for name in part.split("/")}
        senses[lemma].append((parts, substitutes))
    systems: Substitutes = {}
    for name, (_, lemma, pos) in _targets(gold_path).items():
        if lemma in senses:
            synonyms = [word for parts, words in senses[lemma] for word in words if pos in parts]
            systems[name] = [(word, -float(place)) for place, word in enumerate(synonyms)]
    return systems


def _sorted(pairs: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(pairs, key=lambda pair: -pair[1])


def _targets(path: Path) -> dict[str, tuple[list[str], str, str | None]]:
    """Return, for each target of SWORDS, its tokens in CoInCo, its lemma there, and its part of speech."""
    targets = {}
    for name, target in member(read_json(path), "targets", path, "the whole file", dict).items():
        extra = member(target, "extra", path, name, dict)
        tokens = member(extra, "coinco_ids", path, name, list)
        lemma = member(extra, "coinco_lemma", path, name, str)
        targets[name] = ([str(token) for token in tokens], lemma, target.get("pos"))
    return targets


class _PlainUnpickler(pickle.Unpickler):
    """Reads plain values and the standard dictionaries; refuses everything that would have to be imported."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class that cannot do any harm; refuse all others."""
        harmless = {"collections": {"OrderedDict", "defaultdict"}, "builtins": {"dict", "list", "str"}}
        if name not in harmless.get(module, ()):
            raise pickle.UnpicklingError(f"it names {module}.{name}, and may hold strings, lists and dictionaries only")
        return super().find_class(module, name)


def _rogets_entries(path: Path) -> list[tuple[tuple[str, str], list[str]]]:
    try:
        with open(path, "rb") as file:
            data = _PlainUnpickler(file).load()
    except OSError as e:
        raise InputError(e.strerror or str(e), path=path) from e
    except Exception as e:  # a broken pickle can raise almost anything
        raise FormatError(f"not the pickled thesaurus of SWORDS ({e})", path=path) from e
    if not isinstance(data, dict):
        raise FormatError("not the pickled thesaurus of SWORDS: a dictionary is needed", path=path)
    entries = []
    for key, value in data.items():
        match key, value:
            case (str(lemma), str(part)), {"results": [*words]} if all(isinstance(word, str) for word in words):
                entries.append(((lemma, part), words))
            case _:
                fail("an entry must be (lemma, part of speech) with {'results': […]}", path, str(key), str(value)[:80])
    return entries


# The raw answers of GPT-3 and Wordtune


def are_answers(path: Path) -> bool:
    """Return whether a file holds the raw answers of GPT-3 or Wordtune as published, see :func:`read_answers`."""
    return any(
        isinstance(answer, dict) and ("choices" in answer or "drilldown" in answer)
        for answer in read_json(path).values()
    )


def read_answers(path: Path, gold: Gold) -> tuple[dict[str, list[tuple[str, float]]], list[str]]:
    """Read the substitutes in the raw answers of GPT-3 and Wordtune, as the authors of SWORDS read them.

    GPT-3 answers with a text, ``"a, b, c"``, from best to worst, in which a substitute may come again and again (the
    first one counts); Wordtune with suggestions that have scores, or with none (``drilldown`` is null). The published
    answers are to an earlier version of the data, in which some targets have other ids.

    Returns:
        the predictions, as :func:`read_predictions` has them, and the ids that are not in the gold data.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of that form.
    """
    predictions = {}
    for tid, answer in read_json(path).items():
        if isinstance(answer, dict) and "choices" in answer:
            predictions[tid] = _completion(answer["choices"], path, tid)
        else:
            predictions[tid] = _clues(member(answer, "drilldown", path, tid, (dict, type(None))), path, tid)
    known = {tid: substitutes for tid, substitutes in predictions.items() if tid in gold}
    return known, [tid for tid in predictions if tid not in gold]


def _completion(choices: object, path: Path, tid: str) -> list[tuple[str, float]]:
    if not isinstance(choices, list) or not choices:
        fail("choices must be an array of objects with a text", path, tid, choices)
    text: str = member(choices[0], "text", path, tid, str)
    substitutes = dict.fromkeys(s.strip() for s in text.split(",") if s.strip())
    return [(substitute, -float(place)) for place, substitute in enumerate(substitutes)]


def _clues(drilldown: dict[str, Any] | None, path: Path, tid: str) -> list[tuple[str, float]]:
    if drilldown is None:
        return []
    items = member(drilldown, "suggestions", path, tid, list)
    clues = [read_record(item, _Clue, path, tid) for item in items]
    return sorted(((clue.suggestion, clue.score) for clue in clues), key=lambda pair: -pair[1])


class _Clue(Struct):
    suggestion: str
    score: float
