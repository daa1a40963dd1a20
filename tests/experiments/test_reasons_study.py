"""Verdicts and the findings that are shown, counted on pairs by other hands."""

from pathlib import Path

import pytest

from experiments import reasons
from judges.data import contrast
from usim.scorer import Scorer

pytestmark = pytest.mark.model

#: Pairs with another verdict than a user would expect.
OTHERWISE = {
    "kept-04",
    "kept-17",
    "kept-21",
    "kept-27",
    "kept-28",
    "kept-29",
    "kept-41",
    "kept-48",
    "kept-49",
    "changed-06",
}


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


def test_first_tries_come_out_as_expected(scorer: Scorer) -> None:
    """More than nine in ten do."""
    pairs = list(contrast(reasons.PAIRS.with_name("first_tries.tsv")))
    rows = reasons.run(pairs, scorer).table.to_dicts()
    wrong = {name for row in rows for name in row["otherwise"].split()}
    assert len(pairs) == 100
    assert wrong == OTHERWISE
    assert len(wrong) <= 12
    # What is kept shows no finding, and what is not kept shows why.
    assert not any(row["contradicted"] for row in rows)
    assert all(row["shown"] >= 0.95 * (row["pairs"] - row["kept"]) for row in rows)


@pytest.mark.slow
@pytest.mark.data
def test_corrections_that_people_call_faithful_show_hardly_any_finding(scorer: Scorer, data: Path) -> None:
    pairs = reasons.read_rated(data / "tmu-gfm-dev.csv")
    *_, row = reasons.run(pairs, scorer).table.to_dicts()
    assert row["pairs"] == reasons.RATED
    assert row["kept"] >= 0.9 * row["pairs"]
    assert row["contradicted"] <= 1
    assert row["shown"] <= 0.1 * row["pairs"]
