"""Screening of published systems: what is read, and the figures."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from experiments import screening
from experiments.common.study import Study
from experiments.screening import System, at_kept, curve, run
from tests.benchmarks.conftest import swords_data, written
from tests.support.flat import Flat
from usim.benchmarks.case import Label
from usim.evidence import Analysis
from usim.judge import Thresholds, UsimJudge
from usim.report.tables import Table
from usim.screen import Screen
from usim.verdicts import Opinion

pytestmark = pytest.mark.model

WRONG = {"noisy", "tiny", "cheap"}


class Opinionated(UsimJudge):
    """A judge to whom some words are unfaithful."""

    name = "opinionated"
    thresholds = Thresholds(keep=0.9, drop=0.5)

    def judge(self, pairs: Sequence[tuple[Analysis, Analysis]]) -> list[Opinion]:
        return [Opinion(0.2 if WRONG & set(output.tokens) else 0.95) for _, output in pairs]


def labels(positive: int) -> list[str]:
    return ["TRUE"] * positive + ["FALSE"] * (10 - positive)


SWORDS = swords_data(
    "She bought a big house . It was a quiet day .",
    {
        "t:1": ("big", "ADJ", {"large": labels(9), "tiny": labels(0)}),
        "t:2": ("quiet", "ADJ", {"calm": labels(10), "noisy": labels(0), "peaceful": labels(4)}),
    },
)
MADE = {"t:1": [["large", 3], ["tiny", 2], ["cheap", 1]], "t:2": [["peaceful", 2], ["calm", 1]]}
PROLEX = (
    "target word,Sentence,acc_subs,unacc_subs,prof_acc_subs,prof_unacc_subs,t_words_cefr,prof_acc_cefr,prof_unacc_cefr\n"
    "big,She bought a **big** house.,['large'],['tiny'],['large'],[],0,[1],[]\n"
)
SWS = {
    "1": {
        "sentence": "She bought a big house.",
        "sentence_split": ["She", "bought", "a", "big", "house", "."],
        "substitutes": [[[3, 4], {"large": 3}, 1]],
    }
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        name: written(tmp_path / name, content)
        for name, content in {
            "swords.json": SWORDS, "made.json": {"substitutes": MADE}, "prolex.csv": PROLEX,
            "parals.oot": "big.J 0 ::: large;tiny;wide\n", "sws.json": SWS,
        }.items()
    }  # fmt: skip


def opinionated() -> Screen:
    return Screen(parser=Flat(), judge=Opinionated())


def rows(table: Table) -> dict[str, dict[str, object]]:
    return {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows}


class TestSwords:
    @pytest.fixture
    def study(self, files: dict[str, Path]) -> Study:
        predictions = {"mine": str(files["made.json"]), "judged": "judged"}
        systems = [System("SWORDS", files["swords.json"], path, name) for name, path in predictions.items()]
        return run(systems, opinionated(), resamples=20)

    def test_before_and_after(self, study: Study) -> None:
        row = rows(study.table)["SWORDS: mine"]
        # Judged are large and calm (good), tiny and peaceful (bad); tiny is dropped, and so is cheap, which nobody judged.
        assert (row["acceptable"], row["wrong"], row["unjudged"]) == (2, 2, 1)
        assert (row["precision before"], row["after"]) == (pytest.approx(1 / 2), pytest.approx(2 / 3))
        assert row["change"].value == pytest.approx(2 / 3 - 1 / 2)  # type: ignore[attr-defined]
        assert row["acceptable kept"].value == 1.0  # type: ignore[attr-defined]
        assert row["wrong dropped"].value == 0.5  # type: ignore[attr-defined]
        # Of the four pairs of a good and a bad one, two are won and two are even.
        assert row["AUC"].value == 0.75  # type: ignore[attr-defined]
        # All that people judged.
        row = rows(study.table)["SWORDS: judged"]
        assert (row["acceptable"], row["wrong"], row["unjudged"]) == (2, 3, 0)

    def test_further_tables(self, study: Study) -> None:
        assert [table.shown for table in study.tables] == [True, True, False]
        kept = rows(study.tables[1])["SWORDS: mine"]
        assert (kept["threshold"], kept["acceptable kept"], kept["after"]) == (0.95, 1.0, pytest.approx(2 / 3))
        # The curve is in files alone.
        assert "thinned" not in study.as_text()
        assert len(json.loads(study.as_json())["tables"]["curve"]["rows"]) >= 4


def test_prolex_and_sws_by_rules(files: dict[str, Path]) -> None:
    named = System.from_option("ProLex", str(files["prolex.csv"]), f"ParaLS={files['parals.oot']}")
    assert System.from_option("SWORDS", "gold.json", "folder/made.out.json.gz").name == "made"
    study = run([named], opinionated(), resamples=5)
    row = rows(study.table)["ProLex: ParaLS"]
    assert (row["acceptable"], row["wrong"], row["unjudged"]) == (1, 1, 1)
    assert (row["precision before"], row["after"]) == (0.5, 1.0)
    study = run([System.from_option("SWS", str(files["sws.json"]), "rules")], opinionated(), resamples=5)
    row = rows(study.table)["SWS: rules"]
    assert row["acceptable"] == 1
    assert row["unjudged"] > 0  # type: ignore[operator]  # it proposes other words for all that WordNet knows


def test_without_anything_judged_there_is_no_auc(files: dict[str, Path]) -> None:
    (files["made.json"]).write_text(json.dumps({"substitutes": {"t:1": [["cheap", 1]]}}), encoding="utf-8")
    study = run([System("SWORDS", files["swords.json"], str(files["made.json"]), "mine")], opinionated(), resamples=5)
    assert math.isnan(rows(study.table)["SWORDS: mine"]["AUC"].value)  # type: ignore[attr-defined]
    assert json.loads(study.as_json())["tables"]["systems"]["rows"][0]["AUC"]["value"] is None


def test_the_command(files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["--swords", str(files["swords.json"]), f"mine={files['made.json']}", "--judge", "usim", "--resamples", "10"]
    assert screening.main([*line, "--out", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert "SWORDS: mine" in printed
    assert {"screening-curve.csv", "screening.svg"} <= {path.name for path in (tmp_path / "out").iterdir()}
    assert screening.main([]) == 2
    assert "no system: give --sws" in capsys.readouterr().err
    assert json.loads((tmp_path / "out" / "screening.json").read_text(encoding="utf-8"))["signatures"]["screen"]


def test_the_curve_begins_with_everything_and_ends_with_the_most_faithful() -> None:
    labels: list[Label] = ["acceptable", "acceptable", "wrong", "wrong", "unjudged"]
    points = curve(labels, [0.9, 0.8, 0.8, 0.1, 0.5])
    assert [point.threshold for point in points] == [0.0, 0.5, 0.8, 0.9]
    assert [point.left for point in points] == [5, 4, 3, 1]
    assert [point.wrong_dropped for point in points] == [0, 0.5, 0.5, 1]
    assert points[0].precision == 0.5
    assert points[2].precision == pytest.approx(2 / 3)
    assert at_kept(points, 1.0) == points[2]
    assert at_kept(points, 0.5) == points[3]
    (nothing,) = curve([], [])
    assert nothing.left == 0
    assert math.isnan(nothing.precision)
