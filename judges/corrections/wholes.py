"""Corrections as people make them: whole sentences with all that was corrected in them, right words and wrong ones.

Each has the texts that are right, so that each of its edits has a label of its own: right if it puts in what one of
them has there, wrong if it puts in something else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from judges.corrections.make import WORD, Labelled, key_of, put_word, words_of
from judges.data import commented_table
from training.errors import Errors
from training.misspell import misspell, misspellings
from training.sentence import Sentence
from training.statistics import grouped
from usim.spelling.words import UNKNOWN, WordTable

#: The written pairs that are learned from: sentences of learners with corrections by several hands.
WRITTEN = tuple(Path(__file__).parents[1] / "written" / name for name in ("learners.tsv", "corrections.tsv"))
#: The least label of an output that is right in all of its words.
_RIGHT = 0.9
#: How often a right word is replaced by a near one, a name is misspelt or taken for a word, a beginning is misspelt.
_SPOILT, _NAMES, _FIRST = 0.5, 0.5, 0.03
#: How the beginning of a word may be written, nearly as it sounds.
_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "y": ("j", "i"), "c": ("k", "s"), "k": ("c",), "s": ("z", "c", "es"), "n": ("kn",), "f": ("v", "ph"), "ph": ("f",),
    "w": ("v", "wh"), "j": ("y", "g", "dj"), "g": ("j", "k"), "r": ("wr", "l"), "h": ("", "ch"), "qu": ("kw", "q"),
    "v": ("w", "b"), "b": ("p", "v"), "p": ("b",), "t": ("d",), "d": ("t",), "z": ("s",), "wh": ("w", "v"),
    "th": ("t", "d", "z"), "ch": ("tch", "sh", "c"), "sh": ("ch", "sch", "s"), "e": ("i", "a"), "i": ("e",),
    "a": ("e",), "u": ("a",), "o": ("a", "u"), "ex": ("eks", "es", "ecs"), "l": ("r",), "m": ("n",),
}  # fmt: skip

Near = Callable[[str, int], list[str]]


def written(path: Path) -> Iterator[Labelled]:
    """Read the written pairs of a table."""
    of_source = grouped((row["source"], (row["output"], float(row["label"]))) for row in commented_table(path))
    for source, outputs in of_source.items():
        right = tuple(output for output, label in outputs if label >= _RIGHT)
        for output, label in outputs if right else ():
            yield Labelled(source, output, int(label >= _RIGHT), key_of(source), "written", right)


class Wholes:
    """Makes whole corrected sentences from clean ones; ``near`` finds words that are written nearly like another."""

    def __init__(self, errors: Errors, words: WordTable, near: Near, seed: int) -> None:
        self._errors, self._words, self._near, self._seed = errors, words, near, seed
        self._known = misspellings()

    def of_sentence(self, sentence: Sentence) -> Iterator[Labelled]:
        """Make the corrections of a sentence as a whole: right, and with a wrong word in it."""
        group = key_of(sentence.text)
        rng = random.Random(f"{self._seed}:whole:{group}")
        clean = " ".join(sentence.text.split())
        wrong = self._errors.put(sentence, rng)
        if wrong != clean:
            yield Labelled(wrong, clean, 1, group, "whole", (clean,))
            if rng.random() < _SPOILT and (spoilt := self._spoil(wrong, clean, rng)):
                yield Labelled(wrong, spoilt, 0, group, "whole", (clean,))

    def _spoil(self, wrong: str, clean: str, rng: random.Random) -> str:
        """Put a word that is near a misspelling in the place of the right one; empty if there is none."""
        misspelt = [word for word in words_of(wrong) if self._words[word] is UNKNOWN and word.isalpha()]
        places = {match.group().lower(): match for match in WORD.finditer(clean)}
        for word in rng.sample(misspelt, len(misspelt)):
            near = self._near(word, 5)
            if right := next((other for other in near if other in places), None):
                others = [other for other in near if other != right]
                if others:
                    return put_word(clean, places[right], rng.choice(others[:3]))
        return ""

    def of_words(self, sentence: Sentence) -> Iterator[Labelled]:
        """Make corrections of single words of a sentence: names taken for words, and what checkers seldom correct."""
        group = key_of(sentence.text)
        rng = random.Random(f"{self._seed}:words:{group}")
        clean = " ".join(sentence.text.split())
        for match in WORD.finditer(clean):
            word, place = match.group(), match.start()
            entry = self._words[word.lower()]
            if place and word[:1].isupper() and word[1:].islower():
                if entry is UNKNOWN:
                    near = self._near(word.lower(), 3)
                    if near and rng.random() < _NAMES:
                        other = rng.choice(near)
                        yield Labelled(clean, put_word(clean, match, other), 0, group, "name", (clean,))
                elif rng.random() < _NAMES:
                    yield from self._slipped(clean, match, misspell(word.lower(), self._known, rng), group, rng)
            elif entry is not UNKNOWN and len(word) > 3 and rng.random() < _FIRST:
                yield from self._slipped(clean, match, _first_slip(word.lower(), rng), group, rng)

    def _slipped(self, clean: str, at: re.Match[str], slip: str, group: str, rng: random.Random) -> Iterator[Labelled]:
        """Yield the correction of a misspelling, and a near word in its place."""
        if self._words[slip] is not UNKNOWN or not slip.isalpha() or slip == at.group().lower():
            return
        wrong = put_word(clean, at, slip)
        yield Labelled(wrong, clean, 1, group, "slip", (clean,))
        others = [word for word in self._near(slip, 4) if word != at.group().lower()]
        if others and rng.random() < _SPOILT:
            yield Labelled(wrong, put_word(clean, at, others[0]), 0, group, "slip", (clean,))


def _first_slip(word: str, rng: random.Random) -> str:
    """Write the beginning of a word as speakers of other languages do."""
    ways = [(begin, way) for begin, others in _BEGINNINGS.items() if word.startswith(begin) for way in others]
    if not ways:
        return word
    begin, way = rng.choice(ways)
    return way + word[len(begin) :]
