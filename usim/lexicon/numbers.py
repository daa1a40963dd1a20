"""Numbers in words: what begins one, its value, and numbers in Roman letters.

Numbers of running text, however they are written, are found by :mod:`usim.evidence.values`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from usim.lexicon.tables import WRITING, classes_of, read_tables
from usim.lexicon.units import PLAIN_UNITS
from usim.lexicon.wordnet import WordNet

_TABLES: dict[str, dict[str, float]] = {
    kind: {word: float(value) for word, value in classes_of(table).items()}
    for kind, table in read_tables("numbers.tsv").items()
}
#: The values of words: *two*; what multiplies the number before it, *dozen*; *second*; *twentieth*; *twice*; *thirds*;
#: *twenties*.
VALUES, _POWERS, PLACES, TENTH_PLACES, _TIMES, PARTS, DECADES = _TABLES.values()
#: Between such words *one* is a pronoun.
_BEFORE_PRONOUN = frozenset("the this that which every each no any another".split())
_BEHIND_PRONOUN = frozenset("of another day can who should must is and that which".split())
#: Before adjectives that stand before *one*; *no longer one* is no such case.
_BEFORE_ADJECTIVES = WRITING["determiners"] - {"no", "any", "some", "either", "neither"}
_HYPHENS = frozenset("-‐‑")
ROMAN = re.compile(r"(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3})")
_BEGINNINGS = frozenset(
    (*VALUES, *_POWERS, *PLACES, *TENTH_PLACES, *DECADES, *_TIMES, "half", "quarter", "couple", "a", "an")
)


@lru_cache(20000)
def may_count(word: str) -> bool:
    """Return whether a number can begin with a word in lower case."""
    return word in _BEGINNINGS or any(c.isdigit() for c in word) or (len(word) > 1 and set(word) <= set("ivx"))


def read_number(words: Sequence[str], start: int) -> tuple[int, int] | None:
    """Return the number in words that begins at a place, and one past its last word; None for none.

    The words are in lower case, with at least four empty ones behind the last. *One* is a number only where it counts.

    >>> read_number(["twenty", "-", "five", "days", "", "", "", ""], 0)
    (25, 3)
    """
    i = start
    if words[i] not in VALUES and words[i] not in _POWERS:
        return None
    century = VALUES.get(words[i], 0.0)
    if 13 <= century <= 20 and VALUES.get(words[i + 1], 0.0) >= 10:  # nineteen ninety
        years = read_number(words, i + 1)
        if years is not None and years[0] < 100:
            return round(100 * century) + years[0], years[1]
    total = current = last = 0.0
    while True:
        word, value = words[i], VALUES.get(words[i])
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
            or VALUES.get(words[i + 1], last) >= last
        ):
            break
        i += 1
    while words[i - 1] in _HYPHENS or words[i - 1] == "and":
        i -= 1
    value = total + current
    return None if value == 1.0 and i == start + 1 and not _counts(words, start) else (round(value), i)


def _counts(words: Sequence[str], at: int) -> bool:
    """Return whether a *one* is a number; in *one of*, *this one*, *the longer one* and *one* alone it is not."""
    before, following = words[at - 1], words[at + 1]
    if following in ("o'clock", "o’clock"):
        return True
    start = at
    while WordNet.shipped().word(words[start - 1]).parts.get("a", 0.0) > 0.5:
        start -= 1
    if start < at and words[start - 1] in _BEFORE_ADJECTIVES:
        return following in (*PARTS, "percent", "per") or following in PLAIN_UNITS
    return following.isalpha() and following not in _BEHIND_PRONOUN and before not in _BEFORE_PRONOUN


def roman(text: str) -> int:
    """Return the number that Roman letters write: *XIV*."""
    worth = {"I": 1, "V": 5, "X": 10}
    values = [worth[c] for c in text]
    return sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))
