"""Amounts of a sentence: numbers, units of measurement, currencies; times of the clock, days and months."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from usim.evidence._places import pair_off
from usim.evidence._sentence import SentenceView
from usim.lexicon import Number
from usim.lexicon.quantities import MEASURES, TOLERANCE, Measure, joined_measure, measure_behind
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import CALENDAR_CLASSES, HALVES

#: A date in digits; no number of a day is greater than this.
_DATE = re.compile(r"(\d{1,4})[/.](\d{1,2})[/.](\d{1,4})")
_DAYS = 31
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


def _with_unit(view: SentenceView, number: Number) -> Amount:
    """Return a number with its sign, and the unit behind it or the currency before it, if there is one."""
    words, start, places = view.words, number.start, tuple(number.places)
    if number.kind != "#":
        return Amount(places, number)
    end = number.end
    if number.value < 1:  # half an hour, a quarter of an hour
        behind_of = end + (words[end : end + 1] == ("of",))
        if words[behind_of : behind_of + 1] in (("a",), ("an",)):
            end = behind_of + 1
            places = tuple(range(start, end))
    if _is_negative(view, start):
        number = number._replace(start=start - 1, value=-number.value)
        places = (start - 1, *places)
    joined = joined_measure(words[start]) if end == start + 1 else None
    before = MEASURES.get(words[start - 1]) if start else None
    if joined is not None and joined.dimension != "money" and joined.name != "metre":
        return Amount(places, number, joined)
    if before is not None and before.dimension == "money" and not words[start - 1].endswith("s"):
        return Amount((start - 1, *places), number, before)
    behind = measure_behind(words, end)
    if behind is None or words[behind[1] - 1] == "in":
        return Amount(tuple(number.places), number)
    return Amount((*places, *range(end, behind[1])), number, behind[0])


def _is_negative(view: SentenceView, start: int) -> bool:
    """Return whether a minus stands before a number; a hyphen between two numbers or words is none."""
    sign = view.words[start - 1] if start else ""
    is_between = start > 1 and (view.entries[start - 2].digits or view.is_content[start - 2])
    return sign in COMPARING["minus signs"] and not (sign in "-–" and is_between)


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
    """Return the numbers of a text, in order, with their signs and units; *an hour* and *noon* among them."""
    words = view.words
    amounts: list[Amount] = []
    for number in view.numbers:  # the second of "a four-second walk" is a unit
        if not amounts or number.start > amounts[-1].places[-1]:
            amounts.append(_with_unit(view, number))
    for i, word in enumerate(words[:-1]):  # an hour, an hour and a half
        if word in ("a", "an") and (measure := MEASURES.get(words[i + 1])):
            if measure.is_ambiguous or (i and words[i - 1] in ("half", "per", "quarter")):
                continue
            is_more = words[i + 2 : i + 5] == ("and", "a", "half")
            number = Number(i, i + 2 + 3 * is_more, "#", 1.0 + 0.5 * is_more)
            amounts = [x for x in amounts if x.number.start not in number.places]
            amounts.append(Amount(tuple(number.places), number, measure))
    noons = [i for i, word in enumerate(words) if word in ("noon", "midnight", "midday")]
    amounts += [Amount((i,), Number(i, i + 1, "time", 0.0)) for i in noons]
    return sorted(amounts, key=lambda amount: amount.places)


def other_meaning(a: SentenceView, b: SentenceView, x: Amount, y: Amount) -> str | None:
    """Return what of two equal numbers differs: the ``unit`` or the half of the day (``time``); None if nothing."""
    if x.measure and y.measure and not x.equals(y):
        return "unit" if x.unit != y.unit and x.number.value == y.number.value else None
    if x.number.kind == "time" and y.number.kind == "time":
        halves = {half_of_number(a, x.number), half_of_number(b, y.number)} - {""}
        return "time" if len(halves) > 1 else None
    return None


def is_equal(a: Amount, b: Amount) -> bool:
    """Return whether two amounts are the same, perhaps converted; an ordinal is no number of units."""
    if a.number.kind != b.number.kind and (a.measure or b.measure):
        return False
    return a.number.same(b.number) or a.equals(b)


def pair_amounts(
    a: SentenceView,
    b: SentenceView,
    left: Sequence[Amount],
    right: Sequence[Amount],
    same: Callable[[Amount, Amount], bool],
) -> tuple[list[tuple[Amount, Amount]], list[Amount], list[Amount]]:
    """Return the equal amounts of two texts, first those of one meaning (:func:`other_meaning`), and the others."""
    as_written, rest, other_rest = pair_off(left, right, lambda x, y: same(x, y) and other_meaning(a, b, x, y) is None)
    otherwise, rest, other_rest = pair_off(rest, other_rest, same)
    return as_written + otherwise, rest, other_rest


class Day(NamedTuple):
    """A day of the week, a month, a season, a part of the day or a date in digits: its place, class and name."""

    place: int
    group: str
    name: str


def find_days(view: SentenceView) -> list[Day]:
    """Return the days of the week, months and seasons of a text, *today* and its like, and dates such as *3/4/2025*."""
    found: list[Day] = []
    for i, word in enumerate(view.words):
        if date := _DATE.fullmatch(word):
            parts = date.groups()
            is_year_first = int(parts[0]) > _DAYS  # 2025/04/03 is 03/04/2025
            found.append(Day(i, "written", "/".join(part.lstrip("0") for part in parts[:: -1 if is_year_first else 1])))
        elif word in CALENDAR_CLASSES and CALENDAR_CLASSES[word][0] in _GROUPS and _is_day(view, i):
            found.append(Day(i, *CALENDAR_CLASSES[word]))
    return found


def _is_day(view: SentenceView, i: int) -> bool:
    """Return whether a word of the calendar is one where it stands: *May*, but not *may*, nor *May I*."""
    if view.tokens[i].islower() and view.words[i] in COMPARING["mostly verbs"]:
        return False
    is_inside = i > 0 and view.entries[i - 1].is_word and view.tokens[i][0].isupper()
    return view.is_date(i) or (CALENDAR_CLASSES[view.words[i]][0] == "month" and is_inside)
