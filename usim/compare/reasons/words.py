"""Content words that gave way to another: to an opposite, a looser or narrower word, or one without relation."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.match import Match, lexical_relation
from usim.compare.reasons.reason import LEAST_WEIGHT, Claimed, Reason, make_reason

#: Words of little content, such as *come* and *go*: the choice between them is often a matter of idiom.
LIGHT_OPPOSITE_WEIGHT = 0.35
LIGHT_WEIGHT = 0.15
#: Verbs of another certainty: *suggest*, *prove*.
EVIDENCE_WEIGHT = 0.55
#: An antonym; a word that is similar to an antonym.
OPPOSITE_WEIGHT = 0.9
INDIRECT_OPPOSITE_WEIGHT = 0.65
#: Words of one of these relations.
RELATION_WEIGHTS = {"derived": 0.1, "similar": 0.3, "sibling": 0.5, "related": 0.5}
#: A synonym: at least; more, the rarer the shared sense is; the same where one word is also derived from the other.
SYNONYM_WEIGHT = 0.02
SYNONYM_RARITY_WEIGHT = 0.4
DERIVED_SYNONYM_RARITY_WEIGHT = 0.1
#: A broader word: at once, a step, at most. A narrower word likewise.
BROADER_WEIGHTS = (0.15, 0.05, 0.4)
NARROWER_WEIGHTS = (0.35, 0.05, 0.6)
#: Words without relation: without similarity by Lin, and less by so much at similarity 1.
UNRELATED_WEIGHT = 0.75
LIN_WEIGHT = 0.3
#: A word that WordNet does not know; one in the changed sentence that takes the place of a known one.
UNKNOWN_WEIGHT = 0.5
NEW_UNKNOWN_WEIGHT = 0.65
#: At most this where the words may be a misspelling: letters very similar or the stem the same; letters similar.
SAME_LETTERS = (0.75, 0.35)
SIMILAR_LETTERS = (0.6, 0.5)
#: At most this where one word is of little content; this where both are words of degree.
LIGHT_UNRELATED_WEIGHT = 0.45
DEGREE_WEIGHT = 0.2
#: From this weight on, words without relation are called unrelated.
UNRELATED_FROM = 0.5

#: What the encoder may change: the bounds of the factor; usual cosines of matches and of their neighbours; how much
#: more a neighbour's cosine counts.
VECTOR_FACTORS = (0.6, 1.3)
USUAL_COSINE = 0.7
USUAL_NEIGHBOUR_COSINE = 0.95
NEIGHBOUR_SLOPE = 1.5


def detect_words(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find content words that gave way to one that means something else."""
    reasons = []
    for m in comparison.matches:
        if m.source in claimed.source or m.target in claimed.target:
            continue
        kind, weight = substitution_cost(comparison, m)
        if weight >= LEAST_WEIGHT:
            reasons.append(make_reason(comparison, kind, (m.source,), (m.target,), weight))
    return reasons


def substitution_cost(comparison: Comparison, m: Match) -> tuple[str, float]:
    """Return the kind of reason that a match gives, and its weight: 0 for a form or another spelling of the word."""
    how = lexical_relation(m)
    if how in ("spelling", "form", "equivalent"):
        return "sense", 0.0
    x, y = comparison.source.entries[m.source], comparison.target.entries[m.target]
    if x.is_light and y.is_light:
        return ("opposite", LIGHT_OPPOSITE_WEIGHT) if how == "opposite" else ("sense", LIGHT_WEIGHT)
    if x.evidence and y.evidence and x.evidence != y.evidence:
        return "modality", EVIDENCE_WEIGHT
    if how == "opposite":
        return "opposite", OPPOSITE_WEIGHT if m.relation.antonym == "direct" else INDIRECT_OPPOSITE_WEIGHT
    if how in ("unrelated", "unknown"):
        weight = _unrelated_weight(comparison, m, how) * _vector_factor(comparison, m)
        return ("unrelated" if weight >= UNRELATED_FROM else "sense"), weight
    return "sense", _related_weight(m, how) * _vector_factor(comparison, m)


def _unrelated_weight(comparison: Comparison, m: Match, how: str) -> float:
    x, y = comparison.source.entries[m.source], comparison.target.entries[m.target]
    weight = UNRELATED_WEIGHT - LIN_WEIGHT * m.relation.lin
    if how == "unknown":
        weight = NEW_UNKNOWN_WEIGHT if x.word.known and not y.word.known else UNKNOWN_WEIGHT
    if m.chars >= SAME_LETTERS[0] or _has_same_stem(x.form, y.form):  # real words are misspelt, too
        return min(weight, SAME_LETTERS[1])
    if m.chars >= SIMILAR_LETTERS[0]:
        return min(weight, SIMILAR_LETTERS[1])
    if x.is_light or y.is_light:
        return min(weight, LIGHT_UNRELATED_WEIGHT)
    return DEGREE_WEIGHT if x.is_degree and y.is_degree else weight


def _related_weight(m: Match, how: str) -> float:
    r = m.relation
    if how == "synonym":
        rarity = 1.0 - float(min(r.share_a, r.share_b) ** 0.5)
        return SYNONYM_WEIGHT + (DERIVED_SYNONYM_RARITY_WEIGHT if r.derived else SYNONYM_RARITY_WEIGHT) * rarity
    if how == "broader":
        first, step, most = BROADER_WEIGHTS
        return min(first + step * r.hypernym, most)
    if how == "narrower":  # its steps are negative
        first, step, most = NARROWER_WEIGHTS
        return min(first - step * r.hypernym, most)
    return RELATION_WEIGHTS[how]


def _has_same_stem(x: str, y: str) -> bool:
    """Return whether two words share a stretch of five letters or more that is two thirds of the shorter."""
    short, long = sorted((x, y), key=len)
    size = max(5, -(-2 * len(short) // 3))
    return any(short[k : k + size] in long for k in range(len(short) - size + 1))


def _vector_factor(comparison: Comparison, m: Match) -> float:
    """Return how the encoder changes a weight, by its vectors of the words and of those beside them.

    A tenth for each 0.1 that the cosine of the words is off the usual one, and a seventh for each 0.1 that the cosines
    of the nearest kept words with themselves are off the usual one.
    """
    if comparison.cosines is None:
        return 1.0
    change = USUAL_COSINE - m.cosine
    near = [
        comparison.cosine(i, m.target + i - m.source)
        for i in (m.source - 2, m.source - 1, m.source + 1, m.source + 2)
        if i in comparison.kept_source and comparison.to[i] == m.target + i - m.source
    ]
    if near:
        change += NEIGHBOUR_SLOPE * (USUAL_NEIGHBOUR_COSINE - sum(near) / len(near))
    least, most = VECTOR_FACTORS
    return min(most, max(least, 1.0 + change))
