"""``usim.score_frame``: tables of pandas and polars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import usim
from tests.test_scorer import Flat
from usim.errors import InputError
from usim.plugins.frames import COLUMNS

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

ROWS: dict[str, list[Any]] = {
    "src": ["He go home.", None, "He left.", ["He", "left"], "He left.", "a " * 3000],
    "hyp": ["He goes home.", "He left.", float("nan"), np.array(["He", "left"]), 5, "a"],
}


@pytest.fixture(scope="module")
def scorer() -> usim.Scorer:
    return usim.Scorer(Flat(), judge="usim")


def test_a_row_that_is_no_pair_costs_no_other(scorer: usim.Scorer) -> None:
    frame = pd.DataFrame(ROWS, index=list("abcdef"))
    scored = usim.score_frame(frame, "src", "hyp", scorer=scorer)
    assert list(scored.columns) == ["src", "hyp", *COLUMNS]
    assert list(scored.index) == list("abcdef")
    assert list(frame.columns) == ["src", "hyp"]
    result = scorer.score("He go home.", "He goes home.")
    assert scored.loc["a", "faithfulness"] == result.judgement.faithfulness
    assert scored.loc["a", "verdict"] == result.judgement.verdict
    assert scored.loc["d", "score"] == 1.0
    assert scored["verdict"].isna().tolist() == [False, True, True, False, True, True]
    errors = scored["error"].tolist()
    assert [errors[k] for k in (2, 4)] == [
        "a text or an array of tokens is needed, not nan",
        "a text or an array of tokens is needed, not 5",
    ]
    assert "3000 words" in errors[5]


def test_polars(scorer: usim.Scorer) -> None:
    frame = pl.DataFrame({"source": ["He left.", None], "output": ["He left.", "x"], "more": [1, 2]})
    scored = usim.score_frame(frame, scorer=scorer)
    assert scored.columns == ["source", "output", "more", *COLUMNS]
    assert scored["score"].to_list() == [1.0, None]
    assert scored["error"].to_list() == [None, "a text or an array of tokens is needed, not None"]
    tokens = pl.DataFrame({"source": [["He", "left"]], "output": [["He", "left"]]})
    assert usim.score_frame(tokens, scorer=scorer)["score"].to_list() == [1.0]


def test_what_is_no_table(scorer: usim.Scorer) -> None:
    with pytest.raises(InputError, match="no column 'source'; there are 'src', 'hyp'"):
        usim.score_frame(pd.DataFrame(ROWS), scorer=scorer)
    with pytest.raises(TypeError, match="not of type dict"):
        usim.score_frame(ROWS, scorer=scorer)


def test_the_rows_of_an_array_are_pairs(scorer: usim.Scorer) -> None:
    pairs = [["He left.", "He left."], ["He left.", "He"]]
    assert [r.score for r in scorer.score_pairs(np.array(pairs))] == [r.score for r in scorer.score_pairs(pairs)]


def test_no_row_is_no_error(scorer: usim.Scorer) -> None:
    assert list(usim.score_frame(pd.DataFrame({"source": [], "output": []}), scorer=scorer).columns)[2:] == [*COLUMNS]
