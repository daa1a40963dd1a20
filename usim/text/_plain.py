"""Texts that look the same, written the same way: what is compared and judged; with a map back to what was written.

NFKC (Unicode Standard Annex #15) makes one of *é* and *e* with an accent of its own, and of wide and narrow forms.
Characters that are not shown (soft hyphens, zero-width spaces and joiners, marks of direction) are left out. An
apostrophe within a word is a straight one. Letters of another script are those that they look like where all letters of
a word look Latin. What reads otherwise stays: superscripts and fractions (10² is not 102), the ellipsis, and the
characters that turn the direction of a text round.

>>> plain("re\\u0301sume\\u0301, co\\xadoperate, ２５, didn\\u02bct, c\\u0430t")
"résumé, cooperate, 25, didn't, cat"
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

#: Characters with the property Default_Ignorable_Code_Point, but for U+202D and U+202E.
_UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202c\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_IS_UNSEEN = re.compile(f"[{_UNSEEN}]+")
#: Letters that look like Latin ones: Cyrillic, Greek, Armenian.
_LIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝӏѵАВЕЅІЈКМНОРСТХУԚԜӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρϲϳօսհոց",
    "aeopcyxijshdqwlvABESIJKMHOPCTXYQWIABEZHIKMNOPTYXovpcjouhng",
)
_LIKE_LATIN = re.compile("[" + "".join(map(chr, _LIKE)) + "]")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\xaa\xba\xc0-\xd6\xd8-\xf6\xf8-\u024f\u1e00-\u1eff]")
_APOSTROPHE = "\u02bc"
_WITHIN = re.compile(r"(?<=\w)[’\u02bc](?=\w)")
#: What NFKC does to these changes what is read.
_KEPT = ("<super>", "<sub>", "<fraction>")
_MARKS = ".,;:!?()[]{}\"'“”‘’…"
_MOST_SAID = 3


def plain(text: str) -> str:
    """Return a text as it looks; one of ASCII alone is returned as it is."""
    return text if text.isascii() else _unlike("".join(_as_it_looks(part) for part in _clusters(text)))


def plain_places(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Return a text as it looks, with the place in ``text`` at which each character of it begins, and ends.

    >>> plain_places("e\\u0301a")
    ('éa', [0, 2], [2, 3])
    """
    if text.isascii():
        return text, range(len(text)), range(1, len(text) + 1)
    looks = ""
    starts: list[int] = []
    ends: list[int] = []
    end = 0
    for part in _clusters(text):
        start, end = end, end + len(part)
        look = _as_it_looks(part)
        looks += look
        starts += range(start, end) if look == part else [start] * len(look)
        ends += range(start + 1, end + 1) if look == part else [end] * len(look)
    return _unlike(looks), starts, ends


def _clusters(text: str) -> list[str]:
    """Cut a text where no character of one part changes how another part is composed."""
    cuts = [
        place
        for place, character in enumerate(text)
        if place and (character.isascii() or not _goes_on(character) or text[place - 1].isspace())
    ]
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)]) if end]


@lru_cache(4096)
def _goes_on(character: str) -> bool:
    is_syllable = "\u1160" <= character <= "\u11ff" or "\uff9e" <= character <= "\uffdc"
    return is_syllable or unicodedata.category(character)[0] == "M" or bool(_IS_UNSEEN.match(character))


@lru_cache(1 << 14)
def _as_it_looks(part: str) -> str:
    """Return a character, with what is written together with it, as it looks."""
    if part.isascii():
        return part
    seen = _IS_UNSEEN.sub("", part)
    if any(unicodedata.decomposition(character).startswith(_KEPT) or character == "…" for character in seen):
        return unicodedata.normalize("NFC", seen)
    looks = unicodedata.normalize("NFKC", seen)
    # An accent that stands alone would fall apart into a blank and a mark; and blanks may be as they like.
    return unicodedata.normalize("NFC", seen) if " " in looks else _IS_UNSEEN.sub("", looks)


def _unlike(text: str) -> str:
    """Return a text with straight apostrophes, and with Latin letters for their like in words that look Latin."""
    text = _WITHIN.sub("'", text).replace(_APOSTROPHE, "’")
    if not _LIKE_LATIN.search(text):
        return text

    def unlike(word: re.Match[str]) -> str:
        latin = word[0].translate(_LIKE)
        return latin if all(_LATIN.match(each) for each in latin if each.isalpha()) else word[0]

    return _WORD.sub(unlike, text)


class Unseen(NamedTuple):
    """What is written otherwise in two texts, and looks the same.

    Attributes:
        is_alike: whether a letter of another script stands for one of Latin: who writes so may mean to deceive.
    """

    notes: tuple[str, ...] = ()
    is_alike: bool = False


def unseen_differences(source: str, output: str) -> Unseen:
    """Return how two texts differ where they look the same, or that both are empty.

    >>> unseen_differences("We cooperate.", "We co\\xadoperate.").notes
    ('“cooperate” has characters that are not seen in the output: U+00AD SOFT HYPHEN',)
    """
    if not source.strip() and not output.strip():
        return Unseen(("both texts are empty: there was nothing to compare",))
    odd, others = _odd_words(source), _odd_words(output)
    notes: list[str] = []
    is_alike = False
    for words, where in ((others - odd, "output"), (odd - others, "source")):
        for word, written in words:
            strange = [each for each in dict.fromkeys(written) if each not in word]
            is_like = any(_LIKE_LATIN.match(each) for each in strange)
            is_alike |= is_like
            has = "other characters that look the same"
            if is_like:
                has = "letters of another script that look like Latin ones"
            elif all(_IS_UNSEEN.match(each) for each in strange):
                has = "characters that are not seen"
            names = [f"U+{ord(each):04X} {unicodedata.name(each, '')}".strip() for each in islice(strange, _MOST_SAID)]
            notes.append(f"“{word.strip(_MARKS)}” has {has} in the {where}: {', '.join(names)}")
    if len(notes) > _MOST_SAID:
        more = len(notes) - _MOST_SAID
        notes[_MOST_SAID:] = [f"{more} more words are written with other characters that look the same"]
    return Unseen(tuple(notes), is_alike)


def _odd_words(text: str) -> Counter[tuple[str, str]]:
    """Return the words of a text that are not written as they look: as they look, and as they are written."""
    if text.isascii():
        return Counter()
    looks = {word: plain(word) for word in set(text.split())}
    # A curly apostrophe can be seen, and is no cause for a note.
    return Counter((looks[word], word) for word in text.split() if looks[word] != word.replace("’", "'"))
