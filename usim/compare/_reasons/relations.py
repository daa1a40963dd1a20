"""Prepositions that say another place, agent, companion or beneficiary, and particles that make another verb."""

from __future__ import annotations

from collections.abc import Iterator

from usim.compare._comparison import Comparison
from usim.compare._reasons.reason import LEAST_WEIGHT, WEIGHTS, HandledTokens, Reason, make_reason
from usim.compare._sentence import SentenceView
from usim.lexicon import exchange_cost, relation
from usim.lexicon.tables import COMPARING
from usim.lexicon.topics import PARTICLES, PLACES


def detect_relations(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find prepositions of place, agent, companion and beneficiary that gave way to one of another class."""
    a, b = comparison.source, comparison.target
    new = [j for j in comparison.new if b.words[j] in PLACES and j not in handled.target]
    respelled, new_respelled = comparison.respelled.tokens
    for i in comparison.gone:
        x = PLACES.get(a.words[i])
        if x is None or i in handled.source or i in respelled or _is_particle(a, i):
            continue
        for j in new:
            y = PLACES[b.words[j]]
            if j in new_respelled or not comparison.is_one_place(i, j) or _is_particle(b, j):
                continue
            weight = _weight(a, b, i, j, x, y)
            if weight >= LEAST_WEIGHT:
                case = "relation.place" if x in COMPARING["places"] and y in COMPARING["places"] else "relation"
                yield make_reason(comparison, case, (i,), (j,), weight)
                handled.add((i,), (j,))
            new.remove(j)
            break


def _weight(a: SentenceView, b: SentenceView, i: int, j: int, x: str, y: str) -> float:
    if x == y:
        return 0.0
    if not COMPARING["no agents"].isdisjoint([y] * _is_agent(a, i) + [x] * _is_agent(b, j)):
        return WEIGHTS["relation.agent"]
    return exchange_cost(
        "preposition", x, y, WEIGHTS["relation.place"] if COMPARING["places"].issuperset((x, y)) else None
    )


def _is_agent(view: SentenceView, i: int) -> bool:
    """Return whether a *by* stands behind a passive."""
    return view.words[i] == "by" and any(k in view.passives for k in range(max(0, i - 3), i))


def _is_particle(view: SentenceView, i: int) -> bool:
    """Return whether no noun can follow: at the end, before a mark, or before a verb."""
    return i + 1 >= len(view.words) or not view.entries[i + 1].is_word


def detect_particles(comparison: Comparison, handled: HandledTokens) -> Iterator[Reason]:
    """Find verbs that are kept with another particle, which makes them other verbs."""
    a, b = comparison.source, comparison.target
    for i, j in comparison.partner.items():
        if i not in a.verbs or not a.is_content[i] or not b.is_content[j]:
            continue
        at, to = _with_particle(a, i), _with_particle(b, j)
        is_kept = not (comparison.kept_source.isdisjoint(at[1:]) and comparison.kept_target.isdisjoint(to[1:]))
        if len(at) == len(to) == 1 or is_kept:
            continue
        old, new = ([view.words[k] for k in places] for view, places in ((a, at), (b, to)))
        if len(at) != len(to) and COMPARING["adverbs"].isdisjoint((*old[1:], *new[1:])):
            continue
        between = relation(" ".join(old), " ".join(new))
        if not between.known or between.synonym or between.similar or between.hypernym:
            continue
        if handled.source.isdisjoint(at) and handled.target.isdisjoint(to):
            yield make_reason(comparison, "particle" if len(at) == len(to) else "particle.alone", at, to)
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
