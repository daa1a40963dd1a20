"""Odd tokens, and how long a text may be."""

from __future__ import annotations

import pytest

from usim.errors import InputError
from usim.text import check_length, sentence_ends


def test_an_empty_token_is_a_token() -> None:
    assert sentence_ends(["He", "left", ".", "", "She"]) == [3, 5]
    assert sentence_ends(["", ""]) == [2]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("word " * 2_001, "a text has 2001 tokens or more, and 2000 are the most"),
        ("x" * 1_000_000, "a text has 100000 tokens or more"),
        ("a,b;" * 501, "a text has 2004 tokens, and 2000 are the most"),
        (["a"] * 2_001, "a text has 2001 tokens, and 2000 are the most"),
        (["x" * 1_000_000], "a text has 100000 tokens, and 2000 are the most"),
    ],
)
def test_a_text_beyond_the_limit_is_refused(sentence: str | list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_length(sentence)


def test_a_text_within_the_limit_is_not() -> None:
    for sentence in ("word " * 2_000, "a,b;" * 500, "x" * 20_000, ["a"] * 2_000, ""):
        check_length(sentence)
    check_length("word " * 2_001, max_tokens=2_001)
