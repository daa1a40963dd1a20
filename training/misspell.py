"""Misspell words: by the pairs of codespell, and by rules of keys, sounds, endings and slips."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from training.tables import Table
from usim.spelling.spelling import NEAR_KEYS

#: How a learner may write a sound: a pattern, and what stands in its place.
_SOUND = tuple(
    (re.compile(pattern), tuple(way.replace("-", "") for way in ways))
    for pattern, *ways in Table(Path(__file__).with_suffix(".txt")).rows("sounds")
)
_NEAR: Mapping[str, str] = {
    a: "".join(sorted(b for x, b in NEAR_KEYS if x == a)) for a in sorted({a for a, _ in NEAR_KEYS})
}
_VOWELS = "aeiou"

Rule = Callable[[str, random.Random], str]


def by_sound(word: str, rng: random.Random) -> str:
    """Write a part of a word otherwise, nearly as it sounds."""
    hits = [(match, ways) for pattern, ways in _SOUND for match in pattern.finditer(word) if match.end() > 1]
    if not hits:
        return word
    # Longer spellings of a sound are likelier than single letters.
    match, ways = rng.choices(hits, [1 + 2 * len(m.group()) for m, _ in hits])[0]
    return word[: match.start()] + rng.choice(ways) + word[match.end() :]


def lose(word: str, rng: random.Random) -> str:
    """Leave a letter out, rarely the first."""
    k = rng.randrange(1, len(word)) if len(word) > 1 and rng.random() < 0.95 else 0
    return word[:k] + word[k + 1 :]


def write_once(word: str, rng: random.Random) -> str:
    """Write a doubled letter once."""
    places = [k for k in range(1, len(word)) if word[k] == word[k - 1]]
    if not places:
        return lose(word, rng)
    k = rng.choice(places)
    return word[:k] + word[k + 1 :]


def double(word: str, rng: random.Random) -> str:
    """Double a letter, mostly a consonant between vowels."""
    places = [
        k
        for k in range(1, len(word))
        if word[k] not in _VOWELS and word[k - 1] in _VOWELS and word[k] not in (word[k - 1], word[k + 1 : k + 2])
    ]
    k = rng.choice(places) if places and rng.random() < 0.8 else rng.randrange(len(word))
    return word[:k] + word[k] + word[k:]


def add(word: str, rng: random.Random) -> str:
    """Put a letter in: a vowel, or one from beside it on the keyboard."""
    k = rng.randrange(1, len(word) + 1)
    letter = rng.choice(_VOWELS) if rng.random() < 0.6 else rng.choice(_NEAR.get(word[k - 1], "e"))
    return word[:k] + letter + word[k:]


def swap(word: str, rng: random.Random) -> str:
    """Swap two neighbours, rarely the first two."""
    if len(word) < 3:
        return word[::-1]
    k = rng.randrange(1 if rng.random() < 0.9 else 0, len(word) - 1)
    return word[:k] + word[k + 1] + word[k] + word[k + 2 :]


def beside(word: str, rng: random.Random) -> str:
    """Hit a key beside the right one."""
    k = rng.randrange(len(word))
    return word[:k] + rng.choice(_NEAR.get(word[k], "e")) + word[k + 1 :]


def vowel(word: str, rng: random.Random) -> str:
    """Write another vowel."""
    places = [k for k, letter in enumerate(word) if letter in _VOWELS]
    if not places:
        return lose(word, rng)
    k = rng.choice(places)
    return word[:k] + rng.choice(_VOWELS.replace(word[k], "")) + word[k + 1 :]


_RULES: tuple[tuple[Rule, float], ...] = (
    (by_sound, 7), (lose, 3), (write_once, 1.5), (double, 1.5), (add, 1.2), (swap, 2), (beside, 0.8), (vowel, 2),
)  # fmt: skip


def misspell(word: str, known: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    """Return a misspelling, perhaps one that is known, of a word in lower case, or the word where none comes out."""
    seen = known.get(word)
    if seen and rng.random() < 0.45:
        return rng.choice(seen)
    slips = 1 + (len(word) > 4 and rng.random() < 0.3) + (len(word) > 7 and rng.random() < 0.2)
    wrong = word
    for _ in range(slips):
        rule = rng.choices([r for r, _ in _RULES], [w for _, w in _RULES])[0]
        if len(wrong) > 1:
            wrong = rule(wrong, rng)
    return wrong


def _codespell(name: str) -> Iterator[tuple[str, str]]:
    """Yield what is written and what is meant, from a dictionary of codespell's, where there is one correction."""
    import codespell_lib

    path = Path(codespell_lib.__file__).parent / "data" / name
    for line in path.read_text(encoding="utf-8").splitlines():
        written, _, correction = line.partition("->")
        if correction and "," not in correction:
            yield written.strip(), correction.strip()


@cache
def misspellings() -> dict[str, tuple[str, ...]]:
    """Return right words and phrases → their misspellings, sorted."""
    pairs: dict[str, set[str]] = {}
    for wrong, right in _codespell("dictionary.txt"):
        pairs.setdefault(right.lower(), set()).add(wrong.lower())
    return {right: tuple(sorted(pairs[right])) for right in sorted(pairs)}


def british() -> dict[str, str]:
    """Return British spellings → American ones."""
    return dict(_codespell("dictionary_en-GB_to_en-US.txt"))
