"""Words and phrases that say the same: British and American, short and long, formal and spoken, idioms.

The table is ``equivalents.txt``: a line has the phrases of one meaning, with `` = `` between them. ``v:`` before a
phrase says that its first word is a verb, which stands in any of its forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from usim.lexicon.tables import WRITING
from usim.lexicon.wordnet import verb_lemmas

#: Words that are in so many phrases that they announce none.
_COMMON = WRITING["common"]


#: No phrase of the table has more words.
LONGEST = 8


class Phrase(NamedTuple):
    """An occurrence of a phrase: its first token, one past its last, the phrase as in the table, and its meanings."""

    start: int
    end: int
    text: tuple[str, ...]
    meanings: frozenset[int]


@cache
def _tables() -> tuple[Mapping[tuple[bool, str], list[tuple[tuple[str, ...], frozenset[int]]]], frozenset[str]]:
    """Return the phrases with their meanings, by whether they begin with a verb and by that word; and the anchors."""
    meanings: dict[tuple[bool, tuple[str, ...]], set[int]] = {}
    path = Path(__file__).with_suffix(".txt")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if not line or line.startswith("#"):
            continue
        for entry in line.split(" = "):
            is_verb = entry.startswith("v:")
            phrase = tuple(entry.removeprefix("v:").split())
            meanings.setdefault((is_verb, phrase), set()).add(number)
    by_first: dict[tuple[bool, str], list[tuple[tuple[str, ...], frozenset[int]]]] = {}
    words: set[str] = set()
    by_number: dict[int, list[tuple[str, ...]]] = {}
    for (is_verb, phrase), numbers in meanings.items():
        by_first.setdefault((is_verb, phrase[0]), []).append((phrase, frozenset(numbers)))
        words.update(w for w in phrase if w not in _COMMON or len(phrase) == 1)
        by_number.update((number, [*by_number.get(number, ()), phrase]) for number in numbers)
    for phrases in by_number.values():  # fill in = fill out: only words of many phrases change
        for phrase, other in product(phrases, repeat=2):
            difference = set(phrase) ^ set(other)
            if not difference & words:
                words |= difference
    return by_first, frozenset(words)


def anchors() -> frozenset[str]:
    """Return words and lemmas; where a phrase is replaced by an equivalent, at least one of them changes."""
    return _tables()[1]


def find_phrases(words: Sequence[str], starts: Iterable[int] | None = None) -> list[Phrase]:
    """Return the phrases of the table among words in lower case, in order; of those that begin at ``starts`` alone.

    >>> [(p.start, p.end) for p in find_phrases("they put off the match , e.g. ours".split())]
    [(1, 3), (6, 7)]
    """
    phrases = []
    for i in range(len(words)) if starts is None else starts:
        for phrase, meanings, rest in _beginning_with(words[i]):
            if not rest or tuple(words[i + 1 : i + 1 + len(rest)]) == rest:
                phrases.append(Phrase(i, i + 1 + len(rest), phrase, meanings))
    return phrases


@lru_cache(20000)
def _beginning_with(form: str) -> tuple[tuple[tuple[str, ...], frozenset[int], tuple[str, ...]], ...]:
    """Return the phrases that a form may begin, their meanings, and their words behind it."""
    by_first, _ = _tables()
    firsts = [(False, form), *((True, lemma) for lemma in verb_lemmas(form))]
    return tuple((phrase, own, phrase[1:]) for first in firsts for phrase, own in by_first.get(first, ()))
