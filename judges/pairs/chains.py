"""Two changes of one sentence: the label is the product of theirs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from judges.pairs.pair import Pair
from judges.pairs.registry import EDITS, changed, maker
from judges.pairs.sources import Sources
from training.sentence import Sentence


def _chain(sources: Sources, rng: random.Random, second_faithful: bool) -> Iterator[Pair]:
    pool = list(sources.sentences)
    rng.shuffle(pool)
    faithful = sorted(name for name, (good, _) in EDITS.items() if good)
    second = [name for name, (good, _) in sorted(EDITS.items()) if good == second_faithful]
    for sentence in pool:
        names = rng.sample(faithful, min(6, len(faithful))), rng.sample(second, min(6, len(second)))
        # What needs the graph comes first: the changed text has none.
        order = list(names)
        if rng.random() < 0.5:
            order.reverse()
        text, label, kinds = sentence.text, 1.0, list[str]()
        current = sentence
        for group in order:
            for name in group:
                if current.graph is None and name.startswith("unit."):
                    continue
                change = changed(EDITS[name][1], current, rng, sources)
                if change is not None and change.text != sentence.text and change.text.lower() != text.lower():
                    text, label = change.text, label * change.label
                    kinds.append(change.kind)
                    current = Sentence.of(text, sentence.group)
                    break
        if len(kinds) == 2 and (label >= 0.5) is second_faithful:
            kind = "chain.faithful" if second_faithful else "chain.unfaithful"
            sides = (sentence.text, text) if rng.random() < 0.5 else (text, sentence.text)
            yield Pair(*sides, round(label, 4), kind, sentence.group)


@maker("chain.faithful", faithful=True, weight=3.0)
def faithful(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Make two faithful changes."""
    yield from _chain(sources, rng, True)


@maker("chain.unfaithful", faithful=False, weight=4.0)
def unfaithful(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Make a faithful change and an unfaithful one."""
    yield from _chain(sources, rng, False)
