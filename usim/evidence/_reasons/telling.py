"""Which reasons a writer can follow: a word for a word only where one can stand for the other."""

from __future__ import annotations

from collections.abc import Sequence

from usim.evidence._comparison import Comparison
from usim.evidence._reasons.reason import Reason, are_of_one_class
from usim.evidence._sentence import SentenceView
from usim.lexicon import relation
from usim.measures import UsimScore

#: One word that gave way to another of another meaning.
_REPLACED = frozenset(("sense", "unrelated"))
#: What clearly speaks against a text that was reworded, if it weighs enough: oppositions and facts.
_CLEAR = frozenset(
    "negation opposite number unit time name quantifier direction roles-swapped tense modality question address "
    "not-meant fact emoji comparison claim".split()
)
CLEAR_WEIGHT = 0.5
#: From this share of changed and moved words on, at more than one place, a text counts as reworded; words that gave
#: way one for one do not count.
_REWORDED_SHARE = 0.4
#: From this share of its uses on, a word may be of a part of speech.
_PART_SHARE = 0.2


def untellable(reasons: Sequence[Reason], source: SentenceView, target: SentenceView, score: UsimScore) -> list[Reason]:
    """Return the reasons that people are not told.

    In a text that was reworded only clear reasons are told. Elsewhere, of several words at one place none is said to
    have become one of another part of speech.
    """
    changes = Comparison(source, target, score)
    if _is_reworded(changes):
        return [r for r in reasons if r.kind not in _CLEAR or r.weight < CLEAR_WEIGHT]
    swapped = {group for group in changes.groups if len(group.source) == len(group.target) == 1}
    return [
        r
        for r in reasons
        if r.kind in _REPLACED and (r.source, r.target) not in swapped and not _may_stand_for(changes, r)
    ]


def _is_reworded(changes: Comparison) -> bool:
    """Return whether much of a text changed or moved, at more than one place."""
    count = len(changes.source.words) + len(changes.target.words)
    swapped = sum(len(group.source) == len(group.target) == 1 for group in changes.groups)
    share = (len(changes.gone) + len(changes.new) + 2 * (len(changes.moved) - swapped)) / max(1, count)
    return share >= _REWORDED_SHARE and len(changes.groups) + len(changes.moved_runs) > 1


def _may_stand_for(changes: Comparison, reason: Reason) -> bool:
    """Return whether the two words of a reason are related, or of one part of speech where they stand."""
    if len(reason.source) != 1 or len(reason.target) != 1:
        return True
    (i,), (j,) = reason.source, reason.target
    a, b = changes.source, changes.target
    between = relation(a.words[i], b.words[j])
    if between.known and (between.synonym or between.derived or between.hypernym or between.similar or between.sibling):
        return True
    if a.is_content[i] != b.is_content[j] or not are_of_one_class(a, i, b, j):
        return False
    if i in a.verbs or a.names.isdisjoint((i,)) != b.names.isdisjoint((j,)):
        return True
    shares = a.entries[i].word.parts, b.entries[j].word.parts
    parts = [{part for part, share in own.items() if part != "v" and share >= _PART_SHARE} for own in shares]
    return not all(parts) or not parts[0].isdisjoint(parts[1])
