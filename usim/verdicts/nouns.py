"""The nouns of a judgement: what a judge thinks, what an output may do, and what was decided and why.

A network gives an :class:`Opinion`, the evidence gives findings (:mod:`usim.evidence`), and
:mod:`usim.verdicts.decide` turns both into a verdict with its :class:`Cause`. Nothing changes a probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field
from math import nan
from typing import Literal

from msgspec import Struct

from usim.errors import InputError, OptionError
from usim.evidence import Comparison, Finding, Ledger, SoftLink
from usim.measures import UsimScore
from usim.text.codec import Share

Verdict = Literal["keep", "review", "drop"]
#: What an output may do: say the same; leave details out, but add nothing; add details, but leave nothing out.
Policy = Literal["same", "shorten", "expand"]
POLICIES: tuple[Policy, ...] = ("same", "shorten", "expand")

#: The band of pairs in which misspellings alone were corrected.
MISSPELT = "misspelt"
#: The kinds of pairs that have thresholds of their own: errors were corrected, and few other words changed; errors were
#: corrected, and the sentence was reworded, too; one or two places changed; a few words changed, in more places; up to
#: three fifths of the content words changed; more of them changed.
BANDS = ("corrected", "recast", "edit", "edits", "reworded", "rewritten")
#: The bands in which the sentence as a whole was said otherwise.
REWORDED = frozenset(("recast", "reworded", "rewritten"))
#: The bands in which errors were corrected, besides other changes.
CORRECTED = frozenset(("corrected", "recast"))
#: The bands in words, for the sentence that says what keep and drop need.
BAND_WORDS = {
    "corrected": "errors are corrected",
    "recast": "errors are corrected and the rest reworded",
    "edit": "one or two places changed",
    "edits": "a few words changed",
    "reworded": "the sentence is reworded",
    "rewritten": "the sentence is rewritten",
    MISSPELT: "a misspelling is corrected",
}


@dataclass(frozen=True)
class Thresholds:
    """What verdicts need: *keep* a probability of at least ``keep``, *drop* a probability below ``drop``.

    Attributes:
        is_raised: whether a finding raised what *keep* needs of other changes of this kind.

    Raises:
        OptionError: not 0 <= drop <= keep <= 1.
    """

    keep: float
    drop: float
    _: KW_ONLY
    is_raised: bool = field(default=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.drop <= self.keep <= 1:
            message = f"thresholds must be 0 <= drop <= keep <= 1, not drop={self.drop}, keep={self.keep}"
            raise OptionError(message, option="thresholds")

    @property
    def middle(self) -> float:
        """The probability in the middle between them."""
        return (self.keep + self.drop) / 2

    def at(self, policy: Policy, band: str, risk: float) -> Thresholds:
        """Return those for a pair: these, or those of a table (:class:`usim.verdicts.thresholds.RiskTable`)."""
        return self

    def looser(self, policy: Policy, band: str, risk: float) -> Iterator[tuple[float, Thresholds]]:
        """Yield the greater risks with their thresholds; only a table has any."""
        return iter(())

    def signature(self, policy: Policy, risk: float) -> dict[str, str | float]:
        """Return what a signature says of verdicts by these thresholds."""
        return {"keep": self.keep, "drop": self.drop, **({} if policy == "same" else {"policy": policy})}


@dataclass(frozen=True)
class Opinion:
    """What a judge thinks of a pair of sentences: calibrated probabilities, and never a verdict.

    Attributes:
        same: how likely people would call the meaning preserved, in [0, 1].
        supported: how likely the source says all that the output says, in [0, 1]; None where the judge does not know.
        covered: how likely the output says all that the source says, in [0, 1]; None where the judge does not know.
        band: how much was reworded, one of :data:`BANDS` or :data:`MISSPELT`; empty where the judge does not know.
        is_answered: whether the judge came to a probability; if not, no mean counts the pair.
        is_vague: whether the judge knows too little to drop the pair: the text may say elsewhere what is missing, or
            nobody knows which word was meant.
        is_whole: whether one network has read both texts from beginning to end, so that it judges all their sentences.
        is_marred: whether the output likely has an error of grammar that the source lacks; it may still say the same.
        errors: the logit of the probability that the output has errors of grammar; None where the judge does not know.
        comparison: the comparison that the judge read, so that nothing is compared twice; None if it compared nothing.
        findings: the findings of the comparison and of the judge, such as a correction that was not meant, the gravest
            first; None if nothing looked for any.
        soft_links: words without an equal partner by letters, each with the word that is most like it by the vectors:
            the places in the source and in the output, and their cosine.
    """

    same: float
    supported: float | None = None
    covered: float | None = None
    band: str = ""
    _: KW_ONLY
    is_answered: bool = True
    is_vague: bool = False
    is_whole: bool = False
    is_marred: bool = False
    errors: float | None = field(default=None, repr=False, compare=False)
    comparison: Comparison | None = field(default=None, repr=False, compare=False)
    findings: tuple[Finding, ...] | None = field(default=None, repr=False)
    soft_links: tuple[SoftLink, ...] = field(default=(), repr=False)

    def under(self, policy: Policy) -> float:
        """Return the probability under a policy.

        Raises:
            OptionError: the judge does not tell the directions apart.
        """
        value = {"same": self.same, "shorten": self.supported, "expand": self.covered}[policy]
        if value is None:
            raise OptionError("this judge knows only the policy 'same'", option="policy")
        return value


#: What can decide on a pair.
By = Literal["probability", "finding", "policy", "model", "vague", "unreadable", "unanswered"]


class Outlook(Struct, frozen=True):
    """The verdict that a pair to be reviewed would have at a greater risk.

    Attributes:
        risk: the least risk at which the probability decides.
        verdict: ``keep`` or ``drop``.
    """

    risk: float
    verdict: Verdict

    def __str__(self) -> str:
        done = "kept" if self.verdict == "keep" else "dropped"
        return f"at risk {self.risk:g} it would be {done}"


def needs_text(thresholds: Thresholds, band: str) -> str:
    """Return, in words for people, which probability verdicts need for this kind of change.

    >>> needs_text(Thresholds(keep=0.7, drop=0.2), "edit")
    'keep needs 0.700, and drop less than 0.200 where one or two places changed'
    >>> needs_text(Thresholds(keep=1, drop=0.2), "rewritten")
    'nothing is kept at this risk, and drop needs less than 0.200 where the sentence is rewritten'
    """
    keep, drop = f"keep needs {keep_text(thresholds)}", f"less than {thresholds.drop:.3f}"
    if thresholds.keep == 1 and not thresholds.drop:
        needs = "nothing is kept or dropped at this risk"
    elif thresholds.keep == 1:
        needs = f"nothing is kept at this risk, and drop needs {drop}"
    else:
        needs = f"{keep}, and {f'drop {drop}' if thresholds.drop else 'nothing is dropped at this risk'}"
    return f"{needs} where {BAND_WORDS[band]}" if band in BAND_WORDS else needs


def keep_text(thresholds: Thresholds) -> str:
    """Return what *keep* needs, and whether a finding raised it, so that it is more than for others of its kind."""
    return f"{thresholds.keep:.3f}{' (raised by a finding)' if thresholds.is_raised else ''}"


class Cause(Struct, frozen=True, rename={"is_raised": "raised"}):
    """What decided on a pair.

    Attributes:
        by: ``probability``, ``finding``, ``policy``, ``model`` (the judge that was asked), ``vague`` (the judge knows
            too little, which forbids *drop*), ``unreadable`` (usim cannot read what changed, which forbids *keep*) or
            ``unanswered``.
        text: one sentence for people.
        keep, drop: what a verdict needs for this kind of change: *keep* at least ``keep``, *drop* less than ``drop``.
        band: which kind that is, see :class:`Opinion`.
        outlook: if the probability leaves the pair to review, the verdict at a greater risk; None if no risk decides.
        compared: the probability that was compared with ``keep`` and ``drop``; None if there is none. If one of several
            sentences decided, it is that of this sentence; if another judge was asked, it is that judge's.
        is_raised: whether a finding raised ``keep``.
    """

    by: By
    text: str
    keep: float
    drop: float
    band: str = ""
    outlook: Outlook | None = None
    compared: Share | None = None
    is_raised: bool = False


@dataclass(frozen=True, repr=False)
class Judgement:
    """The judgement on a pair of sentences: the probability, the verdict with its cause, and the findings.

    Attributes:
        faithfulness: in [0, 1]; for a trained judge, the probability that people would call the meaning preserved,
            under the chosen policy (:meth:`Opinion.under`). For a misspelling it is the probability that its correction
            was meant; for several sentences it is the least of all blocks. No rule changes it.
        findings: the findings that speak against the change, the gravest first. People see :attr:`shown`.
        usim_score: USim in both directions; None in a summary, and in a judgement from a file. See :attr:`usim`.
        opinion: all that the judge thinks; a judgement from a file has none of it.
        verdict: what to do.
        cause: what decided, and by which thresholds; None in a judgement from a file.
        decided_by: the name of the judge that was asked because this one would have said ``review``; empty if none was
            asked, or if it gave no answer.
        ledger: the facts of both texts, and what became of each.
    """

    faithfulness: float
    findings: tuple[Finding, ...] = ()
    usim_score: UsimScore | None = None
    _: KW_ONLY
    opinion: Opinion = Opinion(nan)
    verdict: Verdict = "review"
    cause: Cause | None = None
    decided_by: str = ""
    ledger: Ledger = field(default=Ledger())

    @property
    def supported(self) -> float | None:
        """How likely the source says all that the output says, in [0, 1]; None where the judge does not know."""
        return self.opinion.supported

    @property
    def covered(self) -> float | None:
        """How likely the output says all that the source says, in [0, 1]; None where the judge does not know."""
        return self.opinion.covered

    @property
    def band(self) -> str:
        """How much was reworded, see :class:`Opinion`."""
        return self.opinion.band

    @property
    def is_answered(self) -> bool:
        """Whether the judge came to a probability."""
        return self.opinion.is_answered

    @property
    def notes(self) -> tuple[str, ...]:
        """What people see with any verdict: that the output has an error of grammar of its own."""
        return ("the output seems to have a mistake that the source lacks",) if self.opinion.is_marred else ()

    @property
    def thresholds(self) -> Thresholds | None:
        """What *keep* and *drop* need for this kind of change; None in a judgement from a file."""
        cause = self.cause
        return None if cause is None else Thresholds(cause.keep, cause.drop, is_raised=cause.is_raised)

    @property
    def usim(self) -> UsimScore:
        """USim in both directions.

        Raises:
            InputError: the judgement has no USim score.
        """
        if self.usim_score is None:
            raise InputError("this result has no graphs: score the sentences again to get them")
        return self.usim_score

    @property
    def shown(self) -> tuple[Finding, ...]:
        """The findings that people see; if the change is kept, only words exchanged beside corrections."""
        return tuple(finding for finding in self.findings if finding.is_shown)

    @property
    def certain(self) -> tuple[Finding, ...]:
        """The findings that forbid *keep*."""
        return tuple(finding for finding in self.findings if finding.is_certain)

    def __repr__(self) -> str:
        findings = "; ".join(finding.text for finding in self.shown) or "no findings"
        return f"<Judgement {self.verdict}, faithfulness {self.faithfulness:.3f}: {findings}>"
