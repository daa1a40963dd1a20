"""The one place that makes a verdict: ordered rules over an opinion, findings, a policy and thresholds.

A rule forbids a verdict, or says which probability a verdict needs. No rule changes a probability. :func:`decide`
serves sentence pairs, suggestions, the blocks of texts and whole texts. ``tests/verdicts/decide.tsv`` is its
specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple, get_args

from usim.evidence import LIGHT_WEIGHT, Finding
from usim.verdicts.nouns import (
    BAND_WORDS,
    CORRECTED,
    MISSPELT,
    REWORDED,
    By,
    Cause,
    Opinion,
    Outlook,
    Policy,
    Thresholds,
    Verdict,
    keep_text,
    needs_text,
)

#: If nothing changed but one clear change, the pair is dropped below this multiple of the threshold. It was chosen on
#: pairs by authors who know nothing of usim.
CLEAR_MULTIPLE = 1.75
#: If usim can tell nothing about a few changed words, the pair is dropped below this multiple of the threshold. Of such
#: drops 50 of 52 are right below it and 31 of 36 above it, among made pairs, corrections, PAWS-Wiki (held out), JFLEG
#: and pairs by authors.
UNTOLD_MULTIPLE = 0.7
#: From this weight on a clear finding is a fact that anybody can check, and any finding speaks against a correction.
GRAVE_WEIGHT = 0.6
#: From the first probability on a correction is more likely right than not. What no error explains needs the second: of
#: corrections by people (JFLEG) this costs one in 250, and of those with a word more changed it holds back four in ten.
EVEN, SURE = 0.5, 0.9
#: The digits of a threshold, as of a faithfulness.
_DIGITS = 5
#: The bands of texts in which a few words changed.
_FEW_CHANGES = frozenset(("edit", "edits", "corrected", "recast"))
#: What no error explains, and the bands in which it does not stand for other words: another time, another person, a
#: detail put in, another word than the one that was meant.
_BESIDES = {
    "tense": {*_FEW_CHANGES, MISSPELT}, "pronoun": _FEW_CHANGES, "modifier-added": {"corrected"},
    "not-meant": {*_FEW_CHANGES, MISSPELT},
}  # fmt: skip
#: How grave a verdict is: 0 for ``keep``, 2 for ``drop``.
gravity = get_args(Verdict).index


class Decision(NamedTuple):
    """A verdict, and what decided."""

    verdict: Verdict
    cause: Cause

    @property
    def is_open(self) -> bool:
        """Whether another judge may be asked: the pair is to be reviewed, and no certain finding says so."""
        return self.verdict == "review" and self.cause.by != "finding"


class Answer(NamedTuple):
    """What another judge, mostly a language model, says of a pair, and what its verdicts need."""

    name: str
    probability: float
    thresholds: Thresholds


def decide(
    opinion: Opinion,
    findings: Sequence[Finding],
    policy: Policy,
    thresholds: Thresholds,
    *,
    among: int = 1,
    answer: Answer | None = None,
    looser: Iterable[tuple[float, Thresholds]] = (),
) -> Decision:
    """Return the verdict on a pair, and its cause.

    The first of these rules that holds decides:

    1. A pair in another language is to be reviewed.
    2. A pair with a certain finding that the policy does not allow is never kept; if nothing else changed, it is
       dropped.
    3. Where another judge was asked, its answer decides.
    4. A pair that the judge did not answer is to be reviewed.
    5. The probability under the policy decides, by what *keep* and *drop* need (:func:`needed`). A pair that usim
       cannot read is not kept, and a pair that the judge knows too little about is not dropped.

    Args:
        findings: what the evidence finds, each marked with whether people can be told it.
        thresholds: those of the pair's band, by the policy and the risk.
        among: how many changed pairs of one text are decided together.
        answer: what another judge said.
        looser: greater risks with their thresholds, in their order. A cause of *review* names the first that decides.

    Raises:
        OptionError: the judge knows only the policy ``same``.
    """
    own = needed(opinion, findings, policy, thresholds, among=among)
    probability = opinion.under(policy) if opinion.is_answered else None

    def because(
        verdict: Verdict, by: By, text: str, outlook: Outlook | None = None, asked: Answer | None = None
    ) -> Decision:
        of, compared = (asked.thresholds, asked.probability) if asked else (own, probability)
        return Decision(verdict, Cause(by, text, of.keep, of.drop, opinion.band, outlook, compared, of.is_raised))

    foreign, unreadable = (next((f for f in findings if f.kind == kind), None) for kind in ("language", "unreadable"))
    if foreign:
        return because("review", "unreadable", foreign.text)
    against = [finding for finding in findings if finding.is_certain and finding.allowed_by != policy]
    for finding in against:
        if finding.is_alone:
            return because("drop", "finding", f"{finding.text}, and nothing else changed: never kept")
    if answer and not against:
        verdict = verdict_of(answer.probability, answer.thresholds)
        said = _said(verdict, answer.probability, answer.thresholds, "")
        return because(verdict, "model", f"{answer.name} says {said}", asked=answer)
    if probability is None:
        return because("review", "unanswered", "The judge gave no answer")
    verdict = verdict_of(probability, own)
    if verdict == "keep" and against:
        return because("review", "finding", f"{against[0].text}: never kept")
    if verdict == "keep" and unreadable:
        return because("review", "unreadable", unreadable.text)
    if verdict == "drop" and opinion.is_vague:
        return because("review", "vague", "The judge knows too little of this to drop it")
    if verdict == "keep" and policy != "same" and opinion.same < own.keep:
        return because("keep", "policy", f"The policy {policy} allows it")
    outlook = None
    if verdict == "review":
        forbidden = {"keep": bool(against or unreadable), "drop": opinion.is_vague, "review": True}
        at_risk = ((risk, needed(opinion, findings, policy, theirs, among=among)) for risk, theirs in looser)
        others = (Outlook(risk, verdict_of(probability, theirs)) for risk, theirs in at_risk)
        outlook = next((other for other in others if not forbidden[other.verdict]), None)
    said = _said(verdict, probability, own, opinion.band) + (f"; {outlook}" if outlook else "")
    return because(verdict, "probability", said, outlook=outlook)


def needed(
    opinion: Opinion, findings: Sequence[Finding], policy: Policy, thresholds: Thresholds, *, among: int = 1
) -> Thresholds:
    """Return what a verdict needs of the probability for this kind of change.

    *drop* needs less certainty if nothing changed but one clear change. It needs more if usim can tell nothing about a
    few changed words. Unless a fact changed, it also needs more for each of many changed sentences of one text: among
    many faithful sentences some would be dropped by mistake. *keep* needs an even chance for the correction of a
    misspelling, and for other corrections beside which something else is found. A finding that no error explains, as of
    another person or of a name that was corrected, needs the most.
    """
    keep, drop = thresholds.keep, thresholds.drop
    if opinion.band == MISSPELT:
        keep = min(keep, EVEN)
        drop = min(drop, keep)
    own = keep
    if opinion.band in CORRECTED and any(f.weight >= GRAVE_WEIGHT and f.allowed_by != policy for f in findings):
        keep = max(keep, EVEN)
    if any(f.weight >= GRAVE_WEIGHT and opinion.band in _BESIDES.get(f.kind, ()) for f in findings):
        keep = max(keep, SURE)
    # A finding of the kind "reworded" says only that usim cannot tell.
    told = [f for f in findings if f.is_shown and f.weight >= LIGHT_WEIGHT and f.kind != "reworded"]
    # Another word may undo a negation: "not open" is "closed".
    clear = (f for f in findings if f.is_alone and f.is_clear and f.kind != "negation")
    is_clear = any(finding.weight > LIGHT_WEIGHT for finding in clear)
    # The multiple was chosen for thresholds of bands; a judge without bands has others.
    if is_clear and policy == "same" and opinion.band and opinion.band not in REWORDED:
        drop *= CLEAR_MULTIPLE
    elif opinion.band in _FEW_CHANGES and not told:
        drop *= UNTOLD_MULTIPLE
    if not any(finding.is_clear and finding.weight >= GRAVE_WEIGHT for finding in told):
        drop /= sqrt(among)
    return Thresholds(keep, min(round(drop, _DIGITS), keep), is_raised=keep > own)


def verdict_of(probability: float, thresholds: Thresholds) -> Verdict:
    """Return the verdict on a pair by its probability alone."""
    if probability >= thresholds.keep:
        return "keep"
    return "drop" if probability < thresholds.drop else "review"


def _said(verdict: Verdict, probability: float, thresholds: Thresholds, band: str) -> str:
    kind = f" where {BAND_WORDS[band]}" if band in BAND_WORDS else ""
    if verdict == "keep":
        return f"{probability:.3f} is at least {keep_text(thresholds)}, which keep needs{kind}"
    if verdict == "drop":
        return f"{probability:.3f} is below {thresholds.drop:.3f}, as drop needs{kind}"
    return f"{probability:.3f}: {needs_text(thresholds, band)}"


def of_unread(names: Sequence[str]) -> Decision:
    """Return what is said of a text that has nothing but what usim does not read, such as ``pictures``: look at it."""
    text = f"A text has nothing but what is not read: {', '.join(names)}"
    return Decision("review", Cause("unreadable", text, 1.0, 0.0))


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the gravest of some verdicts, ``keep`` for none."""
    return max(verdicts, key=gravity, default="keep")
