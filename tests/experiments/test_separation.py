"""Separation: corrections against poor outputs and unrelated sentences."""

import json
from pathlib import Path

import pytest

from experiments import separation
from experiments.common.corrections import read_corrections
from experiments.common.scores import PairScores
from tests.support.corrections import corpus
from tests.support.flat import Flat
from usim.errors import InputError
from usim.stats import Interval

pytestmark = pytest.mark.model

FILES = {
    "src": "He go home ./The dog eated my book ./I likes tea very much ./We was there before .",
    "ref0": "He goes home ./The dog ate my book ./I like tea very much ./We were there before .",
    "ref1": "He goes home ./The dog ate my book ./I like tea a lot ./We had been there .",
    "good_out": "He goes home ./The dog eated my book ./I like tea very much ./We were there before .",
    "poor_out": "./Book ./I ./We there there there there there .",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return corpus(tmp_path / "corpus", **FILES)


def rows(study: separation.Study) -> dict[str, dict[str, object]]:
    return {str(row[0]): dict(zip(study.table.columns, row, strict=True)) for row in study.table.rows}


def test_figures(folder: Path) -> None:
    study = separation.run(folder, PairScores(Flat()), resamples=20)
    by_name = rows(study)
    assert list(by_name) == ["references", "ref0", "ref1", "good", "poor", "worst systems", "random sentences"]
    assert [by_name[name]["pairs"] for name in by_name] == [8, 4, 4, 4, 4, 4, 4]
    assert by_name["good"]["unchanged"] == 0.25
    mean = {name: row["USim"] for name, row in by_name.items()}
    assert isinstance(mean["references"], Interval)
    assert mean["references"].value == pytest.approx((mean["ref0"].value + mean["ref1"].value) / 2)
    assert mean["poor"].value < mean["references"].value
    assert by_name["references"]["USim: AUC"] is None
    assert by_name["poor"]["USim: AUC"].value > 0.5
    # The sentence that a system left alone is not counted among the changed ones.
    assert by_name["good"]["USim: AUC, changed"].value >= by_name["good"]["USim: AUC"].value
    assert separation.worst_systems(read_corrections(folder)) == ("poor",)
    checks = {check.what: check.holds for check in study.checks}  # what is reached, and what is not
    assert set(checks) == {f"{t} of {r}" for t in ("USim", "faithfulness") for r in ("references", "random sentences")}
    assert checks["USim of references"]
    # To a parser without a structure all sentences look alike.
    assert not checks["USim of random sentences"]


def test_systems_can_be_named(folder: Path) -> None:
    by_name = rows(separation.run(folder, PairScores(Flat()), worst=["good", "poor"], resamples=5))
    assert by_name["worst systems"]["pairs"] == 8
    with pytest.raises(InputError, match="no output of best; there is good, poor"):
        separation.run(folder, PairScores(Flat()), worst=["best"])


def test_the_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    line = ["--folder", str(folder), "--out", str(out), "--resamples", "50", "--judge", "usim"]
    assert separation.main(line) == 0
    printed = capsys.readouterr().out
    assert "published means of references (TUPA): .72 to .78" in printed
    content = json.loads((out / "separation.json").read_text(encoding="utf-8"))
    assert content["signatures"]["usim"].startswith("usim|parser:en-")
    assert {"scores.sqlite", "separation.svg"} <= {path.name for path in out.iterdir()}
    # A second run comes to the same.
    assert separation.main(line) == 0
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize(
    ("line", "message"), [(["--folder", "nowhere"], "no such folder"), (["--judge", "nobody"], "nobody")]
)
def test_what_cannot_be_used(line: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert separation.main(["--folder", str(folder), *line]) == 2
    assert message in capsys.readouterr().err
