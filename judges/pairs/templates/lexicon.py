"""The words that frames are filled with, and :class:`Draw`, which draws them without repetition."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from judges.pairs.numerals import in_words
from training.forms import form
from training.tables import Table
from usim.suggestions.articles import article

#: The words by their kinds: ``person``, ``city``, …
WORDS = Table(Path(__file__).with_suffix(".txt"))
_COMPARATIVES = dict(WORDS.rows("comparatives", 2))
#: A place for a word of the table, ``{city}``, or another one of the same kind, ``{city2}``; ``{city:a}`` for a form.
_SLOT = re.compile(r"\{(([a-z_]+)\d?)(?::([a-z]+))?\}")
_FORMS = {"past": "VBD", "done": "VBN", "ing": "VBG", "third": "VBZ", "many": "NNS"}


class Phrase(str):
    """A phrase that can be formatted as one of its forms.

    Those of verbs are ``past``, ``done`` (the participle), ``ing`` and ``third`` (person); of nouns ``many`` and ``a``
    (with its article); of adjectives ``more`` and ``most``. A figure has ``words``, a day is ``short``.

    >>> f"{Phrase('go home'):past}, {Phrase('old car'):a}, {Phrase('rich'):most}"
    'went home, an old car, richest'
    """

    def __format__(self, spec: str) -> str:
        if spec == "a":
            return f"{article(self)} {self}"
        if spec in ("more", "most"):
            comparative = _COMPARATIVES.get(self)
            if comparative is None:
                return f"{spec} {self}"
            return comparative if spec == "more" else f"{comparative[:-1]}st"
        if spec == "words":
            return in_words(int(self))
        if spec == "short":
            return self[:3]
        return form(str(self), _FORMS[spec]) if spec else str(self)


class Person(NamedTuple):
    """Somebody: as the text has them, and their pronouns.

    >>> anna = Person("Anna", "she", "her", "her")
    >>> f"{anna}, {anna:mother|father}, {anna:lost their keys}"
    'Anna, mother, lost her keys'
    """

    text: str
    he: str
    him: str
    his: str

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        woman, _, man = spec.partition("|")
        return (woman if self.he == "she" else man or woman).replace("their", self.his) if spec else self.text


class Draw:
    """Draws words for one sentence; no word is drawn twice."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._drawn: set[str] = set()

    def one(self, options: Sequence[str]) -> str:
        """Draw one of the options that was not drawn before."""
        return self.row([(option,) for option in options])[0]

    def row(self, rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """Draw a row none of whose words was drawn before; any row if there is none."""
        row = self.rng.choice([row for row in rows if self._drawn.isdisjoint(row)] or rows)
        self._drawn.update(row)
        return row

    def name(self, woman: bool | None = None) -> Person:
        """Draw a person by name, sometimes with a surname."""
        woman = self.rng.random() < 0.5 if woman is None else woman
        text = self.one(WORDS.words("women" if woman else "men"))
        draw = self.rng.random()
        if draw < 0.12:
            text = f"{text} {self.one(WORDS.words('surnames'))}"
        elif draw < 0.17:
            text = f"{'Mrs.' if woman else 'Mr.'} {self.one(WORDS.words('surnames'))}"
        return Person(text, *(("she", "her", "her") if woman else ("he", "him", "his")))

    def somebody(self) -> Person:
        """Draw a person by name or by what they are."""
        if self.rng.random() < 0.5:
            return self.name()
        text = self.one(WORDS.words("person"))
        woman = text == "queen" or (text not in ("king", "prince", "fisherman", "waiter") and self.rng.random() < 0.5)
        if self.rng.random() < 0.2:
            text = f"{self.one(WORDS.words('manner'))} {text}"
        return Person(f"the {text}", *(("she", "her", "her") if woman else ("he", "him", "his")))

    def fill(self, *texts: str, keep: Collection[str] = ()) -> list[str]:
        """Return texts with the same words of the table in the same places; other places, and those to keep, stay."""
        words: dict[str, Person | Phrase] = {}

        def word(match: re.Match[str]) -> str:
            place, kind, spec = match[1], match[2], match[3]
            if place in keep or (kind != "name" and kind not in WORDS):
                return match[0]
            if place not in words:
                words[place] = self.name() if kind == "name" else Phrase(*self.fill(self.one(WORDS.words(kind))))
            return format(words[place], spec or "")

        return [_SLOT.sub(word, text) for text in texts]


def sentence(text: str) -> str:
    """Return the text as a sentence: a capital first, a mark last.

    >>> sentence("the man who  left said hello")
    'The man who left said hello.'
    """
    text = " ".join(text.split())
    text = text[0].upper() + text[1:]
    return text if _ENDED.search(text) else text + "."


_ENDED = re.compile(r"[.?!…][\"”]?$|[:;]-?[()DP]$|[\u2600-\U0001faff]$")
