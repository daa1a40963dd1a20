"""The two ends of the scale: unrelated sentences and plain negations, and nearly identical sentences.

A data set of its own (``--only ends.``), so that it counts as much as it should, however many other pairs there are.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

from judges.pairs.registry import Pair, Sources, apply_edit, maker, shuffled
from training.sentence import Sentence
from training.statistics import grouped

_PLAIN = 13
_CLOSING = re.compile(r"[.!?]+$")


@maker("ends.unrelated", faithful=False, weight=6.0, alone=True)
def unrelated(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair any two sentences."""
    pool = list(sources.sentences)
    for sentence in rng.sample(pool, len(pool)):
        other = rng.choice(pool)
        if sentence.group != other.group and sentence.topic != other.topic:
            yield Pair(sentence.text, other.text, 0.0, "ends.unrelated", sentence.group)


@maker("ends.short", faithful=False, weight=2.5, alone=True)
def short(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair two short sentences, or a short one with any."""
    pool = [s for s in sources.sentences if len(s) <= 9]
    every = list(sources.sentences)
    for sentence in rng.sample(pool, len(pool)):
        other = rng.choice(pool if rng.random() < 0.7 else every)
        if sentence.group != other.group:
            yield Pair(*rng.sample((sentence.text, other.text), 2), 0.0, "ends.short", sentence.group)


@maker("ends.like-length", faithful=False, weight=3.0, alone=True)
def like_length(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair any two sentences, of like length more often than not."""
    pool = sorted(sources.sentences, key=lambda s: (len(s) + rng.random() * 20, s.text))
    order = list(range(len(pool) - 1))
    rng.shuffle(order)
    for i in order:
        sentence, other = pool[i], rng.choice(pool) if rng.random() < 0.3 else pool[i + 1]
        if sentence.group != other.group:
            yield Pair(sentence.text, other.text, 0.0, "ends.like-length", sentence.group)


@maker("ends.same-topic", faithful=False, weight=2.0, alone=True)
def same_topic(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair two sentences of one document."""
    by_topic = grouped((sentence.topic, sentence) for sentence in sources.sentences)
    for sentence in shuffled(sources.sentences, rng):
        other = rng.choice(by_topic[sentence.topic])
        if sentence.topic and other.group != sentence.group:
            yield Pair(sentence.text, other.text, 0.01, "ends.same-topic", sentence.group)


@maker("ends.same-words", faithful=False, weight=1.5, alone=True)
def same_words(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a sentence with another one that shares the most of its rarer words."""
    known = ((word, k) for k, sentence in enumerate(sources.sentences) for word in set(sentence.words))
    index = grouped((word, k) for word, k in known if len(word) > 3)
    for sentence in shuffled(sources.sentences, rng):
        places = (index[word] for word in sorted(set(sentence.words)) if word in index)
        shared = Counter(k for of_word in places if 1 < len(of_word) <= 300 for k in of_word)
        nearest = [sources.sentences[k] for k, count in shared.most_common(4) if count >= 2]
        others = [s for s in nearest if s.group != sentence.group and s.text != sentence.text]
        if others:
            yield Pair(sentence.text, rng.choice(others).text, 0.02, "ends.same-words", sentence.group)


@maker("ends.negated", faithful=False, weight=4.0, alone=True)
def negate(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Negate a short sentence, or take its negation away; nothing else is changed."""
    pool = [s for s in sources.sentences if len(s) <= _PLAIN]
    for sentence in rng.sample(pool, len(pool)):
        edits = (apply_edit(name, sentence, rng, sources) for name in ("negation.added", "negation.removed"))
        if new := next(filter(None, edits), None):
            sides = (sentence.text, new.text) if rng.random() < 0.6 else (new.text, sentence.text)
            yield Pair(*sides, 0.01, "ends.negated", sentence.group)


def _respell(sentence: Sentence, rng: random.Random) -> str:
    """Return a sentence with other capitals, quotation marks, blanks or closing marks."""
    text = sentence.text
    closing = text[-1:] in ".!"
    options = [
        text.lower(),
        text[:1].lower() + text[1:] if text[:1].isupper() else text[:1].upper() + text[1:],
        text.upper() if len(sentence) < 15 else text.lower(),
        _CLOSING.sub("", text) if closing else text + ".",
        text[:-1] + "!" if text.endswith(".") else text + ".",
        text.replace('"', "'") if '"' in text else text.replace("'", "’"),
        text.replace(" - ", " – ").replace(";", ","),
        text.replace("do not", "don't").replace("is not", "isn't").replace("It is", "It's").replace("I am", "I'm"),
        text.replace(", ", " ", 1),
        " ".join(t.text for t in sentence.tokens),
    ]
    return rng.choice([o for o in options if o != text] or [text.lower()])


@maker("ends.respelled", faithful=True, alone=True)
def respell(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Change capitals, marks and blanks alone."""
    pool = [s for s in sources.sentences if not s.text.endswith("?")]
    for sentence in rng.sample(pool, len(pool)):
        new = _respell(sentence, rng)
        sides = (sentence.text, new) if rng.random() < 0.7 else (new, sentence.text)
        yield Pair(*sides, 0.985, "ends.respelled", sentence.group)
