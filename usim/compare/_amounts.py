"""Amounts of a sentence: numbers, units of measurement, currencies; times of the clock, days and months."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from usim.compare._sentence import SentenceView
from usim.lexicon import Number
from usim.lexicon.quantities import MEASURES, SAID, TOLERANCE, Measure, joined_measure, measure_behind
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import CALENDAR_CLASSES, HALVES

_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
#: Numbers in words up to this one are also said by listing what they count, places up to this one by *then*; numbers
#: that are new where none is gone, and may count what the source lists, up to the other one.
_FEW, _FEW_COUNTED = 2.0, 4.0
#: What the hours of one half of the day are less than those of the other.
_HALF_A_DAY = 12
#: Before a half that is a part of a number: *one and a half*.
_MIXED = ("and",), ("-",), ("a",)
_HALF_AN_HOUR = MEASURES["minute"].factor * 30
#: A minute, an hour, a day, a week, a month, a year: *a* is hardly a number.
_ONES = frozenset(MEASURES[unit].factor for unit in ("minute", "hour", "day", "week", "month", "year"))
#: Spans that differ by less are one; numbers that differ by less are the same.
_ROUND = 0.03
_NEARLY = 1e-9
_LEAST = 1e-6
#: The classes of the calendar that name one time and no other.
_GROUPS = frozenset(("weekday", "month", "season", "day", "daypart"))


class Amount(NamedTuple):
    """A number of a text, with its unit if it has one, and their tokens."""

    places: tuple[int, ...]
    number: Number
    measure: Measure | None = None

    @property
    def kind(self) -> str:
        """What it is about: ``time`` for times of the clock, else ``number``."""
        return "time" if self.number.kind == "time" else "number"

    @property
    def unit(self) -> str:
        """The name of its unit; empty where it has none."""
        return self.measure.name if self.measure else ""

    @property
    def dimension(self) -> str:
        """What its unit measures; empty where it has none."""
        return self.measure.dimension if self.measure else ""

    @property
    def base(self) -> float:
        """The value in base units of the dimension, kelvin for temperatures."""
        value = self.number.value
        if self.dimension == "temperature":
            celsius = (value - 32) / 1.8 if self.unit == "fahrenheit" else value
            return value if self.unit == "kelvin" else celsius + 273.15
        return value * (self.measure.factor if self.measure else 1.0)

    def equals(self, other: Amount) -> bool:
        """Return whether two amounts with units are the same, perhaps converted and rounded."""
        if not self.dimension or self.dimension != other.dimension:
            return False
        if self.unit == other.unit:
            return self.number.same(other.number)
        apart = abs(self.base - other.base)
        if self.dimension == "temperature":
            return apart < 1
        if self.dimension == "money":
            return {self.unit, other.unit} == {"dollar", "cent"} and apart < 0.005
        return apart <= TOLERANCE * max(abs(self.base), abs(other.base))


def find_quantities(view: SentenceView) -> list[Amount]:
    """Return the numbers of a sentence that have a unit behind them or a currency before them."""
    quantities = []
    words = view.words
    for number in view.numbers:
        if number.kind != "#":
            continue
        if number.value < 1:  # half an hour, a quarter of an hour
            behind_of = number.end + (words[number.end : number.end + 1] == ("of",))
            if words[behind_of : behind_of + 1] in (("a",), ("an",)):
                number = number._replace(end=behind_of + 1)
        places = tuple(number.places)
        joined = joined_measure(words[number.start]) if number.end == number.start + 1 else None
        before = MEASURES.get(words[number.start - 1]) if number.start else None
        if joined is not None and joined.dimension != "money" and joined.name != "metre":
            quantities.append(Amount(places, number, joined))
        elif before is not None and before.dimension == "money" and not words[number.start - 1].endswith("s"):
            quantities.append(Amount((number.start - 1, *places), number, before))
        elif (behind := measure_behind(words, number.end)) is not None:
            quantities.append(Amount((*places, *range(number.end, behind[1])), number, behind[0]))
    for i, word in enumerate(words):  # an hour, an hour and a half
        if word in ("a", "an") and i + 1 < len(words) and (measure := MEASURES.get(words[i + 1])):
            if measure.is_ambiguous or (i and words[i - 1] in ("half", "per", "quarter")):
                continue
            end, value = i + 2, 1.0
            if tuple(words[end : end + 3]) == ("and", "a", "half"):
                end, value = end + 3, 1.5
            quantities.append(Amount(tuple(range(i, end)), Number(i, end, "#", value), measure))
    return quantities


def half_of_number(view: SentenceView, number: Number) -> str:
    """Return ``am``, ``pm``, or nothing where a time does not say which half of the day it is in."""
    words = view.words
    for word in words[number.start : number.end]:
        if half := HALVES.get(word[-2:] if word[:1].isdigit() and word.endswith(("am", "pm")) else word):
            return half
    first = words[number.start]
    if ":" in first and first.split(":")[0].isdecimal():
        hour = int(first.split(":")[0])
        if hour >= 13:
            return "pm"
        if hour == 0:
            return "am"
    behind = words[number.start + 1 : number.end + 3]
    if "morning" in behind:
        return "am"
    return "pm" if "afternoon" in behind or "evening" in behind or behind[-2:] == ("at", "night") else ""


def find_amounts(view: SentenceView) -> list[Amount]:
    """Return the numbers of a text, in order, with their units."""
    quantities = {
        quantity.number.start: quantity for quantity in find_quantities(view) if view.words[quantity.places[-1]] != "in"
    }
    amounts = [
        quantities.pop(n.start)._replace(number=n) if n.start in quantities else Amount(tuple(n.places), n)
        for n in view.numbers
    ]
    amounts += quantities.values()
    noons = [i for i, word in enumerate(view.words) if word in ("noon", "midnight", "midday")]
    amounts += [Amount((i,), Number(i, i + 1, "time", 0.0)) for i in noons]
    return sorted(amounts, key=lambda amount: amount.places)


def _is_joined(view: SentenceView, end: int) -> bool:
    return view.words[end : end + 1] in (("-",), ("party",), ("parties",), ("person",))


def written_digits(view: SentenceView, places: Iterable[int] | None = None) -> set[str]:
    """Return the runs of digits among these tokens, by default in the whole text, without commas."""
    words = view.words if places is None else [view.words[i] for i in places]
    return {digits.replace(",", "") for word in words for digits in _DIGITS.findall(word)}


def same_amount(a: Amount, b: Amount) -> bool:
    """Return whether two amounts are the same, written or converted in whatever way."""
    x, y = a.number, b.number
    if x.same(y) or a.equals(b):
        return True
    # A percentage and its points; the 20th and 20; a fifth and 20 %; one in twelve and 8 %.
    values = [x.value, y.value, *(1 / n.value for n in (x, y) if n.kind == "th" and n.value)]
    return any(
        abs(u * factor - v) < (_NEARLY if min(u * factor, v) >= 1 else _ROUND) * max(_LEAST, v)
        for k, u in enumerate(values)
        for v in values[k + 1 :]
        for factor in (1, 100, 0.01)
    )


def may_be_same(a: Amount, b: Amount) -> bool:
    """Return whether two numbers without units may be one: *under six* is *up to five*, *at 21* is *at nine*."""
    x, y = (amount.number.value / (60 if amount.kind == "time" else 1) for amount in (a, b))
    if min(x, y) < 1 or (a.measure and b.measure):
        return False
    return abs(x - y) == 1 or (abs(x - y) == _HALF_A_DAY and max(x, y) <= 2 * _HALF_A_DAY)


def is_exact(view: SentenceView, amount: Amount, other: SentenceView, *, is_new: bool = False) -> bool:
    """Return whether an amount of a text can hardly be said without its number in another.

    It can of *one*, *both*, *third-party*, *one in three*, *24 hours* and one o'clock, and where another
    word says it: *twice*, *annual*.
    """
    number, measure = amount.number, amount.measure
    words = view.words[number.start : number.end]
    if view.words[max(0, number.start - 2) : number.start] in (("one", "in"), ("one", "of")):
        return False
    if not SAID.get(number.value, frozenset()).isdisjoint(other.vocabulary):
        return False
    if number.value < 1 and view.words[number.start - 1 : number.start] in _MIXED:
        return False
    if 1000 <= number.value <= 2100 and not number.value % 100 and "century" in other.vocabulary:
        return False
    if amount.dimension == "time":
        base = amount.base
        spans = [words for span, words in SAID.items() if base and abs(base / span - 1) < _ROUND]
        if any(not words.isdisjoint(other.vocabulary) for words in spans):
            return False
        if base in _ONES or (not base % _HALF_AN_HOUR and "half" in other.vocabulary):
            return False
    if any(word[:1].isdigit() for word in words):
        return number.value not in (0.0, 1.0) and (measure is not None or number.value != 100)
    if number.kind == "time":
        return number.value not in (0.0, 60.0)
    few = _FEW_COUNTED if is_new else _FEW
    if number.kind == "th":
        return number.value > few and not _is_joined(view, number.end)  # third-party
    is_more = number.value > few or (measure is not None and number.value != 1)
    return number.kind == "#" and is_more and words[0] not in COMPARING["powers"]


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
    if view.tokens[i].islower() and view.words[i] in COMPARING["mostly verbs"]:
        return False
    is_inside = i > 0 and view.entries[i - 1].is_word and view.tokens[i][0].isupper()
    return view.is_date(i) or (CALENDAR_CLASSES[view.words[i]][0] == "month" and is_inside)
