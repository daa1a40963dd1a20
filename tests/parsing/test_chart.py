"""Chart decoding: the best tree under scores of spans."""

from __future__ import annotations

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


def test_crossing_spans_compete() -> None:
    # (0, 2) for 3 and (1, 3) for 2 cross; the words alone are worth nothing.
    scores = np.array([-1, 3, 0.5, -1, 2, -1], dtype=np.float32)
    assert best_spans(scores, [3]) == [[(0, 3, 2), (0, 2, 1)]]


def test_two_weaker_spans_beat_one_stronger() -> None:
    # four words: (1, 3) for 3 against (0, 2) and (2, 4) for 2 each
    scores = np.full(10, -1, dtype=np.float32)
    scores[[span_number(1, 3, 4), span_number(0, 2, 4), span_number(2, 4, 4)]] = 3, 2, 2
    assert [s[:2] for s in best_spans(scores, [4])[0]] == [(0, 2), (2, 4)]


def test_nothing_above_zero_gives_no_spans() -> None:
    assert best_spans(np.zeros(6, dtype=np.float32), [3]) == [[]]
    assert best_spans(np.zeros(0, dtype=np.float32), [0]) == [[]]
    assert best_spans(np.zeros(0, dtype=np.float32), []) == []


def test_numbers_count_on_over_the_sentences_of_a_batch() -> None:
    assert best_spans(np.array([1, 1, 1, 1], dtype=np.float32), [2, 0, 1]) == [
        [(0, 2, 1), (0, 1, 0), (1, 2, 2)],
        [],
        [(0, 1, 3)],
    ]


@given(st.lists(st.integers(0, 7), min_size=1, max_size=4), st.integers(0, 2**32))
def test_a_batch_finds_the_best_tree_of_each_sentence(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=n * (n + 1) // 2).astype(np.float32) for n in sizes]
    scores = np.concatenate(parts)
    offset = 0
    for n, part, chosen in zip(sizes, parts, best_spans(scores, sizes), strict=True):
        assert sum(float(scores[number]) for _, _, number in chosen) == pytest.approx(
            exhaustive(part.tolist(), n), abs=1e-5
        )
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
