"""Roles: two participants that have changed places."""

from __future__ import annotations

from dataclasses import replace

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason
from usim.compare.sentence import SentenceView

#: Two participants that changed places around a verb, a preposition or a link.
SWAPPED_WEIGHT = 0.85
#: Two participants that kept their places while the voice of the verb changed.
VOICE_WEIGHT = 0.8
#: From this share of its uses on, a word may be a noun.
_NOUN_SHARE = 0.2
#: Links that mean the same both ways round.
_SYMMETRIC_LINKS = frozenset(("and", "or", "but"))

#: A token of the source, and the one that stands for it in the target.
Pair = tuple[int, int]


def detect_swapped_roles(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find two participants that changed places around a verb, a preposition or a link that kept its own.

    An active sentence made passive changes the order and not the roles, and the other way round, so both are compared.
    """
    a, b = comparison.source, comparison.target
    if comparison.in_order and not (a.passives or b.passives or any(a.entries[i].person for i in comparison.gone)):
        return []
    participants = _participants(comparison)
    if len(participants) < 2:
        return []
    couples = [(first, second) for k, first in enumerate(participants) for second in participants[k + 1 :]]
    crossing = [(first, second) for first, second in couples if second[1] < first[1]]
    if not crossing and not a.passives and not b.passives:
        return []
    pivots = [
        (i, j)
        for i, j in sorted(comparison.partner.items())
        if (i in a.verbs and a.is_content[i]) or a.entries[i].is_preposition or a.entries[i].links
    ]
    for first, second in crossing:
        if any(_are_exchanged(comparison, first, second, pivot) for pivot in pivots):
            return [_swapped(comparison, first, second, SWAPPED_WEIGHT)]
    for pivot in pivots:
        if pivot[0] in a.verbs and (pivot[0] in a.passives) != (pivot[1] in b.passives):
            for first, second in couples:
                if _is_voice_turned(comparison, first, second, pivot):
                    return [_swapped(comparison, first, second, VOICE_WEIGHT)]
    return []


def _swapped(comparison: Comparison, first: Pair, second: Pair, weight: float) -> Reason:
    tokens = comparison.source.tokens
    text = f"{tokens[first[0]]} and {tokens[second[0]]} have changed places"
    places = (first[0], second[0]), (first[1], second[1])
    return replace(make_reason(comparison, "roles-swapped", "", *places, weight), text=text)


def _participants(comparison: Comparison) -> list[Pair]:
    """Return the nouns, names and pronouns of the source, each with what stands for it in the target, in order."""
    a, b = comparison.source, comparison.target
    participants = []
    for i, j in comparison.partner.items():
        e = a.entries[i]
        if i in a.verbs or (e.is_function and not e.person):
            continue
        if e.person or not e.word.known or e.word.parts.get("n", 0.0) >= _NOUN_SHARE or i in a.names:
            participants.append((i, j))
    new_pronouns = [(j, b.entries[j].person) for j in comparison.new if b.entries[j].person]
    for i in comparison.gone:
        person = a.entries[i].person
        for j, other in new_pronouns if person else ():
            if person == other:
                participants.append((i, j))
                new_pronouns.remove((j, other))
                break
    return sorted(participants)


def _are_exchanged(comparison: Comparison, first: Pair, second: Pair, pivot: Pair) -> bool:
    """Return whether ``first … pivot … second`` became ``second … pivot … first`` with the roles exchanged."""
    a, b = comparison.source, comparison.target
    (i, j), (k, m), (p, q) = first, second, pivot
    e = a.entries[p]
    links_one_way = bool(e.links and not e.links & _SYMMETRIC_LINKS)
    if not (i < p < k and m < q < j):
        # if x, y → if y, x
        return (
            links_one_way
            and p < i
            and q < m
            and p == _clause_start(a, i)
            and q == _clause_start(b, m)
            and "," in a.words[i:k]
            and "," in b.words[m:j]
        )
    before, after = a.governors, b.governors
    in_one_clause = not _is_clause_cut(a, i, k, p) and not _is_clause_cut(b, m, j, q)
    if p in a.verbs:
        return (
            in_one_clause
            and not before[i]
            and not after[m]
            and before[k] == after[j]
            and (p in a.passives) == (q in b.passives)
        )
    if e.is_preposition and e.form not in ("with", "like"):
        return (
            in_one_clause and before[k] == e.form == after[j] and before[i] == after[m] != e.form and i not in a.verbs
        )
    return links_one_way and _follows_link(a, p, k) and _follows_link(b, q, j)


def _is_voice_turned(comparison: Comparison, first: Pair, second: Pair, pivot: Pair) -> bool:
    """Return whether the voice changed though the words before and behind the verb did not."""
    a, b = comparison.source, comparison.target
    (i, j), (k, m), (p, q) = first, second, pivot
    if not (i < p < k and j < q < m) or a.governors[i] or b.governors[j]:
        return False
    if _is_clause_cut(a, i, k, p) or _is_clause_cut(b, j, m, q):
        return False
    passive, active = a.governors[k], b.governors[m]
    if p not in a.passives:
        passive, active = active, passive
    return passive == "by" and not active


def _is_clause_cut(view: SentenceView, i: int, k: int, pivot: int) -> bool:
    """Return whether another verb, a link or a mark stands between two words, so that they are not of one clause."""
    for t in range(i + 1, k):
        e = view.entries[t]
        if t != pivot and (e.links or not e.is_word or (t in view.verbs and e.is_content)):
            return True
    return False


def _follows_link(view: SentenceView, link: int, i: int) -> bool:
    """Return whether a word is the first content word behind a link, verbs aside."""
    return all(not view.is_content[t] or t in view.verbs for t in range(link + 1, i))


def _clause_start(view: SentenceView, i: int) -> int:
    """Return the last link before a token in the same clause, -1 if there is none."""
    for t in range(i - 1, -1, -1):
        if view.words[t] == ",":
            return -1
        if view.entries[t].links:
            return t
    return -1
