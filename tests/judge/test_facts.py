"""The ledger and the verdict: a certain change is never kept, and what is not kept has a reason."""

import pytest

from tests.brackets import graph_of
from usim.evidence import Analysis, Finding
from usim.judge import Judgement, Policy, Thresholds, Verdict
from usim.judge.facts import settle
from usim.measures import usim_score
from usim.text import token_texts

SENSE = Finding("sense", "“ask” became “say”, which may mean something else", (1,), (1,), weight=0.5)


def analysis(text: str) -> Analysis:
    return Analysis(graph_of(f"[H {' '.join(token_texts(text))} ]"), None, text)


def settled(
    source: str,
    output: str,
    band: str,
    verdict: Verdict,
    *reasons: Finding,
    policy: Policy = "same",
    faithfulness: float = 0.9,
) -> tuple[Verdict, list[str]]:
    """Return the verdict that is left, and the texts of the reasons that are shown."""
    a, b = analysis(source), analysis(output)
    judgement = Judgement(faithfulness, reasons, usim_score(a.graph, b.graph), band=band)
    found, told, *_ = settle(a, b, judgement, verdict, Thresholds(keep=0.7, drop=0.2), policy)
    assert {reason.kind for reason in reasons} <= {reason.kind for reason in told}
    return found, [reason.text for reason in told if reason.is_shown]


@pytest.mark.parametrize("band", ["", "edit", "reworded"])
def test_a_fact_that_changed_is_never_kept_and_is_told(band: str) -> None:
    found = settled("We sold 48 chairs.", "We have sold 84 chairs.", band, "keep")
    assert found == ("review", ["The number changed: “48” became “84”"])


@pytest.mark.parametrize(
    ("policy", "verdict", "alone"),
    [("same", "review", "drop"), ("shorten", "keep", "keep"), ("expand", "review", "drop")],
)
def test_a_policy_allows_its_direction_and_a_fact_that_alone_changed_is_dropped(
    policy: Policy, verdict: Verdict, alone: Verdict
) -> None:
    assert settled("We sold 48 chairs.", "Chairs were sold by us.", "edit", "keep", policy=policy)[0] == verdict
    assert settled("We sold 48 chairs.", "We sold chairs.", "edit", "keep", policy=policy)[0] == alone
    # Another word may say it in a text that was reworded as a whole.
    assert settled("We sold 48 chairs.", "Chairs were sold by us.", "rewritten", "review", policy=policy)[0] == "review"


@pytest.mark.parametrize(
    ("output", "band", "kind", "policy", "faithfulness", "verdict"),
    [
        ("It broke because we came.", "edit", "connective", "same", 0.3, "drop"),
        ("It broke because we came.", "edit", "connective", "same", 0.4, "review"),
        ("It broke because we came.", "edit", "connective", "shorten", 0.3, "review"),
        ("It broke because we came.", "edit", "unrelated", "same", 0.3, "review"),
        ("It broke because we came.", "reworded", "connective", "same", 0.3, "review"),
        ("A cup broke in our house because we came with our two dogs.", "edit", "connective", "same", 0.3, "review"),
    ],
)
def test_a_clear_change_alone_needs_less_certainty(
    output: str, band: str, kind: str, policy: Policy, faithfulness: float, verdict: Verdict
) -> None:
    reason = Finding(kind, "The clauses are linked in another way", (2,), (2,), weight=0.8)
    found, _ = settled(
        "It broke after we came.", output, band, "review", reason, policy=policy, faithfulness=faithfulness
    )
    assert found == verdict


def test_of_a_reworded_text_no_single_word_is_told_and_of_a_change_that_is_kept_none() -> None:
    unsure = "usim cannot tell whether it still says the same"
    reworded = settled("They ask us.", "They say it.", "reworded", "review", SENSE)
    assert reworded == ("review", [f"The whole sentence was reworded; {unsure}"])
    assert settled("They ask us.", "They say it.", "edit", "review") == ("review", [unsure])
    assert settled("We sold 48 chairs.", "We have sold 48 chairs.", "edit", "keep", SENSE) == ("keep", [])


@pytest.mark.parametrize(
    ("output", "band", "faithfulness", "verdict"),
    [
        ("The loaf was old but the soup was good.", "edit", 0.18, "review"),
        ("The loaf was old but the soup was good.", "edit", 0.05, "drop"),
        ("The loaf was old but the soup was good.", "rewritten", 0.18, "drop"),
        ("The soup was old but the bread was good.", "edit", 0.18, "drop"),
    ],
)
def test_a_few_other_words_are_dropped_for_a_reason_or_where_the_judge_is_very_sure(
    output: str, band: str, faithfulness: float, verdict: Verdict
) -> None:
    assert (
        settled("The bread was old but the soup was good.", output, band, "drop", faithfulness=faithfulness)[0]
        == verdict
    )
