"""Trunks: weights of 4 bits, tables of words, and the outputs of layers."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.trunk import LEVELS, WIDTH, WORDS, Session
from training.packing import pack
from usim.errors import ParsingError
from usim.parsing import Trunk, Variant, load_trunk
from usim.parsing._trunk import VARIANT_PIECES
from usim.parsing.packed import GROUP, EmbeddingTable, quantise_columns, unpack
from usim.parsing.wordpieces import Pieces


@pytest.mark.parametrize("inputs", [GROUP, 3 * GROUP, GROUP + 5])
def test_four_bits_keep_a_matrix_to_half_a_step(inputs: int) -> None:
    weight = np.random.default_rng(1).normal(size=(inputs, 7)).astype(np.float32)
    codes, scales = pack(weight, LEVELS)
    assert codes.dtype == np.uint8
    assert codes.shape == (-(-inputs // GROUP) * GROUP // 2, 7)  # half a byte each
    unpacked = unpack(codes, LEVELS, scales, inputs)
    assert unpacked.shape == weight.shape
    assert np.abs(unpacked - weight).max() <= np.abs(weight).max() * 0.16  # the largest may be cut off
    assert np.sqrt(np.mean((unpacked - weight) ** 2)) < 0.11
    # What has few levels anyway comes back but for the 16 bits of its scale.
    few = LEVELS[np.random.default_rng(2).integers(0, 16, (inputs, 7))]
    few[::GROUP] = 1.0
    codes, scales = pack(few, LEVELS)
    np.testing.assert_allclose(unpack(codes, LEVELS, scales, inputs), few, atol=2e-3)


def test_columns_in_eight_bits_have_their_own_scales() -> None:
    weight = np.array([[1.0, 100.0], [-0.5, 50.0]], np.float32)
    rows, scale = quantise_columns(weight)
    assert rows.dtype == np.int8
    np.testing.assert_allclose(rows * scale, weight, rtol=0.02)


def test_a_table_in_four_bits_gives_rows_of_any_shape(folder: Path) -> None:
    table, whole = EmbeddingTable(folder), np.load(folder / "whole.npy")
    assert table.width == WIDTH
    np.testing.assert_array_equal(table(np.array([[1, 2, 9], [0, 5, 5]])), whole[[[1, 2, 9], [0, 5, 5]]])


def test_special_pieces_are_those_of_mpnet_where_it_has_them(folder: Path) -> None:
    pieces = load_trunk(folder).pieces
    assert (pieces.cls, pieces.sep, pieces.padding, pieces.mask, pieces.unknown) == (4, 5, 6, 7, 8)
    bert = Pieces({word: k for k, word in enumerate(w for w in WORDS if w[0] != "<")})
    assert (bert.cls, bert.sep, bert.padding, bert.mask, bert.unknown) == (1, 2, 0, 3, 4)


def test_a_batch_gives_what_its_sentences_give(folder: Path) -> None:
    shared = load_trunk(folder)
    assert load_trunk(folder) is shared
    tokens = "a b . D .".split()
    windows = shared.windows(tokens)
    assert [(w.start, w.end, w.ids, w.starts) for w in windows] == [
        (0, 3, [4, 9, 10, 12, 5], [1, 2, 3, 4]),
        (3, 5, [4, 13, 12, 5], [1, 2, 3]),
    ]
    ids = np.array([[4, 9, 10, 12, 5], [4, 13, 12, 5, 0]])
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]])
    highest, layers = shared.read(ids, mask, has_layers=True)
    whole = np.load(folder / "whole.npy")
    np.testing.assert_allclose(highest[0], 6 * whole[windows[0].ids], rtol=1e-6)
    np.testing.assert_array_equal(shared.read(ids, mask, has_layers=False)[0], highest)
    session: Session = shared._session
    del session.read[:]
    outputs = shared.outputs([windows[1].ids, windows[0].ids, windows[1].ids])
    assert sorted(session.read) == [4, 5]  # each sentence once
    for output, k in zip(outputs, (1, 0, 1), strict=True):
        assert output.dtype == np.float16
        expected = np.stack([3 * whole[windows[k].ids], 6 * whole[windows[k].ids]])
        np.testing.assert_allclose(output, expected, rtol=1e-3, atol=1e-3)
        np.testing.assert_array_equal(output, layers[k])


def test_variants_are_read_in_their_places_beside_the_sentence(folder: Path) -> None:
    """The sentence sees none of them, and they see all of it but what they replace, and themselves."""
    shared = Trunk(folder)
    session: Session = shared._session
    sentence, variants = [4, 9, 10, 12, 5], [Variant(1, 2, (11,)), Variant(2, 3, (13, 9))]
    itself, (first, second) = shared.in_place(sentence, variants)
    assert session.inputs["places"].tolist() == [[0, 1, 2, 3, 4, 1, 2, 3]]
    assert session.inputs["mask"][0].tolist() == [
        *[[1, 1, 1, 1, 1, 0, 0, 0]] * 5,
        [1, 0, 1, 1, 1, 1, 0, 0],
        *[[1, 1, 0, 1, 1, 0, 1, 1]] * 2,
    ]
    np.testing.assert_array_equal(itself, shared.outputs([sentence])[0])
    whole = np.load(folder / "whole.npy")
    np.testing.assert_allclose(first[1], 6 * whole[[4, 11, 10, 12, 5]], rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(second[1], 6 * whole[[4, 9, 13, 9, 12, 5]], rtol=1e-3, atol=1e-3)


def test_long_lists_of_variants_are_read_in_portions(folder: Path) -> None:
    shared = Trunk(folder)
    session: Session = shared._session
    _, variants = shared.in_place([4, 9, 5], [Variant(1, 2, (k % 3 + 9,)) for k in range(300)])
    assert len(variants) == 300
    assert session.inputs["places"].shape == (1, 3 + 300 % VARIANT_PIECES)


def test_a_damaged_trunk(folder: Path) -> None:
    (folder / "words.npy").write_bytes(b"no table")
    with pytest.raises(ParsingError, match=r"words\.npy"):
        Trunk(folder)
    (folder / "settings.json").unlink()
    with pytest.raises(ParsingError, match="not a usable trunk"):
        Trunk(folder)
