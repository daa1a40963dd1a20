"""Learners' language: errors put into clean text, and sentences with errors on the way to their corrections."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache

from rapidfuzz.distance import Levenshtein

from judges.pairs.registry import Pair, Sources, maker, shuffled
from judges.pairs.words import by_frequency, content, put_lemma
from training.corpora import LONGEST, SHORTEST, Corrected, as_text
from training.errors import Errors
from training.misspell import british, misspell, misspellings
from training.sentence import Sentence
from usim.lexicon import relation
from usim.suggestions import Edit, apply
from usim.text import token_texts

#: How many words there are for each error, on average.
_WORDS_PER_ERROR = 7


@cache
def _errors() -> Errors:
    return Errors(misspellings(), british(), grammar=True)


def put_errors(text: str, rng: random.Random, errors: int | None = None) -> str:
    """Return a text with learners' errors, by default as many as suit its length; unchanged where none fits."""
    return _errors().put(Sentence.of(text), rng, errors)


def edits_between(text: str, other: str) -> tuple[Edit, ...]:
    """Return the edits that turn a text into another, word by word.

    >>> apply("He go to home .", edits_between("He go to home .", "He goes home now ."))
    'He goes home now .'
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
    """Put learners' errors into some of the sentences.

    Args:
        count: into how many errors are put.

    Returns:
        All sentences, those with errors now being corrections (:attr:`Sentence.learner`) of a group of their own; and
        the learners' sentences with their edits, as an M2 file would have them.
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


@maker("learner.errors", faithful=True, weight=6.0, noise=False)
def errors(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Put errors into a clean sentence; mostly the sentence with errors is the source."""
    for sentence in shuffled(sources.sentences, rng):
        count = min(8, max(1, round(rng.expovariate(1) * len(sentence) / 7)))
        erroneous = put_errors(sentence.text, rng, count)
        if erroneous == sentence.text:
            continue
        label = max(0.95, 0.99 - 0.005 * count)
        if rng.random() < 0.8:
            yield Pair(erroneous, sentence.text, label, "learner.errors", sentence.group)
        elif rng.random() < 0.5:
            yield Pair(sentence.text, erroneous, label - 0.02, "learner.errors-made", sentence.group)
        else:
            other = put_errors(sentence.text, rng)
            yield Pair(erroneous, other, label - 0.02, "learner.errors-both", sentence.group)


@maker("learner.corrected", faithful=True, weight=4.0, noise=False)
def corrected(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a learner's sentence with the sentence after some or all of its edits."""
    for item in shuffled((c for c in sources.corrected if SHORTEST <= len(c.source.split()) <= LONGEST), rng):
        seen = {item.source}
        for _ in range(2):
            some = rng.random() < 0.5
            before = [e for e in item.edits if some and rng.random() < 0.4]
            after = [e for e in item.edits if e in before or not some or rng.random() < 0.6]
            source, target = (as_text(apply(item.tokenised, edits)) for edits in (before, after))
            if source != target and target not in seen:
                seen.add(target)
                yield Pair(source, target, 0.975, "learner.corrected", item.source)


@cache
def _vocabulary() -> dict[tuple[str, str], list[str]]:
    """Return common words by part of speech and first letter."""
    vocabulary: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (part, _), words in by_frequency().items():
        for word in words:
            if len(word) > 3:
                vocabulary[part, word[0]].append(word)
    return dict(vocabulary)


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


@maker("learner.misread", faithful=False, weight=1.5, noise=False)
def misread(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Correct a misspelt word to another word than was meant, and other errors as they should be."""
    for sentence in shuffled(sources.sentences, rng):
        for i, base, tag, part, _ in content(sentence, rng, "nva"):
            options = resembling(base, part)
            if len(base) < 4 or not options:
                continue
            wrong = put_lemma(sentence, i, rng.choice(options), tag)
            source = sentence.overwrite(i, i + 1, misspell(sentence.words[i], misspellings(), rng))
            if rng.random() < 0.6:
                source = put_errors(source, rng)
            yield Pair(source, wrong, 0.1, "learner.misread", sentence.group)
            break
