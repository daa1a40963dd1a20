"""Closed classes: quantifiers, modals, connectives, pronouns, words of direction, prepositions, and particles.

The costs of a class in place of another, or of one lost or added, are in ``usim.lexicon._closed_classes``, beside the
classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import and_, eq
from typing import Any, NamedTuple

from usim.evidence._comparison import Comparison
from usim.evidence._finders.finding import LEAST_WEIGHT, WEIGHTS, Finding, HandledTokens, make_finding
from usim.evidence._places import pair_off
from usim.evidence._sentence import SentenceView
from usim.lexicon import exchange_cost, link_cost, relation
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import PARTICLES, PLACES

#: A word of the same class within so many tokens makes another one redundant: *each and every*.
_REPEATED_WITHIN = 3

#: The place of a word and its class.
Member = tuple[int, Any]
#: The place of a word, and that of the one in its place; the classes of both. Where there is no word they are empty.
Couple = tuple[tuple[int, ...], tuple[int, ...], Any, Any]


class _Class(NamedTuple):
    """A closed class: its words in a sentence, the cost of one for another (None for no word), and which are equal."""

    members: Callable[[SentenceView], Sequence[Member]]
    cost: Callable[[Any, Any], float]
    same: Callable[[Any, Any], object] = eq


def _never(old: object, new: object) -> bool:
    return False


#: The classes whose words are found where they were exchanged, lost or added, by the kind of the finding.
_CLASSES = {
    "quantifier": _Class(
        lambda view: [(i, e.quantity) for i, e in enumerate(view.entries) if e.quantity],
        partial(exchange_cost, "quantity"),
    ),
    "modality": _Class(lambda view: view.modals, partial(exchange_cost, "modal")),
    "connective": _Class(
        lambda view: [(i, e.links) for i, e in enumerate(view.entries) if e.links and i not in view.unlinking],
        link_cost,
        and_,
    ),
    "direction": _Class(
        lambda view: [(i, e) for i, e in enumerate(view.entries) if e.opposed],
        lambda old, new: old.opposed.get(new.form, 0.0) if old and new else 0.0,
        _never,
    ),
}


def detect_class(kind: str, comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find words of a class of this kind that were exchanged, lost or added."""
    members, cost, same = _CLASSES[kind]
    for at, to, old, new in _couples(comparison, members, same):
        if not handled.are_new(at, to):
            continue
        if kind == "modality" and at and to and _forbid(comparison, at[-1], to[-1]):
            handled.add(at, to)
            continue
        weight = cost(old, new)
        if weight and not (at and to):
            place, alone, view = (*at, old, comparison.source) if at else (*to, new, comparison.output)
            if any(same(c, alone) and 0 < abs(t - place) <= _REPEATED_WITHIN for t, c in members(view)):
                continue
        if weight >= LEAST_WEIGHT:
            yield make_finding(comparison, kind, at, to, weight)
        if weight:
            handled.add(at, to)


def _forbid(comparison: Comparison, i: int, j: int) -> bool:
    """Return whether words of modality forbid on both sides: *shall not*, *nobody may*."""
    sides = (comparison.source, i), (comparison.output, j)
    return all(view.words[at] in COMPARING["forbid if denied"] and view.is_denied(at) for view, at in sides)


def detect_pronouns(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find pronouns of another person, lost or added (:func:`usim.lexicon.exchange_cost`)."""

    def pronouns(view: SentenceView) -> list[Member]:
        return [(i, e.person) for i, e in enumerate(view.entries) if e.person]

    for at, to, old, new in _couples(comparison, pronouns, eq):
        if at and to:
            weight = exchange_cost("person", old, new)
            if weight >= LEAST_WEIGHT:
                yield make_finding(comparison, "pronoun", at, to, weight)
                handled.add(at, to)
        elif (old or new) in COMPARING["persons"]:
            yield make_finding(comparison, "pronoun.alone", at, to)


def _couples(
    comparison: Comparison, members: Callable[[SentenceView], Sequence[Member]], same: Callable[[Any, Any], object]
) -> list[Couple]:
    """Return the changed words of a class, each with the one that stands in its place.

    Misspellings, and words that have an equal on the other side, are none. In the place of a word stands the one that
    is aligned to it, or one among the same changed words.
    """
    respelled_source, respelled_output = comparison.respelled.tokens
    same_source, same_output = comparison.kept_source | respelled_source, comparison.kept_output | respelled_output
    left = [(i, c) for i, c in members(comparison.source) if i not in same_source]
    right = [(j, c) for j, c in members(comparison.output) if j not in same_output]
    _, left, right = pair_off(left, right, lambda old, new: same(old[1], new[1]))
    couples: list[Couple] = []
    for i, old in left:
        near = [new for new in right if comparison.to[i] == new[0]]
        near = near or [new for new in right if comparison.are_at_one_place(i, new[0])]
        j, new = near[0] if near else (-1, None)
        couples.append(((i,), (j,) if near else (), old, new))
        right = [other for other in right if other[0] != j]
    return couples + [((), (j,), None, new) for j, new in right]


def detect_relations(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find prepositions of place, agent, companion and beneficiary that gave way to one of another class."""

    def prepositions(view: SentenceView) -> list[Member]:
        # At the end and before a mark, where no noun can follow, they are particles.
        followed = (i for i, following in enumerate(view.entries[1:]) if following.is_word)
        return [(i, (PLACES[view.words[i]], _is_agent(view, i))) for i in followed if view.words[i] in PLACES]

    for at, to, old, new in _couples(comparison, prepositions, _never):
        if not (at and to and handled.are_new(at, to)):
            continue
        (x, is_agent), (y, is_agent_now) = old, new
        are_places = COMPARING["places"].issuperset((x, y))
        weight = exchange_cost("preposition", x, y, WEIGHTS["relation.place"] if are_places else None)
        if x != y and not COMPARING["no agents"].isdisjoint([y] * is_agent + [x] * is_agent_now):
            weight = WEIGHTS["relation.agent"]
        if weight >= LEAST_WEIGHT:
            yield make_finding(comparison, "relation.place" if are_places else "relation", at, to, weight)
            handled.add(at, to)


def _is_agent(view: SentenceView, i: int) -> bool:
    """Return whether a *by* stands behind a passive."""
    return view.words[i] == "by" and any(k in view.passives for k in range(max(0, i - 3), i))


def detect_particles(comparison: Comparison, handled: HandledTokens) -> Iterator[Finding]:
    """Find verbs that are kept with another particle, which makes them other verbs."""
    a, b = comparison.source, comparison.output
    for i, j in comparison.partner.items():
        if i not in a.verbs or not a.is_content[i] or not b.is_content[j]:
            continue
        at, to = _with_particle(a, i), _with_particle(b, j)
        is_kept = not (comparison.kept_source.isdisjoint(at[1:]) and comparison.kept_output.isdisjoint(to[1:]))
        if len(at) == len(to) == 1 or is_kept:
            continue
        old, new = ([view.words[k] for k in places] for view, places in ((a, at), (b, to)))
        if len(at) != len(to) and COMPARING["adverbs"].isdisjoint((*old[1:], *new[1:])):
            continue
        between = relation(" ".join(old), " ".join(new))
        if not between.known or between.synonym or between.similar or between.hypernym:
            continue
        if handled.are_new(at, to):
            yield make_finding(comparison, "particle" if len(at) == len(to) else "particle.alone", at, to)
            handled.add(at, to)


def _with_particle(view: SentenceView, i: int) -> tuple[int, ...]:
    """Return the place of a verb, and that of the particle that makes a phrase of WordNet with it, if there is one."""
    for k in (i + 1, i + 2):
        if k >= len(view.words) or not view.entries[k].is_word:
            break
        if view.words[k] in PARTICLES and relation(p := f"{view.words[i]} {view.words[k]}", p).known:
            return i, k
        if not view.entries[k].person:
            break
    return (i,)
