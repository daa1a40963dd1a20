"""Words of which a network says that the other text does not say them: without those that it has, in any form."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import Finding, make_finding
from usim.evidence._sentence import SentenceView

#: Of a stretch with so many content words it is how they stand together that the other text does not say.
_CLAUSE = 4
#: How words link clauses that carry no weight of their own.
_LIGHT_LINKS = frozenset(("and", "like", "when"))
#: From this cost on, an opposite of a word of direction is another thing: *before*, *after*.
_OPPOSED = 0.8


def really_unsaid(comparison: Comparison, finding: Finding) -> Finding | None:
    """Return a finding of words that the other text does not say, as far as that is so; None where it says them.

    Of a place of both texts, words gave way to others, and one of both may be said elsewhere.
    """
    a, b = comparison.source, comparison.output
    respelled = comparison.respelled.tokens
    at = _unsaid(a, finding.source, b, comparison.kept_source | respelled[0])
    to = _unsaid(b, finding.output, a, comparison.kept_output | respelled[1])
    if not at and not to:
        return None
    if (finding.source and finding.output) or (at, to) == (finding.source, finding.output):
        return finding
    return make_finding(comparison, "unsaid.lost" if at else "unsaid.added", at, to, finding.weight)


def _unsaid(
    view: SentenceView, places: tuple[int, ...], other: SentenceView, kept: AbstractSet[int]
) -> tuple[int, ...]:
    """Return a stretch without the words at its ends that another text says; nothing if it says it all."""
    if sum(view.is_content[i] for i in places) >= _CLAUSE:
        return places
    unsaid = [i for i in places if not _stands_in_some_form(view, i, other, kept)]
    return tuple(i for i in places if unsaid and unsaid[0] <= i <= unsaid[-1])


def _stands_in_some_form(view: SentenceView, i: int, other: SentenceView, kept: AbstractSet[int]) -> bool:
    """Return whether another text has a word in any form; of a function word that carries weight, in its place."""
    entry = view.entries[i]
    if i in kept or view.is_content[i]:
        return i in kept or other.says(entry)
    links = entry.links is not None and not entry.links & _LIGHT_LINKS
    has_weight = links or max(entry.opposed.values(), default=0.0) >= _OPPOSED
    has_weight |= bool(entry.negation or entry.quantity or entry.modal)
    return not has_weight and (entry.person is None or entry.person in {e.person for e in other.entries})
