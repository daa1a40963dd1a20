"""Figures made of sums, their intervals, and reading files."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from usim.benchmarks.result import FMeasure, Ratio, Tally
from usim.errors import FormatError, InputError
from usim.stats import bootstrap_interval, bootstrap_sums
from usim.text import read_csv, read_json, read_text

RECORDS = [{"right": 1.0, "made": 2.0}, {"right": 3.0, "made": 4.0}, {"made": 2.0}]


def test_a_ratio_of_sums_is_not_the_mean_of_ratios() -> None:
    result = Tally("toy", RECORDS, {"p": Ratio("right", "made", 100)}, {}).result(resamples=0)
    assert result.figures == {"p": 50.0}
    assert result.intervals == {}


def test_f_is_zero_where_nothing_is_right_and_undefined_where_nothing_is_known() -> None:
    f = FMeasure(Ratio("right", "made"), Ratio("right", "wanted"))
    assert Tally("toy", [{"wanted": 2.0}], {"f": f}, {}).result(resamples=0).figures["f"] == 0
    assert math.isnan(Tally("toy", [{"x": 1.0}], {"f": f}, {}).result(resamples=0).figures["f"])


def test_intervals_hold_the_figure_and_go_by_the_seed() -> None:
    figures = {"p": Ratio("right", "made")}
    results = [Tally("toy", RECORDS * 20, figures, {}).result(seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1]
    low, high = results[0].intervals["p"][1:]
    assert low < results[0].figures["p"] < high
    assert results[0].intervals != results[2].intervals
    assert "|n:60|bs:1000|ci:0.95|seed:1|v:" in results[0].signature


def test_intervals_of_sums_agree_with_those_of_a_mean() -> None:
    values = np.random.default_rng(5).random(200)
    (of_sums,) = bootstrap_sums(np.stack([values, np.ones(200)], 1), [lambda s: s[:, 0] / s[:, 1]], resamples=4000)
    of_mean = bootstrap_interval(values, resamples=4000)
    assert of_sums.value == pytest.approx(of_mean.value)
    assert of_sums.low == pytest.approx(of_mean.low, abs=0.005)
    assert of_sums.high == pytest.approx(of_mean.high, abs=0.005)


def test_a_bootstrap_needs_records_and_a_confidence() -> None:
    with pytest.raises(ValueError, match="at least one record"):
        bootstrap_sums(np.empty((0, 2)), [])
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_sums([[1]], [], confidence=1)
    (undefined,) = bootstrap_sums([[0.0]], [lambda s: np.full(len(s), np.nan)], resamples=10)
    assert math.isnan(undefined.low)


@pytest.mark.parametrize(
    ("read", "content", "error", "said"),
    [
        (read_json, b'{"a": 1,\n "b"}', FormatError, ":2: not JSON"),
        (read_json, b"[1]", FormatError, "a JSON object is needed"),
        (read_json, b'{"a": 1, "a": 2}', FormatError, "there twice.*'a'"),
        (read_json, b'{"a":\n"\xff"}', InputError, ":2: not UTF-8"),
        (read_text, b"not packed", InputError, "cannot be read"),
        (read_text, None, InputError, "cannot be read"),
        (lambda path: [*read_csv(path, ("a",))], b"a,b\n1,2\n1,2,3\n", FormatError, ":3: a record with more fields"),
    ],
)
def test_files_that_cannot_be_read(
    tmp_path: Path, read: Callable[[Path], object], content: bytes | None, error: type[Exception], said: str
) -> None:
    path = tmp_path / ("x.json.gz" if read is read_text else "x.json")
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=said):
        read(path)
