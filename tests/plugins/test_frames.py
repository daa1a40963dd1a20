"""``usim.score_frame``: tables of pandas and polars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import usim
from tests.support.flat import Flat
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


def test_no_column_is_taken_for_another_or_replaced(scorer: usim.Scorer) -> None:
    twice = pd.DataFrame([["He left.", "She left.", "He left."]], columns=["source", "source", "output"])
    with pytest.raises(InputError, match="2 columns are called 'source'"):
        usim.score_frame(twice, scorer=scorer)
    with pytest.raises(InputError, match="2 columns are called 'source'"):
        usim.score_frame(twice, "output", "source", scorer=scorer)
    for library in (pd, pl):
        for name in COLUMNS:
            frame = library.DataFrame({"source": ["He left."], "output": ["He left."], name: ["mine"]})
            with pytest.raises(InputError, match=f"the table has '{name}' already"):
                usim.score_frame(frame, scorer=scorer)
            scored = usim.score_frame(frame, scorer=scorer, prefix="usim_")
            assert [name in scored.columns for name in COLUMNS].count(True) == 1
            assert all(f"usim_{new}" in scored.columns for new in COLUMNS)
            assert list(scored[name]) == ["mine"]


def test_parts_of_a_table_can_be_joined_whatever_they_miss(scorer: usim.Scorer) -> None:
    parts = [{"source": [None], "output": ["a"]}, {"source": ["He left."], "output": ["He left."]}]
    scored = [usim.score_frame(pl.DataFrame(part), scorer=scorer) for part in parts]
    assert pl.concat([part.drop("source") for part in scored])["score"].to_list() == [None, 1.0]
    assert scored[0].schema["score"] == pl.Float64
    empty = pl.DataFrame({"source": [], "output": []}, schema={"source": pl.String, "output": pl.String})
    kinds = [scored[1].schema, usim.score_frame(empty, scorer=scorer).schema]
    assert kinds[0] == kinds[1]
    types = [usim.score_frame(pd.DataFrame(part), scorer=scorer)["score"].dtype for part in parts]
    assert types == ["float64", "float64"]


def test_a_lazy_table_says_what_to_do(scorer: usim.Scorer) -> None:
    lazy = pl.DataFrame({"source": ["a"], "output": ["a"]}).lazy()
    with pytest.raises(InputError, match=r"pass frame.collect\(\)"):
        usim.score_frame(lazy, scorer=scorer)
