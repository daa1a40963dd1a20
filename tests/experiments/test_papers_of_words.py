"""Rows of SWORDS and ProLex on small data."""

import json
import math
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from experiments import papers
from experiments.common.levels import Levels
from experiments.papers import swords as table
from experiments.papers.overlap import rank_biased_overlap
from experiments.papers.prolex import from_swords
from experiments.papers.swords_data import describe, filtered_out, overlaps, scores_of_both
from tests.benchmarks.conftest import swords_data, written
from usim.benchmarks import swords

TEXT = "He is quick and sad."


def data_set(quick: dict[str, list[str]], sad: dict[str, list[str]]) -> dict[str, Any]:
    """Data of SWORDS with two targets of CoInCo, from substitutes of the thesaurus."""
    data = swords_data(TEXT, {"t": ("quick", "ADJ", quick), "u": ("sad", "ADJ", sad)})
    for number, target in enumerate(data["targets"].values(), 1):
        target["extra"] = {"coinco_ids": [str(number)], "coinco_lemma": target["target"]}
    for substitute in data["substitutes"].values():
        substitute["extra"] = {"sources": ["roget"]}
    return data


def labels(positive: int, of: int = 10) -> list[str]:
    return ["TRUE"] * positive + ["FALSE"] * (of - positive)


GOLD = data_set({"fast": labels(9), "rapid": labels(4), "slow": labels(0)}, {"unhappy": labels(8), "low": labels(2)})
AGAIN = data_set({"fast": labels(8), "rapid": labels(6), "slow": labels(1)}, {"unhappy": labels(9), "low": labels(1)})


def with_sources(**proposed: list[str]) -> dict[str, Any]:
    """The gold data with some substitutes from other sources than the thesaurus."""
    gold: dict[str, Any] = json.loads(json.dumps(GOLD))
    for substitute in gold["substitutes"].values():
        substitute["extra"]["sources"] = proposed.get(substitute["substitute"], ["roget"])
    return gold


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "swords"
    folder.mkdir()
    quick = {"rapid": ["TRUE_IMPLICIT"], "fast": ["TRUE_IMPLICIT"] * 2}
    coinco = swords_data(TEXT, {"x": ("quick", "ADJ", quick), "y": ("sad", "ADJ", {"low": ["TRUE_IMPLICIT"]})})
    for number, target in enumerate(coinco["targets"].values(), 1):
        target["extra"] = [{"legacy_id": number}]
    values = {
        "swords-v1.1_dev.json": GOLD,
        "swords-v1.1_test.json": GOLD,
        "swords-v1.1_test-subset.json": GOLD,
        "swords-v1.1_test-subset_reannotated.json": AGAIN,
        "coinco_test.json": coinco,
        "swords-v0.8_test_gpt3.out.json": {
            "t": {"choices": [{"text": " rapid, fast, odd"}]},
            "u": {"choices": [{"text": ""}]},
        },
        "swords-v0.8_test_wordtuneclues.out.json": {"t": {"drilldown": None}},
    }
    for name, value in values.items():
        written(folder / f"{name}.gz", value)
    entries = {("quick", "adj."): {"results": ["fast", "brisk"]}}
    (folder / "rogets.pkl").write_bytes(pickle.dumps(entries))
    return tmp_path


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    assert papers.main([*arguments, "--format", "json"]) == 0
    by_row: dict[str, dict[str, Any]] = {}
    for figure in json.loads(capsys.readouterr().out)["figures"]:
        by_row.setdefault(figure["row"], {})[figure["name"]] = figure
    return by_row


class TestSwords:
    def test_table_4(self, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        wordfreq = SimpleNamespace(zipf_frequency=lambda word, language: 4.0)  # of the row on common words
        monkeypatch.setitem(sys.modules, "wordfreq", wordfreq)
        measured = rows(capsys, "swords", "--data", str(data), "--part", "test")
        humans, both = measured["table 4: HUMANS"], "tables 2 and 3: SWORDS (test)"
        # Acceptable are fast and unhappy; the others found rapid acceptable, too.
        assert humans["lenient Fa"]["measured"] == pytest.approx(80)
        assert humans["lenient Fa"]["printed"] == 48.8
        # Of the five that they found conceivable, slow is not in the gold data.
        assert humans["lenient Fc"]["measured"] == pytest.approx(100 * 2 * (4 / 5) / (4 / 5 + 1))
        # What the others found acceptable: two of its three are acceptable, and these are all; slow is not conceivable.
        for row, figure, value in (
            ("table 4: COINCO", "lenient Fa", 40), ("table 4: THESAURUS", "strict Fa", 50), ("table 4: GPT-3", "strict Fa", 40),
            ("table 4: ORACLE", "strict Fc", 100), ("table 8: ORACLE", "strict Pc@1", 100),
            ("table 7: HUMANS", "lenient Pa@10", 200 / 3), ("table 7: HUMANS", "lenient Ra@10", 100),
            ("table 7: HUMANS", "lenient Pc@10", 80), ("table 6: HUMANS", "GAP", 100), (both, "targets", 2),
            (both, "substitutes", 5), (both, "labels", 50), (both, "conceivable of a target", 2), (both, "acceptable of a target", 1),
        ):  # fmt: skip
            assert measured[row][figure]["measured"] == pytest.approx(value)
        for row, figure, value in (
            ("table 8: HUMANS", "OOT mode", 92.2), ("table 4: BERT-K †", "strict Fc", 30.3),
            ("table 6: BERT-LS", "GAP without s_p", 52.9), ("table 6: HUMANS", "GAP", 66.2),
        ):  # fmt: skip
            assert measured[row][figure]["printed"] == value
        assert measured["table 4: BERT-LS †"][""]["why"].startswith("no BERT-LS-test.json here")
        assert measured["table 6: RANDOM"]["GAP"]["measured"] > 0
        assert "takes minutes" in measured["table 6: judge"][""]["why"]
        assert "vectors of GloVe" in measured["table 6: GloVe"]["GAP"]["why"]
        assert "outputs" in measured["table 4: BERT-K"]["lenient Fa"]["why"]

    def test_later_systems_and_earlier_benchmarks(
        self, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (data / "outputs").mkdir()
        ranked = {"t": [["fast", 3], ["slow", 2], ["rapid", 1]], "u": [["unhappy", 2], ["low", 1]]}
        for name in ("Wada-et-al.-2022-test.json", "Wada-et-al.-2022-ranking-test.json"):
            (data / "outputs" / name).write_text(json.dumps(ranked), encoding="utf-8")
        monkeypatch.setattr(table, "_screen", lambda judge, inflect: None)
        monkeypatch.setattr(table.ranking, "by_faithfulness", lambda screen: table.ranking.shuffled(0))
        later = "later: GAP on CoInCo"
        measured = rows(capsys, "swords", "--data", str(data), "--row", "table 4: Wada et al. 2022",
                     "--row", "table 6: Wada et al. 2022", "--row", later)  # fmt: skip
        assert measured["table 4: Wada et al. 2022"]["strict Fa"]["printed"] == 24.52
        # Both acceptable ones are among the five.
        assert measured["table 4: Wada et al. 2022"]["lenient Fa"]["measured"] == pytest.approx(100 * 4 / 7)
        # fast .9, slow 0, rapid .4: (.9 + 1.3/3) / (.9 + 1.3/2); the other target is in order.
        gap = (0.9 + 1.3 / 3) / (0.9 + 1.3 / 2)
        assert measured["table 6: Wada et al. 2022"]["GAP"]["measured"] == pytest.approx(100 * (gap + 1) / 2)
        assert 0 < measured[later]["judge"]["measured"] <= 1

    def test_an_unsure_label_is_no_positive_one_and_targets_without_a_substitute_are_left_out(self) -> None:
        sure, unsure = ("TRUE", "TRUE", "UNSURE"), ("TRUE", "UNSURE")
        gold = {
            "t": swords.SwordsTarget("quick", "ADJ", {"fast": sure, "rapid": sure, "odd": unsure}),
            "u": swords.SwordsTarget("sad", "ADJ", {"low": unsure}),
        }
        assert describe(gold)["acceptable of a target"] == 2
        assert describe(gold)["conceivable of a target"] == 2
        assert describe(gold)["targets without an acceptable one"] == 1
        assert describe(gold)["labels UNSURE, per cent"] == pytest.approx(400 / 10)

    def test_where_good_substitutes_come_from(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        gold = with_sources(fast=["coinco", "roget"], unhappy=["coinco"])
        for part in ("dev", "test"):
            written(data / "swords" / f"swords-v1.1_{part}.json.gz", gold)
        measured = rows(capsys, "swords", "--data", str(data), "--row", "§4: SWORDS", "--row", "§4: SWORDS (dev)")
        figures = {name: figure["measured"] for name, figure in measured["§4: SWORDS"].items()}
        # Conceivable are fast, rapid, unhappy and low; acceptable fast (9 of 10) and unhappy (8 of 10).
        sources = ("thesaurus alone", "both", "CoInCo alone")
        assert [figures[f"conceivable: {of}, per cent"] for of in sources] == [50, 25, 25]
        assert [figures[f"acceptable: {of}, per cent"] for of in sources] == [0, 50, 50]
        # CoInCo's are fast .9 and unhappy .8, each the best of its target.
        assert figures["CoInCo's substitutes: unacceptable, per cent"] == 0
        assert figures["CoInCo's substitutes: inconceivable, per cent"] == 0
        assert figures["mean share of CoInCo's substitutes, mean of targets, per cent"] == pytest.approx(85)
        assert figures["mean share of as many of SWORDS' best, mean of targets, per cent"] == pytest.approx(85)
        assert (figures["score 0: thesaurus alone"], figures["score 0: both"]) == (2, 0)  # both parts have it
        assert figures["CoInCo's substitutes of a target: acceptable"] == 2
        assert measured["§4: SWORDS"]["CoInCo's substitutes: unacceptable, per cent"]["printed"] == 75.7
        assert measured["§4: SWORDS (dev)"]["conceivable: both, per cent"]["printed"] is None  # it is of both parts

    def test_examples_of_table_3(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        targets = {"t": ("very", "ADV", {"extraordinarily": labels(7)})}
        gold = swords_data("It was very reassuring.", targets)
        written(data / "swords" / "swords-v1.1_dev.json.gz", gold)
        measured = rows(capsys, "swords", "--data", str(data), "--row", "table 3: examples (dev)")
        (figure,) = measured["table 3: examples (dev)"].values()
        assert (figure["measured"], figure["printed"], figure["agrees"]) == (70, 80, False)
        assert figure["why"] == "seven of the ten published labels"

    def test_scores_of_coinco_and_of_swords(self, data: Path) -> None:
        # CoInCo: rapid by one, fast by two people; low by one. SWORDS: fast .9 and unhappy .8 are acceptable.
        gold = with_sources(fast=["coinco"], rapid=["coinco"], low=["coinco"])
        path = written(data / "swords" / "swords-v1.1_test.json.gz", gold)
        figures = scores_of_both(path, data / "swords" / "coinco_test.json.gz")
        assert list(figures.values()) == pytest.approx([100 / 3, 100 / 3, 100, 50])

    def test_what_three_labels_miss(self, tmp_path: Path) -> None:
        late = ["FALSE"] * 3 + ["TRUE"] * 7
        again = data_set({"a": labels(0), "b": late, "c": labels(4)}, {"d": labels(0, 3)})
        path = written(tmp_path / "again.json", again)
        # a and b have no positive label among the first three, b has some of ten and is acceptable by these; d has
        # three labels alone.
        assert list(filtered_out(path).values()) == [50, 0]

    def test_candidates_of_earlier_benchmarks(self) -> None:
        given = {
            "t": {"fast": ("TRUE_IMPLICIT",)},
            "u": {"rapid": ("TRUE_IMPLICIT",) * 2, "at once": ("TRUE_IMPLICIT",)},
        }
        gold = {name: swords.SwordsTarget("quick", "ADJ", of) for name, of in given.items()}
        gold["v"] = swords.SwordsTarget("quick", "NOUN", {"core": ("TRUE_IMPLICIT",)})
        assert {name: dict(target.labels) for name, target in table.pooled(gold).items()} == {
            "t": {"fast": ("TRUE_IMPLICIT",), "rapid": ("FALSE_IMPLICIT",)},
            "u": {"fast": ("FALSE_IMPLICIT",), "rapid": ("TRUE_IMPLICIT",) * 2},
            "v": {"core": ("TRUE_IMPLICIT",)},
        }


class TestAgreement:
    def test_overlap_of_rankings_by_hand(self) -> None:
        # Agreement at depths 1, 2, 3: 0, 1/2, 1; the last goes on.
        one, other = [["a"], ["b"], ["c"]], [["b"], ["c"], ["a"]]
        assert rank_biased_overlap(one, other, p=0.5) == pytest.approx(0.5 * (0 + 0.5 * 0.5 + 0.25 * 1) + 1 * 0.125)
        # With a tie: at depth 1 the one ranking shows both, the other shows a: agreement 2 · 1 / 3.
        assert rank_biased_overlap([["a", "b"]], [["a"], ["b"]], p=0.5) == pytest.approx(0.5 * (2 / 3 + 0.5 * 1) + 0.25)
        # That of a ranking with the start of it is whole.
        assert rank_biased_overlap([["a"], ["b"]], [["a"], ["b"], ["c"], ["d"]]) == pytest.approx(1)
        assert math.isnan(rank_biased_overlap([], [["a"]]))

    def test_the_whole_of_one_annotation_is_compared_with_k_labels_of_the_other(self) -> None:
        """As in Figure 4: the more of the others are asked, the nearer they come."""
        steps = {f"s{k}": labels(k) for k in range(0, 11, 2)} | {"unseen": labels(0, 3)}
        gold = {"t": swords.SwordsTarget("quick", "ADJ", {s: tuple(given) for s, given in steps.items()})}
        curve = overlaps(gold, gold, 10, draws=200)
        assert 0 < curve[0] < curve[4] < curve[9]
        assert curve == overlaps(gold, gold, 10, draws=200)  # the same in each run
        assert curve[9] == pytest.approx(100)


class TestProlex:
    def test_rows(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for part in ("dev", "test"):
            (tmp_path / f"ProLex_v1.0_{part}.csv").write_text(
                "target word,Sentence,acc_subs,unacc_subs,prof_acc_subs\n"
                "support,They **support** it.,\"['back', 'substantiate']\",['uphold'],\"['substantiate']\"\n",
                encoding="utf-8",
            )
        (tmp_path / "lspro.out.embed.0.02.oot").write_text("support.V 0 ::: back;hold\n", encoding="utf-8")
        measured = rows(capsys, "prolex", "--data", str(tmp_path), "--part", "dev")
        assert measured["systems: ParaLS (dev)"]["hard Fa"]["measured"] == pytest.approx(50)
        assert measured["systems: ParaLS (dev)"]["hard Fp"]["measured"] == 0
        assert measured["data: statistics (dev)"]["acceptable of a target"]["measured"] == 2
        assert measured["levels: proficient or not (dev)"]["κ"]["measured"] is not None
        assert measured["κ: of annotators"]["κ"]["measured"] is None
        row = rows(capsys, "prolex", "--data", str(tmp_path), "--row", "table 1: all essays")["table 1: all essays"]
        assert {name: (own["measured"], own["printed"]) for name, own in row.items()} == {
            "targets": (1, 680), "words of a sentence": (3, 21.8), "acceptable substitutes": (2, 1955),
            "proficient substitutes": (1, 1559), "acceptable of a target": (2, 2.9), "proficient of a target": (1, 2.3),
        }  # fmt: skip

    def test_swords_without_easier_substitutes(self, tmp_path: Path) -> None:
        listed: dict[str, dict[str | None, int]] = {"quick": {None: 3}, "fast": {None: 1}, "rapid": {None: 4}}
        given = {"fast": ["TRUE", "TRUE"], "rapid": ["TRUE", "TRUE", "FALSE"], "swift": ["TRUE", "TRUE", "UNSURE"]}
        data = swords_data(TEXT, {"t": ("quick", "ADJ", given), "u": ("sad", "ADJ", {"low": ["TRUE", "FALSE"]})})
        path = written(tmp_path / "swords.json", data)
        levels = Levels("mine", lambda text: listed.get(text, {}))
        assert from_swords(path, levels) == {("quick", TEXT): {"swift", "rapid"}}
        assert from_swords(path, None) == {("quick", TEXT): {"fast", "swift", "rapid"}}
