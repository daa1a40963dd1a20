"""The categories of the foundational layer of UCCA."""

from __future__ import annotations

_TABLE = {
    "H": ("Parallel Scene", "something that happens or holds"),
    "A": ("Participant", "who or what takes part"),
    "P": ("Process", "what happens"),
    "S": ("State", "what holds"),
    "D": ("Adverbial", "how, how much, where"),
    "T": ("Time", "when"),
    "G": ("Ground", "what the speaker thinks of it"),
    "C": ("Center", "the main word of a phrase"),
    "E": ("Elaborator", "tells more about a center"),
    "Q": ("Quantifier", "how many, how much"),
    "N": ("Connector", "joins centers: and, or"),
    "R": ("Relator", "relates phrases: of, with"),
    "L": ("Linker", "links scenes: because, but"),
    "F": ("Function", "grammar, no meaning alone"),
    "U": ("Punctuation", "marks such as commas"),
}
#: The categories of the foundational layer, with their names (UCCA guidelines, version 2).
CATEGORIES: dict[str, str] = {category: name for category, (name, _) in _TABLE.items()}
#: What each category stands for, in a few words.
DESCRIPTIONS: dict[str, str] = {category: about for category, (_, about) in _TABLE.items()}
#: Pairs of categories that count as the same where labels are compared up to equivalence (``ucca.evaluation``): process
#: and state, parallel scene and center, connector and linker, relator and function.
EQUIVALENTS: tuple[tuple[str, str], ...] = (("P", "S"), ("H", "C"), ("N", "L"), ("R", "F"))
