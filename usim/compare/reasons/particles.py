"""Particles that make another verb: *look after*, *look for*."""

from __future__ import annotations

from usim.compare.comparison import Comparison
from usim.compare.reasons.reason import Claimed, Reason, make_reason
from usim.compare.sentence import SentenceView
from usim.lexicon import relation
from usim.lexicon.topics import PARTICLE, topics

#: The same verb with another particle; with old more or old less.
OTHER_WEIGHT = 0.55
ALONE_WEIGHT = 0.4
_ADVERBS = frozenset("up down off out away over back".split())


def detect_particles(comparison: Comparison, claimed: Claimed) -> list[Reason]:
    """Find verbs that are kept with another particle, which makes them other verbs."""
    if not comparison.topics & PARTICLE:
        return []
    a, b = comparison.source, comparison.target
    reasons = []
    for i, j in comparison.partner.items():
        if i not in a.verbs or not a.is_content[i] or not b.is_content[j]:
            continue
        particle, new_particle = _particle(a, i), _particle(b, j)
        if particle < 0 and new_particle < 0:
            continue
        if particle in comparison.kept_source or new_particle in comparison.kept_target:
            continue
        old = f"{a.words[i]} {a.words[particle]}" if particle >= 0 else a.words[i]
        new = f"{b.words[j]} {b.words[new_particle]}" if new_particle >= 0 else b.words[j]
        if particle >= 0 and new_particle >= 0:
            weight = OTHER_WEIGHT
        elif a.words[particle] in _ADVERBS if particle >= 0 else b.words[new_particle] in _ADVERBS:
            weight = ALONE_WEIGHT
        else:
            continue
        between = relation(old, new)
        if not between.known or between.synonym or between.similar or between.hypernym:
            continue
        at = (i,) if particle < 0 else (i, particle)
        to = (j,) if new_particle < 0 else (j, new_particle)
        if not (claimed.source.isdisjoint(at) and claimed.target.isdisjoint(to)):
            continue
        reasons.append(make_reason(comparison, "particle", at, to, weight))
        claimed.add(at, to)
    return reasons


def _particle(view: SentenceView, i: int) -> int:
    """Return the place of the particle that makes a phrase of WordNet with a verb; -1 for none."""
    for k in (i + 1, i + 2):
        if k >= len(view.words) or not view.entries[k].is_word:
            break
        if topics(view.words[k]) & PARTICLE and relation(p := f"{view.words[i]} {view.words[k]}", p).known:
            return k
        if not view.entries[k].person:
            break
    return -1
