"""A table of English words: how frequent each is, and which forms it can be.

The table is made by ``judges/corrections/tables.py``. A misspelling is not in it, however frequent it is.
"""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

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


UNKNOWN = WordEntry(0.0, 0, 0)


class WordTable:
    """English words with their frequencies, forms and groups.

    Raises:
        ParsingError: the table is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        try:
            head, *columns = _read(path)
            words = head.decode().split("\n")
            frequency, forms, group = (np.frombuffer(c, dtype) for c, dtype in zip(columns, _TYPES, strict=True))
            if not len(words) == len(frequency) == len(forms) == len(group):
                raise ValueError("its columns differ in length")
        except (OSError, ValueError, lzma.LZMAError) as e:
            raise ParsingError(f"no usable table of words: {type(e).__name__}: {e}", path=path) from e
        self._place = dict(zip(words, range(len(words)), strict=True))
        # Lists: single numbers are read from them far faster than from arrays.
        self._columns: tuple[list[int], ...] = (frequency.tolist(), forms.tolist(), group.tolist())

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


_TYPES: tuple[type[np.generic], ...] = (np.uint8, np.uint16, np.uint16)


def write_table(path: Path, entries: dict[str, tuple[int, int, int]]) -> None:
    """Write a table; its entries are: word in lower case → its frequency in :data:`STEPS`, its forms, its group."""
    words = sorted(entries)
    parts = ["\n".join(words).encode()]
    for k, dtype in enumerate(_TYPES):
        parts.append(np.array([entries[word][k] for word in words], dtype).tobytes())
    sizes = np.array([len(part) for part in parts], np.uint32).tobytes()
    path.write_bytes(lzma.compress(sizes + b"".join(parts), preset=9 | lzma.PRESET_EXTREME))


def _read(path: Path) -> list[bytes]:
    data = lzma.decompress(path.read_bytes())
    sizes: npt.NDArray[np.uint32] = np.frombuffer(data[: 4 * (1 + len(_TYPES))], np.uint32)
    parts, start = [], 4 * len(sizes)
    for size in sizes.tolist():
        parts.append(data[start : start + size])
        start += size
    return parts
