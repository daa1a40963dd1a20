"""Closed classes: quantifiers, modals, connectives, pronouns, and words of direction.

The costs of a class in place of another, or of one lost or added, are in ``usim.lexicon._closed_classes``, beside the
classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import and_, eq
from typing import Any

from usim.compare._changes import pair_off
from usim.compare._comparison import Comparison
from usim.compare._reasons.reason import LEAST_WEIGHT, HandledTokens, Reason, make_reason
from usim.compare._sentence import SentenceView
from usim.lexicon import exchange_cost, link_cost
from usim.lexicon.tables import COMPARING

#: A word of the same class within so many tokens makes another one redundant: *each and every*.
_REPEATED_WITHIN = 3

#: The place of a word and its class.
Member = tuple[int, Any]
Couple = tuple[Member | None, Member | None]


def detect_quantifiers(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find quantifiers of another class, lost or added (:func:`usim.lexicon.exchange_cost`)."""

    def quantifiers(view: SentenceView) -> list[Member]:
        return [(i, e.quantity) for i, e in enumerate(view.entries) if e.quantity]

    yield from _detect_few(comparison, handled)
    yield from _detect_class(comparison, handled, "quantifier", quantifiers, partial(exchange_cost, "quantity"))


def _detect_few(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find *few* that became *a few*, and *little* that became *a little*, or the other way round."""
    a, b = comparison.source, comparison.target
    for i, j in comparison.kept if "few" in comparison.topics else ():
        if a.words[i] not in ("few", "little"):
            continue
        is_some, is_some_now = _is_some(a, i), _is_some(b, j)
        if is_some is None or is_some_now is None or is_some == is_some_now:
            continue
        case = "quantifier.some" if is_some_now else "quantifier.few"
        yield make_reason(comparison, case, (i,), (j,))
        handled.add((i,), (j,))


def _is_some(view: SentenceView, i: int) -> bool | None:
    """Return whether *few* or *little* means some (*a few*), None where it may be the adjective (*a little house*)."""
    if view.words[i] == "little" and any(
        e.word.parts.get("n", 0.0) > 0.5 and e.form not in COMPARING["mass nouns"] for e in view.entries[i + 1 : i + 2]
    ):
        return None
    before = view.words[max(0, i - 2) : i]
    if before[-1:] == ("a",):
        return before[0] not in ("only", "but", "just", "very")
    return None if before and (view.entries[i - 1].is_article or view.entries[i - 1].person) else False


def detect_modality(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find modals of another class, lost or added (:func:`usim.lexicon.exchange_cost`)."""
    return _detect_class(comparison, handled, "modality", lambda view: view.modals, partial(exchange_cost, "modal"))


def detect_connectives(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find connectives of other classes, lost or added (:func:`usim.lexicon.link_cost`)."""

    def connectives(view: SentenceView) -> list[Member]:
        return [(i, e.links) for i, e in enumerate(view.entries) if e.links and i not in view.likes]

    return _detect_class(comparison, handled, "connective", connectives, link_cost, and_)


def detect_pronouns(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find pronouns of another person, lost or added (:func:`usim.lexicon.exchange_cost`)."""

    def pronouns(view: SentenceView) -> list[Member]:
        return [(i, e.person) for i, e in enumerate(view.entries) if e.person]

    for old, new in _couples(comparison, pronouns, eq):
        if old is not None and new is not None:
            weight = exchange_cost("person", old[1], new[1])
            if weight >= LEAST_WEIGHT:
                yield make_reason(comparison, "pronoun", (old[0],), (new[0],), weight)
                handled.add((old[0],), (new[0],))
        elif old is not None and old[1] in COMPARING["persons"]:
            yield make_reason(comparison, "pronoun.alone", (old[0],), ())
        elif new is not None and new[1] in COMPARING["persons"]:
            yield make_reason(comparison, "pronoun.alone", (), (new[0],))


def detect_directions(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find words that gave way to one of the opposite direction (``usim.lexicon._closed_classes.OPPOSED``)."""
    a, b = comparison.source, comparison.target
    new = [j for j in comparison.new if b.entries[j].opposed and j not in handled.target]
    for i in comparison.gone:
        if i in handled.source:
            continue
        opposites = a.entries[i].opposed
        for j in new if opposites else ():
            weight = opposites.get(b.words[j])
            if weight and comparison.is_one_place(i, j):
                yield make_reason(comparison, "direction", (i,), (j,), weight)
                handled.add((i,), (j,))
                new.remove(j)
                break


def _detect_class(
    comparison: Comparison,
    handled: HandledTokens,
    kind: str,
    members: Callable[[SentenceView], Sequence[Member]],
    cost: Callable[[Any, Any], float],
    same: Callable[[Any, Any], object] = eq,
) -> Iterator[Reason]:
    """Find words of a class that were exchanged, lost or added; ``cost`` has None on a side that has no word."""
    for old, new in _couples(comparison, members, same):
        at = () if old is None else (old[0],)
        to = () if new is None else (new[0],)
        if not (handled.source.isdisjoint(at) and handled.target.isdisjoint(to)):
            continue
        weight = cost(None if old is None else old[1], None if new is None else new[1])
        if weight and (old is None or new is None):
            view, alone = (comparison.target, new) if old is None else (comparison.source, old)
            assert alone is not None
            if any(same(c, alone[1]) and 0 < abs(t - alone[0]) <= _REPEATED_WITHIN for t, c in members(view)):
                continue
        if weight >= LEAST_WEIGHT:
            yield make_reason(comparison, kind, at, to, weight)
        if weight:
            handled.add(at, to)


def _couples(
    comparison: Comparison,
    members: Callable[[SentenceView], Sequence[Member]],
    same: Callable[[Any, Any], object],
) -> list[Couple]:
    """Return the changed words of a class, each with the one that stands in its place.

    Misspellings, and words that have an equal on the other side, are none. In the place of a word stands the one that
    is aligned to it, or one among the same changed words.
    """
    respelled_source, respelled_target = comparison.respelled.tokens
    same_source, same_target = comparison.kept_source | respelled_source, comparison.kept_target | respelled_target
    left = [(i, c) for i, c in members(comparison.source) if i not in same_source]
    right = [(j, c) for j, c in members(comparison.target) if j not in same_target]
    _, left, right = pair_off(left, right, lambda old, new: same(old[1], new[1]))
    couples: list[Couple] = []
    for old in left:
        near = [new for new in right if comparison.to[old[0]] == new[0]] or [
            new for new in right if comparison.is_one_place(old[0], new[0])
        ]
        couples.append((old, near[0] if near else None))
        if near:
            right.remove(near[0])
    return couples + [(None, new) for new in right]
