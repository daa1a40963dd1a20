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

#: Pairs of categories that count as the same where labels are compared up to equivalence (``ucca.evaluation``): process
#: and state, parallel scene and center, connector and linker, relator and function.
EQUIVALENTS: tuple[tuple[str, str], ...] = (("P", "S"), ("H", "C"), ("N", "L"), ("R", "F"))
