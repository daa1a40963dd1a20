"""Learners' language: errors put into clean text, and words that are taken for others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache

from rapidfuzz.distance import Levenshtein

from judges.pairs.words import by_frequency
from training.corpora import Corrected, as_text
from training.errors import Errors
from training.misspell import british, misspellings
from training.sentence import Sentence
from training.statistics import grouped
from usim.lexicon import relation
from usim.suggestions import Edit
from usim.text import token_texts

_WORDS_PER_ERROR = 7


@cache
def _errors() -> Errors:
    return Errors(misspellings(), british(), grammar=True)


def put_errors(text: str, rng: random.Random, errors: int | None = None) -> str:
    """Return a text with learners' errors, by default as many as suit its length; unchanged where none fits."""
    return _errors().put(Sentence.of(text), rng, errors)


def edits_between(text: str, other: str) -> tuple[Edit, ...]:
    """Return the edits that turn a text into another, word by word.

    >>> edits_between("He go to home .", "He goes home .")
    (Edit(start=3, end=8, new='goes'),)
    """
    words, new = text.split(" "), other.split(" ")
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    edits = []
    for kind, i, j, k, m in SequenceMatcher(None, words, new, autojunk=False).get_opcodes():
        put = " ".join(new[k:m])
        if kind == "replace":
            edits.append(Edit(starts[i], starts[j] - 1, put))
        elif kind == "delete":
            edits.append(Edit(starts[i] - 1, starts[j] - 1, "") if i else Edit(0, min(starts[j], len(text)), ""))
        elif kind == "insert":
            edits.append(Edit(starts[i] - 1, starts[i] - 1, f" {put}") if i else Edit(0, 0, f"{put} "))
    return tuple(edits)


def with_errors(
    sentences: Sequence[Sentence], count: int, seed: int
) -> tuple[tuple[Sentence, ...], tuple[Corrected, ...]]:
    """Put learners' errors into so many of the sentences.

    Returns all, those with errors now being corrections (:attr:`Sentence.learner`) of a group of their own; and the
    learners' sentences with their edits, as an M2 file would have them.
    """
    rng = random.Random(f"errors:{seed}")
    learners: list[Corrected] = []
    marked = list(sentences)
    for k in sorted(rng.sample(range(len(sentences)), min(count, len(sentences)))):
        sentence = sentences[k]
        errors = max(1, min(6, round(rng.expovariate(1) * len(sentence) / _WORDS_PER_ERROR)))
        both = (put_errors(sentence.text, rng, errors), sentence.text)
        tokens, clean_tokens = (" ".join(token_texts(text)) for text in both)
        if edits := edits_between(tokens, clean_tokens):
            learner = as_text(tokens)
            learners.append(Corrected(learner, tokens, edits))
            marked[k] = replace(sentence, group=learner, learner=learner)
    return tuple(marked), tuple(learners)


@cache
def _vocabulary() -> dict[tuple[str, str], list[str]]:
    known = ((part, word) for (part, _), words in by_frequency().items() for word in words)
    return grouped(((part, word[0]), word) for part, word in known if len(word) > 3)


def resembling(base: str, part: str) -> list[str]:
    """Return common words that are spelled nearly like another but have another meaning."""
    most = 1 if len(base) < 6 else 2
    near = [
        word
        for word in _vocabulary().get((part, base[0]), ())
        if word != base
        and abs(len(word) - len(base)) <= most
        and Levenshtein.distance(word, base, score_cutoff=most) <= most
    ]
    known = ((word, relation(base, word)) for word in near)
    return [w for w, r in known if not (r.synonym or r.derived or r.same_lemma or r.similar) and r.path < 0.25]
