"""A value: an exact thing that a text says, with its kind and its normal form, and when two of them are equal."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal, NamedTuple

from usim.lexicon.units import MeasureUnit
from usim.text import Span

#: The minutes of twelve hours.
HALF_DAY = 720

Kind = Literal["number", "ordinal", "decade", "time", "date", "weekday", "code", "link", "acronym", "sign", "range",
               "factor", "rhythm"]  # fmt: skip
#: A year, a month and a day; None for what is not said.
Date = tuple[int | None, int | None, int | None]
#: Two conversions agree if they differ by no more than half of the last digit that is written, and than this share.
_MOST_ROUNDED = Decimal("0.04")
#: The share by which what is computed from two units may differ.
_EXACT = Decimal("1e-9")
#: Percentages of parts are rounded to whole ones: a third is 33 %.
_HALF_PERCENT = Decimal("0.005")
#: What temperatures in degrees have at the zero of kelvin, and the size of their degrees.
_SCALES = {
    "temperature": (Decimal(0), Decimal(1)),
    "temperature:celsius": (Decimal("273.15"), Decimal(1)),
    "temperature:fahrenheit": (Decimal("459.67"), Decimal(5) / Decimal(9)),
}
#: The bounds that say the same of the next whole number.
_WHOLE = {"more": ("least", 1), "less": ("most", -1)}
#: The hour of a time of day that is written like a number, perhaps with minutes.
_CLOCK = re.compile(r"([01]?\d|2[0-4])(?:\.([0-5]\d))?|([01]\d|2[0-4])([0-5]\d)")
_CENTS = frozenset(("money:dollar", "money:euro", "money:australian", "money:canadian", "money:cent"))


class Quantity(NamedTuple):
    """How much a value says: a number, half of the size of its last written digit, and its unit.

    Attributes:
        number: the number as written, in the unit.
        slack: half of what the last written digit counts, in the unit.
        unit: None for a bare number.
    """

    number: Decimal
    slack: Decimal = Decimal(0)
    unit: MeasureUnit | None = None

    def times(self, size: Decimal) -> Quantity:
        """Return so many times this quantity."""
        return self._replace(number=self.number * size, slack=self.slack * size)

    @property
    def is_whole(self) -> bool:
        """Whether it is so many and no part of one."""
        return self.number == self.number.to_integral_value()

    @property
    def base(self) -> tuple[Decimal, Decimal]:
        """The number and the slack in base units."""
        if self.unit is None:
            return self.number, self.slack
        if self.unit.dimension in _SCALES:
            zero, size = _SCALES[self.unit.dimension]
            factor = self.unit.factor * size
            return self.number * factor + zero * size, self.slack * factor
        return self.number * self.unit.factor, self.slack * self.unit.factor

    def equals(self, other: Quantity) -> bool:
        """Return whether two quantities are the same: in the same unit, if they are equal to the last digit.

        After a conversion they are equal within the digits that are written.
        """
        x, y = (q.unit.dimension if q.unit else "" for q in (self, other))
        if x != y and not (x in _SCALES and y in _SCALES) and not ({x, y} <= _CENTS and "money:cent" in (x, y)):
            if {x, y} != {"", "share"}:
                return False
            (value, slack), (part, _) = (self.base, other.base) if self.unit else (other.base, self.base)
            return 0 < part < 1 and abs(value - part) <= min(slack, _HALF_PERCENT)  # 25 %, a quarter
        (value, slack), (another, other_slack) = self.base, other.base
        if value == another or abs(value - another) < abs(value) * _EXACT:
            return True
        if self.unit is None or other.unit is None or _is_decimal(self.unit, other.unit) or self.number == other.number:
            return False
        return abs(value - another) <= min(max(slack, other_slack), _MOST_ROUNDED * max(abs(value), abs(another)))


def _is_decimal(a: MeasureUnit, b: MeasureUnit) -> bool:
    """Return whether two units of one dimension are ten, a hundred, … times as large as one another."""
    return a.dimension == b.dimension and (a.factor / b.factor).normalize().as_tuple().digits == (1,)


class Value(NamedTuple):
    """An exact thing in a text.

    Attributes:
        form: its normal form, as people are shown it; of codes also what is compared.
        start, end: where it stands, in characters.
        quantities: the readings of a number with its unit; *5 pounds* has two.
        dates: the readings of a date; *1/2/2024* has two.
        clock: a time of day in minutes.
        half: whether the half of the day is known: ``am``, ``pm`` or empty.
        bound: what limits it: ``about``, ``least``, ``before``, …; empty where it says just this.
        characters: what a code, or a number that may be one, is compared by.
        is_code: whether it is no quantity: a version, the number of a figure.
        is_hard: whether other words can hardly say it; *once* or *an hour* they can.
    """

    kind: Kind
    form: str
    start: int
    end: int
    text: str
    quantities: tuple[Quantity, ...] = ()
    dates: tuple[Date, ...] = ()
    clock: int = -1
    half: str = ""
    bound: str = ""
    characters: str = ""
    is_code: bool = False
    is_hard: bool = True

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.start, self.end

    def equals(self, other: Value) -> bool:
        """Return whether two values say the same, however they are written.

        >>> from usim.evidence.values import find_values
        >>> one, two, three = (find_values(text)[0] for text in ("2.4GHz", "2,400 MHz", "2.4 kHz"))
        >>> one.equals(two), one.equals(three)
        (True, False)
        """
        a, b = self._in_whole(), other._in_whole()
        return a.bound == b.bound and a.is_same(b)

    def _in_whole(self) -> Value:
        """Return *more than eight* of what is counted as *at least nine*, *under eight* as *at most seven*."""
        bound, step = _WHOLE.get(self.bound, ("", 0))
        is_whole = all(q.is_whole and (not q.unit or q.unit.dimension == "factor") for q in self.quantities)
        if not step or not is_whole or self.kind != "number" or self.is_code or "." in self.characters:
            return self
        return self._replace(bound=bound, quantities=tuple(q._replace(number=q.number + step) for q in self.quantities))

    def is_same(self, other: Value) -> bool:
        """Return whether two values are equal but for what limits them."""
        kinds = {self.kind, other.kind}
        if len(kinds) > 1:
            return self._is_across(other)
        characters = self.characters, other.characters
        if self.kind == "date":
            if all(characters) and characters[0].count("/") == characters[1].count("/"):
                return self.characters == other.characters  # both in digits: the order counts
            return not set(self.dates).isdisjoint(other.dates)
        if self.kind == "time":
            is_half_known = self.half and other.half
            return self.clock == other.clock if is_half_known else self.clock % HALF_DAY == other.clock % HALF_DAY
        if self.quantities and other.quantities:
            is_code = (self.is_code or other.is_code) and all(characters)
            if is_code or all("/" in each for each in characters):
                units = (frozenset(q.unit and q.unit.name for q in value.quantities) for value in (self, other))
                return self.characters == other.characters and len({*units}) == 1
            return any(x.equals(y) for x in self.quantities for y in other.quantities)
        if self.kind == "link" and not all("://" in value.form for value in (self, other)):
            return len({re.sub("^(https?://)?(www[.])?", "", value.form) for value in (self, other)}) == 1
        return self.form == other.form

    def as_clock(self) -> int:
        """Return the minutes of a time, or of a number that may be one, such as *8*, *12.30* and *1830*; else -1."""
        if self.kind != "number" or any(q.unit for q in self.quantities):
            return self.clock
        match = _CLOCK.fullmatch(self.characters)
        hours, minutes = (match[1] or match[3], match[2] or match[4]) if match else ("0", None)
        return int(hours) * 60 + int(minutes or 0) if int(hours) or minutes else -1

    def _is_across(self, other: Value) -> bool:
        """Return whether values of two kinds are the same: *the 3rd of May*, *Chapter IV*, *8:00* and *at eight*."""
        kinds = {self.kind, other.kind}
        if kinds == {"number", "time"}:
            clocks = self.as_clock(), other.as_clock()
            if -1 not in clocks:
                return clocks[0] % HALF_DAY == clocks[1] % HALF_DAY
            number, time = (self, other) if self.kind == "number" else (other, self)
            spans = {q.base[0] for q in number.quantities if q.unit and q.unit.dimension == "time"}
            return not spans.isdisjoint((time.clock, 60 * time.clock))  # 3:45 as 3 min 45 s, or 3 h 45 min
        if kinds in ({"number", "ordinal"}, {"number", "factor"}, {"number", "rhythm"}):
            return any(x.equals(y) for x in self.quantities for y in other.quantities)
        if "date" in kinds and kinds <= {"date", "number", "ordinal"}:  # 20250309; the 3 of 3 and 11 May
            digits = {"".join(f"{part or 0:02}" for part in d) for value in (self, other) for d in value.dates}
            is_day = any(x.equals(y) for x in self.quantities for y in other.quantities)
            return is_day or not digits.isdisjoint((self.characters, other.characters))
        if kinds == {"code", "time"}:  # 0830
            code, time = (self, other) if self.kind == "code" else (other, self)
            return code.characters == f"{time.clock // 60:02}{time.clock % 60:02}"
        if kinds == {"code", "number"}:
            return self.characters == other.characters != ""
        return False
