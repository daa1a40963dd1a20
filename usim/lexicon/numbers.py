"""Numbers in running text, however they are written: *twenty-five*, *25*; *half past six*, *6:30*; *3/4*, *75 %*.

A number is what it counts and its value: ``"#"`` for amounts (a percentage is a hundredth), ``"th"`` for places in an
order, ``"time"`` for times of day (minutes of twelve hours, as texts rarely say which half of the day), ``"decade"``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from usim.lexicon.quantities import MEASURES
from usim.lexicon.tables import WRITING, classes_of, read_tables
from usim.lexicon.wordnet import WordNet

_TABLES: dict[str, dict[str, float]] = {
    kind: {word: float(value) for word, value in classes_of(table).items()}
    for kind, table in read_tables("numbers.tsv").items()
}
#: The values of words: *two*; what multiplies the number before it, *dozen*; *second*; *twentieth*; *twice*; *thirds*;
#: *twenties*.
_VALUES, _POWERS, _PLACES, _TENTH_PLACES, _TIMES, _PARTS, _DECADES = _TABLES.values()
#: What may follow a number: what it is divided by, and what is added.
VALUES, PLACES, TENTH_PLACES, PARTS, DECADES = _VALUES, _PLACES, _TENTH_PLACES, _PARTS, _DECADES
_RESTS = (
    (["%"], 100, 0.0), (["percent"], 100, 0.0), (["pct"], 100, 0.0), (["per", "cent"], 100, 0.0),
    (["and", "a", "half"], 1, 0.5), (["and", "a", "quarter"], 1, 0.25),
)  # fmt: skip
_PARTS_OF_DAY = (["in", "the", "morning"], ["in", "the", "afternoon"], ["in", "the", "evening"])
_BEFORE_TIMES = frozenset("at by until till from before after around about".split())
_HALVES = ("am", "pm", "a.m.", "p.m.")
#: Between such words *one* is a pronoun.
_BEFORE_PRONOUN = frozenset("the this that which every each no any another".split())
_BEHIND_PRONOUN = frozenset("of another day can who should must is and that which".split())
#: Before adjectives that stand before *one*; *no longer one* is no such case.
_BEFORE_ADJECTIVES = WRITING["determiners"] - {"no", "any", "some", "either", "neither"}
_SUFFIXES: Mapping[str, float] = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
_HYPHENS = frozenset("-‐‑")
ROMAN = re.compile(r"(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3})")
_JOINED = re.compile(r"(\d[\d.,]*)([a-z]+)")


class Number(NamedTuple):
    """A number in a text: its first token, one past its last, what it is, its value."""

    start: int
    end: int
    kind: str
    value: float

    @property
    def places(self) -> range:
        """The places of its tokens."""
        return range(self.start, self.end)

    @property
    def clock(self) -> float:
        """The minutes of twelve hours that it says as a time of day; *6.30* is 390."""
        if self.kind == "time":
            return self.value % 720
        hours, minutes = divmod(self.value, 1.0)
        return (60 * hours + round(100 * minutes)) % 720

    def same(self, other: Number) -> bool:
        """Return whether two numbers say the same; *3 May* and *May 3rd* do, *12.30* and *12.30 p.m.*, too."""
        if "time" in (self.kind, other.kind) and "#" in (self.kind, other.kind):
            return self.clock == other.clock
        return abs(self.value - other.value) <= 1e-9 * max(1.0, abs(self.value)) and (
            self.kind == other.kind or {self.kind, other.kind} == {"#", "th"}
        )


_BEGINNINGS = frozenset(
    (*_VALUES, *_POWERS, *_PLACES, *_TENTH_PLACES, *_DECADES, *_TIMES, "half", "quarter", "couple", "a", "an")
)


@lru_cache(20000)
def may_count(word: str) -> bool:
    """Return whether a number can begin with a word in lower case."""
    return word in _BEGINNINGS or any(c.isdigit() for c in word) or (len(word) > 1 and set(word) <= set("ivx"))


def find_numbers(tokens: Sequence[str]) -> list[Number]:
    """Find the numbers among the tokens of a text, in order; *one* and *second* only where they count.

    >>> [(n.kind, n.value) for n in find_numbers("Half past six , on the 3rd day , 25 % paid two dozen euros".split())]
    [('time', 390.0), ('th', 3.0), ('#', 0.25), ('#', 24.0)]
    """
    # Empty words stand behind the last one, and so before the first one too.
    words = [*(token.lower() for token in tokens), *[""] * 6]
    result: list[Number] = []
    i = 0
    while i < len(tokens):
        number = _at(tokens, words, i) if may_count(words[i]) else None
        i = number.end if number else i + 1
        if number:
            result.append(number)
    return result


def _at(tokens: Sequence[str], words: list[str], i: int) -> Number | None:
    word, following = words[i], words[i + 1]
    if not word[0].isalpha():
        amount = _digits(words, i)
    elif word in ("half", "quarter", "a") and (clock := _past(words, i)):
        return clock
    elif word in _PLACES or word in _TENTH_PLACES:
        return _place(words, i)
    elif word in _DECADES:
        return Number(i, i + 1, "decade", _DECADES[word])
    elif word in _TIMES or word == "half":
        return Number(i, i + 1, "#", _TIMES.get(word, 0.5))
    elif word == "couple" and following == "of":
        return Number(i, i + 1, "#", 2.0)
    elif word in ("a", "an") and following in _POWERS:
        amount = _amount(words, i + 1)
        amount = amount and amount._replace(start=i)
    elif word in ("a", "an") and following in _PARTS:
        is_place = following in _PLACES and words[i + 2] != "of"
        return None if is_place else Number(i, i + 2, "#", 1.0 / _PARTS[following])
    elif len(word) > 1 and tokens[i].isupper() and i and tokens[i - 1][:1].isupper() and ROMAN.fullmatch(tokens[i]):
        return Number(i, i + 1, "#", float(roman(tokens[i])))
    else:
        amount = _amount(words, i)
    return amount and _with_rest(words, amount)


def read_number(words: Sequence[str], start: int) -> tuple[int, int] | None:
    """Return the number in words that begins at a place, and one past its last word; None for none.

    The words are in lower case, with at least four empty ones behind the last.

    >>> read_number(["twenty", "-", "five", "days", "", "", "", ""], 0)
    (25, 3)
    """
    number = _amount([*words], start) if words[start] in _VALUES or words[start] in _POWERS else None
    return None if number is None else (round(number.value), number.end)


def _place(words: list[str], i: int) -> Number | None:
    word, before = words[i], words[i - 1]
    # At the head of a clause, first and second order the text; a second may be one of time.
    is_head = not before[:1].isalnum() and not words[i + 1].isalpha()
    if is_head or (before, word) in (("at", "first"), ("at", "second"), ("a", "second")):
        return None
    return Number(i, i + 1, "th", _PLACES.get(word, 0.0) or _TENTH_PLACES[word])


def _past(words: list[str], start: int) -> Number | None:
    """Read a time of day in words: *half past six*, *a quarter to seven*, *quarter past 8*."""
    i = start + (words[start] == "a")
    if words[i] not in ("half", "quarter") or words[i + 1] not in ("past", "to"):
        return None
    hour = _amount(words, i + 2) or _digits(words, i + 2)
    if hour is None:
        return None
    minutes = 30 if words[i] == "half" else 15
    return Number(start, hour.end, "time", (60 * hour.value + (minutes if words[i + 1] == "past" else -minutes)) % 720)


def _amount(words: list[str], start: int) -> Number | None:
    """Read a number in words."""
    i = start
    if words[i] not in _VALUES and words[i] not in _POWERS:
        return None
    century = _VALUES.get(words[i], 0.0)
    if 13 <= century <= 20 and _VALUES.get(words[i + 1], 0.0) >= 10:  # nineteen ninety
        years = _amount(words, i + 1)
        if years is not None and years.value < 100:
            return Number(i, years.end, "#", 100 * century + years.value)
    total = current = last = 0.0
    while True:
        word, value = words[i], _VALUES.get(words[i])
        if value is not None:
            if i > start and not (value < last and value < 100 and (last >= 100 or (last >= 20 and value < 10))):
                break
            current += value
            last = value
        elif word in _POWERS:
            last = _POWERS[word]
            current = max(current, 1.0) * last
            if last >= 1e3:
                total += current
                current = 0.0
        elif (
            not (last >= 20 and (word in _HYPHENS or (word == "and" and last >= 100)))
            or _VALUES.get(words[i + 1], last) >= last
        ):
            break
        i += 1
    while words[i - 1] in _HYPHENS or words[i - 1] == "and":
        i -= 1
    value = total + current
    return None if value == 1.0 and i == start + 1 and not _counts(words, start) else Number(start, i, "#", value)


def _digits(words: list[str], i: int) -> Number | None:
    word = words[i].lstrip("$€£#+'’").rstrip("$€£.")
    end = i + 1
    if not any(c.isdigit() for c in word):
        return None
    if word.endswith("%") and (value := _value(word[:-1])) is not None:
        return Number(i, end, "#", value / 100)
    if word[-2:] in ("st", "nd", "rd", "th") and (place := _whole(word[:-2])) is not None:
        return Number(i, end, "th", place)
    if word.endswith("s") and (year := _whole(word[:-1])) is not None:
        return Number(i, end, "decade", year % 100 if year < 100 or 1920 <= year < 2000 else year)
    if ":" in word or ("." in word and words[end] in _HALVES):
        hours, minutes = map(_whole, word.replace(".", ":").split(":", 1))
        if hours is None or minutes is None or minutes >= 60:
            return None
        return Number(i, end + _half_of_day(words, end), "time", (60.0 * hours + minutes) % 720)
    if "/" in word:
        above, below = map(_whole, word.split("/", 1))
        is_part = above is not None and below is not None and 0 < below <= 100 and above < below
        return Number(i, end, "#", above / below) if above is not None and below and is_part else None
    digits, letters = match.groups() if (match := _JOINED.fullmatch(word)) else (word, "")
    value = _value(digits)
    if value is None:
        return None
    if letters in ("am", "pm"):
        return Number(i, end, "time", (60 * value) % 720)
    value *= _SUFFIXES.get(letters, 1.0)
    while not letters and words[end] in _POWERS:
        value *= _POWERS[words[end]]
        end += 1
    return Number(i, end, "#", value)


def _with_rest(words: list[str], n: Number) -> Number:
    """Extend a number by the words after it that change it: *percent*, *and a half*, *quarters*, *pm*."""
    if n.kind != "#":
        return n
    for rest, over, more in _RESTS:
        if words[n.end : n.end + len(rest)] == rest:
            return Number(n.start, n.end + len(rest), "#", n.value / over + more)
    at = n.end + (words[n.end] in _HYPHENS)
    if words[at] in _PARTS and words[at].endswith("s") == (n.value > 1) and n.value < 20:
        return Number(n.start, at + 1, "#", n.value / _PARTS[words[at]])
    length = _half_of_day(words, n.end)
    if not length and words[n.start - 1] in _BEFORE_TIMES:
        parts = (*_PARTS_OF_DAY, ["at", "night"])
        length = next((len(part) for part in parts if words[n.end : n.end + len(part)] == part), 0)
    return Number(n.start, n.end + length, "time", (60 * n.value) % 720) if length and n.value <= 12 else n


def _half_of_day(words: list[str], i: int) -> int:
    """Count the tokens at a place that mark a time of day: *pm*, *o'clock in the morning*."""
    if words[i] in (*_HALVES, "o'clock", "o’clock"):
        return 4 if words[i + 1 : i + 4] in _PARTS_OF_DAY else 1
    return 2 if words[i] == "o" and words[i + 1] in ("'clock", "’clock") else 0


def _counts(words: list[str], at: int) -> bool:
    """Return whether a *one* is a number; in *one of*, *this one*, *the longer one* and *one* alone it is not."""
    before, following = words[at - 1], words[at + 1]
    if following in ("o'clock", "o’clock"):
        return True
    start = at
    while WordNet.shipped().word(words[start - 1]).parts.get("a", 0.0) > 0.5:
        start -= 1
    if start < at and words[start - 1] in _BEFORE_ADJECTIVES:
        unit = MEASURES.get(following)
        return following in (*_PARTS, "percent", "per") or (unit is not None and not unit.is_ambiguous)
    return following.isalpha() and following not in _BEHIND_PRONOUN and before not in _BEFORE_PRONOUN


def _whole(digits: str) -> float | None:
    """Return the value of decimal digits; None for anything else (such as ``²``) and for what is beyond a float."""
    return _value(digits) if digits.isdecimal() else None


def _value(text: str) -> float | None:
    groups = text.split(",")
    if len(groups) > 1 and all(len(g.split(".")[0]) == 3 for g in groups[1:]):
        text = "".join(groups)
    elif len(groups) == 2:  # a decimal comma
        text = ".".join(groups)
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


def roman(text: str) -> int:
    """Return the number that Roman letters write: *XIV*."""
    worth = {"I": 1, "V": 5, "X": 10}
    values = [worth[c] for c in text]
    return sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))
