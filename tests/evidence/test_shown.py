"""Which reasons people are told."""

import pytest

from usim.evidence import Finding, mark_shown


def reason(kind: str, source: tuple[int, ...], target: tuple[int, ...], weight: float) -> Finding:
    return Finding(kind, kind, source, target, weight=weight)


GRAVE, LIGHT = reason("negation", (1,), (), 0.9), reason("tense", (2,), (2,), 0.4)
NUMBER, LINK = reason("number", (4,), (), 0.6), reason("connective", (), (4,), 0.5)


@pytest.mark.parametrize(
    ("reasons", "pairs", "shown"),
    [
        pytest.param((GRAVE, LIGHT), (), "negation", id="less than half the weight of the gravest"),
        pytest.param((LIGHT,), (), "tense", id="alone"),
        pytest.param((GRAVE, reason("sense", (3,), (3,), 0.45)), (), "negation sense", id="half the weight"),
        pytest.param((NUMBER, LINK), ((4, 4),), "number", id="about the same words"),
        pytest.param((NUMBER, LINK), (), "number connective", id="about other words"),
        pytest.param((GRAVE, reason("question", (), (), 0.7)), (), "negation question", id="about no word"),
    ],
)
def test_what_is_shown(reasons: tuple[Finding, ...], pairs: tuple[tuple[int, int], ...], shown: str) -> None:
    assert [one.kind for one in mark_shown(reasons, pairs, is_kept=False) if one.is_shown] == shown.split()


def test_a_change_that_is_kept_shows_none_and_all_stay_in_json() -> None:
    marked = mark_shown((GRAVE, LIGHT), (), is_kept=True)
    assert [(one.kind, one.is_shown) for one in marked] == [("negation", False), ("tense", False)]
