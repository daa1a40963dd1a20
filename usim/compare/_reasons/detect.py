"""The detectors of reasons, in order: each leaves alone what earlier ones have dealt with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from usim.compare._comparison import Comparison
from usim.compare._reasons.addresses import detect_addresses
from usim.compare._reasons.amounts import detect_numbers, detect_quantities, detect_times
from usim.compare._reasons.claims import detect_claims
from usim.compare._reasons.closed_classes import (
    detect_connectives,
    detect_directions,
    detect_modality,
    detect_pronouns,
    detect_quantifiers,
)
from usim.compare._reasons.negation import detect_negation, detect_scopes
from usim.compare._reasons.reason import KINDS, HandledTokens, Reason
from usim.compare._reasons.relations import detect_particles, detect_relations
from usim.compare._reasons.roles import detect_converses, detect_swapped_roles
from usim.compare._reasons.tense import detect_question, detect_tenses
from usim.compare._reasons.units import detect_attachments, detect_categories, detect_units
from usim.compare._reasons.words import detect_degrees, detect_names, detect_words
from usim.compare._sentence import SentenceView

DETECTORS: tuple[Callable[[Comparison, HandledTokens], Iterable[Reason]], ...] = (
    detect_negation,
    detect_converses,
    detect_addresses,
    detect_quantities,
    detect_times,
    detect_numbers,
    detect_names,
    detect_directions,
    detect_particles,
    detect_relations,
    detect_quantifiers,
    detect_modality,
    detect_connectives,
    detect_pronouns,
    detect_question,
    detect_claims,
    detect_degrees,
    detect_words,
    detect_tenses,
    detect_units,
    detect_swapped_roles,
    detect_scopes,
    detect_attachments,
    detect_categories,
)

#: What a letter says of itself, before what it is written for.
_WRITING = re.compile(r"\b(?:the|my) reason (?:why |that )?i (?:am|'m|’m) writing (?:this \S+ |to you )?is to\b")

_ORDER = {kind: place for place, kind in enumerate(KINDS)}


def find_reasons(comparison: Comparison) -> tuple[Reason, ...]:
    """Return what speaks against a change, the gravest first.

    Reasons of equal weight come in the order of :data:`usim.compare.KINDS`, then in that of the tokens.
    """
    if comparison.is_same:
        return ()
    handled = HandledTokens()
    for source, target in comparison.equivalents:
        handled.add(source, target)
    a, b = comparison.source, comparison.target
    handled.add(_framing(a, b), _framing(b, a))
    reasons = [reason for detect in DETECTORS for reason in detect(comparison, handled)]
    return tuple(sorted(reasons, key=lambda r: (-r.weight, _ORDER[r.kind], r.source, r.target)))


def _framing(view: SentenceView, other: SentenceView) -> range:
    """Return the words of *the reason why I am writing this letter is to* where the other text has *writing to*."""
    text = " ".join(view.words)
    found = _WRITING.search(text) if "writing" in view.vocabulary & other.vocabulary else None
    if found is None or "writing to" not in " ".join(other.words):
        return range(0)
    start = text.count(" ", 0, found.start())
    return range(start, start + found[0].count(" ") + 1)
