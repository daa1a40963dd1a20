"""Chart decoding: the best tree under scores of spans."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.parsing.chart import best_spans, span_number, spans_of


def exhaustive(scores: list[float], n: int) -> float:
    """The best sum of scores over all trees, by trying all of them."""

    @cache
    def best(i: int, j: int) -> float:
        own = max(0.0, scores[span_number(i, j, n)])
        return own + max((best(i, k) + best(k, j) for k in range(i + 1, j)), default=0.0)

    return best(0, n) if n else 0.0


def test_spans_are_numbered_row_by_row() -> None:
    i, j = spans_of(3)
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert [span_number(a, b, 3) for a, b in zip(i.tolist(), j.tolist(), strict=True)] == list(range(6))


@pytest.mark.parametrize(
    ("scores", "sizes", "spans"),
    [
        # (0, 2) for 3 and (1, 3) for 2 cross; the words alone are worth nothing.
        pytest.param([-1, 3, 0.5, -1, 2, -1], [3], [[(0, 3, 2), (0, 2, 1)]], id="crossing spans compete"),
        pytest.param([-1, 2, -1, -1, -1, 3, -1, -1, 2, -1], [4], [[(0, 2, 1), (2, 4, 8)]], id="two weaker beat one stronger"),
        pytest.param([0] * 6, [3], [[]], id="nothing above zero"),
        pytest.param([], [0], [[]], id="no words"),
        pytest.param([], [], [], id="no sentences"),
        pytest.param([1] * 4, [2, 0, 1], [[(0, 2, 1), (0, 1, 0), (1, 2, 2)], [], [(0, 1, 3)]], id="numbers count on over a batch"),
    ],
)  # fmt: skip
def test_spans_by_hand(scores: list[float], sizes: list[int], spans: list[list[tuple[int, int, int]]]) -> None:
    assert best_spans(np.array(scores, dtype=np.float32), sizes) == spans


@given(st.lists(st.integers(0, 7), min_size=1, max_size=4), st.integers(0, 2**32))
def test_a_batch_finds_the_best_tree_of_each_sentence(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=n * (n + 1) // 2).astype(np.float32) for n in sizes]
    scores = np.concatenate(parts)
    offset = 0
    for n, part, chosen in zip(sizes, parts, best_spans(scores, sizes), strict=True):
        own = sum(float(scores[number]) for _, _, number in chosen)
        assert own == pytest.approx(exhaustive(part.tolist(), n), abs=1e-5)
        for i, j, number in chosen:
            assert number - offset == span_number(i, j, n)
            assert scores[number] > 0
            assert all(b <= i or j <= a or (a <= i and j <= b) or (i <= a and b <= j) for a, b, _ in chosen)
        offset += len(part)


def test_long_sentences() -> None:
    n = 300
    scores = np.full(n * (n + 1) // 2, -1, dtype=np.float32)
    wanted = [(0, n)] + [(i, i + 3) for i in range(0, n, 3)]
    for i, j in wanted:
        scores[span_number(i, j, n)] = 1
    assert [s[:2] for s in best_spans(scores, [n])[0]] == wanted
