"""The ledger and the verdict: a certain change is never kept, and what is not kept has a reason."""

import pytest

from tests.brackets import graph_of
from usim.compare import Analysis, Reason
from usim.judge import Judgement
from usim.judge.facts import Facts
from usim.measures import usim_score
from usim.text import token_texts

SENSE = Reason("sense", "“ask” became “say”, which may mean something else", (1,), (1,), weight=0.5)


def analysis(text: str) -> Analysis:
    return Analysis(graph_of(f"[H {' '.join(token_texts(text))} ]"), None, text)


def facts(source: str, output: str, band: str, *reasons: Reason) -> Facts:
    a, b = analysis(source), analysis(output)
    return Facts(a, b, Judgement(0.9, reasons, usim_score(a.graph, b.graph), band=band))


@pytest.mark.parametrize("band", ["", "edit", "reworded"])
def test_a_fact_that_changed_is_never_kept_and_is_told(band: str) -> None:
    verdict, reasons = facts("We sold 48 chairs.", "We have sold 84 chairs.", band).settle("keep", "same")
    assert verdict == "review"
    assert [reason.text for reason in reasons if reason.is_shown] == ["The number changed: “48” became “84”"]


@pytest.mark.parametrize(("policy", "verdict"), [("same", "review"), ("shorten", "keep"), ("expand", "review")])
def test_a_policy_allows_its_direction(policy: str, verdict: str) -> None:
    assert facts("We sold 48 chairs.", "Chairs were sold by us.", "edit").settle("keep", policy)[0] == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(("policy", "verdict"), [("same", "drop"), ("shorten", "keep"), ("expand", "drop")])
def test_a_fact_that_alone_changed_is_dropped(policy: str, verdict: str) -> None:
    assert facts("We sold 48 chairs.", "We sold chairs.", "edit").settle("keep", policy)[0] == verdict  # type: ignore[arg-type]
    # Another word may say it in a text that was reworded as a whole.
    assert facts("We sold 48 chairs.", "Chairs were sold by us.", "rewritten").settle("review", policy)[0] == "review"  # type: ignore[arg-type]


def test_of_a_reworded_text_no_single_word_is_told() -> None:
    _, reasons = facts("They ask us.", "They say it.", "reworded", SENSE).settle("review", "same")
    told = [reason.text for reason in reasons if reason.is_shown]
    assert told == ["The whole sentence was reworded; usim cannot tell whether it still says the same"]
    assert SENSE.kind in [reason.kind for reason in reasons]


def test_an_edit_to_review_has_a_reason() -> None:
    _, reasons = facts("They ask us.", "They say it.", "edit").settle("review", "same")
    assert [reason.text for reason in reasons] == ["usim cannot tell whether it still says the same"]


def test_a_change_that_is_kept_shows_none() -> None:
    verdict, reasons = facts("We sold 48 chairs.", "We have sold 48 chairs.", "edit", SENSE).settle("keep", "same")
    assert (verdict, [reason.is_shown for reason in reasons]) == ("keep", [False])


def test_the_ledger_is_the_same_now_and_later() -> None:
    pair = facts("We sold 48 chairs.", "We have sold 84 chairs.", "edit")
    later = pair.later()()
    assert later == pair.ledger == pair.later()()
