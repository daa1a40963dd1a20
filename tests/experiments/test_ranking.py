"""Rankers, lists before and after reranking, and the ranking setting of SWORDS."""

from pathlib import Path

import pytest

from experiments.papers.ranking import Ranker, by_faithfulness, rank_prolex, rank_swords, rerank, shuffled
from tests.benchmarks.conftest import Told, swords_data, written
from usim.benchmarks import prolex, swords, sws
from usim.benchmarks.case import Place
from usim.errors import FormatError

TEXT = "He is quick. She left."
QUICK = {"fast": ("TRUE",) * 3, "rapid": ("TRUE", "FALSE"), "slow": ("FALSE",)}
LEFT = {"go": ("TRUE",), "stay": ("FALSE",), "depart": ("UNSURE",)}
GOLD = {
    "t": swords.SwordsTarget("quick", "ADJ", QUICK, Place(TEXT, 6, 11, "ADJ")),
    "u": swords.SwordsTarget("left", "VERB", LEFT, Place(TEXT, 17, 21, "VERB")),
}
FAITHFUL = {"fast": 0.9, "rapid": 0.8, "go": 0.7, "produce": 0.9, "close": 0.6}
RANKER = by_faithfulness(Told(FAITHFUL, otherwise=0.1))


class TestReranking:
    def test_swords(self) -> None:
        system = {"t": [("slow", 3.0), ("odd", 2.0), ("fast", 1.0)], "u": [("go", 1.0)]}
        compared = rerank(swords.Swords(GOLD), system, RANKER, resamples=100)
        assert (compared.before.figures["strict_a_p@1"], compared.after.figures["strict_a_p@1"]) == (50, 100)
        change = compared.differences["strict_a_p@1"]
        assert change.value == 50
        assert 0 <= change.low <= 50 <= change.high <= 100
        assert "|rank:parser=none,judge=told,keep=0.7,drop=0.5|" in compared.after.signature
        assert "rank" not in compared.before.signature
        # What is in a list stays in it.
        compared = rerank(swords.Swords(GOLD), system, RANKER, resamples=0)
        assert compared.before.figures["strict_c_r@10"] == compared.after.figures["strict_c_r@10"]

    def test_prolex_and_sws(self) -> None:
        targets = {0: prolex.ProLexTarget("cause", "Cars **cause** noise.", ("produce",), ("produce",))}
        sentences = {"s": sws.Sentence(("An", "intimate", "friend"), (sws.SwsTarget(1, 2, {"close": 3}, 1),))}
        for figure, compared in (
            ("hard_acceptable_f@1", rerank(prolex.ProLex(targets, k=1), {0: ["make", "produce"]}, RANKER, resamples=0)),
            ("acc_recommendation", rerank(sws.Sws(sentences), {"s": {(1, 2): ["odd", "close"]}}, RANKER, resamples=0)),
        ):
            assert (compared.before.figures[figure], compared.after.figures[figure]) == (0, 1)


class TestRanking:
    def test_the_judged_substitutes_of_prolex(self) -> None:
        gold = {
            0: prolex.ProLexTarget("cause", "Cars **cause** noise.", ("produce", "generate"), ("generate",), ("make",)),
            1: prolex.ProLexTarget("big", "A **big** dog.", (), (), ("large",)),
        }

        ranker = Ranker("told", lambda cases: {(0, "make"): 0.9, (0, "produce"): 0.8, (0, "generate"): 0.1})
        result = rank_prolex(prolex.ProLex(gold), ranker, resamples=0)
        # Precision at the places of the right ones: 1/2 and 2/3; of the proficient one 1/3.
        assert result.figures == {
            "gap_acceptable": pytest.approx((1 / 2 + 2 / 3) / 2),
            "gap_proficient": pytest.approx(1 / 3),
        }

    def test_the_judged_substitutes_by_faithfulness_without_those_that_are_unsure(self) -> None:
        screen = Told(FAITHFUL, otherwise=0.1)
        result = rank_swords(swords.Swords(GOLD), by_faithfulness(screen), resamples=0)
        assert sorted(substitute for _, _, substitute, _ in screen.seen) == ["fast", "go", "rapid", "slow", "stay"]
        assert result.figures == {"gap": 100, "gap_rat": 100}
        assert result.signature.startswith(
            "usim|swords|set:judged|rank:parser=none,judge=told,keep=0.7,drop=0.5|lemma:wordnet-3.0|n:2|"
        )

    def test_chance_is_the_same_with_the_same_seed(self) -> None:
        cases = swords.Swords(GOLD).cases({"t": [("quiet", 0.0), ("slow", 0.0)]})
        assert shuffled(1).scores(cases) == shuffled(1).scores(cases) != shuffled(2).scores(cases)


def test_the_contexts_of_the_data_are_read_for_the_ranking(tmp_path: Path) -> None:
    data = swords_data(TEXT, {"t": ("quick", "ADJ", {})})
    path = written(tmp_path / "gold.json", data)
    assert swords.Swords.open(path).gold["t"].place == Place(TEXT, 6, 11, "ADJ")
    data["targets"]["t"]["offset"] = 7
    with pytest.raises(FormatError, match="not at offset 7"):
        swords.Swords.open(written(path, data))
