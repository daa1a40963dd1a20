"""Names that were replaced."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.match import Match
from usim.compare.reasons.reason import Claimed, Reason, make_reason

#: A name for another name.
OTHER_NAME_WEIGHT = 0.85
#: A name for a word, or the other way round: WordNet relates them loosely, or not, or does not know one of them.
RELATED_WORD_WEIGHT = 0.3
OTHER_WORD_WEIGHT = 0.5
#: The name in another spelling, or its initial.
SPELLING_WEIGHT = 0.1
#: From this similarity of letters on, a name may be another spelling of the same.
_SPELLING_SIMILARITY = 0.7


def detect_names(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find names that gave way to another word; a name that is lost counts as other words do."""
    a, b = comparison.source, comparison.target
    gone = [i for i in a.names if i not in comparison.kept_source and i not in claimed.source]
    new = [j for j in b.names if j not in comparison.kept_target and j not in claimed.target]
    if not gone and not new:
        return []
    by_source = {m.source: m for m in comparison.matches}
    by_target = {m.target: m for m in comparison.matches}
    matches = [by_source[i] for i in sorted(gone) if i in by_source]
    dealt_with = {m.target for m in matches}
    matches += [by_target[j] for j in sorted(new) if j in by_target and j not in dealt_with]
    reasons = []
    for m in matches:
        claimed.add((m.source,), (m.target,))
        weight = _weight(comparison, m)
        if weight:
            reasons.append(make_reason(comparison, "name", (m.source,), (m.target,), weight))
    return reasons


def _weight(comparison: Comparison, m: Match) -> float:
    a, b = comparison.source, comparison.target
    x, y = a.words[m.source], b.words[m.target]
    r = m.relation
    if r.known and (r.same_lemma or r.synonym or r.derived):
        return 0.0
    both = m.source in a.names and m.target in b.names
    if m.chars >= _SPELLING_SIMILARITY and not (r.known and both):
        return SPELLING_WEIGHT
    if x[0] == y[0] and (x.rstrip(".") in y or y.rstrip(".") in x):
        return SPELLING_WEIGHT
    if both:
        return OTHER_NAME_WEIGHT
    if r.known and (r.hypernym or r.similar):
        return RELATED_WORD_WEIGHT
    return OTHER_WORD_WEIGHT
