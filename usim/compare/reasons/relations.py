"""Prepositions that say another place, agent, companion or beneficiary."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import LEAST_WEIGHT, Claimed, Reason, make_reason
from usim.compare.sentence import SentenceView
from usim.lexicon.topics import PLACE, PLACES

#: Another place, where both are told apart by more than habit.
PLACE_WEIGHT = 0.55
#: Somebody with, against, for, by or from whom it is done; the agent of a passive.
COMPANION_WEIGHT = 0.5
AGENT_WEIGHT = 0.55
_PLACES = frozenset(
    "under above on in behind front near between outside across through around along past beyond opposite towards"
    " far".split()
)
# Correctors exchange these all day: no reason.
_HABITS = frozenset(
    frozenset(pair.split())
    for pair in (
        "on in", "on at", "in at", "on above", "in through", "across through", "around through", "along through",
        "near at", "to towards", "in between", "on across", "near on", "along on", "around in", "past near",
        "across in",
    )
)  # fmt: skip
_TELLING = {
    frozenset(pair.split()): weight
    for pair, weight in (
        ("for from", 0.45), ("for by", 0.4), ("to by", 0.4), ("for without", 0.7), ("with for", 0.25),
        ("from with", 0.35), ("by without", 0.7), ("by against", 0.6), ("to against", 0.4), ("from towards", 0.6),
        ("for against", 0.7), ("from to", 0.6), ("out in", 0.5), ("at under", 0.55), ("at behind", 0.55),
        ("at outside", 0.5), ("to behind", 0.5), ("to under", 0.5), ("from behind", 0.35), ("of without", 0.6),
        ("in without", 0.6), ("to past", 0.45), ("to around", 0.35), ("from around", 0.4), ("to out", 0.5),
    )
}  # fmt: skip


def detect_relations(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find prepositions of place, agent, companion and beneficiary that gave way to one of another class."""
    if not comparison.topics & PLACE:
        return []
    a, b = comparison.source, comparison.target
    new = [j for j in comparison.new if b.words[j] in PLACES and j not in claimed.target]
    if not new:
        return []
    respelled, new_respelled = comparison.respelled_tokens
    reasons = []
    for i in comparison.gone:
        x = PLACES.get(a.words[i])
        if x is None or i in claimed.source or i in respelled or _is_particle(a, i):
            continue
        for j in new:
            y = PLACES[b.words[j]]
            if j in new_respelled or not comparison.is_one_place(i, j) or _is_particle(b, j):
                continue
            weight = _weight(a, b, i, j, x, y)
            if weight >= LEAST_WEIGHT:
                case = "relation.place" if x in _PLACES and y in _PLACES else "relation"
                reasons.append(make_reason(comparison, case, (i,), (j,), weight))
                claimed.add((i,), (j,))
            new.remove(j)
            break
    return reasons


def _weight(a: SentenceView, b: SentenceView, i: int, j: int, x: str, y: str) -> float:
    pair = frozenset((x, y))
    if x == y or pair in _HABITS:
        return 0.0
    is_agent = _is_agent(a, i), _is_agent(b, j)
    if (is_agent[0] and y in ("for", "from", "to", "with", "against", "without")) or (
        is_agent[1] and x in ("for", "from", "to", "with", "against", "without")
    ):
        return AGENT_WEIGHT
    if x in _PLACES and y in _PLACES:
        return PLACE_WEIGHT
    return _TELLING.get(pair, 0.0)


def _is_agent(view: SentenceView, i: int) -> bool:
    """Return whether a *by* stands behind a passive."""
    return view.words[i] == "by" and any(k in view.passives for k in range(max(0, i - 3), i))


def _is_particle(view: SentenceView, i: int) -> bool:
    """Return whether no noun can follow: at the end, before a mark, or before a verb."""
    return i + 1 >= len(view.words) or not view.entries[i + 1].is_word
