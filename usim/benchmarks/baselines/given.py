"""Targets that a system is given: read from the data of the three benchmarks, answered in the form that each scores.

In SWORDS and ProLex the word to replace is part of the question. In Smart Word Suggestions a system has to find it;
given the targets of the gold data, only its suggestions are compared.

==========================================  =================================================
data                                        predictions
==========================================  =================================================
SWORDS: ``contexts`` and ``targets``        target id → ``[[substitute, score], …]``
ProLex: CSV with ``**`` around the target   CSV with ``target word``, ``Sentence``, ``Substitutes``
SWS: ``sentence_split``, ``substitutes``    sentence id → ``input_words``, ``substitute_topk``
==========================================  =================================================
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO, NamedTuple, Protocol

from usim.benchmarks import prolex, sws
from usim.benchmarks.baselines.files import write_predictions
from usim.suggestions import prolex as prolex_files
from usim.suggestions import swords as swords_files
from usim.text import Path, read_json, tokenise

#: How many words on each side of a target a system sees: contexts of SWORDS have several sentences.
_AROUND = 100


class Candidate(NamedTuple):
    """A word or phrase that may stand in the place of a target, and its score there; the higher, the better."""

    text: str
    score: float


class GivenTarget(NamedTuple):
    """A target in its context: the words, the first of the target and the one after its last, its part of speech.

    ``name`` is the target's id in SWORDS, its number in ProLex, and the sentence's id in SWS.
    """

    name: str
    words: tuple[str, ...]
    start: int
    end: int
    pos: str | None = None

    @property
    def text(self) -> str:
        """The target itself."""
        return " ".join(self.words[self.start : self.end])

    def cropped(self) -> GivenTarget:
        """Return the target with at most a hundred words of context on each side."""
        first = max(0, self.start - _AROUND)
        return self._replace(
            words=self.words[first : self.end + _AROUND], start=self.start - first, end=self.end - first
        )


class Substituter(Protocol):
    """A system that is given its targets."""

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same substitutes again."""
        ...

    def __call__(self, target: GivenTarget) -> list[Candidate]:
        """Return substitutes for a target, the best first."""
        ...


@dataclass(frozen=True)
class GivenTargets:
    """The targets of a file of data.

    Attributes:
        benchmark: ``sws``, ``prolex`` or ``swords``.
        targets: in the order of the file.
        source: what predictions repeat of the data: in SWS the words of each sentence, in ProLex the word and sentence.
    """

    benchmark: str
    targets: tuple[GivenTarget, ...]
    source: dict[str, tuple[str, ...]]


def are_given(path: Path) -> bool:
    """Return whether a file says what the targets are and nothing else will do: data of SWORDS or ProLex."""
    name = os.fspath(path).removesuffix(".gz")
    return name.endswith(".csv") or (name.endswith(".json") and "contexts" in read_json(path))


def read_given(path: Path) -> GivenTargets:
    """Read the targets of a benchmark's data.

    Args:
        path: ``.csv`` for ProLex, ``.json`` for SWORDS (packed or not) or the gold data of SWS.

    Raises:
        InputError, FormatError: the file cannot be read, or is not of one of these forms.
    """
    name = os.fspath(path).removesuffix(".gz")
    if name.endswith(".csv"):
        return _read_prolex(path)
    if are_given(path):
        targets = swords_files.read_targets(path).items()
        given = tuple(_in_text(key, target.text, target.start, target.end, target.pos) for key, target in targets)
        return GivenTargets("swords", given, {})
    gold = sws.read_gold(path)
    given = tuple(
        GivenTarget(key, sentence.words, *target.span) for key, sentence in gold.items() for target in sentence.targets
    )
    return GivenTargets("sws", given, {key: sentence.words for key, sentence in gold.items()})


def _read_prolex(path: Path) -> GivenTargets:
    given: list[GivenTarget] = []
    source: dict[str, tuple[str, ...]] = {}
    for number, target in prolex.read_gold(path).items():
        text, start, end = prolex_files.unmarked(target.sentence, number)
        given.append(_in_text(str(number), text, start, end, None))
        source[str(number)] = (target.word, target.sentence)
    return GivenTargets("prolex", tuple(given), source)


def _in_text(name: str, text: str, start: int, end: int, pos: str | None) -> GivenTarget:
    """Return a target of a text in words; the target is one of them, whatever it is made of."""
    before = [token.text for token in tokenise(text[:start])]
    after = [token.text for token in tokenise(text[end:])]
    return GivenTarget(name, (*before, text[start:end], *after), len(before), len(before) + 1, pos)


def write_given(
    file: IO[str], given: GivenTargets, substitutes: Iterable[tuple[GivenTarget, Sequence[Candidate]]]
) -> None:
    """Write substitutes in the form that the benchmark's scorer reads.

    Args:
        file: the file to write to.
        given: the data.
        substitutes: each target with its substitutes, the best first.
    """
    if given.benchmark == "sws":
        spans: dict[str, dict[sws.Span, list[str]]] = {name: {} for name in given.source}
        for target, candidates in substitutes:
            spans[target.name][target.start, target.end] = [candidate.text for candidate in candidates]
        write_predictions(file, ((name, words, spans[name]) for name, words in given.source.items()))
    elif given.benchmark == "prolex":
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("target word", "Sentence", "Substitutes"))
        for target, candidates in substitutes:
            rows.writerow((*given.source[target.name], ", ".join(_one(candidate.text) for candidate in candidates)))
    else:
        file.write('{"substitutes": {')
        for number, (target, candidates) in enumerate(substitutes):
            pairs = [[candidate.text, candidate.score] for candidate in candidates]
            file.write(",\n" if number else "\n")
            file.write(f"{json.dumps(target.name)}: {json.dumps(pairs, ensure_ascii=False)}")
        file.write("\n}}\n")


def _one(substitute: str) -> str:
    """Return a substitute without commas, which separate substitutes in ProLex."""
    return " ".join(substitute.replace(",", " ").split())
