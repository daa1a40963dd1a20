"""Amounts with their units, and times: written otherwise, converted, or another amount, unit, or time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from judges.pairs.contrasts import carriers, put_in
from judges.pairs.numerals import in_figures, in_words
from judges.pairs.registry import Change, Pair, Sources, edit, maker
from training.sentence import Sentence
from training.tables import Table
from usim.lexicon.topics import MONTHS

_TABLE = Table(Path(__file__).with_suffix(".txt"))
_SAME, _CONVERTED, _OTHER = 0.96, 0.87, 0.04


class Unit(NamedTuple):
    """A unit: what it measures, its factor to the base unit, singular, plural, and short forms."""

    dimension: str
    factor: float
    singular: str
    plural: str
    short: tuple[str, ...]


UNITS = tuple(
    Unit(dimension, float(factor), singular, plural, tuple(form for form in short.split() if form != "-"))
    for dimension, factor, singular, plural, short in _TABLE.rows("units", 5)
)
_DIMENSIONS = tuple(dict.fromkeys(unit.dimension for unit in UNITS))
_BY_FORM = {form: unit for unit in UNITS for form in (unit.singular, unit.plural, *unit.short)}
#: Short forms that are mostly other words.
_AMBIGUOUS = frozenset("in m a s h t l g".split())


class Amount(NamedTuple):
    """A number of a unit."""

    value: float
    unit: Unit

    def written(self, rng: random.Random) -> str:
        """Return one of the ways to write it."""
        digits = in_figures(self.value)
        noun = self.unit.singular if self.value == 1 else self.unit.plural
        american = re.sub("(met|lit)re", r"\1er", noun)
        options = [f"{digits} {noun}", f"{digits} {american}"]
        if self.unit.dimension == "money":
            options += [f"{s}{digits}" for s in self.unit.short if not s.isalpha()] * 2
            options += [f"{s} {digits}" for s in self.unit.short if s.isupper()]
        elif self.unit.singular == "percent":
            options += [f"{digits}%", f"{digits} per cent", f"{digits} %"]
        else:
            options += [f"{digits} {s}" for s in self.unit.short]
            options += [f"{digits}{s}" for s in self.unit.short if s.isalpha() and len(s) < 3]
        if self.value == int(self.value) and self.value < 100:
            options += [f"{in_words(int(self.value))} {noun}"] * 2
        if self.value == 0.5 and self.unit.dimension in ("length", "mass", "time", "volume"):
            options += [f"half {'an' if self.unit.singular[0] in 'aeiouh' else 'a'} {self.unit.singular}"]
        if self.value % 1 == 0.5 and 1 < self.value < 20:
            options += [f"{in_words(int(self.value))} and a half {self.unit.plural}"]
        return rng.choice(options)

    def converted(self, rng: random.Random) -> Amount | None:
        """Return about the same amount in another unit, if there is a usual one."""
        if self.unit.dimension in ("money", "share"):
            return None
        base = self.value * self.unit.factor
        options = [
            Amount(base / unit.factor, unit)
            for unit in UNITS
            if unit.dimension == self.unit.dimension and unit != self.unit and 1 <= base / unit.factor < 10_000
        ]
        return rng.choice(options) if options else None

    def other(self, rng: random.Random) -> Amount:
        """Return another amount: another unit, another value, or a conversion that is wrong."""
        same = [u for u in UNITS if u.dimension == self.unit.dimension and abs(u.factor / self.unit.factor - 1) > 0.08]
        draw = rng.random()
        if draw < 0.6 and same:
            return Amount(self.value, rng.choice(same))
        if draw < 0.75 and (converted := self.converted(rng)):
            return Amount(converted.value * rng.choice((0.1, 0.5, 2, 3, 10)), converted.unit)
        if draw < 0.9:
            return Amount(self.value * rng.choice((0.1, 10, 100, 2, 0.5)), self.unit)
        other = max(1.0, float(round(self.value + rng.choice((-2, -1, 1, 2, 5, 10))))) + 0.5
        return Amount(other if abs(other / self.value - 1) > 0.05 else self.value * 1.5, self.unit)


def draw_amount(dimension: str, rng: random.Random) -> Amount:
    """Draw an amount of some dimension."""
    unit = rng.choice([u for u in UNITS if u.dimension == dimension])
    value = float(rng.choice((*range(2, 11), 12, 15, 18, 20, 25, 30, 40, 45, 50, 60, 75, 80, 90)))
    if rng.random() < 0.2:
        value = rng.choice((0.5, 1.5, 2.5, 3.5, 4.2, 1.75, 6.4, 0.8, 12.5))
    elif rng.random() < 0.15:
        value = float(rng.choice((100, 120, 150, 200, 250, 300, 400, 500, 800, 1200, 1500, 2000, 5000)))
    return Amount(value, unit)


def _carriers(section: str, sources: Sources, rng: random.Random) -> Iterator[tuple[str, str]]:
    return carriers(_TABLE.texts(f"frames.{section}"), _TABLE.texts(f"tails.{section}"), sources, rng)


def _amounts(faithful: bool, sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Write an amount otherwise, or convert it; or put another unit, value, or a wrong conversion in its place."""
    streams = {d: _carriers(d, sources, rng) for d in _DIMENSIONS}
    while True:
        dimension = rng.choice(_DIMENSIONS)
        carrier, group = next(streams[dimension])
        amount = other = draw_amount(dimension, rng)
        label, kind, about = _SAME, "amount.written", ""
        if not faithful:
            other, label, kind = amount.other(rng), _OTHER, "amount.other"
        elif rng.random() < 0.35 and (converted := amount.converted(rng)):
            other, label, kind, about = converted, _CONVERTED, "amount.converted", rng.choice(("", "about "))
        first, second = put_in(carrier, amount.written(rng)), put_in(carrier, about + other.written(rng))
        if first != second:
            yield Pair(*rng.sample((first, second), 2), label, kind, group)


maker("amount.same", faithful=True, weight=2.2)(partial(_amounts, True))
maker("amount.other", faithful=False, weight=2.2)(partial(_amounts, False))

_AMOUNT = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?([ -]?)([A-Za-z%]{1,12})\b(?!\.\w)")
_MONEY = re.compile(r"([$£€])\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\d,]*\d)")


def _replace(sentence: Sentence, rng: random.Random, new: Callable[[Amount], tuple[Amount, float]]) -> Iterator[Change]:
    """Replace an amount with a known unit by another one, with its label."""
    text = sentence.text
    places = []
    for pattern, number, rest, unit in ((_AMOUNT, 1, 2, 4), (_MONEY, 2, 3, 1)):
        for match in pattern.finditer(text):
            known = _BY_FORM.get(match[unit]) or _BY_FORM.get(match[unit].lower())
            if known and match[unit] not in _AMBIGUOUS and "-" not in match[0]:
                value = float(match[number].replace(",", "") + (match[rest] or ""))
                places.append((match.start(), match.end(), Amount(value, known)))
    if places:
        start, end, amount = rng.choice(places)
        other, label = new(amount)
        yield Change(text[:start] + other.written(rng) + text[end:], label)


@edit("amount.rewritten", faithful=True, weight=0.7)
def rewrite_amount(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Write an amount of a sentence otherwise, or convert it."""

    def same(amount: Amount) -> tuple[Amount, float]:
        converted = amount.converted(rng) if rng.random() < 0.4 else None
        return (converted, _CONVERTED) if converted else (amount, _SAME)

    yield from _replace(sentence, rng, same)


@edit("amount.changed", faithful=False, weight=0.7)
def change_amount(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Put another amount or unit in the place of one of a sentence."""
    yield from _replace(sentence, rng, lambda amount: (amount.other(rng), _OTHER))


# -- clock and calendar ----------------------------------------------------------------------------------------------


def clock_forms(hour: int, minute: int, rng: random.Random) -> str:
    """Return one of the ways to write a time of day; the hour from 0 to 23."""
    half = "pm" if hour >= 12 else "am"
    short = hour % 12 or 12
    parts = {12: "in the morning", 18: "in the afternoon", 22: "in the evening", 24: "at night"}
    part = next(name for end, name in parts.items() if hour < end)
    if hour == minute == 0:
        return rng.choice(("midnight", "12 am", "12 midnight", "00:00", "12:00 a.m."))
    options = [f"{hour:02}:{minute:02}"]
    for mark in (half, half.upper(), f"{half[0]}.m."):
        options += [f"{short}:{minute:02} {mark}", f"{short}.{minute:02} {mark}" if minute else f"{short} {mark}"]
    if hour == 12 and not minute:
        options += ["noon", "midday", "12 noon"]
    elif not minute:
        options += [f"{short}{half}", f"{short} o'clock {part}", f"{in_words(short)} o'clock {part}", f"{short} {part}"]
    elif minute == 30:
        options += [f"half past {in_words(short)} {part}"]
    elif minute == 15:
        options += [f"a quarter past {in_words(short)} {part}", f"quarter past {short} {part}"]
    elif minute == 45 and hour not in (11, 23):
        options += [f"a quarter to {in_words(short % 12 + 1)} {part}"]
    return rng.choice(options)


def _clock(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return ways to write a time of day, and other times."""
    hour, minute = rng.randint(1, 23), rng.choice((0, 0, 0, 30, 15, 45, 20, 10))
    same = [clock_forms(hour, minute, rng) for _ in range(6)]
    later = [rng.choice((12, 12, rng.choice((1, 2, 3, 5)))) for _ in range(4)]
    other = [clock_forms((hour + hours) % 24, minute, rng) for hours in later]
    if minute:
        other += [clock_forms(hour, (minute + rng.choice((5, 10, 30))) % 60, rng)]
    return same, other


def _hours(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return ways to write a range of hours, and other ranges."""
    begin = rng.randint(6, 12)
    end = begin + rng.randint(2, 9)

    def span(a: int, b: int) -> str:
        form = rng.choice(("from {} to {}", "from {} until {}", "between {} and {}", "from {} till {}"))
        return form.format(clock_forms(a % 24, 0, rng), clock_forms(b % 24, 0, rng))

    k = rng.choice((1, 2, 3))
    other = [span(begin + 12, end), span(begin, end + k), span(begin - k, end), span(begin, end + 12)]
    other += [f"until {clock_forms(begin, 0, rng)}", f"after {clock_forms(end % 24, 0, rng)}"]
    return [span(begin, end) for _ in range(5)], other


_ORDINAL_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


def date_forms(day: int, month: int, year: int | None, rng: random.Random) -> str:
    """Return one of the ways to write a date."""
    name, ordinal = MONTHS[month - 1].capitalize(), f"{day}{_ORDINAL_ENDINGS.get(day, 'th')}"
    short = name[:3] if len(name) > 4 else name
    if year is None:
        return rng.choice((f"{day} {name}", f"{name} {day}", f"the {ordinal} of {name}", f"{name} {ordinal}",
                           f"{ordinal} {name}", f"{short} {day}", f"{day} {short}"))  # fmt: skip
    return rng.choice((f"{day} {name} {year}", f"{name} {day}, {year}", f"the {ordinal} of {name} {year}",
                       f"{day} {short} {year}", f"{year}-{month:02}-{day:02}",
                       f"{name} {ordinal}, {year}"))  # fmt: skip


def _date(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return ways to write a date, and other dates."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.choice((None, None, rng.randint(1900, 2030)))
    others = [((day + rng.choice((0, 1, 9))) % 28 + 1, month, year), (day, month % 12 + 1, year)]
    others += [(day, month, year + rng.choice((-10, -1, 1, 2, 100)))] if year else []
    others = [other for other in others if other != (day, month, year)]
    same = [date_forms(day, month, year, rng) for _ in range(5)]
    return same, [date_forms(*rng.choice(others), rng) for _ in range(4)]


def _times(
    section: str, draw: Callable[[random.Random], tuple[list[str], list[str]]], faithful: bool, sources: Sources,
    rng: random.Random,
) -> Iterator[Pair]:  # fmt: skip
    """Put two ways to write a time, or two times, into a frame or the tail of a sentence."""
    for carrier, group in _carriers(section, sources, rng):
        same, other = draw(rng)
        first, second = rng.choice(same), rng.choice(same if faithful else other)
        if first != second and (faithful or second not in same):
            kind, label = (f"{section}.same", 0.94) if faithful else (f"{section}.other", 0.05)
            yield Pair(*rng.sample((put_in(carrier, first), put_in(carrier, second)), 2), label, kind, group)


for _section, _draw, _weight in (("clock", _clock, 1.4), ("hours", _hours, 0.8), ("date", _date, 0.9)):
    maker(f"{_section}.same", faithful=True, weight=_weight)(partial(_times, _section, _draw, True))
    maker(f"{_section}.other", faithful=False, weight=_weight)(partial(_times, _section, _draw, False))
