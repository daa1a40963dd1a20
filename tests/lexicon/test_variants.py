"""British and American spellings of one word."""

import pytest

from tests.tables import cases
from usim.lexicon import are_variants


@pytest.mark.parametrize(("british", "american", "expected"), cases(__file__, "variants.tsv"))
def test_spellings_of_one_word(british: str, american: str, expected: str) -> None:
    assert are_variants(british, american) is are_variants(american, british) is (expected == "+")
