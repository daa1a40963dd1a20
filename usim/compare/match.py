"""Pairs of content words of which one stands for the other, and the names of their relations."""

from __future__ import annotations

from typing import NamedTuple

from usim.lexicon import WordRelation

#: From this share of the senses on, a direct antonym counts as the opposite though the words share a sense, too.
_OPPOSITE_SHARE = 0.02
#: From this similarity by Lin on, words without another relation are called related.
_RELATED_LIN = 0.5


class Match(NamedTuple):
    """A content word and the one that stands for it.

    Attributes:
        source, target: their positions.
        relation: what WordNet knows of them.
        chars: the similarity of their letters, in [0, 1].
        cosine: the cosine of their vectors; NaN without vectors.
        spelling: whether one of them is taken for a misspelling of the other.
        equivalent: whether they, or phrases that they begin, say the same by the table of equivalents.
    """

    source: int
    target: int
    relation: WordRelation
    chars: float
    cosine: float
    spelling: bool
    equivalent: bool = False


def lexical_relation(match: Match) -> str:
    """Return the name of the relation between the words of a match.

    It is ``spelling``, ``form`` (of the same word), ``equivalent`` (phrases of one meaning), ``synonym``, ``derived``,
    ``opposite``, ``similar``, ``broader``, ``narrower``, ``sibling``, ``related``, ``unrelated`` or ``unknown``.
    """
    r = match.relation
    if match.spelling:
        return "spelling"
    if match.equivalent:
        return "equivalent"
    if not r.known:
        return "unknown"
    if r.same_lemma:
        return "form"
    if r.antonym == "direct" and r.antonym_share >= _OPPOSITE_SHARE:
        return "opposite"
    if r.synonym:
        return "synonym"
    if r.derived:
        return "derived"
    if r.antonym:
        return "opposite"
    if r.similar:
        return "similar"
    if r.hypernym:
        return "broader" if r.hypernym > 0 else "narrower"
    if r.sibling:
        return "sibling"
    return "related" if r.entails or r.part or r.lin >= _RELATED_LIN else "unrelated"
