"""Clock and calendar: another half of the day, day, month, season or rhythm."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason
from usim.compare.sentence import SentenceView
from usim.lexicon import Number
from usim.lexicon.topics import CALENDAR, CALENDAR_CLASSES, CLOCK, DIGITS, half_of_day

#: Another day, month, season, or rhythm; the same hour of the other half of the day.
OTHER_WEIGHT = 0.8
OTHER_HALF_WEIGHT = 0.85


def detect_times(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find times of the other half of the day, and days, months, seasons and rhythms that gave way to others."""
    topics = comparison.topics
    reasons: list[Reason] = []
    if topics & (CLOCK | DIGITS):
        reasons += _detect_halves(comparison, claimed)
    if topics & CALENDAR:
        reasons += _detect_calendar(comparison, claimed)
    return reasons


def _detect_halves(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    a, b = comparison.source, comparison.target
    left = [n for n in a.numbers if n.kind == "time"]
    right = [n for n in b.numbers if n.kind == "time"]
    reasons = []
    for number in left:
        other = next((o for o in right if number.same(o)), None)
        if other is None:
            continue
        right.remove(other)
        half, new_half = _half(a, number), _half(b, other)
        places, new_places = range(number.start, number.end), range(other.start, other.end)
        if half and new_half and half != new_half:
            reasons.append(make_reason(comparison, "time.half", places, new_places, OTHER_HALF_WEIGHT))
    return reasons


def _half(view: SentenceView, number: Number) -> str:
    """Return ``am``, ``pm``, or nothing where a time does not say which half of the day it is in."""
    words = view.words
    for word in words[number.start : number.end]:
        if half := half_of_day(word[-2:] if word[:1].isdigit() and word.endswith(("am", "pm")) else word):
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


def _detect_calendar(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    a, b = comparison.source, comparison.target
    new = [
        (j, *CALENDAR_CLASSES[b.words[j]])
        for j in comparison.new
        if b.words[j] in CALENDAR_CLASSES and j not in claimed.target and b.is_date(j)
    ]
    reasons = []
    for i in comparison.gone:
        if not new or a.words[i] not in CALENDAR_CLASSES or i in claimed.source or not a.is_date(i):
            continue
        name, entry = CALENDAR_CLASSES[a.words[i]]
        options = [o for o in new if o[1] == name]
        if not options:
            continue
        option = next((o for o in options if o[2] == entry), None) or min(options, key=lambda o: abs(o[0] - i))
        new.remove(option)
        j = option[0]
        claimed.add((i,), (j,))
        if option[2] != entry:
            reasons.append(make_reason(comparison, "time", (i,), (j,), OTHER_WEIGHT))
    return reasons
