"""Make suggestions, right and wrong ones: errors put into clean sentences, and what a grammar checker proposes.

Each suggestion is a pair of texts with a label: whether it brings the text nearer to the clean one, in words. Beside
those of Harper there are words that are written nearly like the misspelling, other forms of the right word, and right
words that are "corrected" into wrong ones.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA, Levenshtein

from training.errors import Errors
from training.forms import form
from training.sentence import Sentence
from training.statistics import grouped
from usim.spelling.words import WordTable

WORD = re.compile(r"\w+(?:['’]\w+)*")
_TAGS = ("NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBZ")


class Labelled(NamedTuple):
    """A suggestion.

    Attributes:
        label: 1 if it is nearer to the clean text, which the group is the key of, else 0.
        origin: ``harper``; ``near``, ``form``, ``right``: a near word, another form of the right word, the right word;
            ``fine``: a right word "corrected"; others: see :mod:`judges.corrections.wholes`.
        right: texts that are right in all of their words; where there are any, each edit is labelled by them.
    """

    source: str
    output: str
    label: int
    group: str
    origin: str
    right: Sequence[str] = ()


def key_of(text: str) -> str:
    """Return the key of a sentence: what decides its order and its part."""
    return hashlib.sha1(text.encode()).hexdigest()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, as the distance to the clean text counts them."""
    return [word.replace("’", "'") for word in WORD.findall(text.lower())]


def put_word(text: str, at: re.Match[str], word: str) -> str:
    """Return the text with a word in the place of another one, with a capital if that has one."""
    word = word[:1].upper() + word[1:] if at.group()[:1].isupper() else word
    return text[: at.start()] + word + text[at.end() :]


class Maker:
    """Makes suggestions from clean sentences; near words are taken from the table of words."""

    def __init__(self, errors: Errors, words: WordTable, seed: int) -> None:
        from harper import Linter

        self._linter: Any = Linter()
        self._errors, self._seed, self._words = errors, seed, words
        known = (word for word in words.above(0) if word.isalpha() and len(word) > 1)
        self._common = grouped((word[0], word) for word in known if words[word].frequency >= 3)

    def of_sentence(self, sentence: Sentence) -> Iterator[Labelled]:
        """Make the suggestions of a sentence."""
        group = key_of(sentence.text)
        rng = random.Random(f"{self._seed}:{group}")
        text = " ".join(sentence.text.split())
        wrong = self._errors.put(sentence, rng)
        seen: set[tuple[str, str]] = set()
        for suggestion in (*self._checked(wrong, text, group), *self._beside(wrong, text, group, rng)):
            if (suggestion.source, suggestion.output) not in seen:
                seen.add((suggestion.source, suggestion.output))
                yield suggestion

    def _checked(self, wrong: str, clean: str, group: str) -> Iterator[Labelled]:
        for lint in self._linter.lint(wrong):
            for suggestion in list(lint.suggestions)[:5]:
                output = self._linter.apply_suggestion(wrong, lint, suggestion)
                yield from _labelled(wrong, output, clean, group, "harper")

    def _beside(self, wrong: str, clean: str, group: str, rng: random.Random) -> Iterator[Labelled]:
        """Yield suggestions that no checker made, for the words that are wrong and for some that are right."""
        a, b = words_of(wrong), words_of(clean)
        places = list(WORD.finditer(wrong))
        for op in Levenshtein.opcodes(a, b):
            if op.tag == "equal" or op.src_end - op.src_start != 1:
                continue
            at = places[op.src_start]
            written = a[op.src_start]
            meant = " ".join(b[op.dest_start : op.dest_end])
            options = [(word, "near") for word in self.near(written, 6)[: rng.choice((0, 1, 2, 3))]]
            forms = sorted({form(meant, tag) for tag in _TAGS} - {meant}) if meant.isalpha() else []
            options += [(rng.choice(forms), "form")] if forms and rng.random() < 0.5 else []
            options += [(meant, "right")] if meant and rng.random() < 0.4 else []
            for word, origin in options:
                yield from _labelled(wrong, put_word(wrong, at, word), clean, group, origin)
        for k in rng.sample(range(len(places)), min(2, len(places))):
            word = a[k]
            if word in b and len(word) > 2 and self._words[word].forms and rng.random() < 0.35:
                for other in self.near(word, 3)[:1]:
                    yield from _labelled(wrong, put_word(wrong, places[k], other), clean, group, "fine")

    def near(self, written: str, count: int) -> list[str]:
        """Return words that are written nearly like another, the more frequent first among equals."""
        if not written:
            return []
        candidates = self._common.get(written[0], [])
        most = 1 if len(written) < 5 else 2
        near = process.extract(written, candidates, scorer=OSA.distance, score_cutoff=most, limit=40)
        ranked = sorted((d, -self._words[w].frequency, w) for w, d, _ in near if w != written)
        return [word for _, _, word in ranked[:count]]


def _labelled(source: str, output: str, clean: str, group: str, origin: str) -> Iterator[Labelled]:
    """Yield a change with whether it brings a text nearer to the clean one, if any word changes."""
    a, b, c = words_of(source), words_of(output), words_of(clean)
    if a != b:
        yield Labelled(source, output, int(Levenshtein.distance(b, c) < Levenshtein.distance(a, c)), group, origin)
