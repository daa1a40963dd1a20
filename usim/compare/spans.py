"""Where the words of reasons stand in the texts, in characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from usim.compare.analysis import Analysis
from usim.compare.reasons.reason import Reason


def locate_reasons(reasons: Iterable[Reason], source: Analysis, target: Analysis) -> tuple[Reason, ...]:
    """Return reasons with the places of their words in the texts of both sentences.

    Where the tokens of a given graph are not the words of its text, the reason has no span for those tokens that do
    not occur in it.
    """
    return tuple(
        replace(
            reason,
            source_spans=tuple(span for i in reason.source if (span := source.spans[i]) is not None),
            target_spans=tuple(span for j in reason.target if (span := target.spans[j]) is not None),
        )
        for reason in reasons
    )
