"""Numbers: another one, one more, one less."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason
from usim.lexicon import Number

#: Another number; another number where one of the two is 1, which may be an article or a pronoun.
OTHER_NUMBER_WEIGHT = 0.9
OTHER_THAN_ONE_WEIGHT = 0.8
#: A number lost or added; the same of the number 1.
ALONE_WEIGHT = 0.6
ONE_ALONE_WEIGHT = 0.15


def detect_numbers(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find numbers without an equal on the other side: each with the nearest such number there, or alone."""
    left = [n for n in comparison.source.numbers if n.start not in claimed.source]
    right = [n for n in comparison.target.numbers if n.start not in claimed.target]
    for number in left:
        claimed.source.update(range(number.start, number.end))
    for number in right:
        claimed.target.update(range(number.start, number.end))
    for number in list(left):
        for other in right:
            if number.same(other):
                left.remove(number)
                right.remove(other)
                break
    reasons = []
    for number in list(left):
        if not right:
            break
        other = min(right, key=lambda o: _distance(comparison, number.start, o.start))
        left.remove(number)
        right.remove(other)
        weight = OTHER_THAN_ONE_WEIGHT if 1.0 in (number.value, other.value) else OTHER_NUMBER_WEIGHT
        old, new = range(number.start, number.end), range(other.start, other.end)
        reasons.append(make_reason(comparison, "number", old, new, weight))
    for number in left:
        places = range(number.start, number.end)
        reasons.append(make_reason(comparison, "number", places, (), _weight_alone(number)))
    for number in right:
        places = range(number.start, number.end)
        reasons.append(make_reason(comparison, "number", (), places, _weight_alone(number)))
    return reasons


def _weight_alone(number: Number) -> float:
    return ALONE_WEIGHT if number.value != 1 else ONE_ALONE_WEIGHT


def _distance(comparison: Comparison, i: int, j: int) -> int:
    """Return the distance of a target token from the partner of a source token, or from its place, in tokens."""
    return abs((comparison.to[i] if comparison.to[i] >= 0 else i) - j)
