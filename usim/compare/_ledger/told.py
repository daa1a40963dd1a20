"""The findings of a ledger as reasons, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import shorten

from usim.compare._ledger.entry import Entry
from usim.compare._reasons.reason import KINDS, SENTENCES, Reason, say

#: The weight of a fact that certainly changed.
FACT_WEIGHT = 0.9
#: Longer stretches, such as clauses, are quoted up to here.
_LONGEST_QUOTE = 60
#: The kinds of reasons of kinds of facts; others have the same name, or are cases of ``fact``.
_REASONS = {"date": "time", "way": "direction"}


def ledger_reasons(entries: Iterable[Entry]) -> Iterator[Reason]:
    """Yield a reason for each fact that changed, is gone or is new."""
    for entry in entries:
        case = _REASONS.get(entry.kind, entry.kind if entry.kind in KINDS else f"fact.{entry.kind}")
        alone = f"{case}.alone" if not (entry.old and entry.new) else case
        old, new = (shorten(words, _LONGEST_QUOTE, placeholder=" …") for words in (entry.old, entry.new))
        text = say(alone if alone in SENTENCES else case, old, new)
        yield Reason(case.partition(".")[0], text, entry.source, entry.target, weight=FACT_WEIGHT)
