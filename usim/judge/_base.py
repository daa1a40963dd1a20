"""The protocol of judges: how likely people would say that the meaning of a sentence is preserved in another.

A judge gives a :class:`Judgement`. The pipeline (:class:`usim.judge.JudgePipeline`) adds the verdict, ``keep``,
``review`` or ``drop``, by two :class:`Thresholds` and the :data:`Policy`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal, Protocol

from usim.errors import InputError, OptionError
from usim.evidence import Analysis, Ledger, Reason
from usim.judge._encoder import TokenEncoder
from usim.measures import UsimScore

Verdict = Literal["keep", "review", "drop"]
#: What an output may do: say the same; leave details out, but add nothing; add details, but leave nothing out.
Policy = Literal["same", "shorten", "expand"]
POLICIES: tuple[Policy, ...] = ("same", "shorten", "expand")


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

    @property
    def middle(self) -> float:
        """The faithfulness in the middle between them."""
        return (self.keep + self.drop) / 2

    def at(self, policy: Policy, band: str, risk: float) -> Thresholds:
        """Return the thresholds for a pair; these, unless they depend on it (:class:`usim.judge.risk.RiskTable`)."""
        return self

    def signature(self, policy: Policy, risk: float) -> dict[str, str | float]:
        """Return what a signature says of verdicts by these thresholds."""
        return {"keep": self.keep, "drop": self.drop, **({} if policy == "same" else {"policy": policy})}

    def verdict(self, faithfulness: float) -> Verdict:
        """Return what to do with a change of this faithfulness."""
        if faithfulness >= self.keep:
            return "keep"
        return "drop" if faithfulness < self.drop else "review"


#: A token of the source, the one of the output that is most like it, and their cosine.
SoftLink = tuple[int, int, float]


@dataclass(frozen=True, repr=False)
class Judgement:
    """What a judge says of a pair of sentences. The verdict is the pipeline's: a judge leaves it at ``review``.

    Attributes:
        faithfulness: in [0, 1]; of a trained judge, the probability that people would call the meaning preserved.
            From the pipeline, under the policy that was asked for.
        reasons: what speaks against the change, the gravest first. People are told those in :attr:`shown`.
        usim_score: USim in both directions; None in a summary, and in what is read from a file. See :attr:`usim`.
        soft_links: words without an equal partner by letters, each with the one most like it by the vectors: the places
            in the source and in the output, and their cosine.
        supported: how likely the source says all that the output says, in [0, 1]; None where the judge does not know.
        covered: how likely the output says all that the source says, in [0, 1]; None where the judge does not know.
        band: how much was reworded, one of :data:`usim.judge.risk.BANDS`; empty where the judge does not know.
        is_answered: whether the judge came to a faithfulness; where it did not, the pair belongs into no mean.
        verdict: what to do.
        decided_by: the name of the judge that was asked because this one would have said ``review``; empty where none
            was, or where it gave no answer.
        ledger: the facts of both texts, and what became of each; from the pipeline.
    """

    faithfulness: float
    reasons: tuple[Reason, ...]
    usim_score: UsimScore | None = None
    soft_links: tuple[SoftLink, ...] = ()
    supported: float | None = None
    covered: float | None = None
    band: str = ""
    _: KW_ONLY
    is_answered: bool = True
    verdict: Verdict = "review"
    decided_by: str = ""
    ledger: Ledger = field(default=Ledger())

    def under(self, policy: Policy) -> float:
        """Return the faithfulness under a policy.

        Raises:
            OptionError: the judge does not tell the directions apart.
        """
        if policy == "same":
            return self.faithfulness
        value = self.supported if policy == "shorten" else self.covered
        if value is None:
            raise OptionError("this judge knows no other policy than 'same'", option="policy")
        return value

    @property
    def usim(self) -> UsimScore:
        """USim in both directions.

        Raises:
            InputError: the judgement is without it.
        """
        if self.usim_score is None:
            raise InputError("a result without its graphs: score the sentences again to have them")
        return self.usim_score

    @property
    def shown(self) -> tuple[Reason, ...]:
        """The reasons that people are told: none for a change that is kept."""
        return tuple(reason for reason in self.reasons if reason.is_shown)

    def __repr__(self) -> str:
        reasons = "; ".join(reason.text for reason in self.shown) or "no reasons"
        return f"<Judgement {self.verdict}, faithfulness {self.faithfulness:.3f}: {reasons}>"


class Judge(Protocol):
    """The protocol of judges of pairs of sentences.

    Attributes:
        name: for signatures.
        thresholds: where verdicts on its judgements change, unless the user says otherwise.
        encoder: makes the token vectors that it reads; None for a judge that reads none.
    """

    name: str
    thresholds: Thresholds
    encoder: TokenEncoder | None

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Judgement]:
        """Return a judgement on each pair of a source and its changed version, in order.

        Sentences of the same tokens have faithfulness 1. The judgement on a pair does not depend on the others.
        """
        ...
