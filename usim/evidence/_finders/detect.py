"""The detectors of findings, in order: each leaves alone what earlier ones have dealt with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from usim.evidence._comparison import Comparison
from usim.evidence._finders import amounts, claims, closed_classes, negation, roles, units, words
from usim.evidence._finders.finding import KINDS, Finding, HandledTokens

DETECTORS: tuple[Callable[[Comparison, HandledTokens], Iterable[Finding]], ...] = (
    negation.detect_negation,
    roles.detect_converses,
    roles.detect_turned_comparisons,
    words.detect_addresses,
    amounts.detect_amounts,
    amounts.detect_calendar,
    words.detect_names,
    partial(closed_classes.detect_class, "direction"),
    closed_classes.detect_particles,
    closed_classes.detect_relations,
    *(partial(closed_classes.detect_class, kind) for kind in ("quantifier", "modality", "connective")),
    closed_classes.detect_pronouns,
    claims.detect_question,
    claims.detect_stances,
    words.detect_degrees,
    words.detect_words,
    claims.detect_tenses,
    units.detect_units,
    roles.detect_swapped_roles,
    negation.detect_scopes,
    units.detect_attachments,
    units.detect_categories,
)

_ORDER = {kind: place for place, kind in enumerate(KINDS)}


def detect_findings(comparison: Comparison) -> tuple[Finding, ...]:
    """Return what speaks against a change, the gravest first.

    Findings of equal weight come in the order of :data:`usim.evidence.KINDS`, then in that of the tokens.
    """
    if comparison.is_same:
        return ()
    handled = HandledTokens()
    for source, output in comparison.respelled.equivalents:
        handled.add(source, output)
    findings = [finding for detect in DETECTORS for finding in detect(comparison, handled)]
    return tuple(sorted(findings, key=lambda r: (-r.weight, _ORDER[r.kind], r.source, r.output)))
