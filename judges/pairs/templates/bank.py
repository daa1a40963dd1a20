"""Paraphrases written by hand (``bank.txt``): meanings in several wordings, and sentences that only look alike."""

from __future__ import annotations

from pathlib import Path

from judges.pairs.tables import Table
from judges.pairs.templates.family import Family, frame
from judges.pairs.templates.lexicon import CITIES, JOBS, NUMBERS, SMALL, Draw

_BANK = Table(Path(__file__).with_suffix(".txt")).contrasts("bank")


@frame(9.0)
def bank(draw: Draw) -> Family:
    """Fill an entry of the bank."""
    _, same, other = draw.of(_BANK)
    x, y = draw.name(), draw.name()
    words = {"x": x.text, "y": y.text, "he": x.he, "him": x.him, "his": x.his, "owner": y.his}
    words |= {"n": draw.one(NUMBERS), "m": draw.one(NUMBERS)}
    words |= {"city": draw.one(CITIES), "town": draw.one(CITIES), "thing": draw.one(SMALL), "job": draw.one(JOBS)}
    words["h"] = draw.one(NUMBERS[:9])
    words["day"] = draw.one(("Monday", "Tuesday", "Wednesday", "Saturday", "Sunday"))
    different = draw.of(other)
    return Family([[s.format_map(words) for s in same], [different.format_map(words)]], 0.92, 0.05, key=same[0])
