"""Rank-biased overlap of two rankings."""

import math

import pytest

from experiments.papers.overlap import rank_biased_overlap


def test_overlap_by_hand() -> None:
    # Agreement at depths 1, 2, 3: 0, 1/2, 1; the last goes on.
    one, other = [["a"], ["b"], ["c"]], [["b"], ["c"], ["a"]]
    assert rank_biased_overlap(one, other, p=0.5) == pytest.approx(0.5 * (0 + 0.5 * 0.5 + 0.25 * 1) + 1 * 0.125)
    # With a tie: at depth 1 the one ranking shows both, the other shows a: agreement 2 · 1 / 3.
    assert rank_biased_overlap([["a", "b"]], [["a"], ["b"]], p=0.5) == pytest.approx(0.5 * (2 / 3 + 0.5 * 1) + 0.25)
    # That of a ranking with the start of it is whole.
    assert rank_biased_overlap([["a"], ["b"]], [["a"], ["b"], ["c"], ["d"]]) == pytest.approx(1)
    assert math.isnan(rank_biased_overlap([], [["a"]]))
    with pytest.raises(ValueError, match="p must lie"):
        rank_biased_overlap([["a"]], [["a"]], p=1)
