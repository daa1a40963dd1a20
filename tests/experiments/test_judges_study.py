"""Figures of judges on the same pairs: what they are, what is drawn, and what is left out."""

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from experiments import judges
from judges.data import HELD, Pair
from tests.benchmarks.conftest import written
from tests.support.flat import Flat
from usim.judge import Thresholds, UsimJudge
from usim.scorer import Scorer

EVERY = np.arange(6)


def rated(label: float, key: str = "", *, output: str = "b", rating: float | None = None) -> Pair:
    return Pair("a", output, label, "made", key, label if rating is None else rating, key)


def judged(*pairs: tuple[Pair, float]) -> judges.Judged:
    said = [(value, "drop" if value < 0.2 else "keep") for _, value in pairs]
    results: list[Any] = [SimpleNamespace(judgement=SimpleNamespace(faithfulness=f, verdict=v)) for f, v in said]
    return judges.Judged([pair for pair, _ in pairs], np.array([value for _, value in pairs]), results)


class TestFigures:
    given = judged(
        (rated(1.0, "x"), 0.6), (rated(0.0, "x"), 0.9), (rated(0.4, "x"), 0.1),
        (rated(0.0, "y"), 0.3), (rated(0.0, "y"), 0.1),
        (rated(0.5, "z"), 0.7),
    )  # fmt: skip

    def test_average_precision_is_the_mean_of_whole_lists_with_something_acceptable(self) -> None:
        # x is ranked 0, 1, .4: precisions .5 and 1.4 / 3, over those of the best order, 1 and 1.4 / 2; z is perfect.
        of_x = 100 * (0.5 + 1.4 / 3) / (1 + 1.4 / 2)
        figure = judges.average_precision(self.given)
        assert figure(EVERY) == pytest.approx((of_x + 100) / 2)
        assert figure(np.array([0, 1, 2, 0, 1, 2, 5])) == pytest.approx((2 * of_x + 100) / 3)
        assert math.isnan(figure(np.array([3, 4])))

    def test_area(self) -> None:
        assert judges.area(self.given)(EVERY) == pytest.approx(6 / 8)
        assert math.isnan(judges.area(self.given)(np.array([0, 5])))
        by_rating = judged((rated(0.1, rating=3.0), 0.9), (rated(0.9, rating=2.9), 0.1))
        assert judges.area(by_rating, bound=3.0)(np.arange(2)) == 1.0
        assert judges.area(by_rating)(np.arange(2)) == 0.0

    def test_shares(self) -> None:
        assert judges.share(self.given, at_least=0.7)(EVERY) == pytest.approx(2 / 6)
        assert judges.share(self.given, at_most=0.1)(EVERY) == pytest.approx(2 / 6)
        assert judges.dropped(self.given)(EVERY) == pytest.approx(2 / 6)
        assert judges.dropped(self.given, acceptable=True)(EVERY) == 0
        assert judges.dropped(self.given, acceptable=False)(EVERY) == pytest.approx(2 / 4)
        assert math.isnan(judges.dropped(self.given, acceptable=True)(np.array([1])))

    def test_of_a_change_in_two_texts_the_first_is_right(self) -> None:
        figure = judges.right_order(self.given)  # .6 and .9, .1 and .3, .1 and .7
        assert figure(EVERY) == 0
        with_tie = judged((rated(1), 0.5), (rated(0), 0.5), (rated(1), 0.5), (rated(0), 0.4))
        assert judges.right_order(with_tie)(EVERY[:4]) == 0.75

    def test_identical_pairs_are_no_calibration(self) -> None:
        with_same = judged((rated(0.0), 0.25), (rated(1.0), 0.25), (rated(0.0, output="a"), 1.0))
        assert judges.calibration(with_same) == pytest.approx(0.25)
        assert math.isnan(judges.calibration(judged((rated(1.0, output="a"), 1.0))))


def test_lists_stay_whole() -> None:
    pairs = [rated(0.5, key) for key in "aabbccdd"] + [rated(0.1), rated(0.2)]
    drawn = judges.some(pairs, 3, seed=1)
    assert drawn == judges.some(pairs, 3, seed=1)
    assert 3 <= len(drawn) <= 4
    assert all(sum(pair.key == key for pair in drawn) in (0, 2) for key in "abcd")
    assert len({str(judges.some(pairs, 3, seed)) for seed in range(9)}) > 1

    assert all(judges.some(pairs, limit, 0) == pairs for limit in (None, 10, 12))  # without need all are taken


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """SWORDS with a context in each of twelve, and CSMD."""
    words = [(k, word) for k in range(12) for word in ("happy", "tall")]
    swords = {
        "contexts": {f"c{k}": {"context": f"We are glad, all {k} of us."} for k in range(12)},
        "targets": {f"t{k}": {"context_id": f"c{k}", "target": "glad", "pos": "ADJ", "offset": 7} for k in range(12)},
        "substitutes": {f"s{k}{word}": {"target_id": f"t{k}", "substitute": word} for k, word in words},
        "substitute_labels": {f"s{k}{word}": ["TRUE" if word == "happy" else "FALSE"] * 4 for k, word in words},
    }
    written(tmp_path / "swords-v1.1_dev.json.gz", swords)
    for name in ("train", "dev"):
        rows = f"The {name} is late.\tIt is late.\t80\nWe left.\tWe stayed.\t5\n"
        written(tmp_path / f"csmd-{name}.tsv", f"original\tsimplification\tlabel\n{rows}")
    return tmp_path


def test_what_is_not_there_is_left_out_by_name(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = judges.read(judges.Source(data, [], None, 0), ("swords", "swords-held-out", "prolex", "csmd", "negated"))
    assert list(sets) == ["swords", "swords-held-out", "csmd"]
    assert [len(sets[name]) for name in ("swords", "csmd")] == [24, 4]
    held = [pair for pair in sets["swords"] if pair.fold in HELD]
    assert sets["swords-held-out"] == held
    assert 0 < len(held) < 24
    warnings = capsys.readouterr().err
    assert "left out prolex: " in warnings
    assert "python -m experiments data prolex" in warnings
    assert "left out negated: no sentences" in warnings


class Stern(UsimJudge):
    """USim cut by half, with a threshold of its own."""

    name = "stern"
    thresholds = Thresholds(0.7, 0.6)

    def judge(self, pairs):  # type: ignore[no-untyped-def]
        return [replace(opinion, same=opinion.same / 2) for opinion in super().judge(pairs)]


def test_judges_get_the_same_pairs(data: Path) -> None:
    sets = judges.read(judges.Source(data, [], 6, 0), ("swords", "csmd", "contrast"))
    assert len(sets["swords"]) == 6
    judges_by_name = {"mild": Scorer(parser=Flat(), judge=UsimJudge()), "stern": Scorer(parser=Flat(), judge=Stern())}
    study = judges.run(sets, judges_by_name, resamples=20)
    rows = {(row[0], row[1]): row for row in study.table.rows}
    titles = {judges.SETS[name].title for name in sets}
    assert {title for title, _ in rows} == titles
    for title, figure in ((judges.SETS["swords"].title, "GAP"), (judges.SETS["csmd"].title, "Pearson")):
        assert rows[title, figure][3] == rows[title, figure][4], "half of everything is in the same order"
    mild, stern = (cell.value for cell in rows[judges.SETS["swords"].title, "others dropped"][3:])  # type: ignore[union-attr]
    assert mild < stern == 1
    assert "stern" in study.signatures["stern"]
    assert json.loads(study.as_json())["tables"]["figures"]["rows"]


@pytest.mark.model
@pytest.mark.slow  # the makers of pairs take their time to load
def test_the_ends_of_the_scale(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = Path(__file__).parents[2] / "notebooks" / "data" / "annotations"
    line = ["--data", str(data), "--ucca", str(corpus), "--limit", "4", "--resamples", "5", "--judge", "usim"]
    line += [word for name in ("identical", "respelled", "unrelated", "negated") for word in ("--only", name)]
    assert judges.main([*line, "--format", "json"]) == 0
    study = json.loads(capsys.readouterr().out)
    rows = {(row["pairs"], row["figure"]): row for row in study["tables"]["figures"]["rows"]}
    assert rows["identical sentences", "at least .95"]["en"]["value"] == 1
    assert rows["identical sentences", "calibration error"]["en"] is None
    assert ("unrelated sentences", "at most .05") in rows


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["--model", "en", "--model", "en-fast", "--judge", "usim"], "--judge goes with one --model"),
        (["--only", "tmu"], "no pairs to measure on"),
        (["--only", "identical", "--ucca", "{}"], "left out identical: {}: no XML files in it"),
    ],
)
def test_one_line_where_nothing_can_be_measured(
    line: list[str], message: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judges.main(["--data", str(data), *(part.format(data) for part in line)]) == 2
    assert message.format(data) in capsys.readouterr().err
