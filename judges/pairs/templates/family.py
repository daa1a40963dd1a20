"""Families of sentences: such that say the same, and such that say something else in the same forms.

A frame draws a family; pairs within a meaning are faithful, pairs across meanings are not. Every form comes on both
sides, so that the form of a pair says nothing about its label.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from judges.pairs.pair import Pair
from judges.pairs.registry import maker
from judges.pairs.sources import Sources
from judges.pairs.tables import Table
from judges.pairs.templates.lexicon import CITIES, PLACES, Draw

_GOOD, _BAD = 0.94, 0.04
_REDRAWN = 0.06


class Family(NamedTuple):
    """What a frame draws.

    Attributes:
        meanings: each a list of sentences that say the same, without the mark at the end.
        good: the label within a meaning.
        bad: the label across meanings.
        alone: whether it stands alone: nothing is put before or after it.
        key: which of the families of the frame it is, where these have little to do with each other.
    """

    meanings: Sequence[Sequence[str]]
    good: float = _GOOD
    bad: float = _BAD
    alone: bool = False
    key: str = ""


Frame = Callable[[Draw], Family]


@dataclass(frozen=True)
class Registered:
    """A frame with its name and its share."""

    name: str
    weight: float
    draw: Frame


FRAMES: dict[str, Registered] = {}


def frame(weight: float = 1.0) -> Callable[[Frame], Frame]:
    """Register a frame under its function's name."""

    def register(draw: Frame) -> Frame:
        FRAMES[draw.__name__] = Registered(draw.__name__, weight, draw)
        return draw

    return register


def sentence(text: str) -> str:
    """Return the text as a sentence: a capital first, a full stop last.

    >>> sentence("the man who left said hello")
    'The man who left said hello.'
    """
    text = re.sub(r"\s+", " ", text).strip()
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?", "!", '."', '?"')) else text + "."


_CONTEXTS = Table(Path(__file__).with_name("contexts.txt"))
_BEFORE, _AFTER = _CONTEXTS.texts("before"), _CONTEXTS.texts("after")


def pairs(registered: Registered, faithful: bool, rng: random.Random) -> Iterator[Pair]:
    """Yield pairs of a frame without end."""
    while True:
        draw = Draw(rng)
        family = registered.draw(draw)
        meanings = [list(dict.fromkeys(m)) for m in family.meanings]
        if faithful:
            usable = [m for m in meanings if len(m) > 1]
            one, two = rng.sample(rng.choice(usable), 2)
        else:
            first, second = rng.sample(meanings, 2)
            one, two = rng.choice(first), rng.choice(second)
        label = family.good if faithful else family.bad
        if not faithful and rng.random() < _REDRAWN:  # the same frame about something else
            two, label = rng.choice(rng.choice(registered.draw(Draw(rng)).meanings)), 0.01
            if two in first:
                continue
        if not family.alone:
            one, two = _in_context(one, two, draw)
        kind = f"template.{registered.name}"
        yield Pair(sentence(one), sentence(two), label, kind, f"{kind}:{family.key}" if family.key else kind)


def _in_context(one: str, two: str, draw: Draw) -> tuple[str, str]:
    """Put both sentences into the same surroundings."""
    where = draw.rng.random()
    if where < 0.55:
        return one, two
    around = draw.of(_BEFORE) if where < 0.75 else draw.of(_AFTER)
    around = around.replace("{city}", draw.one(CITIES)).replace("{place}", draw.one(PLACES))
    if around.endswith(". {}"):
        one, two = (text[0].upper() + text[1:] for text in (one, two))
    return around.replace("{}", one), around.replace("{}", two)


def _make(faithful: bool, weight: float) -> None:
    name = f"template.{'same' if faithful else 'other'}"

    @maker(name, faithful=faithful, weight=weight)
    def make(sources: Sources, rng: random.Random) -> Iterator[Pair]:
        """Yield pairs of all frames, each as often as its weight says."""
        frames = [FRAMES[name] for name in sorted(FRAMES)]
        streams = {f.name: pairs(f, faithful, random.Random(f"{rng.random()}:{f.name}")) for f in frames}
        weights = [f.weight for f in frames]
        for _ in range(200_000):
            chosen = rng.choices(frames, weights)[0]
            yield next(streams[chosen.name])


_make(True, 12.0)
_make(False, 11.0)


#: Frames whose first sentences are plain enough to be changed like any other.
_PLAIN = (
    "roles handled dative cause order travel coloured qualities priced set_phrases exists purpose speech compared lasting"
    " at_the_time counts replace respective belongs"
).split()


def plain(count: int, seed: int) -> Iterator[str]:
    """Yield plain sentences of the frames, for the makers that change sentences; none twice."""
    rng = random.Random(f"plain:{seed}")
    seen: set[str] = set()
    for _ in range(10 * count):
        if len(seen) >= count:
            return
        registered = FRAMES[rng.choice(_PLAIN)]
        text = sentence(registered.draw(Draw(rng)).meanings[0][0])
        if text not in seen:
            seen.add(text)
            yield text
