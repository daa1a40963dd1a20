"""Tokens in the habits of the corpora; every token a slice of its text."""

import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables import cases
from usim.text import is_punct, plain, sentence_ends, token_spans, token_texts, tokenise
from usim.text._plain import plain_places
from usim.ucca import read_xml


def words(text: str) -> list[str]:
    return [t.text for t in tokenise(text)]


@pytest.mark.parametrize(("text", "expected"), [*cases(__file__, "tokens.tsv"), (" \n\t ", ""), ("a\x00b", "a \x00 b")])
def test_examples(text: str, expected: str) -> None:
    assert words(text) == expected.split()


#: Characters of all kinds that are not what they look like, or look like others.
ODD = "aé\u0301\u0327\xad\u200b\u200d\u2060\u200e２ﬁ½²…´\u02bcаоԁΑᄀ\u1161\u11a8が\uff76\uff9e \u00a0\u3000.'"


@given(st.text() | st.text(alphabet=ODD))
@example("¸ﾞ")
@example("´ﾞ゙")
def test_tokens_are_slices_of_what_a_text_looks_like(text: str) -> None:
    tokens = tokenise(text)
    assert all(a.start <= b.start and a.end <= b.end for a, b in pairwise(tokens))
    assert all(0 <= t.start < t.end <= len(text) for t in tokens)
    assert "".join(t.text for t in tokens) == "".join(plain(text).split())
    if plain(text) == text:
        assert all(text[t.start : t.end] == t.text for t in tokens)
    assert token_spans(text, [t.text for t in tokens]) == tuple((t.start, t.end) for t in tokens)


@given(st.text() | st.text(alphabet=ODD))
def test_a_text_as_it_looks_has_places_in_what_is_written(text: str) -> None:
    looks, starts, ends = plain_places(text)
    assert looks == plain(text)
    assert unicodedata.normalize("NFC", plain(looks)) == unicodedata.normalize("NFC", looks)
    assert len(looks) == len(starts) == len(ends)
    assert list(starts) == sorted(starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))


@given(st.text())
def test_nothing_changes_but_what_looks_the_same(text: str) -> None:
    """NFC and NFD of a text look the same; what is ASCII stays."""
    normal = [plain(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")]
    assert normal[0] == normal[1]
    ascii_text = text.encode("ascii", "ignore").decode()
    assert plain(ascii_text) == ascii_text


def test_what_is_read_otherwise_stays() -> None:
    for text in ("10² people", "H₂O", "½ cup", "1st…", "don´t", "\u202eabc", "Москва", "αβγ", "naïve — “so”"):
        assert plain(text) == text


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
