"""The makers of pairs and how much each gives.

A *maker* yields pairs from the sources until it has no more. An *edit* is the usual kind of maker: a function that
changes one sentence, or says that there is nothing to change in it (None). Faithful and unfaithful makers share the
pairs that are wanted half and half; within each half a maker gets its weight's share.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from judges.pairs.pair import Change, Pair
from judges.pairs.sources import Sources
from training.sentence import Sentence
from usim.errors import SuggestionError

Make = Callable[[Sources, random.Random], Iterator[Pair]]
Edit = Callable[[Sentence, random.Random, Sources], Change | None]


@dataclass(frozen=True)
class Maker:
    """A maker.

    Attributes:
        name: its name, ``family.detail``.
        faithful: whether people would mostly call its pairs faithful.
        weight: its share, relative to the others of its half.
        make: yields its pairs.
        noise: whether learners' noise may be put on its pairs.
        alone: whether its pairs are a data set of their own: it is only asked where it is named.
    """

    name: str
    faithful: bool
    weight: float
    make: Make
    noise: bool = True
    alone: bool = False


#: How often a changed correction is paired with what the learner wrote, and not with the correction.
_LEARNERS = 0.4

MAKERS: dict[str, Maker] = {}
EDITS: dict[str, tuple[bool, Edit]] = {}


def maker(
    name: str, *, faithful: bool, weight: float = 1.0, noise: bool = True, alone: bool = False
) -> Callable[[Make], Make]:
    """Register a maker."""

    def register(make: Make) -> Make:
        MAKERS[name] = Maker(name, faithful, weight, make, noise, alone)
        return make

    return register


def edit(
    name: str, *, faithful: bool, weight: float = 1.0, both_ways: bool = True, graphs: bool = False
) -> Callable[[Edit], Edit]:
    """Register an edit as a maker.

    Args:
        both_ways: whether the changed sentence may as well be the source, with the same label.
        graphs: whether it needs the sentence's graph.
    """

    def register(change: Edit) -> Edit:
        def make(sources: Sources, rng: random.Random) -> Iterator[Pair]:
            pool = list(sources.graphs if graphs else sources.sentences)
            rng.shuffle(pool)
            for _ in range(4):  # a sentence can be changed in more than one way
                for sentence in pool:
                    new = apply_edit(change, sentence, rng, sources)
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

        MAKERS[name] = Maker(name, faithful, weight, make)
        EDITS[name] = (faithful, change)
        return change

    return register


def apply_edit(change: Edit, sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Apply an edit to a sentence; None where it changes nothing."""
    try:
        new = change(sentence, rng, sources)
    except SuggestionError:  # a place within a word, of a token that was cut differently
        return None
    if new is None or new.text == sentence.text or "  " in new.text:
        return None
    return new
