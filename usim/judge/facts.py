"""What the ledger of facts does to a verdict and to its reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import structs

from usim.evidence import (
    CLEAR_WEIGHT,
    Analysis,
    Ledger,
    Reason,
    SentenceView,
    build_ledger,
    ledger_reasons,
    mark_shown,
    say,
    untellable,
)
from usim.judge._base import Judgement, Policy, Thresholds, Verdict
from usim.judge.risk import REWORDED
from usim.text.differing import differing

#: The kinds of the judge's reasons that people are told of a text that was reworded as a whole.
TOLD = frozenset(("address", "not-meant"))
#: What weighs less than this alone does not explain that a pair is dropped.
LIGHT_WEIGHT = 0.3
#: The weight of the reason that usim cannot tell.
UNSURE_WEIGHT = 0.5
#: The kinds of reasons by which a change is clear if nothing else changed: amounts, words of closed classes, opposites.
CLEAR = frozenset("number unit time name quantifier modality tense claim connective direction scope opposite".split())
#: Such a change is dropped up to this multiple of the threshold. Chosen on pairs by authors who know nothing of usim.
_NEARLY = 1.75
#: Below this multiple of the threshold a pair is dropped even if no reason can be told. Among made pairs, corrections,
#: PAWS-Wiki (held out), JFLEG and pairs by authors 50 of 52 such drops are right, and above it 31 of 36.
_PLAINLY = 0.7
#: The bands of texts in which a few words changed.
_WORDED_ALIKE = frozenset(("edit", "edits", "corrected", "recast"))
#: So many neighbouring words are one place.
_FEW_WORDS = 4


def settle(
    source: Analysis,
    output: Analysis,
    judgement: Judgement,
    verdict: Verdict,
    thresholds: Thresholds,
    policy: Policy,
    *,
    is_likely: bool = False,
) -> tuple[Verdict, tuple[Reason, ...], Ledger]:
    """Return the verdict, the reasons, each marked as shown or not, the gravest first, and the ledger.

    ``is_likely`` says that at the default risk the pair would be kept: then people are told grave reasons alone.

    A pair in which a fact certainly changed is never kept, and dropped where nothing else did. One whose only change
    has a clear reason is dropped although the judge is a little less sure than a drop needs. One in which a few words
    changed and no reason can be told is to be reviewed unless the judge is very sure. Of a text that was
    reworded as a whole people are told the facts that changed, and nothing of single words. What is not kept has a
    reason.
    """
    is_reworded = judgement.band in REWORDED
    views, pairs = (source.view, output.view), judgement.usim.token_alignment.pairs
    ledger = build_ledger(*views, pairs, judgement.soft_links)
    facts = tuple(ledger_reasons(ledger.against(policy)))
    if facts and ledger.is_all:
        verdict = "drop"
    elif facts and verdict == "keep":
        verdict = "review"
    if verdict == "review" and policy == "same" and judgement.faithfulness < _NEARLY * thresholds.drop:
        leading = max(judgement.reasons, key=lambda reason: reason.weight, default=None)
        if leading is not None and leading.kind in CLEAR and not is_reworded and _is_one_place(*views):
            verdict = "drop"
    own = [
        structs.replace(reason, source=views[0].whole(reason.source), target=views[1].whole(reason.target))
        for reason in judgement.reasons
    ]
    hidden: list[Reason] = []
    if is_reworded:
        hidden = [reason for reason in own if reason.kind not in TOLD]
    elif verdict != "keep":
        hidden = untellable(own, *views, judgement.usim)
        least = CLEAR_WEIGHT if is_likely else LIGHT_WEIGHT if verdict == "drop" else 0.0
        hidden += [reason for reason in own if reason.weight < least]
    reasons = mark_shown((*facts, *own), pairs, is_kept=verdict == "keep", hidden=hidden)
    is_doubtful = judgement.band in _WORDED_ALIKE and judgement.faithfulness > _PLAINLY * thresholds.drop
    if verdict == "drop" and is_doubtful and not _is_told(reasons):
        before, after = (Counter(view.words) for view in views)
        verdict = "drop" if before == after else "review"
    return verdict, with_a_reason(reasons, verdict, judgement.band, is_likely=is_likely), ledger


def _is_told(reasons: Sequence[Reason]) -> bool:
    return any(reason.is_shown for reason in reasons)


def _is_one_place(source: SentenceView, output: SentenceView) -> bool:
    """Return whether a few neighbouring words are all that changed."""
    start, end, stop = differing(source.words, output.words)
    return max(end, stop) - start <= _FEW_WORDS


def with_a_reason(
    reasons: Sequence[Reason], verdict: Verdict, band: str, *, is_likely: bool = False
) -> tuple[Reason, ...]:
    """Return reasons, the gravest first; for what is not kept and has none that is shown, that usim cannot tell."""
    if verdict != "keep" and not _is_told(reasons):
        case = "reworded.likely" if is_likely else "reworded" if band in REWORDED else "reworded.part"
        unsure = say(case if verdict == "review" else f"{case}.drop")
        reasons = (*reasons, Reason("reworded", unsure, weight=UNSURE_WEIGHT))
    return tuple(sorted(reasons, key=lambda reason: -reason.weight))
