"""Learners' language: errors put into clean text, and sentences with errors on the way to their corrections."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from rapidfuzz.distance import Levenshtein

from judges.pairs.pair import Pair
from judges.pairs.registry import maker
from judges.pairs.sources import Sources
from judges.pairs.words import by_frequency, content, placed
from training.corpora import LONGEST, SHORTEST, written
from training.errors import Errors
from training.forms import LETTER
from training.misspell import british, misspell, misspellings
from training.sentence import Sentence
from usim.lexicon import relation
from usim.suggestions import apply


@cache
def _errors() -> Errors:
    return Errors(misspellings(), british(), grammar=True)


def noisy(text: str, rng: random.Random, errors: int | None = None) -> str:
    """Return a text with errors as learners make them, so many or by its length; unchanged where none are possible."""
    return _errors().put(Sentence.of(text), rng, errors)


@maker("learner.errors", faithful=True, weight=6.0, noise=False)
def errors(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Put errors into a clean sentence; mostly the sentence with errors is the source."""
    pool = list(sources.sentences)
    rng.shuffle(pool)
    for sentence in pool:
        count = min(8, max(1, round(rng.expovariate(1) * len(sentence) / 7)))
        erroneous = noisy(sentence.text, rng, count)
        if erroneous == sentence.text:
            continue
        label = max(0.95, 0.99 - 0.005 * count)
        if rng.random() < 0.8:
            yield Pair(erroneous, sentence.text, label, "learner.errors", sentence.group)
        elif rng.random() < 0.5:
            yield Pair(sentence.text, erroneous, label - 0.02, "learner.errors-made", sentence.group)
        else:
            other = noisy(sentence.text, rng)
            yield Pair(erroneous, other, label - 0.02, "learner.errors-both", sentence.group)


@maker("learner.corrected", faithful=True, weight=4.0, noise=False)
def corrected(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a learner's sentence with the sentence after some or all of its edits."""
    pool = [c for c in sources.corrected if _fits(c.source)]
    rng.shuffle(pool)
    for item in pool:
        seen = {item.source}
        for _ in range(2):
            some = rng.random() < 0.5
            one = [e for e in item.edits if some and rng.random() < 0.4]
            two = [e for e in item.edits if e in one or not some or rng.random() < 0.6]
            source, target = (written(apply(item.tokenised, edits)) for edits in (one, two))
            if source != target and target not in seen:
                seen.add(target)
                yield Pair(source, target, 0.975, "learner.corrected", item.source)


@cache
def _vocabulary() -> dict[tuple[str, str], list[str]]:
    """Return common words by part of speech and first letter."""
    vocabulary: dict[tuple[str, str], list[str]] = {}
    for (part, _), words in by_frequency().items():
        for word in words:
            if len(word) > 3:
                vocabulary.setdefault((part, word[0]), []).append(word)
    return vocabulary


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
    pool = list(sources.sentences)
    rng.shuffle(pool)
    for sentence in pool:
        for i, base, tag, _ in content(sentence, rng, "nva"):
            options = resembling(base, LETTER[tag[:2]])
            if len(base) < 4 or not options:
                continue
            wrong = placed(sentence, i, rng.choice(options), tag)
            token = sentence.tokens[i]
            spelt = misspell(sentence.words[i], misspellings(), rng)
            source = sentence.text[: token.start] + spelt + sentence.text[token.end :]
            if rng.random() < 0.6:
                source = noisy(source, rng)
            yield Pair(source, wrong, 0.1, "learner.misread", sentence.group)
            break


def _fits(text: str) -> bool:
    return SHORTEST <= len(text.split()) <= LONGEST
