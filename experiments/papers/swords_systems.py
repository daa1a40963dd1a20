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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from usim.benchmarks.swords import POSITIVE, THRESHOLDS, Gold, SwordsTarget
from usim.errors import FormatError, InputError
from usim.text.files import Path, fail, read_json

_ROGETS_PARTS = {"v": "VERB", "n": "NOUN", "adj": "ADJ", "adv": "ADV"}

Substitutes = dict[str, list[tuple[str, float]]]


@contextmanager
def published_form(path: Path) -> Iterator[None]:
    """Raise a FormatError where a block finds that a file does not have the form in which it was published."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as e:
        raise FormatError(f"not of the form in which it was published ({type(e).__name__}: {e})", path=path) from e


def sure_shares(target: SwordsTarget) -> dict[str, float]:
    """Return substitute → the share of positive labels among those that are not UNSURE, where it has such labels."""
    sure = {s: [label for label in labels if label != "UNSURE"] for s, labels in target.labels.items()}
    return {s: sum(label in POSITIVE for label in given) / len(given) for s, given in sure.items() if given}


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

    CoInCo has the form of SWORDS (``coinco_dev.json.gz``), and the gold data name CoInCo's tokens.

    Raises:
        InputError, FormatError: a file cannot be read, is not of that form, or the two have no target in common.
    """
    data = read_json(path)
    votes: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    with published_form(path):
        of_token = {str(own["extra"][0]["legacy_id"]): name for name, own in data["targets"].items() if own["extra"]}
        for sid, substitute in data["substitutes"].items():
            if count := sum(label in POSITIVE for label in data["substitute_labels"][sid]):
                votes[substitute["target_id"]].append((substitute["substitute"], float(count)))
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
    dictionaries, and nothing that would have to be imported.
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
    with published_form(path):
        for name, target in read_json(path)["targets"].items():
            tokens = list(map(str, target["extra"]["coinco_ids"]))
            targets[name] = (tokens, target["extra"]["coinco_lemma"], target.get("pos"))
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
