"""The protocol of judges: how likely people would say that the meaning of a sentence is preserved in another.

A judge gives a :class:`Judgement`: ``faithfulness`` in [0, 1]; a verdict, ``keep``, ``review`` or ``drop``, from two
:class:`Thresholds`; and reasons, each with the tokens that it is about. :class:`usim.judge.UsimJudge` uses the
structure alone: its faithfulness is USim. :func:`usim.judge.load_judge` finds a judge by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from usim.compare import Analysis, Reason
from usim.errors import OptionError
from usim.judge.encoder import TokenEncoder
from usim.measures import UsimScore

Verdict = Literal["keep", "review", "drop"]


@dataclass(frozen=True)
class Thresholds:
    """Where verdicts change: ``keep`` from ``keep`` upwards, ``drop`` below ``drop``, between them ``review``.

    Raises:
        OptionError: not 0 <= drop <= keep <= 1.

    >>> Thresholds(keep=0.7, drop=0.3).verdict(0.5)
    'review'
    """

    keep: float
    drop: float

    def __post_init__(self) -> None:
        if not 0 <= self.drop <= self.keep <= 1:
            message = f"thresholds must be 0 <= drop <= keep <= 1, not drop={self.drop}, keep={self.keep}"
            raise OptionError(message, option="thresholds")

    def verdict(self, faithfulness: float) -> Verdict:
        """Return what to do with a change of this faithfulness."""
        if faithfulness >= self.keep:
            return "keep"
        return "drop" if faithfulness < self.drop else "review"


@dataclass(frozen=True, repr=False)
class Judgement:
    """A judge's answer about a pair of sentences.

    Attributes:
        faithfulness: in [0, 1]; of a trained judge, the probability that people would call the meaning preserved.
        verdict: what to do.
        reasons: what speaks against the change, the gravest first; people are told those in :attr:`shown`.
        usim: USim in both directions.
        parts: the figures that the faithfulness was computed from, by name.
        soft_links: words that the alignment by letters leaves without an equal one, each with the one most like it in
            the other sentence by the vectors: places in the source and in the output, and their cosine.
    """

    faithfulness: float
    verdict: Verdict
    reasons: tuple[Reason, ...]
    usim: UsimScore
    parts: Mapping[str, float] = field(default_factory=dict, hash=False)
    soft_links: tuple[tuple[int, int, float], ...] = ()

    @property
    def is_answered(self) -> bool:
        """Whether the judge came to a faithfulness; where it did not, the pair belongs into no mean."""
        return self.parts.get("answered", 1.0) > 0

    @property
    def shown(self) -> tuple[Reason, ...]:
        """The reasons that people are told: none for a change that is kept."""
        return tuple(reason for reason in self.reasons if reason.is_shown)

    def __repr__(self) -> str:
        reasons = "; ".join(reason.text for reason in self.shown) or "no reasons"
        return f"<Judgement {self.verdict}, faithfulness {self.faithfulness:.3f}: {reasons}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the judgement as JSON values: ``faithfulness``, ``verdict``, ``reasons``, ``usim`` (one number)."""
        return {
            "faithfulness": self.faithfulness,
            "verdict": self.verdict,
            "reasons": [reason.to_dict() for reason in self.reasons],
            "usim": self.usim.f,
        }


class Judge(Protocol):
    """The protocol of judges of pairs of sentences.

    Attributes:
        name: for signatures.
        thresholds: where its verdicts change.
        encoder: makes the token vectors that it reads; None for a judge that reads none.
    """

    name: str
    thresholds: Thresholds
    encoder: TokenEncoder | None

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Return a judgement for each pair of a source and its changed version, in order.

        Sentences of the same tokens have faithfulness 1. A pair's judgement does not depend on the pairs beside it.
        """
        ...


@runtime_checkable
class ListJudge(Judge, Protocol):
    """A judge that can also judge the suggestions for one place of a sentence together."""

    def together(self, pairs: Sequence[tuple[Analysis, Analysis]], judgements: Sequence[Judgement]) -> list[Judgement]:
        """Return judgements that take account of each other, in order.

        Args:
            pairs: a source and its changed versions, each of which has a suggestion for the same place.
            judgements: what :meth:`Judge.judge` says of each pair.
        """
        ...


def judge_together(
    judge: Judge, pairs: Sequence[tuple[Analysis, Analysis]], judgements: Sequence[Judgement]
) -> list[Judgement]:
    """Return what a judge says of a list, see :class:`ListJudge`; the judgements as they are if it judges no lists."""
    return judge.together(pairs, judgements) if isinstance(judge, ListJudge) else list(judgements)
