"""Bootstrap intervals."""

from __future__ import annotations

import numpy as np
import pytest

from usim.stats import bootstrap_interval


def test_the_interval_of_a_mean_is_that_of_the_normal_distribution() -> None:
    sample = np.random.default_rng(1).normal(5.0, 2.0, 400)
    value, low, high = bootstrap_interval(sample, resamples=4000)
    assert value == pytest.approx(sample.mean())
    half = 1.96 * sample.std() / 20
    assert low == pytest.approx(value - half, abs=0.03)
    assert high == pytest.approx(value + half, abs=0.03)


def test_the_seed_decides() -> None:
    sample = np.arange(10.0)
    assert bootstrap_interval(sample, seed=3) == bootstrap_interval(sample, seed=3)
    assert bootstrap_interval(sample, seed=3) != bootstrap_interval(sample, seed=4)


@pytest.mark.parametrize("values", [[], [[1.0]]])
def test_no_sample(values: list[float]) -> None:
    with pytest.raises(ValueError, match="a bootstrap needs a sample"):
        bootstrap_interval(values)
