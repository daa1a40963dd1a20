"""A table of English words: how frequent each is, and which forms it can be.

The table is made by ``judges/corrections/tables.py``. A misspelling is not in it, however frequent it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from usim.errors import ParsingError

#: The forms a word can have, by the tags of the Penn Treebank; bit k stands for the k-th.
FORMS = ("NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBZ", "JJ", "JJR", "JJS", "RB", "NNP")
#: Frequencies are counted in steps of this many to a factor of ten, from one in a thousand million.
STEPS = 25
#: The forms of a word that is a name and nothing else.
NAME = 1 << FORMS.index("NNP")


class WordEntry(NamedTuple):
    """What is known about a word.

    Attributes:
        frequency: the logarithm to base ten of its occurrences in a thousand million words; 0 for an unknown word.
        forms: bit k is set if it can be the k-th of :data:`FORMS`.
        group: the number of its group in the table of contexts; 0 for an unknown word.
    """

    frequency: float
    forms: int
    group: int

    @property
    def tags(self) -> frozenset[str]:
        """Its forms by name."""
        return frozenset(name for bit, name in enumerate(FORMS) if self.forms >> bit & 1)


UNKNOWN = WordEntry(0.0, 0, 0)


class WordTable:
    """English words with their frequencies, forms and groups.

    Raises:
        ParsingError: the table is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        try:
            with np.load(path) as arrays:
                words = arrays["words"].tobytes().decode().split("\n")
                # Lists: single numbers are read from them far faster than from arrays.
                self._columns: tuple[list[int], ...] = tuple(arrays[name].tolist() for name in WordEntry._fields)
            self._place = dict(zip(words, range(len(self._columns[0])), strict=True))
        except (OSError, ValueError, KeyError) as e:
            raise ParsingError(f"no usable table of words: {type(e).__name__}: {e}", path=path) from e

    def __getitem__(self, word: str) -> WordEntry:
        """Return what is known about a word in lower case; of a possessive, what is known about its owner."""
        place = self._place.get(word, -1)
        if place < 0 and word[-2:] in ("'s", "’s", "s'", "s’"):
            place = self._place.get(word[:-2] if word[-1] == "s" else word[:-1], -1)
        if place < 0:
            return UNKNOWN
        frequency, forms, group = self._columns
        return WordEntry(frequency[place] / STEPS, forms[place], group[place])

    def above(self, frequency: float) -> list[str]:
        """Return the words that are at least as frequent, sorted."""
        steps = self._columns[0]
        return [word for word, place in self._place.items() if steps[place] >= frequency * STEPS]


def write_table(path: Path, entries: dict[str, tuple[int, int, int]]) -> None:
    """Write a table; its entries are: word in lower case → its frequency in :data:`STEPS`, its forms, its group."""
    words = sorted(entries)
    columns = zip(*(entries[word] for word in words), strict=True)
    arrays = {name: np.array(column, np.uint16) for name, column in zip(WordEntry._fields, columns, strict=True)}
    text = np.frombuffer("\n".join(words).encode(), np.uint8)
    np.savez_compressed(path, words=text, **arrays)  # type: ignore[arg-type]
