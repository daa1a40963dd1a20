"""What the ledger of facts does to a verdict and to its reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from msgspec import structs

from usim.compare import (
    Analysis,
    Ledger,
    Reason,
    SentenceView,
    build_ledger,
    ledger_reasons,
    mark_shown,
    may_differ,
    say,
)
from usim.judge._base import Judgement, Policy, SoftLink, Verdict
from usim.judge.risk import REWORDED
from usim.ucca import Graph

#: The kinds of the judge's reasons that people are told of a text that was reworded as a whole.
TOLD = frozenset(("address", "not-meant"))
#: The weight of the reason that usim cannot tell.
UNSURE_WEIGHT = 0.5

Pairs = Sequence[tuple[int, int]]


class Facts:
    """The facts of a pair, which are collected when they are needed.

    Args:
        source, output: the texts.
        judgement: what the judge says of them.
    """

    def __init__(self, source: Analysis, output: Analysis, judgement: Judgement) -> None:
        self._source, self._output, self._opinion = source, output, judgement
        self._is_reworded = judgement.band in REWORDED
        self._pairs: Pairs = judgement.usim.token_alignment.pairs

    def settle(self, verdict: Verdict, policy: Policy) -> tuple[Verdict, tuple[Reason, ...]]:
        """Return the verdict, and the reasons, each marked with whether people are told it, the gravest first.

        A pair in which a fact certainly changed is never kept, and dropped where nothing else did. Of a text that
        was reworded as a whole people are told the facts that changed, and nothing of single words. What is not kept
        has a reason.
        """
        facts: tuple[Reason, ...] = ()
        if self._is_reworded or may_differ(self._source.view, self._output.view):
            facts = tuple(ledger_reasons(self.ledger.against(policy)))
        if facts and self.ledger.is_all:
            verdict = "drop"
        elif facts and verdict == "keep":
            verdict = "review"
        views = self._source.view, self._output.view
        own = [
            structs.replace(reason, source=views[0].whole(reason.source), target=views[1].whole(reason.target))
            for reason in self._opinion.reasons
        ]
        hidden = [reason for reason in own if reason.kind not in TOLD] if self._is_reworded else []
        reasons = mark_shown((*facts, *own), self._pairs, is_kept=verdict == "keep", hidden=hidden)
        if verdict != "keep" and not any(reason.is_shown for reason in reasons):
            reasons = (*reasons, self._unsure(verdict))
        return verdict, tuple(sorted(reasons, key=lambda reason: -reason.weight))

    @cached_property
    def ledger(self) -> Ledger:
        """The facts of both texts."""
        return build_ledger(self._source.view, self._output.view, self._pairs, self._opinion.soft_links)

    def later(self) -> Callable[[], Ledger]:
        """Return what gives the ledger when it is asked for, and holds no vectors until then."""
        if "ledger" in self.__dict__:
            return partial(_given, self.ledger)
        texts = (self._source.graph, self._source.text), (self._output.graph, self._output.text)
        return partial(_computed, *texts, self._pairs, self._opinion.find_soft_links)

    def _unsure(self, verdict: Verdict) -> Reason:
        case = "reworded" if self._is_reworded else "reworded.part"
        return Reason("reworded", say(case if verdict == "review" else f"{case}.drop"), weight=UNSURE_WEIGHT)


def _given(ledger: Ledger) -> Ledger:
    return ledger


def _computed(
    source: tuple[Graph, str], output: tuple[Graph, str], pairs: Pairs, links: Callable[[], tuple[SoftLink, ...]]
) -> Ledger:
    return build_ledger(
        SentenceView(source[0], None, source[1]), SentenceView(output[0], None, output[1]), pairs, links()
    )
