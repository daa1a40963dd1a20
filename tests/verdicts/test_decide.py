"""What is decided: the table ``decide.tsv`` is the specification, and no rule touches a probability."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.evidence import KINDS, Finding
from usim.report.words import verdict_lines
from usim.verdicts import POLICIES, Judgement, Opinion, Policy, Thresholds, Verdict
from usim.verdicts.decide import Answer, decide, gravity, needed, worst_verdict
from usim.verdicts.nouns import BANDS

THRESHOLDS = Thresholds(keep=0.7, drop=0.2)
LINES = Path(__file__).with_name("decide.tsv").read_text("utf-8").splitlines()
ROWS = list(csv.DictReader((line for line in LINES if not line.startswith("#")), delimiter="\t"))
FINDING = re.compile(r"(~?)([a-z-]+)(\.\d+)(!?)(@?)(?:<(\w+))?")


def opinion_of(written: str, band: str) -> Opinion:
    share, _, vague = written.partition(" ")
    if share == "no":
        return Opinion(0.5, band=band, is_answered=False)
    return Opinion(*map(float, share.split("+")), band=band, is_vague=bool(vague))


def finding_of(written: str) -> Finding:
    match = FINDING.fullmatch(written)
    assert match, written
    hidden, kind, weight, certain, alone, policy = match.groups()
    assert kind in KINDS
    return Finding(kind, f"It is about {kind}", weight=float(weight), is_shown=not hidden, is_certain=bool(certain),
                   is_alone=bool(alone), allowed_by=policy or "")  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["why"])
def test_the_table(row: dict[str, str]) -> None:
    opinion = opinion_of(row["opinion"], row["band"])
    findings = [finding_of(one) for one in row["findings"].split()]
    answer = Answer("other", float(row["asked"]), Thresholds(keep=0.8, drop=0.5)) if row["asked"] else None
    policy: Policy = row["policy"]  # type: ignore[assignment]
    verdict, cause = decide(opinion, findings, policy, THRESHOLDS, among=int(row["among"]), answer=answer)
    assert (verdict, cause.by) == (row["verdict"], row["by"])
    assert cause.band == row["band"]
    # The cause alone explains the verdict: its thresholds are those that were used, of the judge that decided.
    probability = answer.probability if answer and cause.by == "model" else opinion.under(policy)
    assert cause.compared == (probability if opinion.is_answered or cause.by == "model" else None)
    if cause.by in ("probability", "model"):
        assert verdict == ("keep" if probability >= cause.keep else "drop" if probability < cause.drop else "review")
        assert f"{probability:.3f}" in cause.text
    elif cause.by == "finding":
        assert cause.text.startswith(findings[0].text)


@pytest.mark.parametrize(
    ("opinion", "findings", "expected"),
    [
        (".65", "", (0.2, "keep")),
        (".25", "", (0.3, "drop")),
        (".45", "", None),
        (".9", "", None),  # decided as it is
        (".25 vague", "", None),  # may not be dropped at any risk
        (".65", "number.6!", None),  # may not be kept at any risk
    ],
)
def test_what_is_left_open_is_told_the_least_risk_that_decides(
    opinion: str, findings: str, expected: tuple[float, str] | None
) -> None:
    looser = [(0.2, Thresholds(keep=0.6, drop=0.2)), (0.3, Thresholds(keep=0.5, drop=0.3))]
    found = [finding_of(one) for one in findings.split()]
    cause = decide(opinion_of(opinion, "reworded"), found, "same", THRESHOLDS, looser=looser).cause
    assert (cause.outlook and (cause.outlook.risk, cause.outlook.verdict)) == expected
    if expected:
        assert cause.text.endswith(
            {
                "keep": "; at risk 0.2 it would be kept",
                "drop": "; at risk 0.3 it would be dropped",
            }[expected[1]]
        )


@pytest.mark.parametrize(
    ("thresholds", "said"),
    [
        (Thresholds(keep=0.7, drop=0.2), "keep needs 0.700, and drop less than 0.200 where the sentence is rewritten"),
        (Thresholds(keep=1, drop=0.2), "nothing is kept at this risk, and drop needs less than 0.200 where the sentence is rewritten"),
        (Thresholds(keep=0.7, drop=0), "keep needs 0.700, and nothing is dropped at this risk where the sentence is rewritten"),
        (Thresholds(keep=1, drop=0), "nothing is kept or dropped at this risk where the sentence is rewritten"),
    ],
)  # fmt: skip
def test_text_and_json_say_alike_what_verdicts_need_and_what_cannot_be_reached(
    thresholds: Thresholds, said: str
) -> None:
    looser = [(0.3, Thresholds(keep=0.5, drop=0.2))]
    opinion = Opinion(0.6, band="rewritten")
    verdict, cause = decide(opinion, (), "same", thresholds, looser=looser)
    outlook = "at risk 0.3 it would be kept"
    assert cause.text == f"0.600: {said}; {outlook}"
    lines = list(verdict_lines(Judgement(0.6, opinion=opinion, verdict=verdict, cause=cause)))
    assert lines[-2:] == [
        f"faithfulness 0.600, from 0 (changed) to 1 (kept); {said}", outlook
    ]  # fmt: skip


shares = st.floats(0, 1)
findings = st.builds(
    Finding,
    st.sampled_from(sorted(KINDS)),
    st.just("It changed"),
    weight=shares,
    is_shown=st.booleans(),
    is_certain=st.booleans(),
    is_alone=st.booleans(),
    allowed_by=st.sampled_from(["", "shorten", "expand"]),
)
opinions = st.builds(Opinion, shares, shares, shares, st.sampled_from(["", *BANDS]), is_vague=st.booleans())


@given(opinions, st.lists(findings, max_size=3), st.sampled_from(POLICIES), st.integers(1, 50))
def test_a_certain_finding_is_never_kept_and_no_finding_makes_a_keep(
    opinion: Opinion, found: list[Finding], policy: Policy, among: int
) -> None:
    verdict, _ = decide(opinion, found, policy, THRESHOLDS, among=among)
    if any(one.is_certain and one.allowed_by != policy for one in found):
        assert verdict != "keep"
    without, _ = decide(opinion, (), policy, THRESHOLDS)
    assert verdict != "keep" or without == "keep"
    own = needed(opinion, found, policy, THRESHOLDS, among=among)
    assert own.keep >= needed(opinion, (), policy, THRESHOLDS, among=among).keep
    assert 0 <= own.drop <= own.keep


@pytest.mark.parametrize(
    ("band", "found", "keep"),
    [
        ("corrected", "", 0.3),  # nine in ten corrections are right
        ("corrected", "sense.5", 0.3),  # too light
        ("corrected", "unsaid.6", 0.5),  # something else was put in, or left out
        ("recast", "~modifier-lost.7", 0.5),  # whether it is shown or not
        ("corrected", "scene-lost.9!<shorten", 0.5),
        ("edit", "unsaid.6", 0.3),
    ],
)
def test_a_correction_beside_which_something_else_is_found_needs_even_chances(
    band: str, found: str, keep: float
) -> None:
    low = Thresholds(keep=0.3, drop=0.1)
    findings = [finding_of(one) for one in found.split()]
    assert needed(opinion_of(".4", band), findings, "same", low).keep == keep
    assert needed(opinion_of(".4", band), findings, "same", THRESHOLDS).keep == THRESHOLDS.keep
    # Where a finding moved it, the text says so: the same words would stand before another number.
    cause = decide(opinion_of(".4", band), findings, "same", low).cause
    lines = list(verdict_lines(Judgement(0.4, opinion=opinion_of(".4", band), cause=cause)))
    is_moved = cause.keep > low.keep
    assert cause.is_raised == is_moved
    assert ("keep needs 0.500 (raised by a finding)" in lines[1]) == is_moved
    if "<shorten" in found:
        assert needed(opinion_of(".4+.4", band), findings, "shorten", low).keep == low.keep


@pytest.mark.parametrize(
    ("verdicts", "worst"), [([], "keep"), (["keep", "review"], "review"), (["review", "drop", "keep"], "drop")]
)
def test_the_worst_verdict(verdicts: list[Verdict], worst: Verdict) -> None:
    assert worst_verdict(verdicts) == worst
    assert sorted(("drop", "keep", "review"), key=gravity) == ["keep", "review", "drop"]  # type: ignore[arg-type]
