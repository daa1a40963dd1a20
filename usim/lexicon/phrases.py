"""Phrases of tables of words, found in texts.

A line of such a table has a kind, a class of it, and the phrases of the class, with commas between them:

- ``commitments.tsv``: what a text commits itself to: negation, modality, conditions, exceptions, sources, bounds. The
  rows ``conflict`` name the classes of a kind of which only one can be true of one thing.
- ``equivalents.tsv``: phrases that say the same: British and American, short and long, formal and spoken, idioms.
- ``function.tsv``: phrases whose words are all of function.

``~`` before a phrase says that it only may say so: it is a counterpart of other phrases of its kind, and no commitment
of its own. ``v:`` says that its first word is a verb, which stands in any of its forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from usim.lexicon.tables import read_tables
from usim.lexicon.wordnet import verb_lemmas

COMMITMENTS = "commitments.tsv"
EQUIVALENTS = "equivalents.tsv"
FUNCTION = "function.tsv"


class Phrase(NamedTuple):
    """A phrase of a table in a text.

    Attributes:
        start: its first token.
        end: one past its last token.
        text: the phrase as in the table.
        kind: what it says, such as ``condition``.
        name: its class among those of its kind, such as ``unless``.
        is_own: whether it says so by itself, and not only perhaps.
    """

    start: int
    end: int
    text: tuple[str, ...]
    kind: str
    name: str
    is_own: bool

    @property
    def places(self) -> tuple[int, ...]:
        """The places of its tokens."""
        return tuple(range(self.start, self.end))


@cache
def _entries(table: str) -> dict[tuple[bool, str], list[Phrase]]:
    """Return the phrases of a table, each as if it began a text, by whether its first word is a verb, and that word."""
    by_first: dict[tuple[bool, str], list[Phrase]] = {}
    for kind, classes in read_tables(table).items():
        for name, phrases in classes.items() if kind != "conflict" else ():
            for phrase in phrases.split(", "):
                text = tuple(phrase.removeprefix("~").removeprefix("v:").lower().split())
                entry = Phrase(0, len(text), text, kind, name, not phrase.startswith("~"))
                by_first.setdefault(("v:" in phrase[:3], text[0]), []).append(entry)
    for entries in by_first.values():
        entries.sort(key=lambda entry: not entry.is_own)
    return by_first


@lru_cache(20000)
def _beginning_with(form: str, table: str) -> list[Phrase]:
    """Return the phrases that a form may begin, the longest first."""
    firsts = [(False, form), *((True, lemma) for lemma in verb_lemmas(form))]
    found = [entry for first in firsts for entry in _entries(table).get(first, ())]
    return sorted(found, key=lambda entry: -entry.end)


def find_phrases(words: Sequence[str], table: str) -> Iterator[Phrase]:
    """Yield the phrases of a table among words in lower case, in order, the longest first.

    >>> [(p.start, p.end) for p in find_phrases("they put off the match , e.g. ours".split(), EQUIVALENTS)]
    [(1, 3), (6, 7)]
    """
    for i, word in enumerate(words):
        for entry in _beginning_with(word, table):
            end = i + entry.end
            if entry.end == 1 or tuple(words[i + 1 : end]) == entry.text[1:]:
                yield entry._replace(start=i, end=end)


def find_cues(words: Sequence[str]) -> list[Phrase]:
    """Return what words in lower case commit a text to, in order; of each kind the longest phrase at a place.

    >>> [(cue.kind, cue.name) for cue in find_cues("no more than 5".split()) if cue.is_own]
    [('bound', 'most'), ('negation', 'not'), ('quantifier', 'none'), ('quantifier', 'more')]
    """
    cues: list[Phrase] = []
    last: dict[str, int] = {}
    for phrase in find_phrases(words, COMMITMENTS):
        if last.get(phrase.kind, 0) <= phrase.start:
            cues.append(phrase)
            last[phrase.kind] = phrase.end
    return cues


@cache
def conflicts(kind: str) -> frozenset[frozenset[str]]:
    """Return the pairs of classes of a kind that cannot both be true of one thing.

    >>> frozenset(("before", "after")) in conflicts("when")
    True
    """
    return frozenset(frozenset(pair.split()) for pair in read_tables(COMMITMENTS)["conflict"][kind].split(", "))
