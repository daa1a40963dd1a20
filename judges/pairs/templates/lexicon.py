"""The words that the templates are filled with, and :class:`Draw`, which draws them without repetition."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from judges.pairs.tables import Table
from training.forms import form
from usim.suggestions.articles import article

T = TypeVar("T")

_TABLE = Table(Path(__file__).with_suffix(".txt"))
WOMEN = _TABLE.words("women")
MEN = _TABLE.words("men")
SURNAMES = _TABLE.words("surnames")
JOBS = _TABLE.words("jobs")
PEOPLE = _TABLE.words("people")
ANIMALS = _TABLE.words("animals")
THINGS = _TABLE.words("things")
SMALL = _TABLE.words("small")
FOODS = _TABLE.words("foods")
PLACES = _TABLE.words("places")
WHERE = _TABLE.words("where")
CITIES = _TABLE.words("cities")
COUNTRIES = _TABLE.words("countries")
TIMES = _TABLE.words("times")
COLOURS = _TABLE.words("colours")
NUMBERS = _TABLE.words("numbers")
BETWEEN = _TABLE.words("between")
BETWEEN_ANIMALS = _TABLE.words("between_animals")
HANDLE = _TABLE.words("handle")
DEEDS = _TABLE.words("deeds")
EVENTS = _TABLE.words("events")
SCALES = _TABLE.rows("scales", 2)
THING_SCALES = _TABLE.rows("thing_scales", 2)
CAUSES = _TABLE.rows("causes", 2)
STATES = _TABLE.rows("states", 2)


class Person(NamedTuple):
    """Somebody: as the text has them, and their pronouns."""

    text: str
    he: str
    him: str
    his: str

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)


class Draw:
    """Draws words for one sentence; no word is drawn twice.

    Args:
        rng: decides.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._taken: set[str] = set()

    def one(self, options: Sequence[str]) -> str:
        """Draw one of the options that was not drawn before."""
        for _ in range(50):
            option = self.rng.choice(options)
            if option not in self._taken:
                self._taken.add(option)
                return option
        return self.rng.choice(options)

    def of(self, options: Sequence[T]) -> T:
        """Draw one of the options."""
        return self.rng.choice(options)

    def name(self, woman: bool | None = None) -> Person:
        """Draw a person by name, sometimes with a surname."""
        woman = self.rng.random() < 0.5 if woman is None else woman
        text = self.one(WOMEN if woman else MEN)
        draw = self.rng.random()
        if draw < 0.12:
            text = f"{text} {self.one(SURNAMES)}"
        elif draw < 0.17:
            text = f"{'Mrs.' if woman else 'Mr.'} {self.one(SURNAMES)}"
        return Person(text, *(("she", "her", "her") if woman else ("he", "him", "his")))

    def person(self) -> Person:
        """Draw a person by name or by what they are."""
        if self.rng.random() < 0.5:
            return self.name()
        text = self.one(PEOPLE)
        woman = text == "queen" or (text not in ("king", "prince", "fisherman", "waiter") and self.rng.random() < 0.5)
        described = self.rng.random()
        if described < 0.2:
            text = f"{self.one(('old', 'young', 'tall', 'new', 'friendly', 'famous', 'quiet', 'foreign'))} {text}"
        return Person(f"the {text}", *(("she", "her", "her") if woman else ("he", "him", "his")))

    def thing(self, options: Sequence[str] = THINGS) -> str:
        """Draw a thing with its article, sometimes with an adjective."""
        text = self.one(options)
        if self.rng.random() < 0.3:
            text = f"{self.one(('old', 'new', 'small', 'expensive', 'beautiful', 'broken', *COLOURS))} {text}"
        return f"the {text}" if self.rng.random() < 0.6 else a(text)

    def deed(self) -> str:
        """Draw a deed, as a base form with its object."""
        return self.one(DEEDS)


def a(phrase: str) -> str:
    """Return the phrase with its indefinite article."""
    return f"{article(phrase)} {phrase}"


def past(phrase: str) -> str:
    """Return the past of a phrase that begins with a base form."""
    return form(phrase, "VBD")


def done(phrase: str) -> str:
    """Return the past participle."""
    return form(phrase, "VBN")


def ing(phrase: str) -> str:
    """Return the *-ing* form."""
    return form(phrase, "VBG")


def third(phrase: str) -> str:
    """Return the third person of the present."""
    return form(phrase, "VBZ")


def more(adjective: str) -> str:
    """Return the comparative."""
    return _REGULAR.get(adjective) or f"more {adjective}"


def most(adjective: str) -> str:
    """Return the superlative."""
    comparative = _REGULAR.get(adjective)
    return comparative[:-1] + "st" if comparative else f"most {adjective}"


_REGULAR = dict(_TABLE.rows("comparatives", 2))
