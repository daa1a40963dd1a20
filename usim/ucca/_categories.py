"""The categories of the foundational layer of UCCA."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from usim.ucca._graph import Edge

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


def in_order(categories: Iterable[str]) -> list[str]:
    """Return categories, each once, in the order of :data:`CATEGORIES`; others after them by name."""
    place = {category: i for i, category in enumerate(CATEGORIES)}
    return sorted(set(categories), key=lambda category: (place.get(category, len(place)), category))


def legend(edges: Iterable[Edge]) -> list[tuple[str, str]]:
    """Return the categories of edges, each with its name and what it stands for."""
    used = in_order(category for edge in edges for category in edge.categories)
    return [(each, ": ".join(_TABLE.get(each, (each,)))) for each in used]
