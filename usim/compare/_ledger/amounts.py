"""Numbers, quantities, times and dates of both texts, matched by their values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from usim.compare._reasons.amounts import Quantity, find_quantities
from usim.compare._sentence import SentenceView
from usim.lexicon import Number
from usim.lexicon.quantities import MEASURES
from usim.lexicon.topics import CALENDAR_CLASSES

_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
#: Numbers in words up to this one are also said by listing what they count.
_FEW = 4.0
_POWERS = frozenset(("hundred", "thousand", "million", "billion", "dozen"))
#: Spans of time that have a name of their own, in seconds: a day, a week, two, a month, a quarter, a year, a decade.
_SPANS = tuple(MEASURES["day"].factor * days for days in (0.5, 1, 7, 14, 30.4375, 91.3125, 182.625, 365.25, 3652.5))
#: Spans that differ by less are one; numbers that differ by less are the same.
_ROUND = 0.03
_NEARLY = 1e-9
_MOSTLY_VERBS = frozenset(("may", "march"))
#: The classes of the calendar that name one time and no other.
_GROUPS = frozenset(("weekday", "month", "season", "day", "daypart"))


class Amount(NamedTuple):
    """A number of a text, with its unit if it has one."""

    places: tuple[int, ...]
    number: Number
    quantity: Quantity | None

    @property
    def kind(self) -> str:
        """What it is about: ``time`` for times of the clock, else ``number``."""
        return "time" if self.number.kind == "time" else "number"


def find_amounts(view: SentenceView) -> list[Amount]:
    """Return the numbers of a text, in order."""
    quantities = {quantity.number.start: quantity for quantity in find_quantities(view)}
    amounts = [
        Amount(q.places if (q := quantities.pop(number.start, None)) else tuple(number.places), number, q)
        for number in view.numbers
    ]
    amounts += [Amount(q.places, q.number, q) for q in quantities.values()]
    amounts += [
        Amount((i,), Number(i, i + 1, "time", 0.0), None)
        for i, word in enumerate(view.words)
        if word in ("noon", "midnight", "midday")
    ]
    return sorted(amounts, key=lambda amount: amount.places)


def written_digits(view: SentenceView, places: Iterable[int] | None = None) -> set[str]:
    """Return the runs of digits among these tokens, by default in the whole text, without commas."""
    words = view.words if places is None else [view.words[i] for i in places]
    return {digits.replace(",", "") for word in words for digits in _DIGITS.findall(word)}


def same_amount(a: Amount, b: Amount) -> bool:
    """Return whether two amounts are the same, written or converted in whatever way."""
    x, y = a.number, b.number
    if x.same(y) or (a.quantity and b.quantity and a.quantity.equals(b.quantity)):
        return True
    # A percentage and its points; the 20th and 20.
    return any(abs(x.value * factor - y.value) < _NEARLY * max(1.0, y.value) for factor in (1, 100, 0.01))


def is_exact(view: SentenceView, amount: Amount) -> bool:
    """Return whether an amount can hardly be said without its number.

    It can of *one*, *both*, *hundreds*, *third-party*, *one in three*, *24 hours* and one o'clock.
    """
    number, quantity = amount.number, amount.quantity
    words = view.words[number.start : number.end]
    if view.words[max(0, number.start - 2) : number.start] in (("one", "in"), ("one", "of")):
        return False
    if (
        quantity
        and quantity.measure.dimension == "time"
        and any(abs(quantity.base / unit - 1) < _ROUND for unit in _SPANS)
    ):
        return False
    if any(word[:1].isdigit() for word in words):
        return number.value not in (0.0, 1.0, 100.0)
    if number.kind == "time":
        return number.value not in (0.0, 60.0)
    return number.kind == "#" and number.value > _FEW and words[0] not in _POWERS


class Day(NamedTuple):
    """A day of the week, a month, a season or a part of the day in a text: its place, class and name."""

    place: int
    group: str
    name: str


def find_days(view: SentenceView) -> list[Day]:
    """Return the days of the week, months and seasons of a text, and *today* and its like, in order."""
    return [
        Day(i, *CALENDAR_CLASSES[word])
        for i, word in enumerate(view.words)
        if word in CALENDAR_CLASSES and CALENDAR_CLASSES[word][0] in _GROUPS and _is_day(view, i)
    ]


def _is_day(view: SentenceView, i: int) -> bool:
    """Return whether a word of the calendar is one where it stands: *May*, but not *may*, nor *May I*."""
    if view.tokens[i].islower() and view.words[i] in _MOSTLY_VERBS:
        return False
    is_inside = i > 0 and view.entries[i - 1].is_word and view.tokens[i][0].isupper()
    return view.is_date(i) or (CALENDAR_CLASSES[view.words[i]][0] == "month" and is_inside)
