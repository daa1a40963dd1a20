"""Tokens in the habits of the corpora; every token a slice of its text."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import cases
from usim.text import is_punct, sentence_ends, token_texts, tokenise
from usim.ucca import read_xml


def words(text: str) -> list[str]:
    return [t.text for t in tokenise(text)]


@pytest.mark.parametrize(("text", "expected"), [*cases(__file__, "tokens.tsv"), (" \n\t ", ""), ("a\x00b", "a \x00 b")])
def test_examples(text: str, expected: str) -> None:
    assert words(text) == expected.split()


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


@pytest.mark.parametrize(("text", "ends"), cases(__file__, "sentences.tsv"))
def test_sentences(text: str, ends: str) -> None:
    assert sentence_ends(text.split()) == [int(end) for end in ends.split()]


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
