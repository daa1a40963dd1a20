"""Vectors of tokens in little room: nothing is lost on the way."""

import numpy as np

from usim.evidence import PackedVectors

#: The vectors of six pieces, and where three tokens and the end begin: the second token is of three pieces.
PIECES = np.random.default_rng(0).normal(size=(7, 4)).astype(np.float16)
STARTS = [1, 2, 5, 6]


def test_a_token_has_the_mean_of_its_pieces() -> None:
    vectors = PackedVectors.of(PIECES, STARTS)
    wide = PIECES.astype(np.float32)
    expected = np.stack([wide[1], wide[2:5].sum(axis=0) / np.float32(3), wide[5]])
    np.testing.assert_array_equal(vectors.unpacked(), expected)
    np.testing.assert_array_equal(vectors.columns(1, 3).unpacked(), expected[:, 1:3])


def test_a_sentence_that_was_read_in_parts_is_whole() -> None:
    part = PackedVectors.of(PIECES, STARTS)
    np.testing.assert_array_equal(
        PackedVectors.joined([part, part], 4).unpacked(), np.concatenate([part.unpacked()] * 2)
    )
    assert PackedVectors.joined([], 4).unpacked().shape == (0, 4)
