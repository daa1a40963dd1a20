"""Corrections as people make them: whole sentences with all that was corrected in them, right words and wrong ones.

Each has the texts that are right, so that each of its edits has a label of its own: right if it puts in what one of
them has there, wrong if it puts in something else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from judges.corrections.make import Labelled, key_of, words_of
from training.errors import Errors
from training.misspell import misspell, misspellings
from training.sentence import Sentence
from usim.judge.corrections.words import FORMS, UNKNOWN, WordTable

#: The written pairs that are learned from: sentences of learners with corrections by several hands.
WRITTEN = tuple(Path(__file__).parents[1] / "written" / name for name in ("learners.tsv", "corrections.tsv"))
#: From this label on an output is right in all of its words.
_RIGHT = 0.9
#: How often a right word is replaced by a near one, and how often a name is misspelt or taken for a word.
_SPOILT, _NAMES = 0.5, 0.5
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_NAME = 1 << FORMS.index("NNP")

Near = Callable[[str, int], list[str]]


def written(path: Path) -> Iterator[Labelled]:
    """Read the written pairs of a file: source, output, label, kind in each line, a heading above."""
    of_source: dict[str, list[tuple[str, float]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        source, output, label, _ = line.split("\t")
        of_source.setdefault(source, []).append((output, float(label)))
    for source, outputs in of_source.items():
        right = tuple(output for output, label in outputs if label >= _RIGHT)
        for place, (output, label) in enumerate(outputs if right else ()):
            yield Labelled(source, output, int(label >= _RIGHT), key_of(source), place, "written", right)


class Wholes:
    """Makes whole corrected sentences from clean ones; ``near`` finds words that are written nearly like another."""

    def __init__(self, errors: Errors, words: WordTable, near: Near, seed: int) -> None:
        self._errors, self._words, self._near, self._seed = errors, words, near, seed
        self._known = misspellings()

    def of_sentence(self, sentence: Sentence) -> Iterator[Labelled]:
        """Make the corrections of a sentence: right as a whole, with a wrong word in it, and of names."""
        group = key_of(sentence.text)
        rng = random.Random(f"{self._seed}:whole:{group}")
        clean = " ".join(sentence.text.split())
        wrong = self._errors.put(sentence, rng)
        if wrong != clean:
            yield Labelled(wrong, clean, 1, group, 3000, "whole", (clean,))
            if rng.random() < _SPOILT and (spoilt := self._spoil(wrong, clean, rng)):
                yield Labelled(wrong, spoilt, 0, group, 3001, "whole", (clean,))
        yield from self._names(clean, group, rng)

    def _spoil(self, wrong: str, clean: str, rng: random.Random) -> str:
        """Put a word that is near a misspelling in the place of the right one; empty if there is none."""
        misspelt = [word for word in words_of(wrong) if self._words[word] is UNKNOWN and word.isalpha()]
        places = {match.group().lower(): match for match in _WORD.finditer(clean)}
        for word in rng.sample(misspelt, len(misspelt)):
            near = self._near(word, 5)
            if right := next((other for other in near if other in places), None):
                others = [other for other in near if other != right]
                if others:
                    return _put(clean, places[right], rng.choice(others[:3]))
        return ""

    def _names(self, clean: str, group: str, rng: random.Random) -> Iterator[Labelled]:
        """Take names that no list has for words, and correct misspelt names."""
        for match in _WORD.finditer(clean):
            name = match.group()
            if not (match.start() and name[:1].isupper() and name[1:].islower()) or rng.random() > _NAMES:
                continue
            entry = self._words[name.lower()]
            if entry is UNKNOWN:
                for other in self._near(name.lower(), 2)[:1]:
                    yield Labelled(clean, _put(clean, match, other), 0, group, 4000 + match.start(), "name", (clean,))
            elif entry.forms & _NAME:
                slip = misspell(name.lower(), self._known, rng)
                if self._words[slip] is UNKNOWN and slip.isalpha():
                    slipped = _put(clean, match, slip)
                    yield Labelled(slipped, clean, 1, group, 5000 + match.start(), "name", (clean,))


def _put(text: str, at: re.Match[str], word: str) -> str:
    word = word[:1].upper() + word[1:] if at.group()[:1].isupper() else word
    return text[: at.start()] + word + text[at.end() :]


def all_wholes(sentences: Sequence[Sentence], maker: Wholes) -> Iterator[Labelled]:
    """Yield the corrections of clean sentences, then the written ones."""
    for sentence in sentences:
        yield from maker.of_sentence(sentence)
    for path in WRITTEN:
        yield from written(path)
