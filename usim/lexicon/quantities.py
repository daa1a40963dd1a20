"""Units of measurement and currencies: which forms name them, what they measure, how they convert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from usim.lexicon.tables import classes_of, read_tables


class Measure(NamedTuple):
    """A unit.

    Attributes:
        dimension: what it measures: ``length``, ``mass``, ``money``, …
        name: its name; forms with the same name are the same unit.
        factor: how many base units it is; those of money cannot be converted.
        is_ambiguous: whether the form is mostly something else where no number stands before it (*in*, *second*).
    """

    dimension: str
    name: str
    factor: float
    is_ambiguous: bool


#: The unit of each form in lower case.
MEASURES: dict[str, Measure] = {}
_TABLES = read_tables("quantities.tsv")
for _unit, _forms in _TABLES["unit"].items():
    _dimension, _factor, _name = _unit.split(" ", 2)
    for _form in _forms.split():  # "~": ambiguous
        MEASURES[_form.lstrip("~")] = Measure(_dimension, _name, float(_factor), _form.startswith("~"))
#: Words that say a number, or a span of time by its seconds, without naming it.
SAID: Mapping[float, frozenset[str]] = {
    float(value): frozenset(words.split()) for value, words in _TABLES["said"].items()
}
#: Temperatures, by the letter or name behind *degrees*.
_SCALES: Mapping[str, str] = classes_of(_TABLES["scale"])
#: Two conversions agree within this share: people round.
TOLERANCE = 0.04


def measure_behind(words: Sequence[str], i: int) -> tuple[Measure, int] | None:
    """Return the unit that begins at a token, and one past its last token; None for no unit.

    >>> measure_behind("5 km / h".split(), 1)
    (Measure(dimension='speed', name='kilometre per hour', factor=1.0, is_ambiguous=False), 4)
    """
    i += i < len(words) and words[i] in ("-", "‐")
    word, following, below = (*words[i : i + 3], "", "", "")[:3]
    if word in ("°", "degrees", "degree"):
        scale = _SCALES.get(following)
        return None if scale is None else (Measure("temperature", scale, 1.0, False), i + 2)
    if word == "square" and (side := MEASURES.get(following)) and side.dimension == "length":
        return Measure("area", f"square {side.name}", side.factor**2, False), i + 2
    measure = MEASURES.get(word)
    if measure is None:
        return None
    if measure.dimension == "length" and following in ("/", "per", "an"):
        if below in ("h", "hour", "hr"):
            return Measure("speed", f"{measure.name} per hour", measure.factor / 1e3, False), i + 3
        if below in ("s", "second", "sec"):
            return Measure("speed", f"{measure.name} per second", measure.factor * 3.6, False), i + 3
    return measure, i + 1


def joined_measure(form: str) -> Measure | None:
    """Return the unit of a form that joins it to a number, such as *5km*."""
    return MEASURES.get(form.lstrip("0123456789.,")) if form[:1].isdigit() else None
