"""The categories of the foundational layer of UCCA."""

from __future__ import annotations

#: The categories of the foundational layer, with their names (UCCA guidelines, version 2).
CATEGORIES: dict[str, str] = {
    "H": "Parallel Scene",
    "A": "Participant",
    "P": "Process",
    "S": "State",
    "D": "Adverbial",
    "T": "Time",
    "G": "Ground",
    "C": "Center",
    "E": "Elaborator",
    "Q": "Quantifier",
    "N": "Connector",
    "R": "Relator",
    "L": "Linker",
    "F": "Function",
    "U": "Punctuation",
}

#: What each category stands for, in a few words.
DESCRIPTIONS: dict[str, str] = {
    "H": "something that happens or holds",
    "A": "who or what takes part",
    "P": "what happens",
    "S": "what holds",
    "D": "how, how much, where",
    "T": "when",
    "G": "what the speaker thinks of it",
    "C": "the main word of a phrase",
    "E": "tells more about a center",
    "Q": "how many, how much",
    "N": "joins centers: and, or",
    "R": "relates phrases: of, with",
    "L": "links scenes: because, but",
    "F": "grammar, no meaning alone",
    "U": "marks such as commas",
}

#: Pairs of categories that count as the same where labels are compared up to equivalence (``ucca.evaluation``): process
#: and state, parallel scene and center, connector and linker, relator and function.
EQUIVALENTS: tuple[tuple[str, str], ...] = (("P", "S"), ("H", "C"), ("N", "L"), ("R", "F"))
