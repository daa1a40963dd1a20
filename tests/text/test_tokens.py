"""Tokens in the habits of the corpora; every token a slice of its text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.text import is_punct, sentence_ends, token_texts, tokenise
from usim.ucca import read_xml


def words(text: str) -> list[str]:
    return [t.text for t in tokenise(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \n\t ", ""),
        ("I don't, can't and won't.", "I do n't , ca n't and wo n't ."),
        ("Isn’t it John’s?", "Is n’t it John ’s ?"),
        ("I cannot go.", "I can not go ."),
        ("i dont", "i do nt"),  # as the corpus of web reviews has it
        ("It's 5 o'clock in the '90s", "It 's 5 o'clock in the '90s"),
        ("a well-known e-mail", "a well - known e - mail"),
        ("$1,000.50 at 10:30, 50% of 1990s", "$ 1,000.50 at 10:30 , 50 % of 1990s"),
        ("See www.example.com/a_b. Write a.b@example.org!", "See www.example.com/a_b . Write a.b@example.org !"),
        ("Dr. No met Louis B. Mayer of the U.S. army.", "Dr. No met Louis B . Mayer of the U.S. army ."),
        ("What?! Well... \"Go!\" (she said)", 'What ? ! Well ... " Go ! " ( she said )'),
        ("#tag @you :-) 🙂🙂", "#tag @you :-) 🙂🙂"),
        ("مرحبا بالعالم", "مرحبا بالعالم"),
        ("a\x00b", "a \x00 b"),
    ],
)  # fmt: skip
def test_examples(text: str, expected: str) -> None:
    assert words(text) == expected.split(" ") if expected else words(text) == []


@given(st.text())
def test_tokens_are_slices_and_nothing_but_space_is_lost(text: str) -> None:
    tokens = tokenise(text)
    assert all(text[t.start : t.end] == t.text and t.text for t in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    assert "".join(t.text for t in tokens) == "".join(text.split())


@given(st.text() | st.text(alphabet="aDr.M's \t\n-@:/w12\x1c\u2003\x85\u200b"))
def test_texts_alone_are_those_of_the_tokens(text: str) -> None:
    assert token_texts(text) == words(text)


def test_no_space_is_in_a_token() -> None:
    spaces = [c for c in map(chr, range(0x110000)) if c.isspace()]
    for c in spaces:
        text = f"Mr{c}.{c}'s{c}{c}http://a{c}b"
        assert token_texts(text) == words(text)


@given(st.lists(st.text(alphabet="aB.!?\"'),(", min_size=1, max_size=4), max_size=12))
def test_sentence_ends_ascend_to_the_last_token(tokens: list[str]) -> None:
    ends = sentence_ends(tokens)
    assert ends == sorted(set(ends))
    assert (ends[-1:] or [0]) == [len(tokens)]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("", []),
        ("No stop", [2]),
        ("He left . She stayed .", [3, 6]),
        ('" Go ! " she said . " I will . "', [7, 12]),
        ("He said . . . nothing .", [7]),
        ("Louis B . Mayer came . I did too . We left", [6, 10, 12]),
        ("I am I . He is he .", [4, 8]),
        ("( He left . ) Then she did .", [5, 9]),
    ],
)
def test_sentences(text: str, ends: list[int]) -> None:
    assert sentence_ends(text.split()) == ends


def test_punctuation() -> None:
    assert [t for t in (".", "...", "``", "—", "%", "$", "+", "a", "", "'s") if is_punct(t)] == [".", "...", "—", "%"]


@pytest.mark.data
@pytest.mark.parametrize("name", ["ucca-wiki-dev", "ucca-ewt-dev"])
def test_agrees_with_the_corpora(corpus: Callable[[str], Path], name: str) -> None:
    """Of the corpora's tokens, written with blanks between them, nearly none is cut further."""
    whole = total = 0
    for path in sorted(corpus(name).glob("*.xml")):
        tokens = read_xml(path).tokens
        whole += len(set(tokens) & set(words(" ".join(tokens))))
        total += len(set(tokens))
    assert whole / total > 0.99
