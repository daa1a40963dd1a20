"""Numbers in words and in figures."""

from __future__ import annotations

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(value: int) -> str:
    """Return a whole number below a million in words.

    >>> in_words(45), in_words(300), in_words(1250)
    ('forty-five', 'three hundred', 'one thousand two hundred and fifty')
    """
    if value < 20:
        return _SMALL[value]
    if value < 100:
        return _TENS[value // 10 - 2] + (f"-{_SMALL[value % 10]}" if value % 10 else "")
    if value < 1000:
        return f"{_SMALL[value // 100]} hundred" + (f" and {in_words(value % 100)}" if value % 100 else "")
    rest = value % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{in_words(value // 1000)} thousand" + (joint + in_words(rest) if rest else "")


def in_figures(value: float) -> str:
    """Return a number in figures, as short as it can be, with commas from ten thousand on.

    >>> in_figures(2.50), in_figures(12000), in_figures(3)
    ('2.5', '12,000', '3')
    """
    rounded = round(value, 2 if value < 10 else 1 if value < 100 else 0)
    if rounded == int(rounded):
        return f"{int(rounded):,}" if rounded >= 10_000 else str(int(rounded))
    return f"{rounded:.2f}".rstrip("0")
