"""Noise that makes clean text a little like learners' text; the tree of the sentence stays as it is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SWAPS = {
    "a": ("an", "the"),
    "an": ("a", "the"),
    "the": ("a", "this"),
    "is": ("are", "be"),
    "are": ("is", "be"),
    "was": ("were", "is"),
    "were": ("was", "are"),
    "has": ("have", "had"),
    "have": ("has", "had"),
    "do": ("does",),
    "does": ("do",),
    "in": ("on", "at"),
    "on": ("in", "at"),
    "at": ("in", "on"),
    "to": ("for", "too"),
    "for": ("to",),
    "of": ("for", "from"),
    "this": ("these",),
    "these": ("this",),
    "their": ("there",),
    "there": ("their",),
    "its": ("it's",),
    "than": ("then",),
    "then": ("than",),
    "your": ("you",),
    "much": ("many",),
    "many": ("much",),
}


@dataclass(frozen=True)
class Noise:
    """Noise at a rate.

    Attributes:
        sentences: the share of sentences that get any.
        words: the share of words that are changed in these.
    """

    sentences: float = 0.25
    words: float = 0.12

    def __call__(self, tokens: Sequence[str], rng: random.Random) -> list[str]:
        """Return the tokens, some of them changed; always as many."""
        if rng.random() >= self.sentences:
            return list(tokens)
        noisy = [self._changed(t, rng) if t.isalpha() and rng.random() < self.words else t for t in tokens]
        if rng.random() < 0.1:
            noisy = [t.lower() for t in noisy]
        return noisy

    @staticmethod
    def _changed(token: str, rng: random.Random) -> str:
        swaps = _SWAPS.get(token.lower())
        if swaps:
            return rng.choice(swaps)
        if len(token) < 4:
            return token
        kind = rng.randrange(6)
        i = rng.randrange(1, len(token) - 1)
        if kind == 0:  # two letters change places
            return token[:i] + token[i + 1] + token[i] + token[i + 2 :]
        if kind == 1:  # one is missing
            return token[:i] + token[i + 1 :]
        if kind == 2:  # one is doubled
            return token[:i] + token[i] + token[i:]
        if kind == 3:  # another letter
            return token[:i] + rng.choice(_LETTERS) + token[i + 1 :]
        for ending in ("ing", "ed", "s"):  # another form
            if token.endswith(ending) and len(token) > len(ending) + 2:
                return token[: -len(ending)]
        return token + rng.choice(("s", "ed", "ing"))
