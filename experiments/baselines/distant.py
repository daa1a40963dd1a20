"""Training data for word suggestions from any sentences: the distant supervision of Smart Word Suggestions.

Wang et al. (2023) take sentences of Wikipedia, find the words that a thesaurus and PPDB have synonyms for, and draw one
synonym for each (``get_sws_ds.py``). Their models are trained on these the other way round: the sentence with the
synonyms is what a learner wrote, and the original words are what would be better. Here synonyms get the form of their
targets and are put into the sentence as a writer would; the result for a sentence depends on the seed, its name and its
words, not on the sentences before it.

>>> from experiments.baselines.thesaurus import table
>>> finder = Finder(table({"tale": {"NOUN": ["account"]}, "tell": {"VERB": ["narrate"]}}, "mine"))
>>> worsened(finder, "1", "She told a tale.").text
'She narrated an account.'
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, NamedTuple

from experiments.baselines.targets import Finder, Replaceable
from usim.suggestions import put
from usim.text import tokenise


class Replaced(NamedTuple):
    """A word or phrase of the new sentence, its place in words, and the one of the original that it replaces."""

    start: int
    end: int
    new: str
    old: str


@dataclass(frozen=True)
class WorsenedSentence:
    """A sentence with synonyms, its words and replacements, from left to right, and the original; ``id`` names it."""

    id: str
    original: str
    text: str
    words: tuple[str, ...]
    targets: tuple[Replaced, ...]

    def as_sws(self) -> dict[str, Any]:
        """Return a record of the benchmark: the original words are suggestions with a vote; type 1: it is worse."""
        return {
            "id": self.id,
            "sentence": self.text,
            "sentence_split": list(self.words),
            "substitutes": [[[target.start, target.end], {target.old: 1}, 1] for target in self.targets],
            "original": self.original,
        }

    def as_published(self) -> dict[str, Any]:
        """Return the original with a synonym for each target, as in the authors' training data."""
        return {
            "sent": self.original,
            "targets": [target.old for target in self.targets],
            "substitutes": [target.new for target in self.targets],
        }


def worsened(finder: Finder, name: str, sentence: str, *, seed: int = 0, rate: float = 1.0) -> WorsenedSentence | None:
    """Replace at most the share ``rate`` of a sentence's words; return None where nothing in it has a synonym."""
    tokens = tokenise(sentence)
    draw = random.Random(f"{seed}:{name}:{sentence}")
    drawn: list[tuple[Replaceable, str]] = []
    for target in finder.targets([token.text for token in tokens]):
        old = sentence[tokens[target.start].start : tokens[target.end - 1].end].lower()
        # A synonym that contains the target, or is a part of it, would not be another word.
        if candidates := [s for s in target.synonyms if s.lower() not in old and old not in s.lower()]:
            drawn.append((target, draw.choice(candidates)))
    most = max(1, int(len(tokens) * rate))
    if len(drawn) > most:
        drawn = [drawn[place] for place in sorted(draw.sample(range(len(drawn)), most))]
    text = sentence
    spans: list[tuple[int, int, str]] = []
    clear = len(text)
    # From right to left, so that the targets that remain stay where they are.
    for target, synonym in reversed(drawn):
        start, end = tokens[target.start].start, tokens[target.end - 1].end
        placed = put(text, start, end, synonym) if end <= clear else None
        # Leave out a target where another one's article or clitic has changed, or where nothing changes.
        if placed is None or not placed.edits:
            continue
        old = text[start:end]
        moved = len(placed.text) - len(text)
        reach = max(edit.end for edit in placed.edits)
        spans = [(a + moved, b + moved, was) for a, b, was in spans if a >= reach]
        spans.append((placed.start, placed.end, old))
        text, clear = placed.text, min(edit.start for edit in placed.edits)
    return _example(name, sentence, text, spans[::-1])


def _example(name: str, sentence: str, text: str, spans: list[tuple[int, int, str]]) -> WorsenedSentence | None:
    tokens = tokenise(text)
    begins = {token.start: place for place, token in enumerate(tokens)}
    ends = {token.end: place + 1 for place, token in enumerate(tokens)}
    targets = tuple(
        Replaced(begins[start], ends[end], text[start:end], old)
        for start, end, old in spans
        if start in begins and end in ends
    )
    return WorsenedSentence(name, sentence, text, tuple(token.text for token in tokens), targets) if targets else None
