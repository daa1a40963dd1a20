"""WordNet's morphy on small data of our own, and with the words that come with usim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import cases
from usim.lexicon._lemmatise import FirstWordLemmatiser, WordNetLemmatiser

WORDS = {"n": ["box", "glass", "leaf", "ox"], "v": ["bake", "bak", "leave"], "a": ["fine", "well"], "r": ["well"]}
SMALL = WordNetLemmatiser(
    lambda word, part: word in WORDS[part],
    {"n": {"oxen": ("ox",), "boxen": ("unknown",)}, "r": {"better": ("well",)}},
    "small",
)


@pytest.mark.parametrize("row", cases(__file__, "lemmas.tsv"), ids="-".join)
def test_rules(row: list[str]) -> None:
    form, pos, expected, *shipped = row
    assert (WordNetLemmatiser.shipped() if shipped else SMALL)(form, pos) == expected


def test_without_a_part_of_speech_the_shortest_lemma_of_all_is_taken() -> None:
    assert SMALL("leaves") == "leaf"
    assert SMALL("unheard") == "unheard"


@given(
    st.one_of(st.text(max_size=12), st.sampled_from(["boxes", "leaves", "baked", "finest", "better", "oxen"])),
    st.sampled_from([("n", "NOUN"), ("v", "VERB"), ("a", "ADJ"), ("r", "ADV")]),
)
def test_a_lemma_is_a_word_of_wordnet_or_the_form_itself(form: str, parts: tuple[str, str]) -> None:
    part, pos = parts
    lemmas = SMALL.lemmas(form, part)
    lemma = SMALL(form, pos)
    assert lemma in lemmas or (lemma == form and not lemmas)
    assert all(len(lemma) <= len(other) for other in lemmas)
    assert all(SMALL.lemmas(other, part)[0] == other for other in lemmas)


def test_first_word_of_a_phrase() -> None:
    first = FirstWordLemmatiser(SMALL)
    assert first("Boxes of glass") == "box"
    assert first("leaf-like") == "leaf"
    assert first("  ") == ""
    assert first.name == "small+first-word"
