"""What counts as a sentence, and what is refused."""

from typing import Any

import pytest

from usim.errors import InputError, ParsingError
from usim.text import check_batch, check_length, check_pair, sentence_ends
from usim.text.inputs import check_sentence


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


def test_no_pairs_and_no_batches() -> None:
    pairs: list[Any] = ["ab", "abc", b"ab", None, 3, [], ["a"], ["a", "b", "c"]]
    for pair in pairs:
        with pytest.raises(InputError, match="a pair must be a sequence of two sentences"):
            check_pair(pair)
    with pytest.raises(ParsingError, match="1 ids for 2"):
        check_batch(["a", "b"], ["x"])
    with pytest.raises(ParsingError, match=r"\[sentence\]"):
        check_batch("ab", None)


def test_an_empty_token_is_a_token() -> None:
    assert sentence_ends(["He", "left", ".", "", "She"]) == [3, 5]
    assert sentence_ends(["", ""]) == [2]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("word " * 2_001, "a text has 2001 words or more, and 2000 are the most"),
        ("x" * 1_000_000, "a text has 1000000 characters, which count as 100000 tokens or more"),
        ("a,b;" * 501, "a text has 2004 tokens, and 2000 are the most"),
        (["a"] * 2_001, "a text has 2001 tokens, and 2000 are the most"),
        (["x" * 1_000_000], "a text has 100000 tokens, and 2000 are the most"),
    ],
)
def test_a_text_beyond_the_limit_is_refused_and_others_are_not(sentence: str | list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_length(sentence)
    for sentence in ("word " * 2_000, "a,b;" * 500, "x" * 20_000, ["a"] * 2_000, ""):
        check_length(sentence)
    check_length("word " * 2_001, max_tokens=2_001)
