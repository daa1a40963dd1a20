"""The exact things of a text: numbers with their units, dates, times, codes, acronyms and signs, compared exactly."""

from usim.evidence.values._compare import ComparedValues, ValueFinding, ValueRow, compare_values, read_alike, value_rows
from usim.evidence.values._find import find_values
from usim.evidence.values._value import HALF_DAY, Quantity, Value

__all__ = [
    "HALF_DAY",
    "ComparedValues",
    "Quantity",
    "Value",
    "ValueFinding",
    "ValueRow",
    "compare_values",
    "find_values",
    "read_alike",
    "value_rows",
]
