"""Amounts: numbers with their units and times of the clock; units alone; times of the calendar.

Which numbers a text has, and which of them are equal, :mod:`usim.evidence.values` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import Finding, HandledTokens, make_finding
from usim.evidence._places import pair_off
from usim.evidence._sentence import PlacedValue, SentenceView
from usim.evidence.values import HALF_DAY, Value, ValueFinding, compare_values
from usim.lexicon.topics import CALENDAR_CLASSES
from usim.lexicon.units import PLAIN_UNITS, SPANS, MeasureUnit, unit_readings
from usim.text import Span


def detect_amounts(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find numbers without an equal on the other side, of another unit, or of the other half of the day."""
    a, b, kept = comparison.source, comparison.output, (comparison.kept_source, comparison.kept_output)
    compared = compare_values(a.text, b.text)
    for old, new in compared.equal:
        handled.add(set(a.places_in(old.span)) - kept[0], set(b.places_in(new.span)) - kept[1])
    for x, y, case in _unequal(comparison, compared.findings):
        at, to = _telling(a, x, kept[0], case), _telling(b, y, kept[1], case)
        if (at or to) and handled.are_new(at, to):
            handled.add(at, to)
            is_one = any(q.number == 1 for number in (x, y) if number for q in number.value.quantities)
            if not (at and to):
                yield make_finding(comparison, "number.alone-one" if is_one else "number.alone", at, to)
            elif case:  # a one may be an article or a pronoun
                yield make_finding(comparison, "number.one" if is_one and case == "number" else case, at, to)
    yield from _detect_bare_units(comparison, handled)


def _unequal(
    comparison: Comparison, findings: Sequence[ValueFinding]
) -> Iterator[tuple[PlacedValue | None, PlacedValue | None, str]]:
    """Yield the numbers without an equal, with the case of their finding, empty for none.

    Each is yielded with the one in its place, with the nearest such number, or alone.
    """
    left: list[PlacedValue] = []
    right: list[PlacedValue] = []
    for found in findings:
        x, y = _number_in(comparison.source, found.source), _number_in(comparison.output, found.output)
        if x and y:
            yield x, y, _case(x.value, y.value, found)
        else:
            left += [x] if x else []
            right += [y] if y else []
    for x in left:
        # Nearest to the partner of the number, or to its place.
        partner = comparison.to[x.places[0]]
        place = partner if partner >= 0 else x.places[0]
        y = min(right, key=lambda each: abs(each.places[0] - place), default=None)
        yield x, y, _case(x.value, y.value) if y else "number"
        if y:
            right.remove(y)
    yield from ((None, y, "number") for y in right)


def _number_in(view: SentenceView, span: Span | None) -> PlacedValue | None:
    """Return the first number of a text that overlaps a span, None for none."""
    return next((x for x in view.numbers if span and x.value.start < span[1] and span[0] < x.value.end), None)


def _telling(view: SentenceView, number: PlacedValue | None, kept: set[int], case: str) -> tuple[int, ...]:
    """Return the tokens of a number without what limits it, and without a unit that is kept; of a date those gone."""
    if number is None:
        return ()
    value, places = number
    counting = [i for i in places if view.is_counting(i)]
    if not case:
        return tuple(counting)
    if value.kind == "date":
        return tuple(i for i in counting if i not in kept)
    if value.bound:
        places = places[next(k for k, i in enumerate(places) if i in counting or "unit" in view.entries[i].topics) :]
    if case == "unit":
        return places
    telling = [i for i in places if i in counting or i not in kept]
    return tuple(range(telling[0], telling[-1] + 1))


def _case(a: Value, b: Value, found: ValueFinding | None = None) -> str:
    """Return the case of the finding that a number gave way to another, empty for none."""
    if a.is_same(b):
        return ""
    if a.kind == b.kind == "time" and (a.clock - b.clock) % HALF_DAY == 0:
        return "time.half"
    if found and found.is_certain:
        return "unit" if found.kind == "unit" else "number"
    if {q.number for q in a.quantities}.isdisjoint(q.number for q in b.quantities):
        return "number"
    # An amount may be a rate elsewhere, and its unit said elsewhere.
    units = [{q.unit.name.partition(" per ")[0] for q in value.quantities if q.unit} for value in (a, b)]
    return "unit" if all(units) and units[0].isdisjoint(units[1]) else ""


def _detect_bare_units(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    for m in comparison.matches:
        words = comparison.source.words[m.source], comparison.output.words[m.output]
        if not PLAIN_UNITS.issuperset(words) or handled.has(m):
            continue
        x, y = (unit_readings(word)[0] for word in words)
        if _measured(x) == _measured(y):
            handled.add((m.source,), (m.output,))
            if (x.dimension, x.factor) != (y.dimension, y.factor):
                yield make_finding(comparison, "unit.bare", (m.source,), (m.output,))


def _measured(unit: MeasureUnit) -> str:
    """Return what a unit measures, of all currencies the same, and of months and years what seconds do."""
    dimension = unit.dimension.partition(":")[0]
    return SPANS[0] if dimension in SPANS else dimension


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
