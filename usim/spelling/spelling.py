"""How far a misspelling is from a word: by letters, by keys, by sound, and by how people misspell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA, Indel, JaroWinkler, Levenshtein, Postfix, Prefix

Floats = npt.NDArray[np.float32]

#: The letters that counts are kept of; any other character is the last of them.
LETTERS = "abcdefghijklmnopqrstuvwxyz'- #"
_NUMBER: Mapping[str, int] = {letter: k for k, letter in enumerate(LETTERS)} | {"’": LETTERS.index("'")}
_OTHER = len(LETTERS) - 1
#: Words of more pairs of letters are not compared.
_LARGEST = 900
#: So many costs are remembered.
_REMEMBERED = 16384
#: The place before the first letter.
START = len(LETTERS)

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_KEYS = {key: (row, column + 0.5 * row) for row, keys in enumerate(_ROWS) for column, key in enumerate(keys)}
#: Letters whose keys touch.
NEAR_KEYS = frozenset(
    (a, b)
    for a, (row_a, column_a) in _KEYS.items()
    for b, (row_b, column_b) in _KEYS.items()
    if a != b and abs(row_a - row_b) <= 1 and abs(column_a - column_b) <= 1
)
_VOWELS = frozenset("aeiouy")

# From spelling towards sound: each pattern with what it sounds like.
_BY_SOUND: tuple[tuple[str, str], ...] = (
    (r"[^a-z]", ""), (r"^kn|^gn|^pn", "n"), (r"^wr", "r"), (r"^ps", "s"), (r"^wh", "w"), (r"^x", "s"), (r"tch", "C"),
    (r"sch", "sk"), (r"[cs]i(?=[aou])", "S"), (r"ti(?=[aou])", "S"), (r"ssion|sion|tion|cion", "Son"),
    (r"tu(?=r|al)", "Cu"), (r"sh", "S"), (r"ch", "C"), (r"ph", "f"), (r"ght", "t"), (r"gh", "g"), (r"th", "T"),
    (r"ck", "k"), (r"sc(?=[eiy])", "s"), (r"c(?=[eiy])", "s"), (r"c|q", "k"), (r"x", "ks"), (r"dg(?=[eiy])", "j"),
    (r"g(?=[eiy])", "j"), (r"mb$", "m"), (r"mn$", "m"), (r"z", "s"), (r"(?<=[bcdfghjklmnpqrstvwxz])e$", ""),
    (r"eau|augh|ough", "o"), (r"ei|ie|ee|ea|y|i", "i"), (r"ai|ay|ey", "e"), (r"ou|ow|oo|ew|ue|u|w(?=$)", "u"),
    (r"oa|oe|aw|au|o", "o"), (r"(.)\1+", r"\1"),
)  # fmt: skip
_SOUNDS = tuple((re.compile(pattern), heard) for pattern, heard in _BY_SOUND)


@lru_cache(65536)
def sound(word: str) -> str:
    """Return roughly how a word in lower case sounds.

    >>> sound("recieve") == sound("receive"), sound("nife") == sound("knife"), sound("fotograph")
    (True, True, 'fotograf')
    """
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


def skeleton(word: str) -> str:
    """Return the consonants of how a word sounds."""
    return "".join(c for c in sound(word) if c not in "aeiou")


def _single(word: str) -> str:
    """Return a word with doubled letters written once."""
    return re.sub(r"(.)\1+", r"\1", word)


@lru_cache(65536)
def numbers(word: str) -> tuple[int, ...]:
    """Return the letters of a word in lower case as numbers, see :data:`LETTERS`."""
    return tuple(_NUMBER.get(letter, _OTHER) for letter in word)


class Confusions(NamedTuple):
    """What it costs to misspell, each the negative logarithm of a probability.

    ``right`` is (30,), the others (31, 31): a letter as it should be, as another, left out or put in after another,
    swapped.
    """

    right: Floats
    replaced: Floats
    lost: Floats
    added: Floats
    swapped: Floats


class Channel:
    """The cost of misspelling a word in a certain way, from what each slip costs."""

    def __init__(self, confusions: Confusions) -> None:
        self._written_as, self._lost = confusions.replaced.tolist(), confusions.lost.tolist()
        for letter, right in enumerate(confusions.right.tolist()):
            self._written_as[letter][letter] = right
        self._added, self._swapped = confusions.added.tolist(), confusions.swapped.tolist()
        # A right word is also the rival of the wrong ones beside it.
        self.cost = lru_cache(_REMEMBERED)(self._cost)

    def _cost(self, meant: str, written: str) -> float:
        """Return the cost of the likeliest way from a word to what is written, both in lower case."""
        if not 0 < len(meant) * len(written) <= _LARGEST:
            return 99.0
        a, b = numbers(meant), numbers(written)
        n, m = len(a), len(b)
        written_as, lost, added, swapped = self._written_as, self._lost, self._added, self._swapped
        row = [0.0]
        for j in range(m):
            row.append(row[-1] + added[b[j - 1] if j else START][b[j]])
        before: list[float] = row
        for i in range(n):
            letter = a[i]
            previous = a[i - 1] if i else START
            of_letter, of_lost, of_added = written_as[letter], lost[previous][letter], added[letter]
            older, before = before, row
            row = [before[0] + of_lost]
            last = row[0]
            for j in range(m):
                other = b[j]
                last = min(before[j] + of_letter[other], before[j + 1] + of_lost, last + of_added[other])
                if i and j and letter == b[j - 1] and previous == other:
                    last = min(last, older[j - 1] + swapped[previous][letter])
                row.append(last)
        return row[m]


#: The names of what :func:`distances` returns.
DISTANCES = (
    "length", "new length", "longer", "osa", "osa of letter", "levenshtein of letter", "indel of letter",
    "jaro-winkler", "same first", "same second", "same last", "same beginning", "same ending", "same letters",
    "letters apart", "same but doubled", "sound", "sound of letter", "same sound", "skeleton", "same skeleton",
    "lost vowels", "added vowels", "lost consonants", "added consonants", "replaced vowels", "replaced consonants",
    "replaced mixed", "near keys", "doubled letters", "first slip", "last slip",
)  # fmt: skip


def distances(written: str, offered: str) -> list[float]:
    """Return figures about two words, or a few, in lower case, as :data:`DISTANCES` names them."""
    n, m = len(written), len(offered)
    most = max(n, m, 1)
    osa = OSA.distance(written, offered)
    prefix = Prefix.similarity(written, offered)
    suffix = min(Postfix.similarity(written, offered), min(n, m) - prefix)
    apart = sum(abs(written.count(letter) - offered.count(letter)) for letter in {*written, *offered})
    sound_x, sound_y = sound(written), sound(offered)
    of_sound = Levenshtein.distance(sound_x, sound_y)
    bones_x, bones_y = skeleton(written), skeleton(offered)
    slips = [0] * 9
    first, last = 1.0, 0.0
    for slip in Levenshtein.editops(offered, written):
        i, j = slip.src_pos, slip.dest_pos
        place = i / max(m, 1)
        first, last = min(first, place), max(last, place)
        if slip.tag == "delete":
            letter = offered[i]
            slips[0 if letter in _VOWELS else 2] += 1
            slips[8] += letter in (offered[i - 1 : i], offered[i + 1 : i + 2])
        elif slip.tag == "insert":
            letter = written[j]
            slips[1 if letter in _VOWELS else 3] += 1
            slips[8] += letter in (written[j - 1 : j], written[j + 1 : j + 2])
        else:
            vowels = (offered[i] in _VOWELS) + (written[j] in _VOWELS)
            slips[4 if vowels == 2 else 5 if not vowels else 6] += 1
            slips[7] += (offered[i], written[j]) in NEAR_KEYS
    return [
        n, m, m - n, osa, osa / most, Levenshtein.distance(written, offered) / most,
        Indel.distance(written, offered) / max(n + m, 1), JaroWinkler.similarity(written, offered),
        written[:1] == offered[:1], written[1:2] == offered[1:2], written[-1:] == offered[-1:], prefix, suffix,
        not apart, apart, _single(written) == _single(offered), of_sound,
        of_sound / max(len(sound_x), len(sound_y), 1), sound_x == sound_y, Levenshtein.distance(bones_x, bones_y),
        bones_x == bones_y, *slips, first, last,
    ]  # fmt: skip
