"""Amounts: numbers with their units and currencies, units alone; times of the clock and the calendar.

Trained judges read what is found here, so that it stays as it is; what is certain of values is found by
:mod:`usim.evidence.values`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import Finding, HandledTokens, make_finding
from usim.evidence._places import pair_off
from usim.evidence._sentence import SentenceView
from usim.lexicon import Number
from usim.lexicon.quantities import MEASURES, TOLERANCE, Measure, joined_measure, measure_behind
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import CALENDAR_CLASSES, HALVES

#: The cases of findings, by what is another of two equal numbers.
_OTHER = {"unit": "unit", "time": "time.half"}
_NO_UNIT = Measure("", "", 1.0, False)


class _Amount(NamedTuple):
    """A number of a text, its unit, the half of the day of a time, and its tokens with those of its unit."""

    places: tuple[int, ...]
    number: Number
    unit: Measure = _NO_UNIT
    half: str = ""

    @property
    def base(self) -> float:
        """The value in base units of the dimension, kelvin for temperatures."""
        value = self.number.value
        if self.unit.dimension == "temperature":
            celsius = (value - 32) / 1.8 if self.unit.name == "fahrenheit" else value
            return value if self.unit.name == "kelvin" else celsius + 273.15
        return value * self.unit.factor

    def equals(self, other: _Amount) -> bool:
        """Return whether two amounts are the same, perhaps converted; an ordinal is no number of units."""
        if self.number.kind != other.number.kind and (self.unit.name or other.unit.name):
            return False
        return self.number.same(other.number) or self.is_converted(other)

    def is_converted(self, other: _Amount) -> bool:
        """Return whether two amounts with units are the same, perhaps converted and rounded."""
        dimension = self.unit.dimension
        if not dimension or dimension != other.unit.dimension:
            return False
        if self.unit.name == other.unit.name:
            return self.number.same(other.number)
        apart = abs(self.base - other.base)
        if dimension == "temperature":
            return apart < 1
        if dimension == "money":
            return {self.unit.name, other.unit.name} == {"dollar", "cent"} and apart < 0.005
        return apart <= TOLERANCE * max(abs(self.base), abs(other.base))

    def other_meaning(self, other: _Amount) -> str:
        """Return what of two equal numbers differs: the ``unit`` or the half of the day (``time``), or nothing."""
        if self.unit.name and other.unit.name and not self.is_converted(other):
            is_other = self.unit.name != other.unit.name and self.number.value == other.number.value
            return "unit" if is_other else ""
        return "time" if self.half and other.half and self.half != other.half else ""


def detect_amounts(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find amounts without an equal on the other side, of another unit, or of the other half of the day.

    What was only converted is no finding. A number without an equal is told with the nearest such number, or alone.
    """
    a, b = comparison.source, comparison.output
    left, right = _amounts(a, handled.source), _amounts(b, handled.output)
    pairs, left, right = pair_off(left, right, lambda x, y: x.equals(y) and not x.other_meaning(y))
    otherwise, left, right = pair_off(left, right, _Amount.equals)
    for x, y in pairs + otherwise:
        handled.add(set(x.places) - comparison.kept_source, set(y.places) - comparison.kept_output)
        handled.add(x.number.places, y.number.places)
        if other := x.other_meaning(y):
            handled.add(x.places, y.places)
            yield make_finding(comparison, _OTHER[other], x.places, y.places)
    # *An hour* without an equal is hardly a number.
    left = [x for x in left if not (x.unit.name and a.entries[x.number.start].is_article)]
    right = [y for y in right if not (y.unit.name and b.entries[y.number.start].is_article)]
    paired = min(len(left), len(right))
    for x in left[:paired]:
        # Nearest to the partner of the number, or to its place.
        partner = comparison.to[x.number.start]
        place = partner if partner >= 0 else x.number.start
        y = min(right, key=lambda each: abs(each.number.start - place))
        right.remove(y)
        # One of them may be an article or a pronoun.
        case = "number.one" if 1.0 in (x.number.value, y.number.value) else "number"
        at, to = (x.number.places, y.number.places) if x.unit.name == y.unit.name else (x.places, y.places)
        handled.add(at, to)
        yield make_finding(comparison, case, at, to)
    alone = [(x, x.number.places, range(0)) for x in left[paired:]] + [(y, range(0), y.number.places) for y in right]
    for x, at, to in alone:
        handled.add(at, to)
        yield make_finding(comparison, "number.alone" if x.number.value != 1 else "number.alone-one", at, to)
    yield from _detect_bare_units(comparison, handled)


def _amounts(view: SentenceView, handled: set[int]) -> list[_Amount]:
    """Return the numbers of a text, in order, with their units; *an hour* among them, and none behind a minus."""
    words = view.words
    amounts: list[_Amount] = []
    for number in view.numbers:  # the second of "a four-second walk" is a unit
        if not amounts or number.start > amounts[-1].places[-1]:
            amounts.append(_with_unit(view, number))
    amounts = [x for x in amounts if x.number.kind != "#" or not _is_negative(view, x.number.start)]
    for i, word in enumerate(words[:-1]):  # an hour, an hour and a half
        if word in ("a", "an") and (measure := MEASURES.get(words[i + 1])):
            if measure.is_ambiguous or (i and words[i - 1] in ("half", "per", "quarter")):
                continue
            is_more = words[i + 2 : i + 5] == ("and", "a", "half")
            number = Number(i, i + 2 + 3 * is_more, "#", 1.0 + 0.5 * is_more)
            amounts = [x for x in amounts if x.number.start not in number.places]
            amounts.append(_Amount(tuple(number.places), number, measure))
    return sorted((x for x in amounts if x.number.start not in handled), key=lambda x: x.places)


def _with_unit(view: SentenceView, number: Number) -> _Amount:
    """Return a number with the unit behind it or the currency before it, if there is one."""
    words, start, end, places = view.words, number.start, number.end, tuple(number.places)
    if number.kind == "time":
        return _Amount(places, number, half=_half_of_day(view, number))
    if number.kind != "#":
        return _Amount(places, number)
    if number.value < 1:  # half an hour, a quarter of an hour
        behind_of = end + (words[end : end + 1] == ("of",))
        if words[behind_of : behind_of + 1] in (("a",), ("an",)):
            end = behind_of + 1
            places = tuple(range(start, end))
    joined = joined_measure(words[start]) if end == start + 1 else None
    before = MEASURES.get(words[start - 1]) if start else None
    if joined is not None and joined.dimension != "money" and joined.name != "metre":
        return _Amount(places, number, joined)
    if before is not None and before.dimension == "money" and not words[start - 1].endswith("s"):
        return _Amount((start - 1, *places), number, before)
    behind = measure_behind(words, end)
    if behind is None or words[behind[1] - 1] == "in":
        return _Amount(tuple(number.places), number)
    return _Amount((*places, *range(end, behind[1])), number, behind[0])


def _is_negative(view: SentenceView, start: int) -> bool:
    """Return whether a minus stands before a number; a hyphen between two numbers or words is none."""
    sign = view.words[start - 1] if start else ""
    is_between = start > 1 and (view.entries[start - 2].digits or view.is_content[start - 2])
    return sign in COMPARING["minus signs"] and not (sign in "-–" and is_between)


def _half_of_day(view: SentenceView, number: Number) -> str:
    """Return ``am``, ``pm``, or nothing where a time does not say which half of the day it is in."""
    words = view.words
    for word in words[number.start : number.end]:
        if half := HALVES.get(word[-2:] if word[:1].isdigit() and word.endswith(("am", "pm")) else word):
            return half
    hour, colon, _ = words[number.start].partition(":")
    if colon and hour.isdecimal() and (int(hour) >= 13 or int(hour) == 0):
        return "pm" if int(hour) else "am"
    behind = words[number.start + 1 : number.end + 3]
    if "morning" in behind:
        return "am"
    return "pm" if "afternoon" in behind or "evening" in behind or behind[-2:] == ("at", "night") else ""


def _detect_bare_units(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    for m in comparison.matches:
        x, y = MEASURES.get(comparison.source.words[m.source]), MEASURES.get(comparison.output.words[m.output])
        if x is None or y is None or handled.has(m) or x.dimension != y.dimension:
            continue
        if not (x.is_ambiguous or y.is_ambiguous):
            handled.add((m.source,), (m.output,))
            if x.name != y.name:
                yield make_finding(comparison, "unit.bare", (m.source,), (m.output,))


def detect_calendar(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find days, months, seasons and rhythms that gave way to others."""
    left = _calendar(comparison.source, comparison.gone, handled.source)
    right = _calendar(comparison.output, comparison.new, handled.output)
    same, left, right = pair_off(left, right, lambda x, y: x[1:] == y[1:])
    other, _, _ = pair_off(left, right, lambda x, y: x[1] == y[1])
    for (i, *_), (j, *_) in same + other:
        handled.add((i,), (j,))
    for (i, *_), (j, *_) in other:
        yield make_finding(comparison, "time", (i,), (j,))


def _calendar(view: SentenceView, places: Sequence[int], handled: set[int]) -> list[tuple[int, str, str]]:
    """Return which words name a time of the calendar: their places, their classes, their names."""
    dates = (i for i in places if view.words[i] in CALENDAR_CLASSES and i not in handled and view.is_date(i))
    return [(i, *CALENDAR_CLASSES[view.words[i]]) for i in dates]
