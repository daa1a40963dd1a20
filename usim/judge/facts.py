"""What the ledger of facts does to a verdict and to its reasons."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from usim.compare import Analysis, Ledger, Reason, build_ledger, ledger_reasons, mark_shown, say
from usim.judge._base import Judgement, Policy, Verdict
from usim.judge.risk import REWORDED

#: The kinds of the judge's reasons that people are told of a text that was reworded as a whole.
TOLD = frozenset(("address", "not-meant"))
#: The weight of the reason that usim cannot tell.
UNSURE_WEIGHT = 0.5


def settle(
    source: Analysis, output: Analysis, judgement: Judgement, verdict: Verdict, policy: Policy
) -> tuple[Verdict, tuple[Reason, ...], Ledger]:
    """Return the verdict, the reasons, each marked as shown or not, the gravest first, and the ledger.

    A pair in which a fact certainly changed is never kept, and dropped where nothing else did. Of a text that
    was reworded as a whole people are told the facts that changed, and nothing of single words. What is not kept
    has a reason.
    """
    views, pairs = (source.view, output.view), judgement.usim.token_alignment.pairs
    ledger = build_ledger(*views, pairs, judgement.soft_links)
    facts = tuple(ledger_reasons(ledger.against(policy)))
    if facts and ledger.is_all:
        verdict = "drop"
    elif facts and verdict == "keep":
        verdict = "review"
    own = [
        structs.replace(reason, source=views[0].whole(reason.source), target=views[1].whole(reason.target))
        for reason in judgement.reasons
    ]
    is_reworded = judgement.band in REWORDED
    hidden = [reason for reason in own if reason.kind not in TOLD] if is_reworded else []
    reasons = mark_shown((*facts, *own), pairs, is_kept=verdict == "keep", hidden=hidden)
    return verdict, with_a_reason(reasons, verdict, judgement.band), ledger


def with_a_reason(reasons: Sequence[Reason], verdict: Verdict, band: str) -> tuple[Reason, ...]:
    """Return reasons, the gravest first; for what is not kept and has none that is shown, that usim cannot tell."""
    if verdict != "keep" and not any(reason.is_shown for reason in reasons):
        case = "reworded" if band in REWORDED else "reworded.part"
        unsure = say(case if verdict == "review" else f"{case}.drop")
        reasons = (*reasons, Reason("reworded", unsure, weight=UNSURE_WEIGHT))
    return tuple(sorted(reasons, key=lambda reason: -reason.weight))
