"""Amounts: numbers, units of measurement, currencies and signs; times of the clock and the calendar."""

from __future__ import annotations

from collections.abc import Iterator

from usim.compare._amounts import Amount, find_quantities, half_of_number
from usim.compare._comparison import Comparison
from usim.compare._places import pair_off
from usim.compare._reasons.reason import HandledTokens, Reason, make_reason
from usim.compare._sentence import SentenceView
from usim.lexicon import Number
from usim.lexicon.quantities import MEASURES
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import CALENDAR_CLASSES


def detect_numbers(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find numbers without an equal on the other side: each with the nearest such number there, or alone."""
    left = [n for n in comparison.source.numbers if n.start not in handled.source]
    right = [n for n in comparison.target.numbers if n.start not in handled.target]
    handled.add((i for n in left for i in n.places), (j for n in right for j in n.places))
    _, left, right = pair_off(left, right, Number.same)
    paired = min(len(left), len(right))
    for number in left[:paired]:
        # Nearest to the partner of the number, or to its place.
        partner = comparison.to[number.start]
        place = partner if partner >= 0 else number.start
        other = min(right, key=lambda o: abs(o.start - place))
        right.remove(other)
        # One of them may be an article or a pronoun.
        case = "number.one" if 1.0 in (number.value, other.value) else "number"
        yield make_reason(comparison, case, number.places, other.places)
    alone = [(n, n.places, range(0)) for n in left[paired:]] + [(n, range(0), n.places) for n in right]
    for number, at, to in alone:
        yield make_reason(comparison, "number.alone" if number.value != 1 else "number.alone-one", at, to)


def detect_quantities(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find quantities of another unit and numbers of another sign; those that were converted are no reason."""
    if "unit" in comparison.topics:
        yield from _detect_units(comparison, handled)
    if "sign" in comparison.topics:
        yield from _detect_signs(comparison)


def _detect_units(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    a, b = comparison.source, comparison.target
    pairs, left, right = pair_off(find_quantities(a), find_quantities(b), Amount.equals)
    for quantity, other in pairs:
        if quantity.unit != other.unit or quantity.number.value != other.number.value:
            handled.add(quantity.places, other.places)
        else:
            handled.add(
                set(quantity.places) - comparison.kept_source,
                set(other.places) - comparison.kept_target,
            )
    for quantity in left:
        if comparison.kept_source.issuperset(quantity.places):
            continue
        same = [o for o in right if o.number.same(quantity.number)]
        same = same or [o for o in right if o.dimension == quantity.dimension]
        if not same:
            continue
        other = same[0]
        right.remove(other)
        if quantity.unit != other.unit:  # otherwise the number alone differs, see detect_numbers
            yield make_reason(comparison, "unit", quantity.places, other.places)
            handled.add(quantity.places, other.places)
    for m in comparison.matches:
        x, y = MEASURES.get(a.words[m.source]), MEASURES.get(b.words[m.target])
        if x is None or y is None or handled.has(m):
            continue
        if x.is_ambiguous or y.is_ambiguous or x.dimension != y.dimension:
            continue
        handled.add((m.source,), (m.target,))
        if x.name != y.name:
            yield make_reason(comparison, "unit.bare", (m.source,), (m.target,))


def _detect_signs(comparison: Comparison) -> Iterator[Reason]:
    a, b = comparison.source, comparison.target
    for number in a.numbers:
        for other in b.numbers:
            if number.same(other) and _is_negative(a, number) != _is_negative(b, other):
                if any(n.same(number) for n in (*a.numbers, *b.numbers) if n not in (number, other)):
                    continue
                places, new_places = _with_sign(a, number), _with_sign(b, other)
                yield make_reason(comparison, "number.sign", places, new_places)


def _is_negative(view: SentenceView, number: Number) -> bool:
    i = number.start - 1
    if i < 0 or view.words[i] not in COMPARING["minus signs"]:
        return False
    # A hyphen between two numbers or words is none.
    return (
        view.words[i] in ("minus", "negative", "−")
        or i == 0
        or not (view.entries[i - 1].digits or view.is_content[i - 1])
    )


def _with_sign(view: SentenceView, number: Number) -> range:
    return range(number.start - _is_negative(view, number), number.end)


def detect_times(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find times of the other half of the day, and days, months, seasons and rhythms that gave way to others."""
    if not comparison.topics.isdisjoint(("clock", "digits")):
        yield from _detect_halves(comparison)
    yield from _detect_calendar(comparison, handled)


def _detect_halves(comparison: Comparison) -> Iterator[Reason]:
    a, b = comparison.source, comparison.target
    times, new_times = ([n for n in view.numbers if n.kind == "time"] for view in (a, b))
    for number, other in pair_off(times, new_times, Number.same)[0]:
        half, new_half = half_of_number(a, number), half_of_number(b, other)
        if half and new_half and half != new_half:
            yield make_reason(comparison, "time.half", number.places, other.places)


def _detect_calendar(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    a, b = comparison.source, comparison.target
    new = [
        (j, *CALENDAR_CLASSES[b.words[j]])
        for j in comparison.new
        if b.words[j] in CALENDAR_CLASSES and j not in handled.target and b.is_date(j)
    ]
    for i in comparison.gone:
        if not new or a.words[i] not in CALENDAR_CLASSES or i in handled.source or not a.is_date(i):
            continue
        name, entry = CALENDAR_CLASSES[a.words[i]]
        options = [o for o in new if o[1] == name]
        if not options:
            continue
        option = next((o for o in options if o[2] == entry), None) or min(options, key=lambda o: abs(o[0] - i))
        new.remove(option)
        j = option[0]
        handled.add((i,), (j,))
        if option[2] != entry:
            yield make_reason(comparison, "time", (i,), (j,))
