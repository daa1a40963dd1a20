"""What a text commits itself to, by its words: negation, modality, conditions, exceptions, sources, causes, bounds.

The table is ``commitments.tsv``: a kind, a class of it, and the phrases of the class. ``~`` before a phrase says that
it only may say so: it is a counterpart of other phrases of its kind, and no commitment of its own. ``v:`` says that its
first word is a verb, which stands in any of its forms. The rows ``conflict`` name the classes of a kind of which only
one can be true of one thing. Other tables of this form can be read, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from usim.lexicon.tables import read_tables
from usim.lexicon.wordnet import verb_lemmas


class Cue(NamedTuple):
    """A phrase in a text that commits it to something.

    Attributes:
        start: its first token.
        end: one past its last token.
        kind: what it says, such as ``condition``.
        name: its class among those of its kind, such as ``unless``.
        is_own: whether it says so by itself, and not only perhaps.
    """

    start: int
    end: int
    kind: str
    name: str
    is_own: bool

    @property
    def places(self) -> tuple[int, ...]:
        """The places of its tokens."""
        return tuple(range(self.start, self.end))


#: The table that is read by default.
TABLE = "commitments.tsv"


@cache
def _tables(table: str) -> dict[str, dict[str, str]]:
    return read_tables(table)


@cache
def conflicts(kind: str) -> frozenset[frozenset[str]]:
    """Return the pairs of classes of a kind that cannot both be true of one thing.

    >>> frozenset(("before", "after")) in conflicts("when")
    True
    """
    return frozenset(frozenset(pair.split()) for pair in _tables(TABLE)["conflict"][kind].split(", "))


@cache
def _phrases(table: str) -> dict[tuple[bool, str], list[tuple[tuple[str, ...], str, str, bool]]]:
    """Return the phrases, the longest first, by whether they begin with a verb and by their first word."""
    by_first: dict[tuple[bool, str], list[tuple[tuple[str, ...], str, str, bool]]] = {}
    for kind, classes in _tables(table).items():
        for name, phrases in classes.items() if kind != "conflict" else ():
            for entry in phrases.split(", "):
                is_verb = "v:" in entry[:3]
                words = tuple(entry.removeprefix("~").removeprefix("v:").lower().split())
                by_first.setdefault((is_verb, words[0]), []).append((words, kind, name, not entry.startswith("~")))
    for entries in by_first.values():
        entries.sort(key=lambda entry: (-len(entry[0]), not entry[3]))
    return by_first


@lru_cache(20000)
def _beginning_with(form: str, table: str) -> tuple[tuple[tuple[str, ...], str, str, bool], ...]:
    """Return the rest of each phrase that a form may begin, with its kind and class and whether it is its own."""
    firsts = [(False, form), *((True, lemma) for lemma in verb_lemmas(form))]
    found = [entry for first in firsts for entry in _phrases(table).get(first, ())]
    longest_first = sorted(found, key=lambda entry: -len(entry[0]))
    return tuple((words[1:], kind, name, is_own) for words, kind, name, is_own in longest_first)


def find_cues(words: Sequence[str], table: str = TABLE) -> list[Cue]:
    """Return the phrases of a table among words in lower case, in order; of each kind the longest at a place.

    >>> [(cue.kind, cue.name) for cue in find_cues("no more than 5".split()) if cue.is_own]
    [('bound', 'most'), ('negation', 'not'), ('quantifier', 'none'), ('quantifier', 'more')]
    """
    cues: list[Cue] = []
    last: dict[str, int] = {}
    for i, word in enumerate(words):
        for rest, kind, name, is_own in _beginning_with(word, table):
            end = i + 1 + len(rest)
            if last.get(kind, 0) <= i and (not rest or tuple(words[i + 1 : end]) == rest):
                cues.append(Cue(i, end, kind, name, is_own))
                last[kind] = end
    return cues
