"""Noise that makes clean text a little like learners' text; the tree of the sentence stays as it is."""

from __future__ import annotations

import random
from collections.abc import Sequence

from training.errors import Errors
from training.misspell import misspellings
from training.tagging import tags

#: How many kinds of errors are tried for a word until one fits.
_TRIES = 3
#: In how many of the noisy sentences there are no capitals.
_LOWER = 0.1


class Noise:
    """Errors in single words, at a rate.

    Args:
        sentences: the share of sentences that get any.
        words: the share of words that are changed in these, at most.
    """

    def __init__(self, sentences: float, words: float = 0.12) -> None:
        self._sentences, self._words = sentences, words
        self._errors = Errors(misspellings(), {})

    def __call__(self, tokens: Sequence[str], rng: random.Random) -> list[str]:
        """Return the tokens, some of them changed; always as many."""
        noisy = list(tokens)
        if rng.random() >= self._sentences:
            return noisy
        for k, (token, tag) in enumerate(zip(tokens, tags(tokens), strict=True)):
            if token.isalpha() and rng.random() < self._words:
                before = tokens[k - 1].lower() if k else ""
                tried = (self._errors.of_word(token.lower(), tag, before, rng) for _ in range(_TRIES))
                new = next((word for word in tried if word and " " not in word), token)
                noisy[k] = new.capitalize() if token[0].isupper() else new
        return [token.lower() for token in noisy] if rng.random() < _LOWER else noisy
