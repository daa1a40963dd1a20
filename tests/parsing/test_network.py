"""The network from outside: arrays in and out, with and without a sieve before the scores."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from usim.parsing.network import SIEVED, Network, SpanScores, Window

LABELS = 5


class Session:
    """Stands for a graph in onnxruntime: a score for each label, outputs of the numbers of the fences.

    With a threshold it gives scores only to the spans whose best label scores more, and to single words.
    """

    def __init__(self, threshold: float | None) -> None:
        self.threshold = threshold

    def get_outputs(self) -> list[Any]:
        names = ["score", "scores", "node_left", "node_right", *(["chosen"] if self.threshold is not None else [])]
        return [SimpleNamespace(name=name, shape=[None, None, 3]) for name in names]

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name=name) for name in ("ids", "mask", "types", "before", "after", "start", "end")]

    def run(self, names: Sequence[str], feed: Mapping[str, Any]) -> list[Any]:
        start, end = feed["start"], feed["end"]
        scores = np.sin(3.0 * start[:, None] + 1.7 * end[:, None] + np.arange(LABELS) ** 2).astype(np.float32) - 0.3
        fences = np.zeros((feed["before"].size, 2), np.float32)
        outputs = {"score": scores.max(axis=1), "scores": scores, "node_left": fences, "node_right": fences}
        if self.threshold is not None:
            chosen = np.flatnonzero((outputs["score"] > self.threshold) | (end - start == 1))
            outputs |= {"score": outputs["score"][chosen], "scores": scores[chosen], "chosen": chosen}
        return [outputs[name] for name in names]


def scores(threshold: float | None, sizes: Sequence[int]) -> SpanScores:
    outputs = Network(Session(threshold), SimpleNamespace(words=lambda ids: ids))
    windows = [Window(k, 0, n, list(range(n)), list(range(n + 2)), list(range(1, n + 2))) for k, n in enumerate(sizes)]
    return outputs.run(windows, 1)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.floats(-0.5, 0.9))
def test_what_passes_a_sieve_has_the_same_scores_and_labels(sizes: list[int], threshold: float) -> None:
    every, some = scores(None, sizes), scores(threshold, sizes)
    assert every.best.shape == some.best.shape == (sum(n * (n + 1) // 2 for n in sizes),)
    passes = some.best != np.float32(SIEVED)
    np.testing.assert_array_equal(some.best[passes], every.best[passes])
    assert (every.best[~passes] <= threshold).all()
    assert passes.sum() >= sum(sizes)  # all single words
    numbers = np.flatnonzero(passes)[::-1].tolist()  # in any order
    assert some.labels(numbers) == every.labels(numbers)
    assert some.labels([]) == every.labels([]) == []
