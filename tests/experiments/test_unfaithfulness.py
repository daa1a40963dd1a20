"""Degraded sentences, and the curve that must fall."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments import unfaithfulness
from experiments.common.scores import PairScores
from experiments.unfaithfulness import WAYS, degraded, run
from tests.support.corrections import corpus
from tests.support.flat import Flat
from usim.errors import InputError

pytestmark = pytest.mark.model

SENTENCE = "The old man , who was here , bought ten apples for his little sister ."
words = st.lists(st.sampled_from(["a", "b", "c", "d", ",", "."]), min_size=1, max_size=12).map(" ".join)
seeds = st.integers(0, 10**6)


class TestDegraded:
    @given(words, seeds)
    def test_nothing_at_rate_0(self, sentence: str, seed: int) -> None:
        for way in WAYS:
            assert degraded(sentence, way, [0.0], seed=seed, words=["x"]) == [sentence]

    @given(words, seeds)
    def test_all_words_at_rate_1(self, sentence: str, seed: int) -> None:
        (left,) = degraded(sentence, "drop", [1.0], seed=seed)
        assert left.split() == [token for token in sentence.split() if token in ",."]
        (other,) = degraded(sentence, "replace", [1.0], seed=seed, words=["x"])
        assert other.split() == [token if token in ",." else "x" for token in sentence.split()]

    @given(words, seeds, st.floats(0, 1))
    def test_swapping_keeps_the_words_and_the_places_of_punctuation(
        self, sentence: str, seed: int, rate: float
    ) -> None:
        (swapped,) = degraded(sentence, "swap", [rate], seed=seed)
        assert Counter(swapped.split()) == Counter(sentence.split())
        punctuation = [(i, t) for i, t in enumerate(sentence.split()) if t in ",."]
        assert [(i, t) for i, t in enumerate(swapped.split()) if t in ",."] == punctuation

    @pytest.mark.parametrize("seed", range(5))
    def test_what_is_dropped_at_one_rate_is_dropped_at_all_higher_ones(self, seed: int) -> None:
        sentences = degraded(SENTENCE, "drop", [k / 13 for k in range(14)], seed=seed)
        assert len(sentences) == 14
        for k, (more, less) in enumerate(pairwise(sentences)):
            assert len(more.split()) - len(less.split()) == 1, k
            rest = iter(more.split())
            assert all(token in rest for token in less.split())  # in the same order

    def test_the_rates_do_not_change_what_is_drawn(self) -> None:
        for way in WAYS:
            both = degraded(SENTENCE, way, [0.2, 0.6], seed=3, words=["x", "y"])
            assert both[1:] == degraded(SENTENCE, way, [0.6], seed=3, words=["x", "y"])
        with pytest.raises(ValueError, match="no such way: 'shout'"):
            degraded("a", "shout", [0.5], seed=0)
        with pytest.raises(ValueError, match="others are needed"):
            degraded("a", "replace", [0.5], seed=0)


FILES = {
    "src": "He go home at ten ./The dog eated my big book ./I likes green tea very much ./We was there long before .",
    "ref0": "He goes home at ten ./The dog ate my big book ./I like green tea very much ./We were there long before .",
    "poor_out": "He ./Book ./I ./We there .",
}


class TestStudy:
    def test_rows_and_curves(self, tmp_path: Path) -> None:
        study = run(corpus(tmp_path, **FILES), PairScores(Flat()), rates=[0.25, 0.5, 1.0], resamples=10)
        names = [str(row[0]) for row in study.table.rows]
        assert names[:3] == ["references", "poor", "drop 25%"]
        assert names[-1] == "random sentences"
        assert len(names) == 3 + 3 * 3
        curve = study.numbers["curves"]["usim"]["drop"]
        assert len(curve) == 4
        assert curve[0] == study.table.rows[0][1].value  # type: ignore[union-attr]  # one reference: rate 0 is its mean
        checks = {check.what: check for check in study.checks}
        assert checks["USim falls with the rate of drop"].holds
        # To a parser that makes every word a participant, words in another order are the same.
        assert not checks["USim falls with the rate of swap"].holds
        assert "rises or stays: swap 0%" in checks["USim falls with the rate of swap"].found

    @pytest.mark.parametrize("rates", [[], [0.0, 0.5], [0.5, 0.5], [0.5, 1.5]])
    def test_rates_must_grow(self, tmp_path: Path, rates: list[float]) -> None:
        with pytest.raises(InputError, match="rates must grow"):
            run(corpus(tmp_path, **FILES), PairScores(Flat()), rates=rates)

    def test_the_command(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        folder = corpus(tmp_path / "corpus", **FILES)
        line = ["--folder", str(folder), "--rates", "0.3", "0.9", "--resamples", "10", "--judge", "usim"]
        assert unfaithfulness.main([*line, "--out", str(tmp_path / "out")]) == 0
        assert "yes  USim falls with the rate of drop" in capsys.readouterr().out
        names = {path.name for path in (tmp_path / "out").iterdir()}
        assert {"unfaithfulness-means.csv", "unfaithfulness.svg"} <= names
