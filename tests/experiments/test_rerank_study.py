"""The study of reranking on a small corpus in the form of JFLEG."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from experiments import rerank
from experiments.common.scores import PairScores
from tests.support.corrections import corpus
from tests.support.flat import Flat
from usim.errors import InputError
from usim.judge import UsimJudge
from usim.stats import Interval

pytestmark = pytest.mark.model

FILES = {
    "src": "He go home ./We was there before .",
    "ref0": "He goes home ./We were there before .",
    "good_out": "He goes home ./We was there before .",
    "poor_out": "Home ./We were there before .",
}


class Lengths:
    """Longer candidates are more grammatical."""

    name = "lengths"

    def scores(self, texts: Sequence[str]) -> list[float]:
        return [min(1.0, len(text) / 100) for text in texts]


def test_rows(tmp_path: Path) -> None:
    folder = corpus(tmp_path, **FILES)
    study = rerank.run(folder, PairScores(Flat(), UsimJudge()), Lengths(), gammas=(0.0, 1.0), resamples=5)
    rows = {(row[0], row[1]): row[2:] for row in study.table.rows}
    assert list(rows)[:3] == [("good", None), ("poor", None), ("any, at random", None)]
    nearest, good = rows["the nearest", None], rows["good", None]
    assert isinstance(nearest[0], Interval)
    assert isinstance(good[0], Interval)
    assert nearest[0].value == 1.0
    assert nearest[2:] == (0.5, 0.0)
    assert good[2:] == (0.0, 0.0)
    longest = rows["first by grammaticality", 1.0]
    assert longest[2:] == (0.5, 0.0)
    (folder / "dev.poor.out").unlink()
    with pytest.raises(InputError, match="two systems or more"):
        rerank.run(folder, PairScores(Flat(), UsimJudge()), Lengths())
