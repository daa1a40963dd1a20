"""Frames: each draws sentences that say the same, and sentences that say something else in the same forms.

Pairs within a meaning are faithful, pairs across meanings are not. Every form comes on both sides, so that the form of
a pair says nothing about its label. The frames stand in tables, ``who.txt``, ``when.txt`` and ``what.txt``. A section
is a frame; its first group of lines is the head::

    4 / .95 / .03              how often it is drawn; the label within a meaning; the label across meanings
    x y = somebody             what is drawn for the places {x} and {y}: name, somebody, couple (a woman and a man by
                               name), or a kind of word in lexicon.txt
    high low = scales          for several places at once: a row of lexicon.txt
    tail = | in {city}         or one of these, possibly nothing
    phrase ~ bank              wordings that say the same and others that do not, of a section of phrases.txt
    swap x y                   a further meaning: the first one with these places exchanged,
    redraw verb                or with another word in this place; of a row all places are named
    as roles                   the meanings are worded as in another frame

Each further group is a meaning, a wording a line. ``{verb:past}`` is a form of :class:`Phrase`, ``{x.he}`` a pronoun,
``{x:mother|father}`` depends on the person, and in ``{x:{was}}`` *their* becomes *his* or *her*.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from judges.pairs.registry import Pair, Sources, maker
from judges.pairs.templates.lexicon import WORDS, Draw, Person, Phrase, sentence
from training.tables import Table, parts_of

Words = Mapping[str, Person | Phrase]
#: How often the other sentence of an unfaithful pair is of the same frame about something else, and its label then.
_REDRAWN, _ELSEWHERE = 0.06, 0.01
_PHRASES = Table(Path(__file__).with_name("phrases.txt"))
_CONTEXTS = Table(Path(__file__).with_name("contexts.txt"))
_BEFORE, _AFTER = _CONTEXTS.texts("before"), _CONTEXTS.texts("after")


class Family(NamedTuple):
    """What a frame draws: meanings, each a list of sentences that say the same, and which of its families they are."""

    meanings: Sequence[Sequence[str]]
    key: str = ""


class Frame:
    """A frame of a table."""

    def __init__(self, table: Table, name: str) -> None:
        self.name = name
        (numbers, *head), *self._meanings = table.groups(name)
        self.weight, self.good, self.bad = map(float, parts_of(numbers, " / ", 3))
        self._draws: list[tuple[tuple[str, ...], str]] = []
        self._changes: list[tuple[str, tuple[str, ...]]] = []
        self._phrases = ""
        for line in head:
            names, equals, drawn = line.partition("=")
            kind, *rest = line.split()
            if equals:
                self._draws.append((tuple(names.split()), drawn.strip()))
            elif rest[:1] == ["~"]:
                self._phrases = rest[1]
            elif kind in ("swap", "redraw") and rest:
                self._changes.append((kind, tuple(rest)))
            elif kind == "as":
                _, *self._meanings = table.groups(rest[0])
            else:
                raise ValueError(f"not of the form `name = words`, `phrase ~ section`, swap, redraw or as: {line!r}")

    def draw(self, draw: Draw) -> Family:
        """Draw a family."""
        words: dict[str, Person | Phrase] = {}
        for names, drawn in self._draws:
            words |= _drawn(names, drawn, draw)
        if self._phrases:
            return self._of_phrases(words, draw)
        meanings = [[_filled(line, words) for line in meaning] for meaning in self._meanings]
        if self._changes:
            changed = [self._changed(kind, names, words, draw) for kind, names in self._changes]
            others = [[_filled(line, other) for line in self._meanings[0]] for other in changed]
            meanings = [meanings[0], draw.rng.choice([*others, *meanings[1:]])]
        return Family(meanings)

    def _of_phrases(self, words: Words, draw: Draw) -> Family:
        context, like, unlike = draw.rng.choice(_PHRASES.contrasts(self._phrases))

        def say(phrase: str) -> list[str]:
            text = Phrase(context.replace("{}", phrase) if context else phrase)
            return [_filled(line, {**words, "phrase": text}) for line in self._meanings[0]]

        same = [text for phrase in like for text in say(phrase)]
        return Family([same, say(draw.rng.choice(unlike))], context or like[0])

    def _changed(self, kind: str, names: Sequence[str], words: Words, draw: Draw) -> Words:
        """Return the words with those of some places exchanged, or drawn anew."""
        if kind == "swap":
            partners = [names[k ^ 1] for k in range(len(names))]
            return {**words, **{name: words[partner] for name, partner in zip(names, partners, strict=True)}}
        drawn = next(drawn for of, drawn in self._draws if names[0] in of)
        return {**words, **_drawn(names, drawn, draw)}


def _drawn(names: Sequence[str], drawn: str, draw: Draw) -> Words:
    """Draw words for some places, as a line of a head says."""
    if drawn == "couple":
        women = draw.rng.sample((True, False), 2)
        return {name: draw.name(woman) for name, woman in zip(names, women, strict=True)}
    if drawn in ("name", "somebody"):
        return {name: draw.name() if drawn == "name" else draw.somebody() for name in names}
    options = [option.strip() for option in f" {drawn} ".split("|")]
    if drawn in WORDS:
        options = WORDS.texts(drawn) if " / " in WORDS.texts(drawn)[0] else WORDS.words(drawn)
    if " / " in options[0]:
        rows = [tuple(option.split(" / ")) for option in options]
        return {name: Phrase(*draw.fill(word, keep=names)) for name, word in zip(names, draw.row(rows), strict=True)}
    return {name: Phrase(*draw.fill(draw.one(options))) for name in names}


def _filled(line: str, words: Words) -> str:
    text = line.format_map(words)
    text = text.format_map(words) if "{" in text else text  # a word may have places itself
    return " ".join(text.split())


def read_frames(path: Path) -> dict[str, Frame]:
    """Read the frames of a table."""
    table = Table(path)
    return {name: Frame(table, name) for name in table}


FRAMES = {
    name: frame
    for file in ("what.txt", "when.txt", "who.txt")
    for name, frame in read_frames(Path(__file__).with_name(file)).items()
}


def pairs(frame: Frame, faithful: bool, rng: random.Random) -> Iterator[Pair]:
    """Yield pairs of a frame without end."""
    while True:
        draw = Draw(rng)
        family = frame.draw(draw)
        if faithful:
            first, second = rng.sample(rng.choice([m for m in family.meanings if len(m) > 1]), 2)
            label = frame.good
        else:
            meaning, other = rng.sample(family.meanings, 2)
            first, second, label = rng.choice(meaning), rng.choice(other), frame.bad
            if rng.random() < _REDRAWN:
                second, label = rng.choice(rng.choice(frame.draw(Draw(rng)).meanings)), _ELSEWHERE
                if second in meaning:
                    continue
        first, second = _in_context(first, second, draw)
        kind = f"template.{frame.name}"
        yield Pair(sentence(first), sentence(second), label, kind, f"{kind}:{family.key}" if family.key else kind)


def _in_context(first: str, second: str, draw: Draw) -> tuple[str, str]:
    """Put both sentences into the same surroundings, or into none."""
    where = draw.rng.random()
    if where < 0.55:
        return first, second
    (around,) = draw.fill(draw.rng.choice(_BEFORE if where < 0.75 else _AFTER))
    if around.endswith(". {}"):
        first, second = (text[0].upper() + text[1:] for text in (first, second))
    return around.replace("{}", first), around.replace("{}", second)


def _weighted(faithful: bool, sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Yield pairs of all frames, each as often as its weight says."""
    frames = [frame for _, frame in sorted(FRAMES.items())]
    streams = {f.name: pairs(f, faithful, random.Random(f"{rng.random()}:{f.name}")) for f in frames}
    for _ in range(200_000):
        yield next(streams[rng.choices(frames, [f.weight for f in frames])[0].name])


maker("template.same", faithful=True, weight=12.0)(partial(_weighted, True))
maker("template.other", faithful=False, weight=11.0)(partial(_weighted, False))

#: Frames whose first sentences are plain enough to be changed like any other.
_PLAIN = (
    "roles handled dative cause order travel coloured qualities priced set_phrases exists purpose speech compared "
    "lasting at_the_time counts replace respective belongs"
).split()


def plain(count: int, seed: int) -> Iterator[str]:
    """Yield plain sentences of the frames, for the makers that change sentences; none twice."""
    rng = random.Random(f"plain:{seed}")
    seen: set[str] = set()
    for _ in range(10 * count):
        if len(seen) >= count:
            return
        text = sentence(FRAMES[rng.choice(_PLAIN)].draw(Draw(rng)).meanings[0][0])
        if text not in seen:
            seen.add(text)
            yield text
