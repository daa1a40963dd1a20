"""Why the meaning may have moved: reasons, found by one module for each family of detectors, each with its weights."""

from __future__ import annotations

from usim.compare._reasons.detect import find_reasons
from usim.compare._reasons.reason import (
    FEATURE_KINDS,
    KINDS,
    OF_JUDGES,
    Reason,
    locate_reasons,
    make_reason,
    mark_shown,
    say,
)

__all__ = [
    "FEATURE_KINDS",
    "KINDS",
    "OF_JUDGES",
    "Reason",
    "find_reasons",
    "locate_reasons",
    "make_reason",
    "mark_shown",
    "say",
]
