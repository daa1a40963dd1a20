"""Amounts: numbers with their units and currencies, units alone; times of the clock and the calendar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from usim.evidence._amounts import Amount, find_amounts, is_equal, other_meaning, pair_amounts
from usim.evidence._comparison import Comparison
from usim.evidence._places import pair_off
from usim.evidence._reasons.finding import Finding, HandledTokens, make_finding
from usim.evidence._sentence import SentenceView
from usim.lexicon.quantities import MEASURES
from usim.lexicon.topics import CALENDAR_CLASSES

#: The cases of reasons, by what is another of two equal numbers.
_OTHER = {"unit": "unit", "time": "time.half"}


def detect_amounts(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find amounts without an equal on the other side, of another unit, or of the other half of the day.

    What was only converted is no reason. A number without an equal is told with the nearest such number, or alone.
    """
    a, b = comparison.source, comparison.target
    pairs, left, right = pair_amounts(a, b, _amounts(a, handled.source), _amounts(b, handled.target), is_equal)
    for x, y in pairs:
        handled.add(set(x.places) - comparison.kept_source, set(y.places) - comparison.kept_target)
        handled.add(x.number.places, y.number.places)
        if other := other_meaning(a, b, x, y):
            handled.add(x.places, y.places)
            yield make_finding(comparison, _OTHER[other], x.places, y.places)
    # *An hour* without an equal is hardly a number.
    left = [x for x in left if not (x.measure and a.entries[x.number.start].is_article)]
    right = [y for y in right if not (y.measure and b.entries[y.number.start].is_article)]
    paired = min(len(left), len(right))
    for x in left[:paired]:
        # Nearest to the partner of the number, or to its place.
        partner = comparison.to[x.number.start]
        place = partner if partner >= 0 else x.number.start
        y = min(right, key=lambda each: abs(each.number.start - place))
        right.remove(y)
        # One of them may be an article or a pronoun.
        case = "number.one" if 1.0 in (x.number.value, y.number.value) else "number"
        at, to = (x.number.places, y.number.places) if x.unit == y.unit else (x.places, y.places)
        handled.add(at, to)
        yield make_finding(comparison, case, at, to)
    alone = [(x, x.number.places, range(0)) for x in left[paired:]] + [(y, range(0), y.number.places) for y in right]
    for x, at, to in alone:
        handled.add(at, to)
        yield make_finding(comparison, "number.alone" if x.number.value != 1 else "number.alone-one", at, to)
    yield from _detect_bare_units(comparison, handled)


def _amounts(view: SentenceView, handled: set[int]) -> list[Amount]:
    """Return the amounts that begin with a number; noon is a time of the calendar here."""
    return [x for x in find_amounts(view) if view.entries[x.number.start].counts and x.number.start not in handled]


def _detect_bare_units(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    for m in comparison.matches:
        x, y = MEASURES.get(comparison.source.words[m.source]), MEASURES.get(comparison.target.words[m.target])
        if x is None or y is None or handled.has(m) or x.dimension != y.dimension:
            continue
        if not (x.is_ambiguous or y.is_ambiguous):
            handled.add((m.source,), (m.target,))
            if x.name != y.name:
                yield make_finding(comparison, "unit.bare", (m.source,), (m.target,))


def detect_calendar(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find days, months, seasons and rhythms that gave way to others."""
    left = _calendar(comparison.source, comparison.gone, handled.source)
    right = _calendar(comparison.target, comparison.new, handled.target)
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
