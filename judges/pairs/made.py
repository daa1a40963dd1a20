"""Learners' sentences that the project makes: errors put into clean sentences, free to use for anything."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from judges.pairs.learners import noisy
from judges.pairs.steps import edits_between
from training.corpora import Corrected, written
from training.sentence import Sentence

#: One error for so many words, on average.
_WORDS_PER_ERROR = 7


def with_errors(
    sentences: Sequence[Sentence], count: int, seed: int
) -> tuple[tuple[Sentence, ...], tuple[Corrected, ...]]:
    """Put learners' errors into some of the sentences.

    Args:
        sentences: clean sentences.
        count: into how many errors are put.
        seed: the same gives the same errors.

    Returns:
        All sentences, those with errors now being corrections (:attr:`Sentence.learner`) of a group of their own; and
        the learners' sentences with their edits, as an M2 file would have them.
    """
    rng = random.Random(f"errors:{seed}")
    chosen = set(rng.sample(range(len(sentences)), min(count, len(sentences))))
    corrected: list[Corrected] = []
    marked = list(sentences)
    for k in sorted(chosen):
        sentence = sentences[k]
        errors = max(1, min(6, round(rng.expovariate(1) * len(sentence) / _WORDS_PER_ERROR)))
        tokens, clean_tokens = (
            " ".join(t.text for t in Sentence.of(text).tokens)
            for text in (noisy(sentence.text, rng, errors), sentence.text)
        )
        edits = edits_between(tokens, clean_tokens)
        if not edits:
            continue
        learner = written(tokens)
        corrected.append(Corrected(learner, tokens, edits))
        marked[k] = replace(sentence, group=learner, learner=learner)
    return tuple(marked), tuple(corrected)
