"""Relations between two words, as WordNet has them.

>>> relation("hot", "cold").antonym
'direct'
>>> relation("cars", "automobile").synonym, relation("went", "goes").same_lemma
(True, True)
>>> relation("dog", "animal").hypernym > 0, relation("flurb", "dog").known
(True, False)
"""

from __future__ import annotations

from functools import lru_cache
from math import log1p
from typing import NamedTuple

from usim.lexicon.wordnet import Word, WordNet


class WordRelation(NamedTuple):
    """The relations between two words, a and b; what depends on a sense holds for the senses that fit best.

    Attributes:
        known: WordNet has both.
        same_lemma: they are forms of one lemma.
        synonym: they share a synset.
        rank_a, rank_b: the best rank of a shared synset among the senses of either, from 1; 0 if none is shared.
        share_a, share_b: how much of what was tagged of either is in shared synsets, in [0, 1].
        antonym: ``"direct"``: WordNet opposes them; ``"indirect"``: it opposes words of their synsets, adjectives
            similar to them, or words that they are derived from; ``""``.
        antonym_share: of direct antonyms the smaller share of the opposed senses of either, in [0, 1].
        hypernym: by how many steps b is more general than a; negative where a is more general; 0 if neither.
        sibling: they share a hypernym of the next level.
        similar: adjectives of one group, or verbs or adjectives that WordNet refers from one to the other.
        derived: one is derived from the other, or both from a third.
        entails: one entails or causes the other.
        part: one is a part, member or substance of the other.
        path: 1 / (1 + steps between them through hypernyms), in [0, 1]; 1 for synonyms.
        wup: Wu and Palmer's similarity (1994), in [0, 1].
        lin: Lin's similarity (1998) by the counts in WordNet's own texts, in [0, 1].
        frequency_a, frequency_b: log(1 + how often their lemmas were tagged there).
    """

    known: bool = False
    same_lemma: bool = False
    synonym: bool = False
    rank_a: int = 0
    rank_b: int = 0
    share_a: float = 0.0
    share_b: float = 0.0
    antonym: str = ""
    antonym_share: float = 0.0
    hypernym: int = 0
    sibling: bool = False
    similar: bool = False
    derived: bool = False
    entails: bool = False
    part: bool = False
    path: float = 0.0
    wup: float = 0.0
    lin: float = 0.0
    frequency_a: float = 0.0
    frequency_b: float = 0.0


def word(form: str) -> Word:
    """Return what WordNet knows about a word or a phrase in any form; see :class:`usim.lexicon.Word`."""
    return WordNet.shipped().word(form)


def frequency(form: str) -> float:
    """Return log(1 + how often the lemmas of a form were tagged in WordNet's texts); 0 for an unknown word."""
    return log1p(word(form).count)


@lru_cache(16384)
def relation(a: str, b: str, pos: str | None = None) -> WordRelation:
    """Return the relations between two words or phrases in any of their forms.

    Args:
        a, b: the words; case makes no difference.
        pos: ``"n"``, ``"v"``, ``"a"`` or ``"r"``: only senses of this part of speech count.

    Raises:
        ValueError: there is no such part of speech.
    """
    if pos is not None and pos not in ("n", "v", "a", "r"):
        raise ValueError(f"a part of speech is n, v, a or r, not {pos!r}")
    net = WordNet.shipped()
    x, y = net.word(a), net.word(b)
    if pos is not None:
        x, y = x.only(pos), y.only(pos)
    frequencies = WordRelation(frequency_a=log1p(x.count), frequency_b=log1p(y.count))
    if x.form == y.form:
        same = frequencies._replace(same_lemma=True, path=1.0, wup=1.0, lin=1.0)
        if not x.known:
            return same
        return same._replace(known=True, synonym=True, rank_a=1, rank_b=1, share_a=1.0, share_b=1.0)
    if not (x.known and y.known):
        return frequencies

    same_lemma = not x.lemmas.isdisjoint(y.lemmas)
    shared = x.senses.keys() & y.senses.keys()
    ranks, shares = (0, 0), (0.0, 0.0)
    if shared:
        ranks = min(x.senses[s][0] for s in shared), min(y.senses[s][0] for s in shared)
        shares = min(1.0, sum(x.senses[s][1] for s in shared)), min(1.0, sum(y.senses[s][1] for s in shared))
    antonym, antonym_share = ("", 0.0) if same_lemma else _antonym(x, y)
    derived = not (
        x.derived.isdisjoint(y.lemmas) and y.derived.isdisjoint(x.lemmas) and x.derived.isdisjoint(y.derived)
    )

    up, down = x.above, y.above
    common = [s for s in down if s in up] if len(down) < len(up) else [s for s in up if s in down]
    hypernym, sibling, path, wup, lin = 0, False, 0.0, 0.0, 0.0
    nearest = -1
    for s in common:
        i, from_a = up[s]
        j, from_b = down[s]
        if i + j <= nearest or nearest < 0:
            nearest = i + j
        if i == j == 1:
            sibling = True
        if (j == 0 < i or i == 0 < j) and (not hypernym or i + j < abs(hypernym)):
            hypernym = i - j
        deep = 2.0 * (net.depth(s) + 1)
        wup = max(wup, deep / (deep + i + j))
        both = net.information(from_a) + net.information(from_b)
        if both:
            lin = max(lin, min(1.0, 2.0 * net.information(s) / both))
    if nearest >= 0:
        path = 1.0 / (1.0 + nearest)
    if shared:
        path = wup = lin = 1.0
        hypernym, sibling = 0, False
    return WordRelation(
        True,
        same_lemma,
        bool(shared),
        *ranks,
        *shares,
        antonym,
        antonym_share,
        hypernym,
        sibling,
        _are_linked(x, y, "similar") or not x.similar.isdisjoint(y.similar) or _are_linked(x, y, "see"),
        derived,
        _are_linked(x, y, "entails"),
        _are_linked(x, y, "part"),
        path,
        wup,
        lin,
        *frequencies[-2:],
    )


def _are_linked(x: Word, y: Word, name: str) -> bool:
    return not (x.linked(name).isdisjoint(y.senses) and y.linked(name).isdisjoint(x.senses))


def _antonym(x: Word, y: Word) -> tuple[str, float]:
    opposed = [lemma for lemma in y.lemmas if lemma in x.antonyms]
    if opposed:
        share_in_x = max(x.antonyms[lemma] for lemma in opposed)
        share_in_y = max((y.antonyms[lemma] for lemma in x.lemmas if lemma in y.antonyms), default=share_in_x)
        return "direct", min(share_in_x, share_in_y)
    usual = x.usual
    if not (x.opposed_synsets.isdisjoint(y.usual) and y.opposed_synsets.isdisjoint(usual)):
        return "indirect", 0.0
    # growth, shrink: through a word that one of them is derived from
    if any(lemma in y.lemmas or lemma in y.derived for lemma in x.opposed_by_derivation):
        return "indirect", 0.0
    if any(lemma in x.lemmas for lemma in y.opposed_by_derivation):
        return "indirect", 0.0
    return "", 0.0
