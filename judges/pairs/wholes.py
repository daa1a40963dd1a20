"""Changes of whole sentences: another sentence, words shuffled, half of it lost, nothing changed."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from judges.pairs.registry import Change, Pair, Sources, edit, maker, shuffled
from training.sentence import Sentence

_CONJUNCTION = re.compile(r",? (and|but|because|so|although|while|which|when|if|after|before) ")


@maker("whole.unrelated", faithful=False, weight=1.2)
def unrelated(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair any two sentences, of like length more often than not."""
    pool = sorted(sources.sentences, key=lambda s: (len(s) + rng.random() * 20, s.text))
    order = list(range(len(pool) - 1))
    rng.shuffle(order)
    for i in order:
        sentence, other = pool[i], rng.choice(pool) if rng.random() < 0.3 else pool[i + 1]
        if sentence.group != other.group:
            yield Pair(sentence.text, other.text, 0.0, "whole.unrelated", sentence.group)


@maker("whole.same-topic", faithful=False, weight=1.5)
def same_topic(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair two sentences of one document."""
    for sentence in shuffled(sources.sentences, rng):
        other = rng.choice(sources.by_topic[sentence.topic])
        if sentence.topic and other.group != sentence.group:
            yield Pair(sentence.text, other.text, 0.02, "whole.same-topic", sentence.group)


@maker("whole.same-words", faithful=False, weight=1.5)
def same_words(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Pair a sentence with another one that shares the most of its rarer words."""
    index: dict[str, list[int]] = defaultdict(list)
    for k, sentence in enumerate(sources.sentences):
        for word in set(sentence.words):
            if len(word) > 3:
                index[word].append(k)
    for sentence in shuffled(sources.sentences, rng):
        places = (index[word] for word in sorted(set(sentence.words)) if word in index)
        shared = Counter(k for of_word in places if 1 < len(of_word) <= 300 for k in of_word)
        nearest = [sources.sentences[k] for k, count in shared.most_common(4) if count >= 2]
        others = [s for s in nearest if s.group != sentence.group and s.text != sentence.text]
        if others:
            yield Pair(sentence.text, rng.choice(others).text, 0.03, "whole.same-words", sentence.group)


@edit("whole.shuffled", faithful=False, weight=0.6, both_ways=False)
def shuffle(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Put all words in any order."""
    words = sentence.text.split()
    if len(words) >= 6:
        yield Change(" ".join(shuffled(words, rng)), 0.06)


@edit("whole.truncated", faithful=False, weight=1.0, both_ways=False)
def truncate(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Lose the end, the beginning or the middle."""
    n = len(sentence)
    if n < 9:
        return
    keep = rng.uniform(0.3, 0.7)
    label = 0.04 if keep < 0.5 else 0.1
    if rng.random() < 0.6:
        end = int(n * keep)
        text = sentence.slice(0, end).rstrip(",;: ") + ("." if rng.random() < 0.7 else "")
    elif rng.random() < 0.5:
        begin = n - int(n * keep)
        text = sentence.text[sentence.tokens[begin].start :]
        text = text[0].upper() + text[1:]
    else:
        i = rng.randint(2, n // 3)
        j = i + int(n * (1 - keep))
        if j >= n - 1:
            return
        text = sentence.slice(0, i) + " " + sentence.text[sentence.tokens[j].start :]
    yield Change(text, label)


@edit("whole.clause", faithful=False, weight=1.0)
def keep_clause(sentence: Sentence, rng: random.Random, sources: Sources) -> Iterator[Change]:
    """Keep one clause of two."""
    conjunctions = [m for m in _CONJUNCTION.finditer(sentence.text) if 15 < m.start() < len(sentence.text) - 20]
    if not conjunctions or '"' in sentence.text:
        return
    match = rng.choice(conjunctions)
    rest = sentence.text[match.end() :]
    if match.group(1) in ("and", "but", "so") and rng.random() < 0.4 and re.match(r"(he|she|it|they|we|I|the) ", rest):
        yield Change(rest[0].upper() + rest[1:], 0.12)
    label = 0.18 if match.start() > 0.6 * len(sentence.text) else 0.1
    yield Change(sentence.text[: match.start()].rstrip(",") + ".", label)


@maker("whole.identical", faithful=True, weight=0.4, noise=False)
def identical(sources: Sources, rng: random.Random) -> Iterator[Pair]:
    """Change nothing."""
    for sentence in shuffled(sources.sentences, rng):
        yield Pair(sentence.text, sentence.text, 1.0, "whole.identical", sentence.group)
