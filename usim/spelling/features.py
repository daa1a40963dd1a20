"""The figures by which a right correction is told from a wrong one: of both words, and of the words around them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA, Prefix

from usim.lexicon import are_variants
from usim.spelling.edits import WordEdit, has_letter, words_in
from usim.spelling.spelling import DISTANCES, Channel, distances, sound
from usim.spelling.words import FORMS, NAME, UNKNOWN, WordEntry, WordTable

Floats = npt.NDArray[np.float32]

#: How far away the words are whose groups are looked up with that of the word in question.
OFFSETS = (-2, -1, 1, 2)
#: The group of what is before the first and behind the last word.
EDGE = 1
#: The endings that are told apart, the longest first.
ENDINGS = ("tion", "ness", "ment", "ing", "est", "ies", "ed", "es", "ly", "er", "al", "s", "y", "e", "d", "t")

_SUBJECTS = frozenset("i you we they he she it who that this there".split())
_PLURAL_SUBJECTS = frozenset("i you we they these those".split())
TO_VERB = frozenset(
    "to can could will would shall should may might must do does did don't doesn't didn't can't won't "
    "cannot couldn't wouldn't let's not".split()
)
BE_OR_HAVE = frozenset("am is are was were be been being have has had having isn't aren't wasn't weren't".split())
_DETERMINERS = frozenset("the a an this that these those my your his her its our their some any no every each".split())
_ONE = frozenset("a an this that every each another one".split())
_MANY = frozenset("these those many few several both two three four five some all most various".split())
_PREPOSITIONS = frozenset("of in on at by for with from about into without through between".split())
_VOWELS = frozenset("aeiou")
#: The least frequency of a rival, as :class:`usim.spelling.words.WordEntry` counts.
_LEAST = 2.8
#: So many of the words that are nearest by letters and frequency are weighed, out of so many that are near.
_WEIGHED, _NEAR = 7, 40
#: A rival is at most so much longer or shorter.
_LONGER = 2
#: What a factor of ten in frequency is worth, as a natural logarithm.
_PER_TEN = 1.6
#: The rivals of so many misspellings are remembered.
_REMEMBERED = 4096


class Rival(NamedTuple):
    """A word that a misspelling may stand for; the weight is the logarithm of its probability, up to a constant."""

    word: str
    entry: WordEntry
    weight: float


class Tables:
    """What the features are computed with.

    Args:
        words: the table of words.
        channel: the costs of misspelling.
        contexts: (4, groups, groups) pointwise mutual information of the groups of two words that are as far apart as
            :data:`OFFSETS` says; the first is that of the word in question.
    """

    def __init__(self, words: WordTable, channel: Channel, contexts: Floats) -> None:
        self.words, self.channel, self.contexts = words, channel, contexts
        self._index: dict[tuple[str, int], list[str]] = {}
        for word in words.above(_LEAST):
            if word.isalpha():
                self._index.setdefault((word[0], len(word)), []).append(word)
        self.rivals = lru_cache(_REMEMBERED)(self._rivals)

    def _rivals(self, written: str) -> tuple[Rival, ...]:
        """Return the most probable words for a misspelling in lower case, in no particular order."""
        n = len(written)
        letters = dict.fromkeys((written[:1], written[1:2], sound(written)[:1]))
        near: list[str] = []
        for letter in letters:
            for length in range(max(1, n - _LONGER), n + _LONGER + 1):
                near += self._index.get((letter, length), ())
        cutoff = 1 if n < 4 else 2 if n < 8 else 3
        hits = process.extract(written, near, scorer=OSA.distance, score_cutoff=cutoff, limit=_NEAR)
        entries = [(word, self.words[word], distance) for word, distance, _ in hits]
        entries = [item for item in entries if item[1].forms != NAME]
        entries.sort(key=lambda item: (2.5 * item[2] - item[1].frequency, item[0]))
        nearest = ((word, entry) for word, entry, _ in entries[:_WEIGHED])
        return tuple(Rival(word, entry, _weight(self.channel.cost(word, written), (entry,))) for word, entry in nearest)


def _weight(cost: float, entries: Sequence[WordEntry]) -> float:
    """Return the weight of words for what is written, see :class:`Rival`, from the cost of the slip."""
    return -cost + _PER_TEN * min(entry.frequency for entry in entries)


_NAMES_OF_SIDE = ("frequency", "words", "capital", "ending")
_NAMES_OF_CONTEXT = (
    *(f"context {offset:+d}" for offset in OFFSETS), "context", "after to", "after be or have", "after determiner",
    "after one", "after many", "after preposition", "after subject", "after plural subject", "article fits", "first",
    "last", "before frequency", "after frequency", "unknown around", "known around",
)  # fmt: skip
_NAMES_OF_RIVALS = (
    "rivals", "share", "share in context", "behind best", "behind best in context", "rank", "rank in context",
    "best is nearer", "best frequency", "common beginning with best", "common ending with best", "best knows ending",
)  # fmt: skip
#: The names of the features, in order.
NAMES: tuple[str, ...] = (
    *DISTANCES, "cost", "cost of letter", *(f"old {name}" for name in _NAMES_OF_SIDE),
    *(f"new {name}" for name in _NAMES_OF_SIDE), *(f"new form {name}" for name in FORMS), "frequency gain",
    "same letters and marks", "same ending of words",
    *_NAMES_OF_CONTEXT, *(f"gain of context {offset:+d}" for offset in OFFSETS), "gain of context", "capitals beside",
    "other edits", *_NAMES_OF_RIVALS,
)  # fmt: skip


def edit_features(
    tables: Tables, source: Sequence[str], output: Sequence[str], edit: WordEdit, edits: int = 1
) -> Floats:
    """Return the features of one of the edits between the words of two sentences, as :data:`NAMES` names them.

    They are float32 (features,); ``edits`` is the number of edits.
    """
    (i, j), (k, m) = edit
    old_words, new_words = words_in(source[i:j]), words_in(output[k:m])
    old, new = " ".join(old_words), " ".join(new_words)
    old_entries, new_entries = [tables.words[w] for w in old_words], [tables.words[w] for w in new_words]
    cost = tables.channel.cost(new, old)
    # As they stand after all changes: other mistakes are corrected there.
    around = [_word(output, k - 2), _word(output, k - 1), _word(output, m), _word(output, m + 1)]
    entries = [tables.words[word] for word in around]
    groups = [entry.group if word else EDGE for word, entry in zip(around, entries, strict=True)]
    old_fit, new_fit = _fit(tables, old_entries, groups), _fit(tables, new_entries, groups)
    before, after = around[1], around[2]
    old_side, new_side = _side(old_entries, source[i:j], i), _side(new_entries, output[k:m], k)
    initial = new[:1]
    values = [
        *distances(old, new), cost, cost / max(len(new), 1), *old_side, *new_side,
        *(new_entries[-1].forms >> bit & 1 for bit in range(len(FORMS))), new_side[0] - old_side[0],
        _bare(old) == _bare(new), old_side[-1] == new_side[-1], *new_fit,
        before in TO_VERB, before in BE_OR_HAVE, before in _DETERMINERS, before in _ONE, before in _MANY,
        before in _PREPOSITIONS, before in _SUBJECTS, before in _PLURAL_SUBJECTS,
        0 if before not in ("a", "an") else 1 if (initial in _VOWELS) == (before == "an") else -1,
        i == 0, not has_letter(after), entries[1].frequency, entries[2].frequency,
        sum(has_letter(word) and entry is UNKNOWN for word, entry in zip(around, entries, strict=True)),
        sum(entry is not UNKNOWN for entry in entries), *(b - a for a, b in zip(old_fit, new_fit, strict=True)),
        sum(word[:1].isupper() for word in (source[i - 1] if i > 1 else "", source[j] if j < len(source) else "")),
        edits - 1, *_among_rivals(tables, old, new, new_entries, cost, groups, new_fit[-1]),
    ]  # fmt: skip
    return np.array(values, np.float32)


def is_same_word(word: str, other: str) -> bool:
    """Return whether two words in lower case are one, perhaps spelt the British and the American way."""
    return word == other or are_variants(word, other)


def _word(words: Sequence[str], place: int) -> str:
    return words[place].lower() if 0 <= place < len(words) else ""


def _bare(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


def _side(entries: Sequence[WordEntry], words: Sequence[str], place: int) -> list[float]:
    """Return the features of the words of one side; the last of them has the ending."""
    last = words[-1].lower()
    ending = next((n for n, end in enumerate(ENDINGS, 1) if last.endswith(end) and len(last) > len(end) + 1), 0)
    return [min(entry.frequency for entry in entries), len(words), words[0][:1].isupper() and place > 0, ending]


def _fit(tables: Tables, entries: Sequence[WordEntry], groups: Sequence[int]) -> list[float]:
    """Return how well words fit between the groups around them, at each offset, and in all."""
    first, last = entries[0].group, entries[-1].group
    contexts = tables.contexts
    sides = [first if offset < 0 else last for offset in OFFSETS]
    values = [float(contexts[n, side, group]) for n, (side, group) in enumerate(zip(sides, groups, strict=True))]
    return [*values, sum(values)]


def _among_rivals(
    tables: Tables, old: str, new: str, entries: Sequence[WordEntry], cost: float, groups: Sequence[int], fit: float
) -> list[float]:
    """Return how probable the new words are among all that the old ones may stand for."""
    own = _weight(cost, entries)
    rivals = [rival for rival in tables.rivals(old) if not is_same_word(rival.word, new)]
    if not rivals:
        return [0.0, 0.0, 0.0, -20.0, -20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    alone = [rival.weight for rival in rivals]
    fits = [weight + _fit(tables, (rival.entry,), groups)[-1] for weight, rival in zip(alone, rivals, strict=True)]
    own_fit = own + fit
    best = rivals[max(range(len(rivals)), key=fits.__getitem__)]
    return [
        len(rivals),
        own - np.logaddexp.reduce([own, *alone]),
        own_fit - np.logaddexp.reduce([own_fit, *fits]),
        max(alone) - own,
        max(fits) - own_fit,
        sum(weight > own for weight in alone),
        sum(weight > own_fit for weight in fits),
        OSA.distance(old, new) - OSA.distance(old, best.word),
        best.entry.frequency,
        Prefix.similarity(best.word, new) / max(len(new), 1),
        best.word[-2:] == new[-2:],
        best.word[-2:] == old[-2:],
    ]
