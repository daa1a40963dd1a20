"""Relations between two words, as WordNet has them.

>>> relation("hot", "cold").antonym
'direct'
>>> relation("cars", "automobile").synonym, relation("went", "goes").same_lemma
(True, True)
>>> relation("dog", "animal").hypernym > 0, relation("flurb", "dog").known
(True, False)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import log1p

from usim.lexicon.wordnet import Word, WordNet


class WordRelation:
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

    known = same_lemma = synonym = sibling = similar = derived = entails = part = False
    rank_a = rank_b = hypernym = 0
    share_a = share_b = antonym_share = path = wup = lin = 0.0
    antonym = ""

    def __init__(self, x: Word, y: Word) -> None:
        self.frequency_a, self.frequency_b = log1p(x.count), log1p(y.count)
        if x.form == y.form:
            self.same_lemma, self.path, self.wup, self.lin = True, 1.0, 1.0, 1.0
            if x.known:
                self.known = self.synonym = True
                self.rank_a, self.rank_b, self.share_a, self.share_b = 1, 1, 1.0, 1.0
        elif x.known and y.known:
            self.known = True
            self.same_lemma = not x.lemmas.isdisjoint(y.lemmas)
            if not self.same_lemma:
                self.antonym, self.antonym_share = _antonym(x, y)
            self.derived = not (x.derived.isdisjoint(y.lemmas | y.derived) and y.derived.isdisjoint(x.lemmas))
            is_linked = _are_linked(x, y, "similar") or _are_linked(x, y, "see")
            self.similar = is_linked or not x.similar.isdisjoint(y.similar)
            self.entails, self.part = _are_linked(x, y, "entails"), _are_linked(x, y, "part")
            if shared := x.senses.keys() & y.senses.keys():
                self.synonym = True
                self.rank_a, self.rank_b = (min(w.senses[s][0] for s in shared) for w in (x, y))
                self.share_a, self.share_b = (min(1.0, sum(w.senses[s][1] for s in shared)) for w in (x, y))
                self.path = self.wup = self.lin = 1.0
            else:
                self._climb(x.above, y.above)

    def _climb(self, up: Mapping[int, tuple[int, int]], down: Mapping[int, tuple[int, int]]) -> None:
        """Compare what is above either word."""
        net = WordNet.shipped()
        nearest = -1
        for s in [s for s in down if s in up] if len(down) < len(up) else [s for s in up if s in down]:
            i, from_a = up[s]
            j, from_b = down[s]
            if i + j <= nearest or nearest < 0:
                nearest = i + j
            if i == j == 1:
                self.sibling = True
            if (j == 0 < i or i == 0 < j) and (not self.hypernym or i + j < abs(self.hypernym)):
                self.hypernym = i - j
            deep = 2.0 * (net.depth(s) + 1)
            self.wup = max(self.wup, deep / (deep + i + j))
            both = net.information(from_a) + net.information(from_b)
            if both:
                self.lin = max(self.lin, min(1.0, 2.0 * net.information(s) / both))
        if nearest >= 0:
            self.path = 1.0 / (1.0 + nearest)


@lru_cache(16384)
def relation(a: str, b: str) -> WordRelation:
    """Return the relations between two words or phrases in any of their forms; case makes no difference."""
    net = WordNet.shipped()
    return WordRelation(net.word(a), net.word(b))


def _are_linked(x: Word, y: Word, name: str) -> bool:
    return not (x.linked[name].isdisjoint(y.senses) and y.linked[name].isdisjoint(x.senses))


def _antonym(x: Word, y: Word) -> tuple[str, float]:
    opposed = [lemma for lemma in y.lemmas if lemma in x.antonyms]
    if opposed:
        share_in_x = max(x.antonyms[lemma] for lemma in opposed)
        share_in_y = max((y.antonyms[lemma] for lemma in x.lemmas if lemma in y.antonyms), default=share_in_x)
        return "direct", min(share_in_x, share_in_y)
    if not (x.opposed_synsets.isdisjoint(y.usual) and y.opposed_synsets.isdisjoint(x.usual)):
        return "indirect", 0.0
    # growth, shrink: through a word that one of them is derived from
    opposed_by_x, opposed_by_y = x.opposed_by_derivation, y.opposed_by_derivation
    is_derived = opposed_by_x & (y.lemmas | y.derived) or opposed_by_y & x.lemmas
    return "indirect" if is_derived else "", 0.0
