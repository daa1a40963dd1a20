"""The detectors of reasons, in order: each leaves alone what earlier ones have dealt with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from usim.compare._comparison import Comparison
from usim.compare._reasons import (
    addresses,
    amounts,
    claims,
    closed_classes,
    negation,
    relations,
    roles,
    tense,
    units,
    words,
)
from usim.compare._reasons.reason import KINDS, HandledTokens, Reason
from usim.compare._sentence import SentenceView

DETECTORS: tuple[Callable[[Comparison, HandledTokens], Iterable[Reason]], ...] = (
    negation.detect_negation,
    roles.detect_converses,
    addresses.detect_addresses,
    amounts.detect_quantities,
    amounts.detect_times,
    amounts.detect_numbers,
    words.detect_names,
    closed_classes.detect_directions,
    relations.detect_particles,
    relations.detect_relations,
    closed_classes.detect_quantifiers,
    closed_classes.detect_modality,
    closed_classes.detect_connectives,
    closed_classes.detect_pronouns,
    tense.detect_question,
    claims.detect_stances,
    claims.detect_unreal,
    words.detect_degrees,
    words.detect_words,
    tense.detect_tenses,
    units.detect_units,
    roles.detect_swapped_roles,
    negation.detect_scopes,
    units.detect_attachments,
    units.detect_categories,
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
    for source, target in comparison.respelled.equivalents:
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
