"""British and American spellings of one word."""

from __future__ import annotations

import pytest

from usim.lexicon import are_variants


@pytest.mark.parametrize(
    "pair",
    [
        "organise organize", "Organisational organizational", "analysing analyzing", "colour color", "honourable honorable",
        "neighbourhoods neighborhoods", "centre center", "centred centered", "kilometres kilometers", "travelled traveled",
        "modelling modeling", "counsellors counselors", "defence defense", "catalogue catalog", "grey gray", "maths math",
    ],
)  # fmt: skip
def test_spellings_of_one_word(pair: str) -> None:
    british, american = pair.split()
    assert are_variants(british, american)
    assert are_variants(american, british)


@pytest.mark.parametrize(
    "pair",
    [
        "filling filing", "four for", "prise prize", "tour tor", "rise rize", "there theer", "practise practice", "same same",
        "centre centres", "colour colors", "fence fense", "sire sier",
    ],
)  # fmt: skip
def test_other_words(pair: str) -> None:
    assert not are_variants(*pair.split())
