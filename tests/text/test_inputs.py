"""What counts as a sentence, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from usim.errors import InputError, ParsingError
from usim.text import check_batch, check_pair, check_sentence, sentence_ends


@pytest.mark.parametrize("sentence", ["", "He left.", [], ["He", "", " ", "a b"], ("He", "left")])
def test_sentences(sentence: Any) -> None:
    check_sentence(sentence)
    check_pair((sentence, sentence))
    check_batch([sentence], ["name"])


@pytest.mark.parametrize("sentence", [None, 1, b"He left.", {"He"}, iter("ab"), ["He", None], ["He", 1], [["He"]]])
def test_other_things(sentence: Any) -> None:
    for check, argument in ((check_sentence, sentence), (check_pair, ("a", sentence))):
        with pytest.raises(InputError, match="must be a string"):
            check(argument)
    with pytest.raises(InputError, match="must be a string"):
        check_batch([sentence], None)


@pytest.mark.parametrize("pair", ["ab", "abc", b"ab", None, 3, [], ["a"], ["a", "b", "c"]])
def test_no_pairs(pair: Any) -> None:
    with pytest.raises(InputError, match="a pair must be a sequence of two sentences"):
        check_pair(pair)


def test_no_batches() -> None:
    with pytest.raises(ParsingError, match="1 ids for 2"):
        check_batch(["a", "b"], ["x"])
    with pytest.raises(ParsingError, match=r"\[sentence\]"):
        check_batch("ab", None)


def test_an_empty_token_is_a_token() -> None:
    assert sentence_ends(["He", "left", ".", "", "She"]) == [3, 5]
    assert sentence_ends(["", ""]) == [2]
