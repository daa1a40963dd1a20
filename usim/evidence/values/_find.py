"""Find the values of a text: cut it into atoms, a word or a mark each, and read those that begin a value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from usim.evidence.values._value import Date, Kind, Quantity, Value
from usim.lexicon import word_info
from usim.lexicon.numbers import DECADES, PARTS, PLACES, ROMAN, TENTH_PLACES, VALUES, read_number, roman
from usim.lexicon.tables import classes_of, read_tables, word_sets
from usim.lexicon.units import SPANS, MeasureUnit, unit_readings
from usim.text import plain_places

_TABLES = read_tables("values.tsv")
_WORDS = word_sets("values.tsv")
_EXTENSIONS = "|".join(sorted(_WORDS["extension"], key=len, reverse=True))
_BOUNDS, _BEHIND, _WHENS, _EARLIER, _LATER = (
    {tuple(phrase.split("_")): name for phrase, name in classes_of(_TABLES[table]).items()}
    for table in ("bound", "behind", "when", "earlier", "later")
)
_DATED_BOUNDS = _BOUNDS | _WHENS
#: So many words has the longest of these phrases.
_LONGEST = max(map(len, (*_DATED_BOUNDS, *_BEHIND)))
#: What limits a distance in time, which is counted backwards before a time: the bounds, by the word behind it.
_DISTANCES = {"before": _EARLIER, "prior": _EARLIER, "after": _LATER, "from": _LATER, "of": _LATER}
_MONTHS, _WEEKDAYS = ({w: int(n) for w, n in classes_of(_TABLES[table]).items()} for table in ("month", "weekday"))
#: The days that may be the last ones of the months.
_LAST_DAYS = {month: (28, 29) if month == 2 else (30,) if month in (4, 6, 9, 11) else (31,) for month in range(1, 13)}
_OFTEN, _FOLD, _SCALE, _JOINED = (
    {w: Decimal(n) for w, n in classes_of(_TABLES[table]).items()} for table in ("often", "fold", "scale", "joined")
)
#: What says how often, alone and behind a number of times: *daily*, *three times daily*.
_RHYTHMS = classes_of(_TABLES["rhythm"])
_SAME, _DEICTIC, _GREEK, _SHORT_BOUNDS, _LINKS = (
    classes_of(_TABLES[table]) for table in ("same", "deictic", "greek", "short", "link")
)
_SIGNS, _HALVES = (
    {form.replace("_", " "): name for form, name in classes_of(_TABLES[table]).items()} for table in ("sign", "half")
)

#: What is written above and below the line, as it is in plain text.
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUB = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-")
_BLANK = "[ \\u00a0\\u202f\\u2009]"

#: Letters, and letters and digits; what is written above the line and vulgar fractions are neither here.
_NO_LETTERS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_L, _LD = rf"[^\W\d_{_NO_LETTERS}]", rf"[^\W{_NO_LETTERS}]"
#: Millions with points between the thousands; of more points it may be the address of a computer.
_POINTED = r"\d{1,3}\.\d{3}\.\d{3}"
_ATOM = re.compile(
    rf"""
      (?P<code>(?<!`)`++[^`]+`+)
    | (?P<markup></?(?:b|i|u|em|strong|small|sub|sup|mark|span|p|br|div|ul|ol|li)\ ?/?>)
    | (?P<placeholder>\{{\{{[^{{}}\n]*\}}\}}|\$?\{{\w[\w.]*\}}|%\(\w+\)s|</?[a-z_][\w-]*>)
    | (?P<link>(?:[a-z][a-z+]{{1,19}}://|www\.|mailto:)[^\s<>"]*[^\s<>"'.,;:!?)\]}}…]
        |(?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.\w[\w-]*)+
        |(?<![\w.@/-])(?:[a-z][\w-]*\.)+(?:com|org|net|edu|gov|info|io|uk|eu|de|fr)(?![\w-])
        |(?<!\w)[A-Za-z]:\\[^\s"']*[^\s"'.,;:!?)]
        |(?<![\w/.)])(?:~|\.{{1,2}})?/[\w.-]*\w(?:/[\w.-]*\w)*/?
        |(?<![\w/-])(?<![\w-]\.)(?:(?<!\.)(?:[\w.-]+/)+)?[\w-]+(?:\.[\w-]+)*\.(?:{_EXTENSIONS})(?!\w))
    | (?P<hex>\#[0-9a-fA-F]{{3,8}}(?!\w)|0[xX][0-9a-fA-F]+)
    | (?P<tag>(?<!\w)[\#@][^\W\d_]\w*)
    | (?P<option>(?<![\w-])-[A-Za-z](?![\w-])(?!\.\w)|(?<![\w-])--[a-z]+(?:-[a-z]+)*(?:=\S+)?)
    | (?P<call>(?<!\w)(?<!\w\.)[A-Za-z_]\w*(?:\.\w+)*\(\))
    | (?P<box>\[[ xX]\](?=\s))
    | (?P<iso>(?<![\w-])\d{{4}}-\d{{2}}-\d{{2}}(?:T[\d:.]+(?:Z|[+-][\d:]+)?)?(?![\w-]))
    | (?P<date>(?<![\w./-])\d{{1,4}}(?P<cut>[./-])\d{{1,2}}(?P=cut)(?:\d{{4}}|\d{{2}})(?![\w/-]|\.\d))
    | (?P<serial>(?:\+(?=(?:[ .()/-]{{0,2}}\d){{7}})\d{{1,3}}(?:[ .-]?\(?\d+\)?)+
        |(?:1[ .-])?\(\d{{2,5}}\)[ ./-]?\d{{3,4}}(?:[ .-]?\d{{2,4}})+
        |(?<![\d.,])(?:1[ .-])?\d{{3}}(?P<gap>[ .-])\d{{3}}(?P=gap)\d{{4}}
        |(?<![\d.,/-])(?=0(?:[ /-]?\d){{6}})0\d+(?:[ /-]\d{{2,}})*
        |(?<![\d.,])97[89](?=(?:[ -]?\d){{10}}(?!\d))(?:[ -]?\d+)+
        |(?<![\d.,])\d{{4}}(?P<sep>[ -])(?:\d{{4}}(?P=sep)){{2}}\d{{4}}
        |(?<!\w)[A-Z]{{2}}\d{{2}}(?:[ ]?[A-Z]{{4}})?(?:[ ]?\d{{4}}){{2,7}}(?:[ ]?\d{{1,3}})?)(?!\w))
    | (?P<version>(?<![\w.])(?!{_POINTED}(?!\.?\w))[vV]?\d+(?:\.\d+){{2,}}(?:[-+.]?\w++)*+
        |(?<![\w.,])[vV]?\d+\.\d+(?:[-.]?(?:a|b|rc|alpha|beta|dev|post)[-.]?\d*)(?!\w)|(?<!\w)[vV]\d+(?:\.\d+)*(?!\w))
    | (?P<clock>(?<![\w:.,])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\w:]|,\d))
    | (?P<ion>(?<![\w-])(?:[A-Z][a-z]?\d{{0,2}}){{1,3}}(?:\+|[−-](?!\ (?:and|or|to)\b))(?![\w+−-]))
    | (?P<ident>(?<!{_L}-)(?!(?i:under|over|early|mid|late)-\d|(?<=\d)[ap]m-\d)
        (?:{_L}+-)*{_L}+-?\d{_LD}*(?:-\w*\d\w*)*|{_LD}+_\w+)
    | (?P<num>\d+(?:\.\d+)?[eE][+−-]?\d+(?!\w)|\d+\.\d+(?=,\d+\.\d)
        |\d{{1,3}}(?:{_BLANK}\d{{3}})+(?!\d|\.\d)(?:,\d+)?|\d++(?:[.,]\d++)*+|(?<![\w.])\.\d+)
    | (?P<word>{_L}{{1,2}}(?:\.{_L}{{1,2}})+\.?(?!{_L})|{_L}+(?:['’]{_L}+)*)
    | (?P<sup>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+)
    | (?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])
    | (?P<op><->|[-+*/%|&]=(?!=)|[=!<>~:]==?|<>|->|<-|<=|>=|&&|\|\|)
    | (?P<stars>[★⭐]+)
    | (?P<mark>[^\w\s])
    """,
    re.VERBOSE,
)
#: The groups of what is compared letter by letter.
_CODES = frozenset("code placeholder link hex tag option call box stars sup version ident ion serial".split())
#: What of them is not compared.
_LEFT_OUT = {
    "code": re.compile(r"^`+|(?<!`)`+$"),
    "placeholder": re.compile(r"\s"),
    "link": re.compile(r"^\./"),
    "serial": re.compile(r"\(0\)|[^\w+]"),
    "version": re.compile(r"^[vV]+"),
}
#: A value that is said twice has fewer words between its brackets: *five hundred euros (EUR 500)*.
_IN_BRACKETS = 8
#: What stands behind a unit in *a week's leave*.
_POSSESSIVE = re.compile(r"['’]s$")
#: A date that begins with its month.
_MONTH_FIRST = re.compile(r"[^\W\d]\.? \d{1,2}(?:st|nd|rd|th)?$")
_CAMEL = re.compile(r"[a-z]+[A-Z]\w*|[A-Z][a-z]+(?:[A-Z][a-z]+)+|[A-Z]+[a-z]{1,2}[A-Z]+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
#: Words that are values: their kinds and forms.
_NAMES: dict[str, tuple[Kind, str]] = {
    **{word: ("weekday", word) for word in classes_of(_TABLES["day"])},
    **{word: ("acronym", form) for word, form in _GREEK.items()},
}
#: The times of day that have names, in minutes.
_TWELVES = {"midnight": 0, "noon": 720, "midday": 720}
_QUARTER = re.compile(r"(?<![\w.,])(?:[1-4]Q|[12]H)\d\d")
_HOUR, _DAY = unit_readings("hour"), unit_readings("day")
#: Kinds of values that nothing limits.
_UNBOUNDED = frozenset(("code", "acronym", "sign", "rhythm", "factor", "weekday"))

#: A value, the first of its tokens (what limits it among them), one past the last.
_Read = tuple[Value, int, int]
_Units = tuple[MeasureUnit, ...]
_NONE = Decimal(0)


class Atom(NamedTuple):
    """A word, a mark or a value: what makes two of them the same, where it stands, and the value if it is one."""

    key: str
    start: int
    end: int
    value: Value | None = None

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands."""
        return self.start, self.end


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    group: str

    @property
    def low(self) -> str:
        return self.text.lower()


@lru_cache(512)
def atoms_of(text: str) -> tuple[Atom, ...]:
    """Cut a text into atoms, in order."""
    looks, starts, ends = plain_places(text)
    looks = looks.translate(_SUB)
    found = (m for m in _ATOM.finditer(looks) if m.lastgroup != "markup")
    tokens = [_Token(m[0], m.start(), m.end(), m.lastgroup or "") for m in found]
    groups = {"cut": "date", "gap": "serial", "sep": "serial"}
    tokens = [each for t in tokens for each in _split(t._replace(group=groups.get(t.group, t.group)), looks)]
    atoms: list[Atom] = []
    reader = _Reader(looks, tokens)
    i = 0
    while i < len(tokens):
        read = reader.value_at(i)
        if read is None:
            token = tokens[i]
            atoms.append(Atom(token.low, starts[token.start], ends[token.end - 1]))
            i += 1
            continue
        value, first, i = read
        while atoms and first < len(tokens) and atoms[-1].start >= starts[tokens[first].start]:
            atoms.pop()
        start, end = starts[value.start], ends[value.end - 1]
        value = value._replace(start=start, end=end, text=text[start:end])
        atoms.append(Atom(value.form, start, end, value))
    return tuple(_with_ranges(atoms))


def _split(token: _Token, text: str) -> list[_Token]:
    """Return a token; of what is joined to a number by a letter that is a sign, two: *80x120*, *1h50*, *3Q23*."""

    def cut(at: int, rest: str, group: str) -> list[_Token]:
        place = token.start + at
        return [_Token(token.text[:at], token.start, place, "word"), _Token(rest, place, token.end, group)]

    low, last = token.low, token.text[1:]
    if (month := _POSSESSIVE.sub("", low)) != low and month in _MONTHS and month != "may":
        return cut(len(month), token.text[-2:], "word")
    if token.group == "ident" and _QUARTER.fullmatch(text, token.start - 1, token.end):
        return cut(1, f"20{last}", "num")
    is_behind_digit = text[token.start - 1 : token.start].isdecimal()
    if token.group == "ident" and is_behind_digit and low[0] in "xh" and last.isdecimal():
        return cut(1, last, "num")
    return [token]


def find_values(text: str) -> list[Value]:
    """Return the values of a text, in order.

    >>> [(value.kind, value.form) for value in find_values("Give .5 mg at 8:30 p.m. for 2 days, see Figure 2a.")]
    [('number', '0.5 milligram'), ('time', '20:30'), ('number', '2 day'), ('code', '2a')]
    """
    return [atom.value for atom in atoms_of(text) if atom.value is not None]


def _with_ranges(atoms: Sequence[Atom]) -> list[Atom]:
    """Return atoms in which what stands between two values says whether they are a range, and what they share."""
    found = _with_dates(atoms)
    for k in range(1, len(found) - 1):
        at, a, b = found[k], found[k - 1].value, found[k + 1].value
        name = "times" * (at.value.form == "times") if at.value else _LINKS.get(at.key)
        if a is None or b is None or not name:
            continue
        if at.key == ":" and (at.start == found[k - 1].end) != (at.end == found[k + 1].start):
            continue
        if name == "and" and k > 1 and "between" in (found[k - 2].key, found[k - 1].key):
            name = "to"
        if name in ("to", "and", "or") and at.key != ":":
            a, b = _in_one_half_of_day(a, b, is_range=name == "to")
        if name in ("to", "or", "times"):
            a = _with_unit_of(a, b) or a
        found[k - 1], found[k + 1] = _holding(found[k - 1], a), _holding(found[k + 1], b)
        if at.value is None and a.kind == b.kind not in ("acronym", "sign", "link"):
            one_more = {(q.number + 1, q.unit) for q in a.quantities if q.is_whole}
            is_next = not one_more.isdisjoint((q.number, q.unit) for q in b.quantities)
            name = "to" if name == "or" and is_next else name  # two or three weeks are 2–3 weeks
            found[k] = at._replace(value=Value("range", name, at.start, at.end, at.key), key=name)
    return found


def _holding(atom: Atom, value: Value) -> Atom:
    return atom if value is atom.value else atom._replace(value=value, key=value.form)


def _in_one_half_of_day(first: Value, last: Value, *, is_range: bool) -> tuple[Value, Value]:
    """Return linked times, of which one says the half of the day of both: *8 to 10 p.m.*, *from 8 p.m. to 10*."""
    if (early := _in_half_of(first, last)) and early.clock < last.clock:
        return early, last
    if is_range and (late := _in_half_of(last, first)) and late.clock > first.clock:
        return first, late
    return first, last


def _in_half_of(value: Value, other: Value) -> Value | None:
    """Return a value as a time in the half of the day of another one; None where only one half or none is said."""
    minutes = value.as_clock()
    is_said = other.half and any(map(str.isalpha, other.text))  # not by 22:00
    if value.half or value.is_code or not 0 < minutes < 780 or not is_said:
        return None
    minutes = minutes % 720 + 720 * (other.half == "pm")
    form = f"{value.bound} {_clock_form(minutes)}".strip()
    return value._replace(kind="time", form=form, quantities=(), characters="", clock=minutes, half=other.half)


def _clock_form(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _with_dates(atoms: Sequence[Atom]) -> list[Atom]:
    """Return atoms in which linked days share a month, and dates a year: *3 and 11 May*, *May 3 to 11*."""
    found = list(atoms)
    for step in (-1, 1):
        shared: Date | None = None
        links: list[str] = []
        is_list = False
        for k in range(len(found))[::step]:
            atom, value = found[k], found[k].value
            key = atom.key if value is None else "" if value.kind == "weekday" else None
            if key is not None and (key in _LINKS or key in ("", ",", "the", "on", "from")) and key not in (":", "/"):
                links.append(key)
                continue
            is_linked = not _LINKS.keys().isdisjoint(links) or (is_list and links == [","])
            behind = found[k + 1].key if k + 1 < len(found) else ""
            if step > 0 and "to" not in map(_LINKS.get, links) and behind.isalpha() and behind not in _LINKS:
                is_linked = False  # May 3 and 11 people
            year, month, _ = shared or (None, None, None)
            dates = _shared_dates(value, year, month) if shared and is_linked and value else ()
            if dates and value:
                is_list = is_list or value.kind != "date"
                value = value._replace(kind="date", dates=dates, form=_date_form(dates), characters="")
                found[k] = _holding(atom, value)
            is_open = value and (dates or (len(value.dates) == 1 and (step < 0 or _MONTH_FIRST.search(value.text))))
            shared = value.dates[-1] if value and is_open else None
            is_list, links = is_list and shared is not None, []
    return found


def _shared_dates(value: Value, year: int | None, month: int | None) -> tuple[Date, ...]:
    """Return the dates that a day, or a date without a year, may be beside one of a year and a month."""
    dates = value.dates
    is_bare = value.kind in ("number", "ordinal") and not (value.bound or value.is_code)
    if is_bare and all(not q.unit and q.is_whole and 0 < q.number < 32 for q in value.quantities):
        dates = tuple((None, month, int(q.number)) for q in value.quantities[:1])
    is_short = len(dates) == 1 and dates[0][0] is None and (year or value.kind != "date")
    return (*dates, *[(year, *dates[0][1:])] * (year is not None)) if is_short else ()


def _with_unit_of(value: Value, other: Value) -> Value | None:
    """Return a number with the unit and scale of the one that it is joined to: *5 to 9 km*, *one to four million*."""
    if not value.kind == other.kind == "number" or value.is_code:
        return None
    is_bare = not any(q.unit for q in value.quantities)
    scales, size = [Decimal(1)], Decimal(1)
    for word in reversed(re.findall(r"[^\W\d_]+", other.text)):
        size *= _SCALE.get(word.lower()) or (_JOINED.get(word) if f" {word}" not in other.text else None) or 1
        scales.insert(0, size)
    shared = []
    for q, last in ((x, y) for x in value.quantities for y in other.quantities if is_bare or x.unit == y.unit):
        scale = next(s for s in scales if s == 1 or abs(q.number) * s < abs(last.number))
        shared.append(q.times(scale)._replace(unit=last.unit))
    is_new = shared and shared != [*value.quantities]
    return value._replace(quantities=tuple(shared), form=_form(shared)) if is_new else None


class _Reader:
    """Reads the values of a text from its tokens."""

    def __init__(self, text: str, tokens: Sequence[_Token]) -> None:
        # Empty tokens stand behind the last one, and so before the first one too.
        self.text, self.tokens = text, [*tokens, *[_Token("", -1, -2, "")] * 8]
        self.words = [t.low for t in self.tokens]
        capitals = [t for t in tokens if t.group == "word" and len(t.text) > 1]
        self.is_shouted = sum(t.text.isupper() for t in capitals) * 2 > len(capitals) > 2

    def value_at(self, i: int) -> _Read | None:
        """Return the value that begins at a token."""
        group = self.tokens[i].group
        if group in ("num", "vulgar", "iso", "date", "clock"):
            return self._bounded(i, self._number_at(i))
        if group == "word":
            return self._bounded(i, self._word_at(i))
        return self._code_at(i) if group in _CODES else self._mark_at(i)

    def _value(self, kind: Kind, form: str, first: int, end: int, **more: Any) -> _Read:
        start, stop = self.tokens[first].start, self.tokens[end - 1].end
        return Value(kind, form, start, stop, self.text[start:stop], **more), first, end

    def _placed(self, value: Value, first: int, end: int, **more: Any) -> _Read:
        """Return a value that begins or ends at another token."""
        return value._replace(start=self.tokens[first].start, end=self.tokens[end - 1].end, **more), first, end

    def _written(self, first: int, end: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[end - 1].end]

    def _joins(self, i: int) -> bool:
        """Return whether no blank is between a token and the one before."""
        return i > 0 and self.tokens[i].start == self.tokens[i - 1].end

    def _says(self, i: int, *phrases: str) -> int:
        """Return how many words has the first of some phrases that stands at a token, 0 for none."""
        return next((n for p in phrases if self.words[i : i + (n := len(p.split()))] == p.split()), 0)

    def _behind_hyphen(self, i: int) -> int:
        """Return the place of a token, or of the next one if it is a hyphen."""
        return i + (self.words[i] == "-")

    def _behind_link(self, i: int) -> int:
        """Return the place of a token, or of the one behind *and*, a comma, or both."""
        return i + (self._says(i, ", and") or self.words[i] in ("and", ","))

    # -- codes, words and marks --

    def _code_at(self, i: int) -> _Read | None:
        token = self.tokens[i]
        text, group, end = token.text, token.group, i + 1
        if group == "box":
            return self._value("sign", _SIGNS[text], i, end)
        if group == "stars":
            return self._number(i, end, Quantity(Decimal(len(text))), unit_readings("star"))
        if group == "sup":
            return self._value("code", f"^{text.translate(_SUPER)}", i, end)
        if group == "option" and self._joins(i):
            return None
        if group in _LEFT_OUT:
            text = _LEFT_OUT[group].sub("", text).strip()
        if group == "code":
            inner = atoms_of(text)
            if len(inner) == 1 and inner[0].value is not None:  # `/usr/bin`, as without the ticks
                return inner[0].value._replace(start=token.start, end=token.end, text=token.text), i, end
        elif group == "ident" and self.tokens[end].group == "sup" and self._joins(end):
            text, end = text + self.tokens[end].text, i + 2
        if group in ("version", "hex"):
            text = text.lower()
        elif group in ("ident", "ion"):
            text = _code_form(text)
        characters = text if group in ("serial", "version") else ""
        return self._value("link" if group == "link" else "code", text, i, end, characters=characters)

    def _word_at(self, i: int) -> _Read | None:
        text, low = self.tokens[i].text, self.words[i]
        following = self.tokens[i + 1]
        if following.group == "sup" and self._joins(i + 1):
            return self._value("code", _code_form(text + following.text), i, i + 2)
        if following.text == "^" and (power := self._power(i + 1))[1] == i + 3:
            return self._value("code", f"{text}{power[0]}", i, i + 3)
        if low in _MONTHS and (read := self._month_at(i)):
            return read
        is_name = text[0].isupper() or len(low) > 5
        if low in _WEEKDAYS and is_name and (low not in ("sun", "sat", "wed") or self._is_beside_days(i)):
            every = " each" * (self.words[i - 1] in ("every", "each"))
            return self._value("weekday", f"weekday {_WEEKDAYS[low]}{every}", i, i + 1)
        if low in _WORDS["fiscal"] and (year := self._year(at := i + 1 + (following.low == "year"))) is not None:
            return self._value("code", f"FY{year}", i, at + 1)
        if low in ("x", "times") and self._is_between_numbers(i):
            return self._value("sign", "times", i, i + 1)
        if low in _TWELVES:
            return self._time(i, i + 1, _TWELVES[low], "pm" if _TWELVES[low] else "am")
        if low == "top" and self._plain_number(i + 1 + (following.text == "-")):  # the top ten are the first ten
            return self._ordinal(i, i + 1, Decimal(1), is_hard=False)
        if name := _NAMES.get(low):
            return self._value(*name, i, i + 1, is_hard=False)
        if low in _DEICTIC and following.low in _WEEKDAYS.keys() | _WORDS["period"]:
            form = f"{_DEICTIC[low]} {_WEEKDAYS.get(following.low, following.low)}"
            return self._value("weekday", form, i, i + 2, is_hard=False)
        is_dollar = following.text == "$"
        money = unit_readings(f"{text}$" if is_dollar else text if text.isupper() and len(text) in (2, 3) else "")
        if money and not (is_dollar or money[0].dimension.startswith(("money", "era"))):
            money = ()
        read = self._money(i, i + 1 + is_dollar, money)
        return read or self._often_at(i) or self._spelled_at(i) or self._name_at(i)

    def _often_at(self, i: int) -> _Read | None:
        """Read how often something is, or how many times: *twice a week*, *daily*, *every other year*, *tenfold*."""
        low, following, last = self.words[i : i + 3]
        if low in _OFTEN:
            units, end = self._per(unit_readings("times"), i + 1)
            if low != "once" or end > i + 1 or tuple(self.words[max(0, i - 2) : i]) in _BOUNDS:
                return self._number(i, end, Quantity(_OFTEN[low]), units, is_hard=False)
        if low in _WORDS["period"] and (more := self._more(i + 1))[0]:  # the first year and a half
            return self._number(i, more[1], Quantity(1 + more[0]), unit_readings(low), is_hard=False)
        if low in _RHYTHMS:
            return self._rhythm(i, i + 1, Decimal(1), _RHYTHMS[low])
        if fold := _FOLD.get(low) or (Decimal(VALUES.get(low[:-4], 0)) if low.endswith("fold") else None):
            quantities = Quantity(fold), Quantity(fold, unit=unit_readings("times")[0])
            return self._value("factor", f"×{fold}", i, i + 1, quantities=quantities, is_hard=False)
        if low not in ("every", "each"):
            return None
        nth = 2 if following == "other" else PLACES.get(following, 0)
        if nth and (rhythm := self._rhythm(i, i + 3, Decimal(nth), last)):
            return rhythm
        return self._rhythm(i, i + 2, Decimal(1), following) if last != "of" else None  # every quarter of an hour

    def _rhythm(self, i: int, end: int, number: Decimal, period: str) -> _Read | None:
        """Return how often something is that is once in a number of periods; None for what is no period."""
        spans = tuple(Quantity(number, unit=unit) for unit in (unit_readings(period) if len(period) > 2 else ()))
        form = f"every {f'{number} ' * (number > 1)}{period}"
        often = _often(spans)
        return self._value("rhythm", form, i, end, quantities=often, is_hard=False) if often else None

    def _money(self, i: int, at: int, units: _Units) -> _Read | None:
        """Read a number with its unit before it: *A$5*, *EUR 5*, *AD 500*."""
        read = self._number_at(at, units) if units and self.tokens[at].group in ("num", "vulgar") else None
        return read and self._placed(read[0], i, read[2])

    def _is_beside_days(self, i: int) -> bool:
        """Return whether *Sat*, *Sun* or *Wed* is one of several days: *Mon–Sat*."""
        return any(self.words[k] in _LINKS and self.words[2 * k - i] in _WEEKDAYS for k in (i - 1, i + 1) if k > 0)

    def _name_at(self, i: int) -> _Read | None:
        """Return the acronym, the identifier or the letter at a place."""
        if self.tokens[i + 1].text in ("+", "#") and self._joins(i + 1) and len(self.words[i]) == 1:  # C#, C++
            end = i + 2 + (self.words[i + 2] == "+")
            return self._value("code", self._written(i, end), i, end)
        if self._is_roman(i):
            number = Decimal(roman(self.tokens[i].text))
            is_hard = number > 1 or self.words[i - 1] in _WORDS["label"]
            return self._value("ordinal", str(number), i, i + 1, quantities=(Quantity(number),), is_hard=is_hard)
        form = self._acronym(i)
        return self._value("acronym", form, i, i + 1, is_hard=False) if form else None

    def _acronym(self, i: int) -> str:
        """Return how an acronym, an identifier or a letter is compared; empty for another word."""
        text, low = self.tokens[i].text, self.words[i]
        plain = low.replace(".", "")
        if _CAMEL.fullmatch(text) and not text.startswith(("Mc", "Mac", "De", "La", "Le", "O'")):
            return low
        if "." in text and len(text) > 3:
            return _SAME.get(plain, plain) if text[0].isupper() and plain not in ("am", "pm", "eg", "ie") else ""
        if text.endswith("s") and len(text) > 2 and text[:-1].isupper() and text[:-1].isalpha():
            return low[:-1]
        if len(text) > 1 and text.isupper() and not self.is_shouted:
            return _SAME.get(low, low)
        is_free = self.words[i + 1] in ("<", ">", "=", "≤", "≥")  # P < .05, as p < .05
        return (low if is_free else text) * (len(text) == 1 and self._is_label(i))

    def _is_roman(self, i: int) -> bool:
        """Return whether a word is a number in Roman letters: behind a name or its like, or behind such a number."""
        text, before = self.tokens[i].text, self.tokens[i - 1] if i else None
        if before is None or not ROMAN.fullmatch(text) or (self.words[i + 1] == "-" and self.words[i + 2].isalpha()):
            return False  # an X-ray
        if before.low in _LINKS and before.text != "/" and len(text) > 1 and i > 1 and self._is_roman(i - 2):  # IV–VI
            return True
        is_named = before.text[:1].isupper() or before.low in _WORDS["label"] or ("II" in text and not self._joins(i))
        return is_named and before.group == "word" and (text != "I" or not word_info(before.low).is_function)

    def _is_label(self, i: int) -> bool:
        """Return whether a letter that stands alone names something: *Group A*, *let x be*."""
        text = self.tokens[i].text
        if self.is_shouted or (self._joins(i) and self.tokens[i - 1].text in "'’.-") or self.words[i + 1] in ("'", "’"):
            return False
        if text == "A":
            return i > 0 and self.tokens[i - 1].group == "word"
        return text.isascii() and text not in "aiouI"

    def _mark_at(self, i: int) -> _Read | None:
        token = self.tokens[i]
        text = token.text
        following = self.tokens[i + 1]
        if following.group in ("num", "vulgar"):
            if text in "$€£¥₹₽₩₺₿" and (read := self._money(i, i + 1, unit_readings(text))):
                return self._bounded(i, read)
            # A sign stands before its number, and behind a blank.
            is_free = i == 0 or not self._joins(i) or self.tokens[i - 1].text in "([=:<>≤≥"
            if text in "-−–+±" and (self._joins(i + 1) or text == "±") and is_free:
                return self._bounded(i, self._signed(i, text, self._number_at(i + 1)))
        if text in "-−–" and following.text in "$€£" and self._joins(i + 1):
            return self._bounded(i, self._signed(i, text, self._mark_at(i + 1)))
        is_alone = not self._joins(i) and not self._joins(i + 1)
        name = _SIGNS.get(text)
        if text == "*" and self._is_between_numbers(i):
            name = "times"
        elif token.group == "op" or (unicodedata.category(text[0]) == "Sm" and text not in "<>+=~|"):
            name = name or text
        elif text == "-" and is_alone and all(len(self.tokens[k].text) == 1 for k in (i - 1, i + 1)):
            name = "minus"  # x - y
        if name is None or (text in "<>+=~" and not is_alone):
            return None
        return self._value("sign", name, i, i + 1)

    def _is_between_numbers(self, i: int) -> bool:
        """Return whether a number follows, and a number or its unit stands before: *3 x 5*, *80 cm x 2 m*."""
        groups = [t.group for t in self.tokens[max(0, i - 2) : i + 2]]
        return "num" in groups[:-2] and groups[-1] == "num"

    def _signed(self, i: int, sign: str, read: _Read | None) -> _Read | None:
        """Return a number with the sign before it."""
        if read is None or read[0].kind != "number":
            return None
        value, _, end = read
        more: dict[str, Any] = {"bound": "plus-minus", "form": f"±{value.form}"} if sign == "±" else {}
        if sign in "-−–":
            quantities = tuple(q._replace(number=-q.number) for q in value.quantities)
            more = {"quantities": quantities, "form": _form(quantities), "characters": f"-{value.characters}"}
        return self._placed(value, i, end, **more)

    # -- numbers --

    def _number_at(self, i: int, money: _Units = ()) -> _Read | None:
        token = self.tokens[i]
        if not money:
            if token.group in ("iso", "date"):
                return self._written_date(i)
            if token.group == "clock":
                return self._clock(i)
            if (read := self._day_month(i)) is not None:
                return read
        if token.group == "vulgar":
            return self._with_unit(i, i + 1, Quantity(_vulgar(token.text)), money)
        return self._digits(i, money)

    def _digits(self, i: int, money: _Units) -> _Read | None:
        text, end = self.tokens[i].text, i + 1
        q, following, is_joined = _decimal(text), self.tokens[end], self._joins(end)
        characters = re.sub(r"[^\d.,]", "", text)
        if following.text == "(" and is_joined and self.words[end + 2] == ")" and len(self.words[end + 1]) < 4:  # 4(a)
            return self._value("code", self._written(i, end + 3), i, end + 3)
        if q is None:  # 1.2,3
            return self._value("code", text, i, end, characters=characters)
        if read := self._slashed(i, q.number, money):
            return read
        if (text.isdecimal() or following.group == "vulgar") and (part := self._fraction(end)):  # 1½, 1 1/2
            return self._with_unit(i, part[1], Quantity(q.number + part[0]), money)
        if is_joined and following.group == "word" and (read := self._suffixed(i, q, money)):
            return read
        if text.isdecimal() and (read := self._out_of(i, end, q.number)):
            return read
        q, end = self._scaled(q, end)
        ten = self._says(end, "× 10", "x 10", "* 10", "· 10")
        power, stop = self._power(end + ten)
        if ten and stop > end + ten:
            q, end = Quantity(q.number.scaleb(power), q.slack.scaleb(power)), stop
        elif not ten and stop > end and self._joins(end):
            q, end, characters = Quantity(q.number**power if abs(power) < 99 else q.number), stop, ""
        year = self._year(i - 2) if len(text) == 2 and i > 1 and self.words[i - 1] in "-–" else None
        if year and year % 100 < q.number:  # 2021-22
            return self._number(i, end, Quantity(year - year % 100 + q.number))
        if characters[:1] == "0" and characters.isdecimal() and len(characters) > 1 and not self._unit_behind(end)[0]:
            while self.tokens[end].group == "num" and len(self.tokens[end].text) > 1:
                characters, end = characters + re.sub(r"\D", "", self.tokens[end].text), end + 1
            return self._value("code", characters, i, end, characters=characters)
        is_short = len(text) == 2 and text.isdecimal() and (not is_joined or following.group == "mark")
        is_year = i == 1 or not self._joins(i - 1) or self.words[i - 2][:1] in ("q", "h")
        if is_short and is_year and self.words[i - 1] == "'" and self._joins(i):  # '98, Q3'23
            years = tuple(Quantity(century + q.number) for century in (1900 if q.number > 30 else 2000, Decimal(0)))
            return self._value("number", str(years[0].number), i - 1, i + 1, quantities=years)
        is_code = not money and self._is_naming(i) and ("." in text or text.isdecimal())
        read = self._with_unit(i, end, q, money, characters)
        is_bare = is_code and read[2] == end
        return (read[0]._replace(is_code=True, form=characters), i, end) if is_bare else read

    def _number_in_any_form(self, i: int) -> _Read | None:
        return self._number_at(i) if self.tokens[i].group == "num" else self._spelled_at(i)

    def _power(self, i: int) -> tuple[int, int]:
        """Return the power that is written at a token, and where it ends: *⁶*, *^6*, *^-6*."""
        if self.tokens[i].group == "sup" and self.tokens[i].text[-1] not in "⁻⁺":
            return int(self.tokens[i].text.translate(_SUPER)), i + 1
        if self.words[i] == "^":
            at = i + 1 + (self.words[i + 1] in ("-", "−"))
            if self.words[at].isdecimal():
                return int(self.words[at]) * (-1 if at > i + 1 else 1), at + 1
        return 0, i

    def _is_naming(self, i: int) -> bool:
        """Return whether the word before a number says that it is one of a name: *version*, *Figure*, *Python*."""
        before = self.tokens[i - 1]
        if before.low in (".", ")") and i > 1:
            before = self.tokens[i - 2]
        if before.low in _WORDS["label"]:
            return True
        is_name = before.group == "word" and before.text[0].isupper() and before.low not in _MONTHS
        return is_name and "." in self.tokens[i].text and i > 1 and not word_info(before.low).is_function

    def _slashed(self, i: int, number: Decimal, money: _Units) -> _Read | None:
        """Read two numbers with a slash: a fraction, a ratio, *120/80* or *120 over 80*, a year such as *2021/22*."""
        above, sign, below = self.words[i : i + 3]
        are_whole, end = above.isdecimal() and below.isdecimal(), i + 3
        is_slashed = sign == "/" and self._joins(i + 1) and self._joins(i + 2) and self.tokens[i + 2].group == "num"
        if not is_slashed and not (sign == "over" and are_whole):
            return None
        characters = f"{above}/{below}".replace(",", "")
        if characters == "24/7":
            return self._with_unit(i, end, Quantity(number), tuple(x.per(y) for x in _HOUR for y in _DAY))
        if is_slashed and are_whole and 0 < int(above) < int(below) <= 100 and not self._joins(end):
            return self._with_unit(i, end, Quantity(number / Decimal(below)), money, characters)
        return self._with_unit(i, end, Quantity(number), money, characters, is_code=True)

    def _fraction(self, i: int) -> tuple[Decimal, int] | None:
        """Return the fraction that is written at a token, and where it ends: *½*, *1/2*."""
        if self.tokens[i].group == "vulgar":
            return _vulgar(self.tokens[i].text), i + 1
        above, slash, below = self.words[i : i + 3]
        if slash == "/" and above.isdecimal() and below.isdecimal() and int(above) < int(below):
            return Decimal(above) / Decimal(below), i + 3
        return None

    def _suffixed(self, i: int, q: Quantity, money: _Units) -> _Read | None:
        """Read what is joined to the end of a number: *3rd*, *1980s*, *2.5k*, *9am*, *2a*, *5h30*."""
        text, suffix, end = self.tokens[i].text, self.tokens[i + 1].text, i + 2
        number, low = q.number, suffix.lower()
        if low in ("st", "nd", "rd", "th") and text.isdecimal():
            return self._ordinal(i, end, number)
        if suffix in ("Q", "H") and number <= 4 and self._year(end) is not None:
            return self._value("code", _code_form(text + suffix), i, end)
        if low == "s" and len(text) < 4 and self.words[i - 1] == "-" and self._joins(i):  # under-12s
            return self._number(i, end, Quantity(number))
        if low == "s" and text.isdecimal() and len(text) in (2, 4):
            return self._decade(i, end, int(text)) if number % 10 == 0 else None
        if low in ("am", "pm") and number < 13:
            past = int(text.partition(".")[2] or 0)
            return self._time(i, end, int(number) * 60 + past, low) if past < 60 else None
        stop = end
        while self._joins(stop) and self.tokens[stop].group in ("num", "ident", "word"):
            stop += 1
        if low == "e" and text[-1].isdecimal() and self._joins(end):
            return None
        if stop > end and suffix == "h" and not money and self.words[end].isdecimal():  # 5h30
            return self._number(i, end + 1, Quantity(number * 60 + Decimal(self.words[end])), unit_readings("min"))
        if stop > end:
            return self._value("code", _code_form(self._written(i, stop)), i, stop)
        if suffix in _JOINED and (self.words[end] != "/" or len(suffix) > 1):
            value, _, end = scaled = self._with_unit(i, end, q.times(_JOINED[suffix]), money)
            others = tuple(Quantity(number, unit=unit) for unit in unit_readings(suffix))
            return scaled if money else (value._replace(quantities=(*value.quantities, *others)), i, end)
        joined = _code_form(text + suffix)
        if money or unit_readings(suffix):
            return self._with_unit(i, i + 1, q, money, joined)
        return self._value("code", joined, i, end)

    def _scaled(self, q: Quantity, end: int) -> tuple[Quantity, int]:
        """Return a number times the words of scale behind it: *1.2 billion*, *3 lakh*, *2.5 k*."""
        while (size := _SCALE.get(self.words[end])) and self.words[end] != "k":
            q, end = q.times(size), end + 1
        return q, end

    def _spelled_at(self, i: int) -> _Read | None:
        """Read a number in words: *twenty-five*, *half a*, *two and a half*, *a dozen*, *half past six*."""
        word, following = self.words[i : i + 2]
        if time := self._past(i):
            return time
        if word in PLACES or word in TENTH_PLACES:
            return self._place(i)
        if word in ("minus", "plus"):
            at = i + 1 + self._says(i + 1, "or minus")
            read = self._number_in_any_form(at)
            return self._signed(i, "±" if at > i + 1 else "-" if word == "minus" else "+", read)
        if word == "half":
            at = i + 1 + (following in ("a", "an"))
            behind = self.words[self._behind_hyphen(at)]
            is_measured = at > i + 1 or behind in _SCALE or (unit_readings(behind) and behind not in _WORDS["no unit"])
            read_half = self._with_unit if is_measured else self._number
            return read_half(i, at, Quantity(Decimal("0.5")), is_hard=behind in _SCALE)
        if word == "quarter" and self._says(i + 1, "of a", "of an"):
            return self._with_unit(i, i + 1, Quantity(Decimal("0.25")), is_hard=False)
        if word in DECADES:
            return self._decade(i, i + 1, 1900 + int(DECADES[word]))
        if word in ("a", "an") and following not in _SCALE:
            part = Quantity(1 / Decimal(PARTS[following])) if following in PARTS else None
            if part and (following not in PLACES or self._is_part(i)):
                return self._with_unit(i, i + 2, part, is_hard=False)
            place = self._place(i + 1) if part else None
            if part and place and place[0].kind == "ordinal":  # "a fifth left" may be a part
                return self._placed(place[0], i, place[2], quantities=(*place[0].quantities, part))
            return self._article(i)
        start = i + (word in ("a", "an"))
        found: tuple[Decimal | float, int] | None = read_number(self.words, start)
        if start > i and found is None:
            found = _SCALE[following], start + 1
        elif word == "one":
            is_linked = i > 1 and self.words[i - 1] in ("to", "–", "-")  # two to one
            if self._says(i + 1, "and a") or (found is None and is_linked and self._plain_number(i - 2)):
                found = 1, i + 1
        return self._spelled(i, start, Decimal(found[0]), found[1]) if found else None

    def _spelled(self, i: int, start: int, number: Decimal, end: int) -> _Read | None:
        """Read what a number in words is the beginning of, and where it is alone the number."""
        at = self._behind_hyphen(end)
        last = self.words[at]
        rest = read_number(self.words, at) if start == i and 16 <= number <= 20 else None
        if rest and 10 < rest[0] < 100 and not self._unit_behind(rest[1])[0]:  # twenty-nineteen
            return self._number(i, rest[1], Quantity(100 * number + Decimal(rest[0])))
        digits, stop = self._spelled_digits(end) if end == i + 1 and number < 10 else ("", end)
        if len(digits) > 1:  # one oh one
            number = Decimal(f"{number}{digits}")
            return self._number(i, stop, Quantity(number), characters=str(number))
        if last in DECADES and 16 <= number <= 20:
            return self._decade(i, at + 1, 100 * int(number) + int(DECADES[last]))
        if (read := self._out_of(i, end, number)) is not None:
            return read
        if number % 10 == 0 and number >= 20 and last not in PARTS and 0 < PLACES.get(last, 0) < 10:
            return self._day_month(i) or self._ordinal(i, at + 1, number + Decimal(PLACES[last]))
        q, is_small = Quantity(number, Decimal("0.5")), number <= 2 and end == start + 1
        digits, stop = self._spelled_digits(end + 1) if self.words[end] == "point" else ("", end)
        if digits:
            q, end = Quantity(Decimal(f"{number}.{digits}"), Decimal(1).scaleb(-len(digits)) / 2), stop
        q, end = self._scaled(q, end)
        more, end = self._more(end)
        if more:  # one and a half million
            q, end = self._scaled(Quantity(q.number + more), end)
        at = self._behind_hyphen(end)
        part = self.words[at]
        if not more and part in PARTS and q.number < 20 and part.endswith("s") == (q.number > 1):
            value, _, stop = self._with_unit(i, at + 1, Quantity(q.number / Decimal(PARTS[part])), is_hard=False)
            months = unit_readings("quarter") if part == "quarters" and stop == at + 1 else ()
            spans = (Quantity(q.number, unit=unit) for unit in months)  # the last two quarters
            return value._replace(quantities=(*value.quantities, *spans)), i, stop
        if self.words[i - 1] in _WORDS["clock"] and q.number <= 12 and VALUES.get(self.words[end], 0) >= 10:
            minutes = read_number(self.words, end)
            if minutes and minutes[0] < 60:  # at six thirty
                return self._time(i, minutes[1], int(q.number) * 60 + int(minutes[0]))
        return self._with_unit(i, end, q, characters=str(q.number), is_hard=not is_small)

    def _spelled_digits(self, at: int) -> tuple[str, int]:
        """Return the digits that are said one by one at a token, and where they end: *oh one*."""
        digits = ""
        while (word := self.words[at]) in ("oh", "o") or VALUES.get(word, 10) < 10:
            digits, at = digits + str(int(VALUES.get(word, 0))), at + 1
        return digits, at

    def _more(self, end: int) -> tuple[Decimal, int]:
        """Return what is added to a number, and where it ends: *and a half*, *and three quarters*."""
        count = 1 if self.words[end + 1] in ("a", "one") else VALUES.get(self.words[end + 1], 0)
        at = self._behind_hyphen(end + 2)
        part = self.words[at]
        is_part = part in ("half", "quarter") if count == 1 else part == "quarter" or part.endswith("s")
        if self.words[end] != "and" or part not in PARTS or not is_part or not 0 < count < PARTS[part]:
            return _NONE, end
        return Decimal(count) / Decimal(PARTS[part]), at + 1

    def _is_part(self, i: int) -> bool:
        """Return whether *a fifth* is a part and no place: *a fifth of them*, *a fifth less*, *by a fifth*."""
        behind = self.words[i + 2]
        is_free = not behind.isalpha() or word_info(behind).is_function
        return behind in ("of", "more", "less", "fewer", "higher", "lower") or (self.words[i - 1] == "by" and is_free)

    def _out_of(self, i: int, end: int, number: Decimal) -> _Read | None:
        """Read *one in five*, a fifth, and *eight in ten*."""
        at = end + 1 + (self.words[end + 1] == "every")
        found = self._plain_number(at) if self._says(end, "in", "of every") else None
        if found is None or not number < found[0] or unit_readings(self.words[found[1]]):
            return None
        is_year = self.words[i] == "one" and (self._year(at) or 0) % 100 > 0  # a new one in 1923
        if is_year or (number != 1 and not 0 < number < found[0] <= 100):
            return None
        return self._number(i, found[1], Quantity(number / found[0]), characters=f"{number} in {found[0]}")

    def _plain_number(self, i: int) -> tuple[Decimal, int] | None:
        """Return the number in digits or words at a token, and where it ends."""
        if self.tokens[i].group == "num":
            q = _decimal(self.tokens[i].text)
            return (q.number, i + 1) if q and q.number else None
        found = read_number(self.words, i)
        return (Decimal(found[0]), found[1]) if found and found[0] else None

    def _article(self, i: int) -> _Read | None:
        """Read *an hour*, *a mile*, *an hour and a half* as an amount, which other words can say."""
        word = _POSSESSIVE.sub("", self.words[i + 1])
        units = unit_readings(word) if len(word) > 2 else ()
        more, end = self._more(i + 2)
        is_vague = word in _WORDS["vague unit"]
        if not units or (is_vague and not more):
            return None
        number = 1 + more
        if not more and self.words[end] == "and" and (added := self._smaller(units, end)):
            number, end = 1 + added[0] / units[0].factor, added[1]
        elif not more and i and (self.words[i - 1] in _WORDS["before rates"] or self.tokens[i - 1].group == "num"):
            return None
        units, end = self._per(units, end)  # an hour a day
        return self._number(i, end, Quantity(number), units, is_hard=False)

    def _place(self, i: int) -> _Read | None:
        """Read a place in an order: *the third*; *first* and *second* order texts as well."""
        word = self.words[i]
        number = Decimal(PLACES.get(word, 0.0) or TENTH_PLACES[word])
        if word in ("second", "seconds") and self.words[i - 1] in ("a", "per", "each"):
            return None
        return self._day_month(i) or self._ordinal(i, i + 1, number, is_hard=number > 2)

    def _ordinal(self, i: int, end: int, number: Decimal, *, is_hard: bool = True) -> _Read:
        """Return an ordinal; *third quarter* is *Q3*, and *18th century* is *the 1700s*."""
        name = end + (self.words[end] == "-" and self._joins(end))  # a third-quarter loss
        if self.words[name] == "quarter" and number <= 4 and not self._says(name + 1, "in a row", "running"):
            return self._value("code", f"Q{number}", i, name + 1)
        if self._says(end, "half of") and number <= 2 and self._year(end + 2) is not None:
            return self._value("code", f"H{number}", i, end + 1)
        if self.words[name] == "century":
            years = (Quantity(100 * (number - 1)),)
            return self._value("decade", f"{years[0].number}s", i, name + 1, quantities=years)
        return self._value("ordinal", str(number), i, end, quantities=(Quantity(number),), is_hard=is_hard)

    def _decade(self, i: int, end: int, year: int) -> _Read:
        first = i - 1 if i and self.tokens[i - 1].text in ("'", "’") and self._joins(i) else i
        years = {year, year % 100} if 1900 < year < 2000 else {year}
        q = tuple(Quantity(Decimal(each)) for each in sorted(years))
        return self._value("decade", f"{year}s", first, end, quantities=q)

    def _with_unit(
        self, first: int, end: int, q: Quantity, money: _Units = (), characters: str = "", **about: Any
    ) -> _Read:
        """Return a number with the unit behind it, and with what is added in a smaller unit."""
        again = self._plain_number(end + 1) if self.words[end] == "(" else None
        if again and again[0] == q.number and self.words[again[1]] == ")":  # thirty (30) days
            end = again[1] + 1
        number, (hours, _, minutes) = q.number, characters.partition(".")
        is_clock = (hours + minutes).isdecimal() and minutes and number < 13 and self._half_of_day(end, 0)[0]
        is_hour = self.words[end] == "o'clock" or self.words[end] in _HALVES
        is_hour = is_hour or (self.words[first - 1] in _WORDS["hour"] and bool(self._half_of_day(end, 0)[0]))
        if not money and (is_clock or (q.is_whole and 0 < number <= 12 and is_hour)):
            return self._time(first, end, int(number) * 60 + int(minutes or 0))  # 9.30 a.m., at 8 in the evening
        if self._says(end, "out of") and (whole := self._plain_number(end + 2)) and whole[0] >= number:
            q, end, characters = Quantity(number / whole[0]), whole[1], f"{number}/{whole[0]}"
        if 0 < q.number < 1:  # half a dozen, three quarters of an hour
            at = end + (self._says(end, "of a", "of an") or self.words[end] == "-")
            q, stop = self._scaled(q, at)
            end = stop if stop > at or (at == end + 2 and self._unit_behind(at)[0]) else end
        units, after = self._unit_behind(end)
        if not money or (units and units[0].dimension.startswith("money")):  # $20 dollars, $5 USD
            end = after
        units = money or units
        if units and units[0].dimension.startswith(("temp", "angle")) and self._says(end, "below zero"):
            q, end = q._replace(number=-q.number), end + 2
        units, end = self._per(units, end)
        if units and (added := self._smaller(units, end)) is not None:
            part, end = added
            q = Quantity(q.number + part / (1 if units[0].dimension == "mass" and len(units) > 1 else units[0].factor))
        value, *_ = self._number(first, end, q, units, characters=characters, **about)
        form = f"{characters} {units[0].name}" if units else characters
        bracket = next((k for k in range(end + 1, end + _IN_BRACKETS) if self.words[k] in ("(", ")")), end)
        twice = self.value_at(end + 1) if self.words[end] == "(" and self.words[bracket] == ")" else None
        if twice and twice[2] == bracket and value.is_same(twice[0]):  # five hundred euros (EUR 500)
            end = bracket + 1
        if _is_always(value) and (days := self._number_in_any_form(self._behind_link(end))) and _is_always(days[0]):
            end = days[2]  # 24 hours a day, seven days a week
        return self._placed(value._replace(form=form) if value.is_code else value, first, end)

    def _number(self, first: int, end: int, q: Quantity, units: _Units = (), **more: Any) -> _Read:
        quantities = tuple(q._replace(unit=unit) for unit in units) or (q,)
        return self._value("number", _form(quantities), first, end, quantities=quantities, **more)

    def _unit_behind(self, end: int) -> tuple[_Units, int]:
        """Return the readings of the unit that begins at a token, and where it ends."""
        at = end + 1 if self.tokens[end].text in "-‑" and self._joins(end) and self._joins(end + 1) else end
        token = self.tokens[at]
        text = _POSSESSIVE.sub("", token.text)
        low = text.lower()
        if low in ("degree", "degrees", "°", "deg"):
            scale = self.words[at + 1]
            named = unit_readings("°" + scale.upper()) if scale in ("c", "f", "k") else unit_readings(scale)
            if named and named[0].dimension.startswith("temperature"):
                return named, at + 2
            return unit_readings("°"), at + 1
        if low in ("square", "sq", "cubic") and (sides := unit_readings(self.words[at + 1])):
            return tuple(side.power(2 + (low == "cubic")) for side in sides if side.dimension == "length"), at + 2
        for stop in (at + 3, at + 2):  # parts per million, per cent, fluid ounces
            phrase = "-".join([low, *self.words[at + 1 : stop]]).removesuffix("s")
            if self.words[stop - 1] and (found := unit_readings(phrase)):
                return found, stop
        # A unit with a power or with another below it: m², m2, km/h, mg/dL.
        stop = at + 1
        raised = f"^{self.words[stop + 1]}" if self.words[stop] == "^" else ""
        if self._joins(stop) and self.tokens[stop].group == "sup":
            raised = self.tokens[stop].text.translate(_SUPER)
        if raised and (found := unit_readings(text + raised)):
            return found, stop + 1 + (raised[0] == "^")
        if token.group == "ident" and (found := unit_readings(text)) and found[0].dimension in ("area", "volume"):
            return found, stop
        is_none = (
            (token.group not in ("word", "mark") or text == ".")
            or (text == "times" and self.words[stop].isdecimal())
            or (not self._joins(at) and (text in _WORDS["no unit"] or text in "'\""))
            or (text in "'’" and self._joins(stop) and self.tokens[stop].group == "word")  # pump 3's
        )
        if is_none:
            return (), end
        found = unit_readings(text.replace(".", "") if len(text) > 1 else text)
        if found and self.words[stop] == "." and len(text) < 5 and self._joins(stop):
            behind = self.tokens[stop + 1]  # the point ends a short form where a sentence goes on
            stop += behind.group == "num" or behind.text.islower()
        is_apart = not self._joins(at) and text not in _WORDS["unit apart"] and text not in "%‰°$€£¥₹₽₩¢′’″”"
        is_letter = text.isalpha() and self._joins(stop) and self.words[stop] in ("-", "'", "’")
        return ((), end) if not found or (len(text) == 1 and (is_apart or is_letter)) else (found, stop)

    def _per(self, units: _Units, end: int) -> tuple[_Units, int]:
        """Return units with what they are divided by: *ml/h*, *dollars a month*, *per kilogram*."""
        if units and units[0].dimension.startswith(("factor", "money:")) and (period := _RHYTHMS.get(self.words[end])):
            return tuple(x.per(unit_readings(period)[0]) for x in units), end + 1
        while units:
            at = end + (self.words[end] == "for" and self.words[end + 1] in ("each", "every"))
            if self.words[at] not in _WORDS["per"]:
                break
            below, after = self._unit_behind(at + 1)
            if self.words[end] not in ("/", "per", "for"):
                is_money = units[0].dimension.startswith("money")
                below = tuple(unit for unit in below if is_money or unit.dimension in ("time", "months", "area"))
            if not below or after == at + 1:
                break
            units, end = tuple(x.per(y) for x in units for y in below), after
        return units, end

    def _smaller(self, units: _Units, end: int) -> tuple[Decimal, int] | None:
        """Return what is added in smaller units, in base units: *5 dollars and 20 cents*, *6'2"*, *2 h 5 min 30 s*."""
        unit = next((each for each in units if each.dimension.startswith("money")), units[0])
        is_money = unit.dimension.startswith("money")
        at = self._behind_link(end)
        token = self.tokens[at]
        found = self._plain_number(at) if token.group == "word" or token.text.isdecimal() else None
        if found is None:
            return None
        number, after = found
        smaller, stop = self._unit_behind(after)
        if unit.name == "foot" and self.words[after] == "in":
            smaller, stop = unit_readings("inch"), after + 1
        if is_money and smaller:
            is_cents = smaller[0].name in ("cent", "penny") and number < 100
            return (number * Decimal("0.01"), stop) if is_cents else None
        if at == end and not smaller:
            is_new = token.group == "num" and self.words[after].isalnum() and self._unit_behind(after)[0]
            if (is_money or unit.name == "metre") and 10 <= number < 100 and not is_new:  # five euros twenty
                return number * Decimal("0.01"), after
            if unit.name == "foot" and number < 12:  # 6 foot 2
                return number * Decimal("0.0254"), after
        other = next((each for each in smaller if each.dimension == unit.dimension), None)
        if other is None or other.factor >= unit.factor or unit.dimension not in ("length", "time", "months", "mass"):
            return None
        if other.dimension == "time" and other.factor * 60 < unit.factor:  # not days and minutes
            return None
        more, stop = self._smaller((other,), stop) or (_NONE, stop)
        return number * other.factor + more, stop

    # -- dates and times --

    def _month_at(self, i: int) -> _Read | None:
        """Read a date that begins with the name of its month, or a month alone."""
        text, low, at = self.tokens[i].text, self.words[i], i + 1
        at += self.words[at] == "." and len(text) < 5 and self._joins(at)
        at += self.words[at] == "the"
        if found := self._day(at):
            return self._with_year(i, found[1], _MONTHS[low], found[0])
        if (year := self._year(at)) is not None:
            return self._date(i, at + 1, ((year, _MONTHS[low], None),))
        is_first = i == 0 or self.tokens[i - 1].text in ".!?\"“‘'"
        if (is_first and low in _WORDS["no month"]) or not (text[0].isupper() or len(text) > 5):
            return None
        return self._date(i, i + 1, ((None, _MONTHS[low], None),))

    def _day_month(self, i: int) -> _Read | None:
        """Read a date that begins with its day: *12 January 2024*, *3rd of May*."""
        day, end = self._day(i) or (0, i)
        at = end + (self.words[end] == "of")
        name = self.words[at]
        if not day or name not in _MONTHS or not self.tokens[at].text[0].isupper():
            return None
        is_short = self.words[at + 1] == "." and len(name) < 5 and self._year(at + 2) is not None
        return self._with_year(i, at + 1 + is_short, _MONTHS[name], day)

    def _day(self, i: int) -> tuple[int, int] | None:
        """Return the day of a month at a token, and where it ends: *3*, *3rd*, *third*."""
        word, end = self.words[i], i + 1
        if self.tokens[i].group == "num" and word.isdecimal() and len(word) < 3:
            day = int(word)
            end += self.words[end] in ("st", "nd", "rd", "th") and self._joins(end)
        else:
            day = int(PLACES.get(word, 0) or TENTH_PLACES.get(word, 0))
            ones = self._behind_hyphen(end)
            if VALUES.get(word) in (20, 30) and 1 <= PLACES.get(self.words[ones], 0) <= 9:  # the twenty-first of May
                day, end = int(VALUES[word] + PLACES[self.words[ones]]), ones + 1
        return (day, end) if 1 <= day <= 31 else None

    def _with_year(self, first: int, end: int, month: int, day: int) -> _Read:
        """Return a date with the year behind it, if there is one."""
        at = end + (self.words[end] == ",")
        year = self._year(at)
        return self._date(first, end if year is None else at + 1, ((year, month, day),))

    def _year(self, i: int) -> int | None:
        text = self.tokens[i].text
        return int(text) if text.isdecimal() and len(text) == 4 and 1000 <= int(text) < 2200 else None

    def _written_date(self, i: int) -> _Read | None:
        """Read a date in digits, in all orders that its numbers allow."""
        text = self.tokens[i].text
        if "T" in text:
            return self._value("code", re.sub("[+-]00:?00$", "Z", text), i, i + 1)
        a, b, c = map(int, re.split(r"[./-]", text))
        is_year_first = self.tokens[i].group == "iso" or a > 31
        year = a if is_year_first else c if c > 99 else c + (2000 if c <= 50 else 1900)
        orders = [(b, c)] if is_year_first else [(b, a), (a, b)]
        readings: list[Date] = [(year, month, day) for month, day in orders if 1 <= month <= 12 and day <= 31]
        if not readings:
            return self._value("code", text, i, i + 1, characters=text)
        value, _, end = self._date(i, i + 1, tuple(dict.fromkeys(readings)))
        return value._replace(characters="" if is_year_first else f"{a}/{b}/{year}"), i, end

    def _date(self, first: int, end: int, dates: tuple[Date, ...]) -> _Read:
        return self._value("date", _date_form(dates), first, end, dates=dates)

    def _clock(self, i: int) -> _Read:
        text = self.tokens[i].text
        hours, minutes, *seconds = map(int, text.split(":"))
        if seconds and minutes < 60:  # 2:05:30
            span = Quantity(Decimal(3600 * hours + 60 * minutes + seconds[0]))
            return self._number(i, i + 1, span, unit_readings("s"), characters=text)
        if self.words[i + 1] in ("h", "hrs", "hours") and minutes < 60:  # 1:50 h
            return self._number(i, i + 2, Quantity(Decimal(hours * 60 + minutes)), unit_readings("min"))
        if hours > 24 or minutes > 59:
            return self._value("code", text, i, i + 1, characters=text)
        return self._time(i, i + 1, hours * 60 + minutes, "pm" if hours > 12 else "am" if text[0] == "0" else "")

    def _time(self, first: int, end: int, minutes: int, half: str = "") -> _Read:
        """Return a time of day with what stands behind it: *p.m.*, *o'clock*, *in the morning*."""
        end += self.words[end] == "o'clock"
        if not half:
            half, end = self._half_of_day(end, minutes)
        if half == "pm" and minutes < 720:
            minutes += 720
        elif half == "am" and minutes >= 720:
            minutes -= 720
        form = _clock_form(minutes) + ("" if half else " or 12 hours on")
        return self._value("time", form, first, end, clock=minutes, half=half)

    def _half_of_day(self, end: int, minutes: int) -> tuple[str, int]:
        """Return the half of the day that is said at a token, and where it ends: *p.m.*, *in the evening*."""
        if self._says(end, "at night"):
            return "pm" if minutes % 720 >= 240 else "am", end + 2
        length = self._says(end, *_HALVES)
        return _HALVES.get(" ".join(self.words[end : end + length]), ""), end + length

    def _past(self, i: int) -> _Read | None:
        """Read *half past six*, *a quarter to nine*, *ten past 8*, *twenty to four*."""
        at = i + (self.words[i] == "a")
        before, link, hour = self.words[at : at + 3]
        minutes = {"half": 30, "quarter": 15}.get(before) or VALUES.get(before, 0)
        if link not in ("past", "to") or not 0 < minutes <= 30:
            return None
        half = ("am", "pm")[bool(_TWELVES[hour]) == (link == "past")] if hour in _TWELVES else ""
        hours, end = (Decimal(12), at + 3) if half else self._plain_number(at + 2) or (_NONE, at)
        if not 1 <= hours <= 12 or hours % 1:
            return None
        if link == "to" and before != "quarter":  # ten to twelve may be a range
            is_clock = i > 0 and self.words[i - 1] in (*_WORDS["clock"], "is", "was") and minutes % 5 == 0
            is_end = not self.words[end].isalpha() or self._half_of_day(end, 0)[0]
            is_range = (before != "half" and hour.isdecimal()) or self._unit_behind(end)[0]
            if is_range or not (is_clock and is_end):
                return None
        minutes = int(hours) * 60 + int(minutes) * (1 if link == "past" else -1)
        return self._time(i, end, minutes % 720 or 720, half)

    # -- what limits a value --

    def _bounded(self, i: int, read: _Read | None) -> _Read | None:
        """Return a value with what limits it: *at least*, *about*, *before*, *or more*."""
        if read is None or read[0].kind in _UNBOUNDED or read[0].bound:
            return read
        value, first, end = read
        return self._bounded_before(i, value, first, end) or self._bounded_behind(value, first, end) or read

    def _bounded_before(self, i: int, value: Value, first: int, end: int) -> _Read | None:
        """Return a value with what stands before it and limits it, None if nothing does."""
        is_year = value.kind == "number" and self._year(i) is not None
        is_dated = is_year or value.kind in ("date", "time", "decade")
        table = _DATED_BOUNDS if is_dated else _BOUNDS
        if any(q.unit and q.unit.dimension in SPANS for q in value.quantities):
            table = _DISTANCES.get(self.words[end], {}) | table  # no later than ten days before
        first -= self.words[first - 1] == "-" and self._joins(first) and self._joins(first - 1)  # under-30
        for length in range(min(_LONGEST, first), 0, -1):
            phrase = tuple(w.strip(".") for w in self.words[first - length : first])
            name = table.get(phrase, "")
            often = _often(value.quantities) if name == "every" else ()
            before = self.tokens[first - 2]
            is_behind_alike = before.low in (_HALVES if value.kind == "time" else _MONTHS)
            is_behind_alike = first > 1 and (is_behind_alike or before.group in ("num", "clock", "date", "iso"))
            is_other = (
                (phrase[-1] in ("c", "ca") and not is_dated)
                or (phrase[0] in ("until", "till") and is_behind_alike)  # 1998 until 2004
                or (phrase == ("over",) and value.is_code and value.quantities)  # 120 over 80
                or ("once" in phrase and not often)  # once in 1998
            )
            if name and not is_other:
                if phrase[-1] == "of" and (days := _days_at_edge(value.dates, name)):  # by the end of March
                    read = self._placed(value, first - length, end, dates=days, form=_date_form(days))
                    return self._bounded(i, read)
                value = value._replace(quantities=often or value.quantities)
                return self._limited("" if often else name, value, first - length, end, form=f"{name} {value.form}")
        name = _SHORT_BOUNDS.get(self.words[first - 2], "") if first > 1 and self.words[first - 1] == "." else ""
        return self._limited(name, value, first - 2, end) if name else None

    def _bounded_behind(self, value: Value, first: int, end: int) -> _Read | None:
        """Return a value with what stands behind it and limits it, None if nothing does."""
        name, stop = self._phrase_behind(end)
        if name:
            units, after = self._unit_behind(stop)
            if units and value.kind == "number" and not any(q.unit for q in value.quantities):  # ten or more kilos
                quantities = tuple(q._replace(unit=u) for q in value.quantities for u in units)
                value, stop = value._replace(quantities=quantities, form=_form(quantities)), after
            return self._limited(name, value, first, stop)
        if self.words[end].isalpha() and not word_info(self.words[end]).is_function:  # two copies or more
            name, _ = self._phrase_behind(end + 1, least=2)
            if name:
                return self._limited(name, value, first, end)
        if self.words[end] == "+" and self._joins(end) and value.kind == "number":
            return self._limited("least", value, first, end + 1)
        return None

    def _phrase_behind(self, i: int, *, least: int = 1) -> tuple[str, int]:
        """Return what the longest phrase at a token says of the value before it, and where it ends; empty for none."""
        ends = range(i + _LONGEST, i + least - 1, -1)
        stop = next((stop for stop in ends if tuple(self.words[i:stop]) in _BEHIND), i)
        return _BEHIND.get(tuple(self.words[i:stop]), ""), stop

    def _limited(self, name: str, value: Value, first: int, end: int, **more: Any) -> _Read:
        return self._placed(value, first, end, bound=name, **{"form": f"{name} {value.form}", **more})


def _is_always(value: Value) -> bool:
    """Return whether a rate of time says that it is so all the time: *24 hours a day*."""
    return any(q.unit and q.unit.dimension == "time/time" and q.base[0] == 1 for q in value.quantities)


def _often(spans: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Return how often something is that is once in a span of time: *every two weeks* as half a time per week."""
    times = unit_readings("times")[0]
    units = ((q.number, q.unit) for q in spans if q.unit and q.unit.dimension in SPANS and q.number)
    return tuple(Quantity(1 / number, unit=times.per(unit)) for number, unit in units)


def _days_at_edge(dates: Sequence[Date], name: str) -> tuple[Date, ...]:
    """Return the first or the last days of months, as *early* or *end* says; the end of February is on one of two."""
    if name not in ("early", "end"):
        return ()
    months = [(year, month) for year, month, day in dates if month and not day]
    return tuple((year, month, day) for year, month in months for day in (_LAST_DAYS[month] if name == "end" else (1,)))


def _date_form(dates: Sequence[Date]) -> str:
    return " or ".join("-".join("?" if part is None else f"{part:02}" for part in date) for date in dates)


def _code_form(text: str) -> str:
    """Return how a code of letters and digits is compared: *IL-6* is *IL6*, *Ca²⁺* is *Ca2+*, *FY23* is *FY2023*.

    >>> _code_form("Ca²⁺"), _code_form("IL-6"), _code_form("3Q"), _code_form("FY24")
    ('Ca2+', 'IL6', 'Q3', 'FY2024')
    """
    text = text.translate(_SUPER).replace("−", "-")
    text = re.sub(rf"(?<={_L})-(?=\d)", "", text)
    return re.sub(r"^FY(?=\d\d$)", "FY20", re.sub(r"^(\d)([QH])$", r"\2\1", text))


def _vulgar(text: str) -> Decimal:
    """Return the number of a sign such as *½*."""
    above, _, below = unicodedata.normalize("NFKC", text).partition("⁄")
    return Decimal(above) / Decimal(below)


def _decimal(text: str) -> Quantity | None:
    """Return the number that digits with points, commas and blanks write; None for what is no number.

    >>> [str(_decimal(text).number) for text in ("1.250,00", "2 000", "3,5")]
    ['1250.00', '2000', '3.5']
    """
    text = re.sub(_BLANK, "", text).replace("−", "-")
    if text.rfind(",") > text.rfind(".") >= 0:  # 1.250,00
        text = text.replace(".", "").replace(",", ".")
    elif _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    elif re.fullmatch(_POINTED, text):
        text = text.replace(".", "")
    elif text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    if "," in text or text.count(".") > 1:
        return None
    number = Decimal(f"0{text}" if text.startswith(".") else text)
    exponent = number.as_tuple().exponent
    places = max(0, -exponent) if isinstance(exponent, int) else 0
    is_round = places == 0 and number and text.endswith("0")
    return Quantity(number, Decimal(5) if is_round else Decimal(1).scaleb(-places) / 2)


def _form(quantities: Sequence[Quantity]) -> str:
    """Return the normal form of a number: its digits and the name of its unit, of all units that it may have."""
    names = dict.fromkeys(q.unit.name if q.unit else "" for q in quantities)
    number = quantities[0].number
    digits = f"{number.normalize():f}" if abs(number) < 10**30 else f"{number:.6g}"
    return f"{digits} {' or '.join(name or 'units' for name in names)}" if any(names) else digits
