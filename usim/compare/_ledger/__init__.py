"""The ledger of facts: what two texts commit themselves to, matched across them, and what became of each fact."""

from __future__ import annotations

from usim.compare._ledger.build import build_ledger, may_differ
from usim.compare._ledger.entry import FACT_KINDS, LEDGER_FEATURES, Entry, Ledger, Status
from usim.compare._ledger.told import ledger_reasons

__all__ = [
    "FACT_KINDS",
    "LEDGER_FEATURES",
    "Entry",
    "Ledger",
    "Status",
    "build_ledger",
    "ledger_reasons",
    "may_differ",
]
