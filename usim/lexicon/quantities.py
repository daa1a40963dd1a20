"""Units of measurement and currencies: which forms name them, what they measure, how they convert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


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


_TABLE = (
    ("length", "kilometre", 1e3, "km kms kilometre kilometres kilometer kilometers"),
    ("length", "metre", 1.0, "~m metre metres meter meters"),
    ("length", "centimetre", 1e-2, "cm cms centimetre centimetres centimeter centimeters"),
    ("length", "millimetre", 1e-3, "mm millimetre millimetres millimeter millimeters"),
    ("length", "mile", 1609.344, "mi mile miles"),
    ("length", "foot", 0.3048, "ft ~foot ~feet"),
    ("length", "yard", 0.9144, "~yd ~yds ~yard ~yards"),
    ("length", "inch", 0.0254, "~in inch inches"),
    ("mass", "kilogram", 1.0, "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes"),
    ("mass", "gram", 1e-3, "~g gram grams gramme grammes"),
    ("mass", "milligram", 1e-6, "mg milligram milligrams milligramme milligrammes"),
    ("mass", "tonne", 1e3, "~t tonne tonnes"),
    ("mass", "pound", 0.45359, "lb lbs"),
    ("mass", "ounce", 0.02835, "oz ounce ounces"),
    ("mass", "ton", 907.185, "ton tons"),
    ("volume", "litre", 1.0, "~l litre litres liter liters"),
    ("volume", "millilitre", 1e-3, "ml millilitre millilitres milliliter milliliters"),
    ("volume", "gallon", 3.7854, "~gal gallon gallons"),
    ("volume", "pint", 0.5683, "~pt pint pints"),
    ("time", "second", 1.0, "~s ~sec ~secs ~second ~seconds"),
    ("time", "minute", 60.0, "~min ~mins ~minute minutes"),
    ("time", "hour", 3600.0, "~h ~hr hrs hour hours"),
    ("time", "day", 86400.0, "day days"),
    ("time", "week", 604800.0, "wk wks week weeks"),
    ("time", "month", 2629800.0, "month months"),
    ("time", "year", 31557600.0, "yr yrs year years"),
    ("time", "decade", 315576000.0, "decade decades"),
    ("time", "century", 3155760000.0, "century centuries"),
    ("speed", "kilometre per hour", 1.0, "kph km/h kmh"),
    ("speed", "mile per hour", 1.609344, "mph"),
    ("area", "hectare", 1e4, "~ha hectare hectares"),
    ("area", "acre", 4046.86, "acre acres"),
    ("money", "dollar", 1.0, "$ usd dollar dollars ~buck ~bucks"),
    ("money", "euro", 1.0, "€ eur euro euros"),
    ("money", "pound sterling", 1.0, "£ gbp ~pound ~pounds ~quid"),
    ("money", "yen", 1.0, "¥ jpy yen"),
    ("money", "rupee", 1.0, "₹ inr rupee rupees"),
    ("money", "rouble", 1.0, "₽ rub rouble roubles ruble rubles"),
    ("money", "franc", 1.0, "chf franc francs"),
    ("money", "cent", 0.01, "cent cents ¢"),
    ("data", "kilobyte", 1e3, "kb kilobyte kilobytes"),
    ("data", "megabyte", 1e6, "mb megabyte megabytes"),
    ("data", "gigabyte", 1e9, "gb gigabyte gigabytes"),
    ("data", "terabyte", 1e12, "tb terabyte terabytes"),
    ("share", "percent", 0.01, "% percent pct"),
    ("share", "per mille", 0.001, "‰"),
)  # fmt: skip
#: The unit of each form in lower case.
MEASURES: Mapping[str, Measure] = {
    form.lstrip("~"): Measure(dimension, name, factor, form.startswith("~"))
    for dimension, name, factor, forms in _TABLE
    for form in forms.split()
}
#: Temperatures, by the letter or name behind *degrees*.
_SCALES: Mapping[str, str] = {
    "c": "celsius", "celsius": "celsius", "centigrade": "celsius", "f": "fahrenheit", "fahrenheit": "fahrenheit",
    "k": "kelvin", "kelvin": "kelvin",
}  # fmt: skip
#: Two conversions agree within this share: people round.
TOLERANCE = 0.04


def measure_behind(words: Sequence[str], i: int) -> tuple[Measure, int] | None:
    """Return the unit that begins at a token, and one past its last token; None for no unit.

    >>> measure_behind("5 km / h".split(), 1)
    (Measure(dimension='speed', name='kilometre per hour', factor=1.0, is_ambiguous=False), 4)
    """
    if i < len(words) and words[i] in ("-", "‐") and i + 1 < len(words):
        i += 1
    if i >= len(words):
        return None
    word = words[i]
    if word in ("°", "degrees", "degree"):
        scale = _SCALES.get(words[i + 1]) if i + 1 < len(words) else None
        return None if scale is None else (Measure("temperature", scale, 1.0, False), i + 2)
    if word == "square" and i + 1 < len(words) and (side := MEASURES.get(words[i + 1])) and side.dimension == "length":
        return Measure("area", f"square {side.name}", side.factor**2, False), i + 2
    measure = MEASURES.get(word)
    if measure is None:
        return None
    if measure.dimension == "length" and i + 2 < len(words) and words[i + 1] in ("/", "per", "an"):
        if words[i + 2] in ("h", "hour", "hr"):
            return Measure("speed", f"{measure.name} per hour", measure.factor / 1e3, False), i + 3
        if words[i + 2] in ("s", "second", "sec"):
            return Measure("speed", f"{measure.name} per second", measure.factor * 3.6, False), i + 3
    return measure, i + 1


def joined_measure(form: str) -> Measure | None:
    """Return the unit of a form that joins it to a number, such as *5km*."""
    return MEASURES.get(form.lstrip("0123456789.,")) if form[:1].isdigit() else None
