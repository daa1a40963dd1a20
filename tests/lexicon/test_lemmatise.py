"""WordNet's morphy, with the words that come with usim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import cases
from usim.lexicon import FirstWordLemmatiser, WordNetLemmatiser

LEMMATISE = WordNetLemmatiser()


@pytest.mark.parametrize(("form", "pos", "expected"), cases(__file__, "lemmas.tsv"))
def test_rules(form: str, pos: str, expected: str) -> None:
    assert LEMMATISE(form, pos) == expected


def test_without_a_part_of_speech_the_shortest_lemma_of_all_is_taken() -> None:
    assert LEMMATISE("leaves") == "leaf"
    assert LEMMATISE("unhearf") == "unhearf"


@given(st.text(max_size=12), st.sampled_from(["NOUN", "VERB", "ADJ", "ADV"]))
def test_a_phrase_is_its_own_lemma(form: str, pos: str) -> None:
    assert LEMMATISE(form + " qq", pos) == form + " qq"


def test_first_word_of_a_phrase() -> None:
    first = FirstWordLemmatiser()
    assert first("Boxes of glass") == "box"
    assert first("leaf-like") == "leaf"
    assert first("  ") == ""
    assert first.name == "wordnet-3.0+first-word"
