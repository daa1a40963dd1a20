"""Amounts with their units, and times: written otherwise, converted, or another amount, unit, sign or time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from judges.pairs.pair import Change, Pair
from judges.pairs.registry import edit, maker
from judges.pairs.sources import Sources
from judges.pairs.tables import Table
from judges.pairs.templates.lexicon import CITIES, PEOPLE, PLACES, THINGS, Draw
from training.sentence import Sentence
from usim.lexicon.topics import MONTHS, WEEKDAYS

_TABLE = Table(Path(__file__).with_suffix(".txt"))
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_SMALL += "seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SAME, _CONVERTED, _OTHER = 0.96, 0.87, 0.04


class Unit(NamedTuple):
    """A unit: what it measures, its factor to the base unit, singular, plural, and short forms."""

    dimension: str
    factor: float
    one: str
    many: str
    short: tuple[str, ...]


def _units() -> tuple[Unit, ...]:
    units = []
    for line in _TABLE.lines("units"):
        dimension, factor, one, many, short = line.split(" / ", 5)
        units.append(Unit(dimension, float(factor), one, many, tuple(s for s in short.split() if s != "-")))
    return tuple(units)


UNITS = _units()
_BY_FORM = {form: unit for unit in UNITS for form in (unit.one, unit.many, *unit.short)}
_AMERICAN = {"kilometre": "kilometer", "metre": "meter", "centimetre": "centimeter", "millimetre": "millimeter",
             "litre": "liter", "millilitre": "milliliter", "tonne": "metric ton"}  # fmt: skip


def in_words(value: int) -> str:
    """Return a whole number below ten thousand in words.

    >>> in_words(45), in_words(300), in_words(1250)
    ('forty-five', 'three hundred', 'one thousand two hundred and fifty')
    """
    if value < 20:
        return _SMALL[value]
    if value < 100:
        return _TENS[value // 10 - 2] + (f"-{_SMALL[value % 10]}" if value % 10 else "")
    if value < 1000:
        return f"{_SMALL[value // 100]} hundred" + (f" and {in_words(value % 100)}" if value % 100 else "")
    rest = value % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{in_words(value // 1000)} thousand" + (joint + in_words(rest) if rest else "")


def figures(value: float) -> str:
    """Return a number in figures, as short as it can be, with commas from ten thousand on.

    >>> figures(2.50), figures(12000), figures(3)
    ('2.5', '12,000', '3')
    """
    rounded = round(value, 2 if value < 10 else 1 if value < 100 else 0)
    if rounded == int(rounded):
        return f"{int(rounded):,}" if rounded >= 10_000 else str(int(rounded))
    return f"{rounded:.2f}".rstrip("0")


class Amount(NamedTuple):
    """A number of a unit."""

    value: float
    unit: Unit

    @property
    def noun(self) -> str:
        """The unit in full, for this value."""
        return self.unit.one if self.value == 1 else self.unit.many

    def written(self, rng: random.Random) -> str:
        """Return one of the ways to write it."""
        digits = figures(self.value)
        options = [f"{digits} {self.noun}"]
        if self.unit.dimension == "money":
            symbol = [s for s in self.unit.short if not s.isalpha()]
            code = [s for s in self.unit.short if s.isalpha()]
            options += [f"{s}{digits}" for s in symbol] * 2 + [f"{c} {digits}" for c in code if c.isupper()]
        elif self.unit.dimension == "share":
            options += [f"{digits}%", f"{digits} per cent", f"{digits} percent", f"{digits} %"]
        else:
            options += [f"{digits} {s}" for s in self.unit.short]
            options += [f"{digits}{s}" for s in self.unit.short if s.isalpha() and len(s) < 3]
        if self.value == int(self.value) and self.value < 100:
            options += [f"{in_words(int(self.value))} {self.noun}"] * 2
        if self.value == 0.5 and self.unit.dimension in ("length", "mass", "time", "volume"):
            options += [f"half {'an' if self.unit.one[0] in 'aeiouh' else 'a'} {self.unit.one}"]
        if self.value % 1 == 0.5 and 1 < self.value < 20:
            options += [f"{in_words(int(self.value))} and a half {self.unit.many}"]
        american = _AMERICAN.get(self.unit.one)
        if american:
            options += [f"{digits} {american}{'' if self.value == 1 else 's'}"]
        return rng.choice(options)

    def converted(self, rng: random.Random) -> Amount | None:
        """Return about the same amount in another unit, if there is a usual one."""
        if self.unit.dimension in ("money", "share", "temperature"):
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


_DIMENSIONS = ("length", "mass", "volume", "time", "speed", "area", "money", "share", "data")


def drawn(dimension: str, rng: random.Random) -> Amount:
    """Draw an amount of some dimension."""
    unit = rng.choice([u for u in UNITS if u.dimension == dimension])
    value = float(rng.choice((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 25, 30, 40, 45, 50, 60, 75, 80, 90)))
    if rng.random() < 0.2:
        value = rng.choice((0.5, 1.5, 2.5, 3.5, 4.2, 1.75, 6.4, 0.8, 12.5))
    elif rng.random() < 0.15:
        value = float(rng.choice((100, 120, 150, 200, 250, 300, 400, 500, 800, 1200, 1500, 2000, 5000)))
    return Amount(value, unit)


#: Frames with places for amounts: by dimension, sentences of their own and tails of other sentences.
_FRAMES = {d: _TABLE.texts(f"frames.{d}") for d in _DIMENSIONS}
_TAILS = {d: _TABLE.texts(f"tails.{d}") for d in _DIMENSIONS}


def _filled(text: str, rng: random.Random) -> str:
    draw = Draw(rng)
    for name, options in (("{person}", PEOPLE), ("{city}", CITIES), ("{place}", PLACES), ("{thing}", THINGS)):
        while name in text:
            text = text.replace(name, draw.one(options), 1)
    if "{name}" in text:
        text = text.replace("{name}", draw.name().text)
    return text


def carriers(
    frames: Sequence[str], tails: Sequence[str], sources: Sources, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield texts with a place ``{}`` to fill, and their groups: frames, and sentences with a tail."""
    plain = [s for s in sources.sentences if s.text.endswith(".") and 5 <= len(s) <= 24 and "{" not in s.text]
    while True:
        if not plain or (frames and rng.random() < 0.45):
            frame = _filled(rng.choice(frames), rng)
            yield frame[0].upper() + frame[1:] + "." * (frame[-1] not in ".?!"), f"frame: {frame}"
        else:
            sentence = rng.choice(plain)
            tail = _filled(rng.choice(tails), rng)
            yield f"{sentence.text[:-1]}{'' if tail[0] in ',;' else ' '}{tail}.", sentence.group


def put_in(carrier: str, words: str) -> str:
    """Return a carrier with words in its place, a capital at its beginning, and one full stop at its end."""
    text = carrier.replace("{}", words)
    return text[0].upper() + (text[1:-1] if text.endswith("..") else text[1:])


def _amounts(sources: Sources, rng: random.Random, faithful: bool) -> Iterator[Pair]:
    streams = {d: carriers(_FRAMES[d], _TAILS[d], sources, rng) for d in _DIMENSIONS}
    while True:
        dimension = rng.choice(_DIMENSIONS)
        carrier, group = next(streams[dimension])
        amount = drawn(dimension, rng)
        label, kind = _SAME, "amount.written"
        if not faithful:
            other, label, kind = amount.other(rng), _OTHER, "amount.other"
        elif rng.random() < 0.35 and (converted := amount.converted(rng)):
            other, label, kind = converted, _CONVERTED, "amount.converted"
        else:
            other = amount
        one, two = put_in(carrier, amount.written(rng)), put_in(carrier, other.written(rng))
        if kind == "amount.converted" and rng.random() < 0.5:
            two = put_in(carrier, "about " + other.written(rng))
        if one != two:
            source, target = rng.sample((one, two), 2)
            yield Pair(source, target, label, kind, group)


@maker("amount.same", faithful=True, weight=2.2)
def amounts_same(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Write an amount otherwise, or convert it."""
    yield from _amounts(sources, rng, True)


@maker("amount.other", faithful=False, weight=2.2)
def amounts_other(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Put another amount in its place: another unit, value, or a wrong conversion."""
    yield from _amounts(sources, rng, False)


_AMOUNT = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?([ -]?)([A-Za-z%]{1,12})\b(?!\.\w)")
_MONEY = re.compile(r"([$£€])\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\d,]*\d)")


def _amounts_in(text: str) -> list[tuple[int, int, Amount]]:
    """Return the amounts with a known unit in a text, with their places."""
    places = []
    for pattern, number, rest, unit in ((_AMOUNT, 1, 2, 4), (_MONEY, 2, 3, 1)):
        for match in pattern.finditer(text):
            known = _BY_FORM.get(match[unit]) or _BY_FORM.get(match[unit].lower())
            if known and match[unit] not in ("in", "m", "a", "s", "h", "t", "l", "g"):
                value = float(match[number].replace(",", "") + (match[rest] or ""))
                places.append((match.start(), match.end(), Amount(value, known)))
    return places


@edit("amount.rewritten", faithful=True, weight=0.7)
def rewritten(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Write an amount of a sentence otherwise, or convert it."""
    places = _amounts_in(sentence.text)
    if not places:
        return None
    start, end, amount = rng.choice(places)
    if "-" in sentence.text[start:end]:
        return None
    label = _SAME
    if rng.random() < 0.4 and (converted := amount.converted(rng)):
        amount, label = converted, _CONVERTED
    return Change(sentence.text[:start] + amount.written(rng) + sentence.text[end:], label, "amount.rewritten")


@edit("amount.changed", faithful=False, weight=0.7)
def changed_amount(sentence: Sentence, rng: random.Random, sources: Sources) -> Change | None:
    """Put another amount or unit in the place of one of a sentence."""
    places = _amounts_in(sentence.text)
    if not places:
        return None
    start, end, amount = rng.choice(places)
    if "-" in sentence.text[start:end]:
        return None
    return Change(
        sentence.text[:start] + amount.other(rng).written(rng) + sentence.text[end:], _OTHER, "amount.changed"
    )


# -- signs, decimals, fractions, ranges ------------------------------------------------------------------------------


def _numbers(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return ways to write a number with a sign, decimals, a fraction or a range, and other such numbers."""
    kind = rng.randrange(7)
    n = rng.randint(2, 40)
    if kind == 0:
        return [f"-{n}", f"minus {n}", f"−{n}", f"minus {in_words(n)}"], [f"{n}", f"+{n}", f"plus {n}", f"-{n}0"]
    if kind == 1:
        d = rng.randint(1, 9)
        return [f"{n}.{d}", f"{n}.{d}0", f"{in_words(n)} point {_SMALL[d]}"], [
            f"{n}{d}",
            f"{n}.{d % 9 + 1}",
            f"{n}.0{d}",
            f"{d}.{n}",
        ]
    if kind == 2:
        above, below, words, value = rng.choice(_FRACTIONS)
        same = [f"{above}/{below}", words, value]
        a, b, in_full, other_value = rng.choice([f for f in _FRACTIONS if f[3] != value])
        return same, [f"{a}/{b}", in_full, other_value, f"{below}/{above}"]
    if kind == 3:
        m = n + rng.randint(1, 20)
        same = [f"{n} to {m}", f"{n}-{m}", f"{n}–{m}", f"between {n} and {m}", f"{in_words(n)} to {in_words(m)}"]
        return same, [f"{n} or {m}", f"{n + 3} to {m + 10}", f"more than {m}", f"{n}", f"{n}.{m}", f"less than {n}"]
    if kind == 4:
        value = rng.choice((1500, 2300, 12000, 45000, 150000, 2000000, 3500000, 1200000))
        words = f"{value / 1e6:g} million" if value >= 1e6 else f"{value / 1000:g} thousand"
        same = [f"{value:,}", f"{value}", words, f"{value // 1000}k" if value < 1e6 and value % 1000 == 0 else words]
        return same, [
            f"{value * 10:,}",
            f"{value // 10:,}",
            f"{value + 1000:,}",
            words.replace("million", "billion").replace("thousand", "million"),
        ]
    if kind == 5:
        return [f"about {n}", f"around {n}", f"approximately {n}", f"roughly {n}", f"some {n}", f"~{n}"], [
            f"exactly {n}", f"more than {n}", f"at most {n}", f"fewer than {n}", f"about {n * 2}"]  # fmt: skip
    times = rng.choice(_TIMES)
    return list(times), [words[0] for words in _TIMES if words != times]


_TIMES = (
    ("twice", "two times", "2 times"), ("three times", "thrice", "3 times"), ("once", "one time", "a single time"),
    ("four times", "4 times"), ("ten times", "10 times"),
)  # fmt: skip
_FRACTIONS = (
    (1, 2, "one half", "0.5"), (1, 4, "one quarter", "0.25"), (3, 4, "three quarters", "0.75"),
    (1, 5, "one fifth", "0.2"), (2, 5, "two fifths", "0.4"), (1, 10, "one tenth", "0.1"), (3, 5, "three fifths", "0.6"),
    (1, 8, "one eighth", "0.125"), (4, 5, "four fifths", "0.8"), (3, 10, "three tenths", "0.3"),
)  # fmt: skip


# -- clock and calendar ----------------------------------------------------------------------------------------------

_DAYS, _MONTHS = ([name.capitalize() for name in names] for names in (WEEKDAYS, MONTHS))
_HALVES = (("am", "a.m.", "AM", "in the morning"), ("pm", "p.m.", "PM", "in the afternoon"))


def clock_forms(hour: int, minute: int, rng: random.Random) -> str:
    """Return one of the ways to write a time of day; the hour from 0 to 23."""
    half = hour >= 12
    short = hour % 12 or 12
    part = _HALVES[half][3] if hour not in range(18, 24) else "in the evening" if hour < 22 else "at night"
    options = [f"{hour:02}:{minute:02}"]
    for mark in _HALVES[half][:3]:
        options += [f"{short}:{minute:02} {mark}", f"{short}.{minute:02} {mark}"] if minute else [
            f"{short} {mark}", f"{short}{mark}" if mark in ("am", "pm") else f"{short}:00 {mark}"]  # fmt: skip
    if hour == 12 and not minute:
        options += ["noon", "midday", "12 noon"]
    if hour == 0 and not minute:
        options = ["midnight", "12 am", "12 midnight", "00:00", "12:00 a.m."]
    elif 0 < hour < 12 or 12 < hour < 24:
        if not minute:
            options += [f"{short} o'clock {part}", f"{in_words(short)} o'clock {part}", f"{short} {part}"]
        elif minute == 30:
            options += [f"half past {in_words(short)} {part}"]
        elif minute == 15:
            options += [f"a quarter past {in_words(short)} {part}", f"quarter past {short} {part}"]
        elif minute == 45:
            options += [f"a quarter to {in_words(short % 12 + 1)} {part}"]
    return rng.choice(options)


def _clock(rng: random.Random) -> tuple[list[str], list[str]]:
    hour, minute = rng.randint(1, 23), rng.choice((0, 0, 0, 30, 15, 45, 20, 10))
    same = [clock_forms(hour, minute, rng) for _ in range(6)]
    others = [(hour + 12) % 24, (hour + rng.choice((1, 2, 3, 5))) % 24]
    other = [clock_forms(rng.choice((others[0], others[0], others[1])), minute, rng) for _ in range(4)]
    if minute:
        other += [clock_forms(hour, (minute + rng.choice((5, 10, 30))) % 60, rng)]
    return same, other


def _hours(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return a range of hours."""
    one = rng.randint(6, 12)
    two = one + rng.randint(2, 9)

    def span(a: int, b: int) -> str:
        x, y = clock_forms(a % 24, 0, rng), clock_forms(b % 24, 0, rng)
        return rng.choice((f"from {x} to {y}", f"from {x} until {y}", f"between {x} and {y}", f"from {x} till {y}"))

    k = rng.choice((1, 2, 3))
    same = [span(one, two) for _ in range(5)]
    other = [span(one + 12, two), span(one, two + k), span(one - k, two), f"until {clock_forms(one, 0, rng)}",
             f"after {clock_forms(two % 24, 0, rng)}", span(one, two + 12)]  # fmt: skip
    return same, other


_ORDINAL_ENDINGS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}


def date_forms(day: int, month: int, year: int | None, rng: random.Random) -> str:
    """Return one of the ways to write a date."""
    name, ending = (
        _MONTHS[month - 1],
        _ORDINAL_ENDINGS.get(day, "th"),
    )
    short = name[:3] if len(name) > 4 else name
    if year is None:
        return rng.choice((f"{day} {name}", f"{name} {day}", f"the {day}{ending} of {name}", f"{name} {day}{ending}",
                           f"{day}{ending} {name}", f"{short} {day}", f"{day} {short}"))  # fmt: skip
    return rng.choice((f"{day} {name} {year}", f"{name} {day}, {year}", f"the {day}{ending} of {name} {year}",
                       f"{day} {short} {year}", f"{year}-{month:02}-{day:02}",
                       f"{name} {day}{ending}, {year}"))  # fmt: skip


def _date(rng: random.Random) -> tuple[list[str], list[str]]:
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.choice((None, None, rng.randint(1900, 2030)))
    same = [date_forms(day, month, year, rng) for _ in range(5)]
    others = [(day % 28 + rng.choice((1, 2, 10)), month, year), (day, month % 12 + 1, year),
              (day, month, year and year + rng.choice((-10, -1, 1, 2, 100)))]  # fmt: skip
    others = [o for o in others if o != (day, month, year)]
    return same, [date_forms(*rng.choice(others), rng) for _ in range(4)]


def _calendar(rng: random.Random) -> tuple[list[str], list[str]]:
    """Return ways to name a day, a span of days, or how often something happens."""
    entries = _CALENDAR_LINES
    _, same, other = rng.choice(entries)
    if rng.random() < 0.5:
        day, later, latest = rng.sample(range(7), 3)
        days, short = [_DAYS[k] for k in (day, later, latest)], [_DAYS[k][:3] for k in (day, later, latest)]
        if rng.random() < 0.5:
            same = (
                (f"on {days[0]}", f"on {short[0]}.", f"this {days[0]}")
                if rng.random() < 0.2
                else (f"on {days[0]}", f"on {short[0]}")
            )
            other = (f"on {days[1]}", f"on {short[2]}", f"every {days[0]}", f"before {days[0]}")
        else:
            same = (
                f"from {days[0]} to {days[1]}",
                f"{short[0]}-{short[1]}",
                f"{days[0]} to {days[1]}",
                f"{short[0]}–{short[1]}",
            )
            other = (
                f"from {days[0]} to {days[2]}",
                f"from {days[1]} to {days[0]}",
                f"on {days[0]} and {days[1]}",
                f"{short[2]}-{short[1]}",
            )
    return list(same), list(other)


_CALENDAR_LINES = _TABLE.contrasts("calendar")
_Drawn = Callable[[random.Random], tuple[list[str], list[str]]]
_KINDS: tuple[tuple[str, _Drawn, float], ...] = (
    ("number-form", _numbers, 1.2), ("clock", _clock, 1.4), ("hours", _hours, 0.8), ("date", _date, 0.9),
    ("calendar", _calendar, 1.2),
)  # fmt: skip


def _register(name: str, draw: _Drawn, weight: float, faithful: bool) -> None:
    frames, tails = _TABLE.texts(f"frames.{name}"), _TABLE.texts(f"tails.{name}")

    @maker(f"{name}.{'same' if faithful else 'other'}", faithful=faithful, weight=weight)
    def make(sources: Sources, rng: random.Random) -> Iterator[Pair]:
        """Put two ways to write a time or a number, or two of them, into a frame or the tail of a sentence."""
        for carrier, group in carriers(frames, tails, sources, rng):
            same, other = draw(rng)
            first, second = rng.choice(same), rng.choice(same if faithful else other)
            if first != second and (faithful or second not in same):
                source, target = rng.sample((put_in(carrier, first), put_in(carrier, second)), 2)
                yield Pair(
                    source, target, 0.94 if faithful else 0.05, f"{name}.{'same' if faithful else 'other'}", group
                )


for _name, _draw, _weight in _KINDS:
    _register(_name, _draw, _weight, True)
    _register(_name, _draw, _weight, False)
