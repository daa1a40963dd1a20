"""Which blocks of two texts show a sign that they changed: the findings, and how likely the judge finds the same."""

from __future__ import annotations

import pytest

from usim.documents._blocks import _evidence, _has_sign, _hints
from usim.evidence import Finding

MIDDLE = 0.35
CERTAIN = Finding("number", "“20” became “25”", weight=0.9, is_certain=True)
ALONE = Finding("adverbial-lost", "“slight” is left out", weight=0.5, is_alone=True)
CHECKABLE = Finding("number", "“20” became “25”", weight=0.9)
CLEAR = Finding("modality", "“may” is gone", weight=0.6)
HIDDEN = Finding("negation", "“not” is gone", weight=0.9, is_shown=False)
UNSAID = Finding("unsaid", "“slight” seems to be missing", weight=0.8)
ORDER = Finding("order", "The same words stand in another order", weight=0.4)
LIGHT = Finding("sense", "“big” became “large”", weight=0.2)


@pytest.mark.parametrize(
    ("finding", "least"),
    [
        (None, MIDDLE),
        (LIGHT, MIDDLE),
        (UNSAID, 0.5),
        (ORDER, 0.5),
        (CLEAR, 0.7),
        (HIDDEN, 0.5),
        (CHECKABLE, 0.7),
    ],
)
def test_the_better_the_evidence_the_likelier_a_block_with_a_sign_may_be(finding: Finding | None, least: float) -> None:
    findings = [finding] if finding else []
    evidence = _evidence(findings)
    assert _has_sign(findings, evidence, least - 0.01, MIDDLE, is_around=False)
    assert not _has_sign(findings, evidence, least, MIDDLE, is_around=False)
    assert not _has_sign(findings, evidence, least - 0.01, MIDDLE, is_around=True)


@pytest.mark.parametrize("finding", [CERTAIN, ALONE])
def test_a_certain_finding_and_one_that_is_all_that_changed_are_a_sign_at_any_chance(finding: Finding) -> None:
    assert _has_sign([LIGHT, finding], _evidence([LIGHT, finding]), 1.0, MIDDLE, is_around=True)


def test_a_block_that_usim_cannot_judge_has_hints_where_to_look() -> None:
    findings = [Finding("reworded", "usim cannot tell", weight=0.5), CLEAR]
    hidden = [
        Finding(kind, f"{kind} {weight}", weight=weight, is_shown=False)
        for kind, weight in (
            ("sense", 0.49),
            ("category", 0.9),
            ("connective", 0.6),
            ("sense", 0.5),
            ("unrelated", 0.8),
        )
    ]
    assert [finding.text for finding in _hints([*findings, *hidden])] == ["unrelated 0.8", "connective 0.6"]
    assert not _hints(findings)
