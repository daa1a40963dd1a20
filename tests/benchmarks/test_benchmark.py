"""A benchmark of one's own: what a class has to say, what follows from that, and figures made of sums."""

import json
import math
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.command import usim_here
from usim import __version__, benchmarks
from usim.benchmarks.benchmark import Benchmark, Change
from usim.benchmarks.case import Case, Place
from usim.benchmarks.result import FMeasure, Ratio, Tally
from usim.cli import _COMMANDS
from usim.stats import bootstrap_sums

from .conftest import written

Lists = dict[str, list[str]]
DATA = {"a": ["A **big** dog .", "large", "huge"], "b": ["They **talk** .", "speak"]}


class Toy(Benchmark[Lists]):
    """The share of targets whose first substitute is right."""

    name = "toy"
    about = "Score a system on a few words."

    def __init__(self, gold: dict[str, list[str]]) -> None:
        self.gold = gold

    @classmethod
    def open(cls, path: Any) -> "Toy":
        return cls(json.loads(Path(path).read_text()))

    def read_predictions(self, path: Any, warn: Any = None) -> Lists:
        read: Lists = json.loads(Path(path).read_text())
        return read

    def _place(self, name: str) -> Place:
        before, word, after = self.gold[name][0].split("**")
        return Place(before + word + after, len(before), len(before + word))

    def tally(self, predictions: Lists) -> Tally:
        rights = {name: right for name, (_, *right) in self.gold.items()}
        records = [{"right": predictions.get(n, [""])[0] in right, "targets": 1} for n, right in rights.items()]
        return Tally("toy", records, {"first": Ratio("right", "targets")}, {"set": "all"})

    def cases(self, predictions: Lists) -> list[Case]:
        return [
            Case(k, n, self._place(n), {s: "acceptable" if s in self.gold[n] else "wrong" for s in predictions[n]})
            for k, n in enumerate(self.gold)
        ]

    def changed(self, predictions: Lists, change: Change) -> Lists:
        return {name: change(name, own) for name, own in predictions.items()}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    module = ModuleType("usim.benchmarks.toy")
    module.Toy = Toy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "usim.benchmarks.toy", module)
    monkeypatch.setitem(benchmarks.BENCHMARKS, "toy", ("usim.benchmarks.toy:Toy", "a toy"))
    monkeypatch.setitem(_COMMANDS, "toy", ("usim.cli.benchmark", "Score a system on a toy."))
    written(tmp_path / "gold.toy", DATA)
    written(tmp_path / "made.json", {"a": ["small", "huge"], "b": ["speak"]})
    return tmp_path


def test_its_command_scores(files: Path) -> None:
    command = ("toy", files / "gold.toy", files / "made.json")
    done = usim_here(*command)
    *_, figure, _, signature = done.stdout.splitlines()
    assert figure.split()[:2] == ["first", ".5000"]
    assert signature == f"usim|toy|set:all|n:2|bs:1000|ci:0.95|seed:0|v:{__version__}"
    assert json.loads(usim_here(*command, "--format", "json").stdout)["signature"] == signature


# Figures made of sums, and their intervals

RECORDS = [{"right": 1.0, "made": 2.0}, {"right": 3.0, "made": 4.0}, {"made": 2.0}]


def test_a_ratio_of_sums_is_not_the_mean_of_ratios() -> None:
    result = Tally("toy", RECORDS, {"p": Ratio("right", "made", 100)}, {}).result(resamples=0)
    assert result.figures == {"p": 50.0}
    assert result.intervals == {}


def test_f_is_zero_where_nothing_is_right_and_undefined_where_nothing_is_known() -> None:
    f = FMeasure(Ratio("right", "made"), Ratio("right", "wanted"))
    assert Tally("toy", [{"wanted": 2.0}], {"f": f}, {}).result(resamples=0).figures["f"] == 0
    assert math.isnan(Tally("toy", [{"x": 1.0}], {"f": f}, {}).result(resamples=0).figures["f"])


def test_intervals_hold_the_figure_and_are_the_same_each_time() -> None:
    figures = {"p": Ratio("right", "made")}
    results = [Tally("toy", RECORDS * 20, figures, {}).result() for _ in range(2)]
    assert results[0] == results[1]
    low, high = results[0].intervals["p"][1:]
    assert low < results[0].figures["p"] < high
    assert "|n:60|bs:1000|ci:0.95|seed:0|v:" in results[0].signature


def test_a_bootstrap_needs_records() -> None:
    with pytest.raises(ValueError, match="at least one record"):
        bootstrap_sums(np.empty((0, 2)), [])
    (undefined,) = bootstrap_sums([[0.0]], [lambda s: np.full(len(s), np.nan)], resamples=10)
    assert math.isnan(undefined.low)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("swords", '{"1": {"sentence_split": ["A"], "substitutes": []}}', "substitute_labels"),
        ("sws", '{"targets": {}, "substitutes": {}}', "sentence_split"),
        ("prolex", '{"targets": {}}', "prof_acc_subs"),
        ("prolex", "source,output\na,b\n", "prof_acc_subs"),
    ],
)
def test_gold_data_of_something_else_are_told_from_a_mistake_in_a_record(
    tmp_path: Path, name: str, text: str, expected: str
) -> None:
    done = usim_here(name, gold := written(tmp_path / "gold", text), gold)
    assert done.returncode == 2
    assert "this does not look like the gold data of" in done.stderr
    assert expected in done.stderr
