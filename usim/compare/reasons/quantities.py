"""Units of measurement, currencies, signs: the same number of something else."""

from __future__ import annotations

from typing import NamedTuple

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason
from usim.compare.sentence import SentenceView
from usim.lexicon import Number
from usim.lexicon.quantities import MEASURES, TOLERANCE, Measure, joined_measure, measure_behind
from usim.lexicon.topics import DIGITS, SIGN, UNIT

#: The same number of another unit; a unit more or less at the same number; another unit without a number.
OTHER_UNIT_WEIGHT = 0.85
UNIT_ALONE_WEIGHT = 0.35
BARE_UNIT_WEIGHT = 0.65
#: The same number with another sign.
SIGN_WEIGHT = 0.85
_MINUS = frozenset(("-", "−", "minus", "negative"))


class Quantity(NamedTuple):
    """A number with its unit, and their tokens."""

    number: Number
    measure: Measure
    places: tuple[int, ...]

    @property
    def base(self) -> float:
        """The value in base units of the dimension."""
        return self.number.value * self.measure.factor

    def equals(self, other: Quantity) -> bool:
        """Return whether two quantities are the same, perhaps converted and rounded."""
        measure, other_measure = self.measure, other.measure
        if measure.dimension != other_measure.dimension:
            return False
        if measure.name == other_measure.name:
            return self.number.same(other.number)
        if measure.dimension == "temperature":
            return abs(_kelvin(self) - _kelvin(other)) < 1
        if measure.dimension == "money":
            return {measure.name, other_measure.name} == {"dollar", "cent"} and abs(self.base - other.base) < 0.005
        return abs(self.base - other.base) <= TOLERANCE * max(abs(self.base), abs(other.base))


def _kelvin(quantity: Quantity) -> float:
    value, name = quantity.number.value, quantity.measure.name
    if name == "fahrenheit":
        return (value - 32) / 1.8 + 273.15
    return value + 273.15 if name == "celsius" else value


def find_quantities(view: SentenceView) -> list[Quantity]:
    """Return the numbers of a sentence that have a unit behind them or a currency before them."""
    quantities = []
    words = view.words
    for number in view.numbers:
        if number.kind != "#":
            continue
        if number.value < 1 and number.end < len(words) and words[number.end] in ("a", "an"):  # half an hour
            number = number._replace(end=number.end + 1)
        places = tuple(range(number.start, number.end))
        joined = joined_measure(words[number.start]) if number.end == number.start + 1 else None
        before = MEASURES.get(words[number.start - 1]) if number.start else None
        if joined is not None and joined.dimension != "money" and joined.name != "metre":
            quantities.append(Quantity(number, joined, places))
        elif before is not None and before.dimension == "money" and not words[number.start - 1].endswith("s"):
            quantities.append(Quantity(number, before, (number.start - 1, *places)))
        elif (behind := measure_behind(words, number.end)) is not None:
            quantities.append(Quantity(number, behind[0], (*places, *range(number.end, behind[1]))))
    for i, word in enumerate(words):  # an hour, an hour and a half
        if word in ("a", "an") and i + 1 < len(words) and (measure := MEASURES.get(words[i + 1])):
            if measure.is_ambiguous or (i and words[i - 1] in ("half", "per", "quarter")):
                continue
            end, value = i + 2, 1.0
            if tuple(words[end : end + 3]) == ("and", "a", "half"):
                end, value = end + 3, 1.5
            quantities.append(Quantity(Number(i, end, "#", value), measure, tuple(range(i, end))))
    return quantities


def detect_quantities(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find quantities of another unit and numbers of another sign; those that were converted are no reason."""
    topics = comparison.topics
    reasons: list[Reason] = []
    if topics & UNIT:
        reasons += _detect_units(comparison, claimed)
    if topics & SIGN and topics & (SIGN | DIGITS):
        reasons += _detect_signs(comparison)
    return reasons


def _detect_units(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    a, b = comparison.source, comparison.target
    left, right = find_quantities(a), find_quantities(b)
    for quantity in list(left):
        other = next((o for o in right if quantity.equals(o)), None)
        if other is not None:
            left.remove(quantity)
            right.remove(other)
            if quantity.measure.name != other.measure.name or quantity.number.value != other.number.value:
                claimed.add(quantity.places, other.places)
            else:
                claimed.add(
                    [i for i in quantity.places if i not in comparison.kept_source],
                    [j for j in other.places if j not in comparison.kept_target],
                )
    reasons = []
    for quantity in list(left):
        if not comparison.has_changed(quantity.places):
            continue
        same = [o for o in right if o.number.same(quantity.number)]
        same = same or [o for o in right if o.measure.dimension == quantity.measure.dimension]
        if not same:
            continue
        other = same[0]
        left.remove(quantity)
        right.remove(other)
        if quantity.measure.name == other.measure.name:  # the number alone differs, see detect_numbers
            continue
        reasons.append(make_reason(comparison, "unit", quantity.places, other.places, OTHER_UNIT_WEIGHT))
        claimed.add(quantity.places, other.places)
    for m in comparison.matches:
        x, y = MEASURES.get(a.words[m.source]), MEASURES.get(b.words[m.target])
        if x is None or y is None or m.source in claimed.source or m.target in claimed.target:
            continue
        if x.is_ambiguous or y.is_ambiguous or x.dimension != y.dimension:
            continue
        claimed.add((m.source,), (m.target,))
        if x.name != y.name:
            reasons.append(make_reason(comparison, "unit", (m.source,), (m.target,), BARE_UNIT_WEIGHT))
    return reasons


def _detect_signs(comparison: Comparison) -> list[Reason]:
    a, b = comparison.source, comparison.target
    reasons = []
    for number in a.numbers:
        for other in b.numbers:
            if number.same(other) and _is_negative(a, number) != _is_negative(b, other):
                if any(n.same(number) for n in (*a.numbers, *b.numbers) if n not in (number, other)):
                    continue
                places, new_places = _with_sign(a, number), _with_sign(b, other)
                reasons.append(make_reason(comparison, "number.sign", places, new_places, SIGN_WEIGHT))
    return reasons


def _is_negative(view: SentenceView, number: Number) -> bool:
    i = number.start - 1
    if i < 0 or view.words[i] not in _MINUS:
        return False
    # A hyphen between two numbers or words is none.
    return (
        view.words[i] in ("minus", "negative", "−")
        or i == 0
        or not (view.entries[i - 1].digits or view.is_content[i - 1])
    )


def _with_sign(view: SentenceView, number: Number) -> range:
    return range(number.start - _is_negative(view, number), number.end)
