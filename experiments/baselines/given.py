"""Targets that a system is given, and what it answers, in the forms that the scorers of the benchmarks read."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

from usim.benchmarks.benchmark import Benchmark
from usim.benchmarks.case import Place
from usim.benchmarks.prolex import ProLex
from usim.benchmarks.swords import Swords
from usim.benchmarks.sws import Sws
from usim.errors import InputError
from usim.text import Span, tokenise
from usim.text.files import Path, fail, read_json, read_text, text_lines

#: How many words on each side of a target a system sees: contexts of SWORDS have several sentences.
_AROUND = 100


class Candidate(NamedTuple):
    """A word or phrase that may stand in the place of a target, and its score there; the higher, the better."""

    text: str
    score: float


class GivenTarget(NamedTuple):
    """A target that a system is given: words, the first of the target, the one after its last, its part of speech.

    ``name`` is the target's id in SWORDS, its number in ProLex, and the sentence's id in SWS.
    """

    name: str
    words: tuple[str, ...]
    start: int
    end: int
    pos: str | None = None

    @classmethod
    def at(cls, name: str, place: Place) -> GivenTarget:
        """Return a target with its text cut into words; the target is a single one, even if it is a phrase."""
        before = [token.text for token in tokenise(place.text[: place.start])]
        after = [token.text for token in tokenise(place.text[place.end :])]
        words = (*before, place.word, *after)
        return cls(name, words, len(before), len(before) + 1, place.pos)

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


def opened(path: Path, *, given: bool = False) -> Benchmark[Any] | None:
    """Open the benchmark whose data a file has and say what the targets are; with ``given``, also data of SWS."""
    name = os.fspath(path).removesuffix(".gz")
    if name.endswith(".csv"):
        return ProLex.open(path)
    if name.endswith(".json") and "contexts" in read_json(path):
        return Swords.open(path)
    return Sws.open(path) if given else None


def targets_of(benchmark: Benchmark[Any]) -> list[GivenTarget]:
    """Return the targets of gold data, for systems that are given them."""
    if isinstance(benchmark, Sws):
        return [
            GivenTarget(name, words, *target.span) for name, (words, own) in benchmark.gold.items() for target in own
        ]
    if isinstance(benchmark, ProLex):
        return [GivenTarget.at(str(number), benchmark.place(number)) for number in benchmark.gold]
    return [GivenTarget.at(name, target.place) for name, target in benchmark.gold.items() if target.place]


def write(benchmark: Benchmark[Any], file: IO[str], answers: Iterable[tuple[GivenTarget, Sequence[Candidate]]]) -> None:
    """Write substitutes for :func:`targets_of`, best first, in the form that the benchmark reads."""
    if isinstance(benchmark, Sws):
        spans: dict[str, dict[Span, list[str]]] = {name: {} for name in benchmark.gold}
        for target, candidates in answers:
            spans[target.name][target.start, target.end] = [candidate.text for candidate in candidates]
        write_predictions(file, ((name, benchmark.gold[name].words, own) for name, own in spans.items()))
    elif isinstance(benchmark, ProLex):
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("target word", "Sentence", "Substitutes"))
        for target, candidates in answers:
            gold = benchmark.gold[int(target.name)]
            # Commas separate substitutes.
            texts = (" ".join(candidate.text.replace(",", " ").split()) for candidate in candidates)
            rows.writerow((gold.word, gold.sentence, ", ".join(texts)))
    else:
        substitutes = {target.name: candidates for target, candidates in answers}
        json.dump({"substitutes_lemmatized": False, "substitutes": substitutes}, file, ensure_ascii=False)


def read_sentences(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the sentences of a file with their names, as words.

    They come from data or predictions of SWS (``.json``: ``sentence_split`` or ``input_words``), or from a text with a
    sentence a line (``-``: standard input), which is tokenised and named by its number from 1; ``.gz`` is unpacked.

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
    """Write predictions for sentences: the name of each, its words, and span → suggestions."""
    records = {
        name: {
            "input_words": words,
            "substitute_topk": [[[" ".join(words[slice(*span)]), *span], own] for span, own in spans.items()],
        }
        for name, words, spans in predictions
    }
    json.dump(records, file, ensure_ascii=False)
