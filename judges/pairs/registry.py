"""The registry of makers of pairs: their sources, their results, and their weights.

A *maker* yields pairs from the sources until it has no more. An *edit* is the usual kind of maker: a function that
yields the changes it can make in one sentence, of which the first counts. Faithful and unfaithful makers share the
pairs that are wanted half and half; within each half a maker gets its weight's share.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from training.corpora import Corrected
from training.sentence import Sentence
from usim.errors import SuggestionError


class Pair(NamedTuple):
    """A pair of sentences, with the probability that people would say that the meaning is preserved, in [0, 1].

    ``kind`` is what was done, ``family.detail``; ``group`` is the sentence that the pair comes from: pairs of one group
    belong on one side of a split.
    """

    source: str
    output: str
    label: float
    kind: str
    group: str


class Change(NamedTuple):
    """A sentence changed: the new text, the label of old and new, and what was done if not what the edit is called."""

    text: str
    label: float
    kind: str = ""


@dataclass(frozen=True, eq=False)
class Sources:
    """All that the makers draw from: clean sentences, and learners' sentences with corrections."""

    sentences: tuple[Sentence, ...]
    corrected: tuple[Corrected, ...] = ()

    @cached_property
    def graphs(self) -> tuple[Sentence, ...]:
        """Return the sentences that have a graph."""
        return tuple(s for s in self.sentences if s.graph is not None)


Make = Callable[[Sources, random.Random], Iterator[Pair]]
Edit = Callable[[Sentence, random.Random, Sources], Iterator[Change]]


@dataclass(frozen=True)
class Maker:
    """A maker.

    Attributes:
        faithful, weight: whether people would mostly call its pairs faithful; its share of that half.
        edit: what it does to a sentence, if it is an edit.
        alone: whether its pairs are a data set of their own: it is asked only where it is named, and they get no noise.
    """

    name: str
    faithful: bool
    weight: float
    make: Make
    edit: Edit | None = None
    alone: bool = False


#: How often a changed correction is paired with what the learner wrote, and not with the correction.
_LEARNERS = 0.4

MAKERS: dict[str, Maker] = {}


def maker(name: str, *, faithful: bool, weight: float = 1.0, alone: bool = False) -> Callable[[Make], Make]:
    """Register a maker."""

    def register(make: Make) -> Make:
        MAKERS[name] = Maker(name, faithful, weight, make, None, alone)
        return make

    return register


def edit(
    name: str, *, faithful: bool, weight: float = 1.0, both_ways: bool = True, graphs: bool = False, alone: bool = False
) -> Callable[[Edit], Edit]:
    """Register an edit as a maker; if it goes ``both_ways``, the changed sentence may as well be the source."""

    def register(change: Edit) -> Edit:
        def make(sources: Sources, rng: random.Random) -> Iterator[Pair]:
            # A sentence can be changed in more than one way.
            for sentence in shuffled(sources.graphs if graphs else sources.sentences, rng) * 4:
                new = apply_edit(name, sentence, rng, sources)
                if new is None:
                    continue
                if sentence.learner and rng.random() < _LEARNERS:
                    kind = new.kind + "+learner"
                    yield Pair(sentence.learner, new.text, new.label * 0.98, kind, sentence.group)
                    continue
                sides = (sentence.text, new.text)
                if both_ways and rng.random() < 0.5:
                    sides = (new.text, sentence.text)
                yield Pair(*sides, new.label, new.kind, sentence.group)

        MAKERS[name] = Maker(name, faithful, weight, make, change, alone)
        return change

    return register


def shuffled(items: Iterable[Any], rng: random.Random) -> list[Any]:
    """Return items in any order."""
    pool = list(items)
    rng.shuffle(pool)
    return pool


def apply_edit(name: str, sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Apply an edit to a sentence; None where it changes nothing."""
    change = MAKERS[name].edit
    try:
        new = next(change(sentence, rng, sources), None) if change else None
    except SuggestionError:  # a place within a word, of a token that was cut differently
        return None
    if new is None or new.text == sentence.text or "  " in new.text:
        return None
    return new._replace(kind=new.kind or name)
