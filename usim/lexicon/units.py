"""Units of measure and currencies: which forms name them, what they measure, how they convert.

The case of a symbol counts: a *mW* is no *MW*, a *Mb* no *MB*. A form may name several units (*5 m* are metres, minutes
or millions, *5 pounds* mass or money), so that each is looked up as a tuple of readings.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from usim.lexicon.tables import read_tables, word_sets


class MeasureUnit(NamedTuple):
    """A unit: what it measures, how many base units it is, and its name."""

    dimension: str
    factor: Decimal
    name: str

    def per(self, other: MeasureUnit) -> MeasureUnit:
        """Return this unit divided by another.

        >>> unit_readings("ml")[0].per(unit_readings("h")[0]).dimension
        'volume/time'
        """
        dimension = f"{self.dimension}/{other.dimension}"
        return MeasureUnit(dimension, self.factor / other.factor, f"{self.name} per {other.name}")

    def power(self, exponent: int) -> MeasureUnit:
        """Return this unit to a power; areas and volumes are dimensions of their own."""
        own = {("length", 2): "area", ("length", 3): "volume"}
        dimension = own.get((self.dimension, exponent), f"{self.dimension}^{exponent}")
        return MeasureUnit(dimension, self.factor**exponent, f"{self.name}^{exponent}")


_WORDS = word_sets("units.tsv")
#: Forms in lower case that are units where no number stands before them; and all that people write for common units,
#: those among them that are mostly something else there (*in*, *second*).
PLAIN_UNITS = _WORDS["plain"]
COMMON_UNITS = PLAIN_UNITS | _WORDS["ambiguous"]
#: The dimensions of spans of time.
SPANS = ("time", "months")
#: What is written behind a unit of length for a power of it.
_POWERS = {"2": 2, "3": 3, "²": 2, "³": 3, "^2": 2, "^3": 3}
#: Prefixes that go before the symbol of bytes and bits in lower case, where case is rarely minded.
_DATA = {"kb": "1e3", "mb": "1e6", "gb": "1e9", "tb": "1e12"}


@cache
def _tables() -> tuple[dict[str, tuple[MeasureUnit, ...]], dict[str, tuple[MeasureUnit, ...]]]:
    """Return the units of each symbol, and those of each name in lower case."""
    symbols: dict[str, tuple[MeasureUnit, ...]] = {}
    names: dict[str, tuple[MeasureUnit, ...]] = {}
    tables = read_tables("units.tsv")
    prefixes = [(Decimal(value), words.split()) for value, words in tables["prefix"].items()]

    def put(into: dict[str, tuple[MeasureUnit, ...]], form: str, unit: MeasureUnit) -> None:
        into[form] = (*into.get(form, ()), unit)

    for table in ("own", "si"):
        for kind, forms in tables[table].items():
            dimension, factor, name = kind.split()
            signs, _, words = forms.partition(";")
            unit = MeasureUnit(dimension, Decimal(factor), name)
            scaled = [(unit, [""], [""])]
            if table == "si":
                scaled += [
                    (MeasureUnit(dimension, unit.factor * size, f"{prefix[-1]}{name}"), prefix[:-1], prefix[-1:])
                    for size, prefix in prefixes
                ]
            plurals = [form for word in words.split() for form in {word, word if word.endswith("s") else f"{word}s"}]
            for each, before_signs, before_names in scaled:
                for sign, before in product(signs.split(), before_signs):
                    put(symbols, before + sign, each)
                for form, before in product(plurals, before_names):
                    put(names, before + form, each)
    for form, size in _DATA.items():
        symbols[form] = tuple(MeasureUnit("data", Decimal(size) * bits, f"{form} of {bits}") for bits in (8, 1))
    symbols["mcg"] = symbols["µg"]
    return symbols, names


@lru_cache(4096)
def unit_readings(form: str) -> tuple[MeasureUnit, ...]:
    """Return the units that a form may name, none if it names none.

    Names are looked up in lower case. Where no symbol has this case, one of the same letters is meant: *Kg* is *kg*.

    >>> [unit.name for unit in unit_readings("MW")], [unit.name for unit in unit_readings("mW")]
    (['megawatt'], ['milliwatt'])
    >>> unit_readings("mg/dL")[0].dimension
    'mass/volume'
    """
    symbols, names = _tables()
    if found := symbols.get(form) or names.get(form.lower()):
        return found
    for end, exponent in _POWERS.items():
        if form.endswith(end) and (sides := unit_readings(form[: -len(end)])):
            return tuple(side.power(exponent) for side in sides if side.dimension == "length")
    above, slash, below = form.partition("/")
    if slash:
        return tuple(x.per(y) for x in unit_readings(above) for y in unit_readings(below))
    return _folded().get(form.lower(), ()) if len(form) > 1 else ()


@cache
def _folded() -> dict[str, tuple[MeasureUnit, ...]]:
    """Return the units of symbols in lower case, where they have two letters or more; large ones before small ones."""
    folded: dict[str, tuple[MeasureUnit, ...]] = {}
    for form, units in sorted(_tables()[0].items(), key=lambda item: -item[1][0].factor):
        if len(form) > 1:
            folded.setdefault(form.lower(), units)
    return folded
