"""Converse verbs: two verbs that tell one event from either side, *buy* and *sell*."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from usim.lexicon.wordnet import WordNet

_PAIRS = [
    frozenset(pair.split())
    for pair in (
        "buy sell, purchase sell, lend borrow, loan borrow, give receive, give get, hand receive, send receive,"
        " teach learn, lead follow, precede follow, own belong, possess belong, frighten fear, scare fear, please like,"
        " beat lose, defeat lose, inherit leave, inherit bequeath, employ work, hire work, rent let, export import,"
        " tell hear, cause result, pay charge, grant obtain, grant receive, give take"
    ).split(",")
]
#: For a lemma those of its converses.
CONVERSES: Mapping[str, frozenset[str]] = {
    lemma: frozenset[str]().union(*(pair for pair in _PAIRS if lemma in pair)) - {lemma}
    for lemma in frozenset[str]().union(*_PAIRS)
}


@lru_cache(20000)
def converses(form: str) -> frozenset[str]:
    """Return the lemmas of the converses of a verb in any of its forms; empty for most.

    >>> sorted(converses("bought")), sorted(converses("walked"))
    (['sell'], [])
    """
    return frozenset[str]().union(*(CONVERSES[lemma] for lemma in _lemmas(form) if lemma in CONVERSES))


@lru_cache(20000)
def _lemmas(form: str) -> frozenset[str]:
    net = WordNet.shipped()
    return frozenset(net.lemma(n) for n in net.lemmas(form, "v"))


def are_converse(form: str, other: str) -> bool:
    """Return whether two forms are of converse verbs.

    >>> are_converse("bought", "sells"), are_converse("bought", "walks")
    (True, False)
    """
    return not converses(form).isdisjoint(_lemmas(other))
