"""The time of cutting a text grows with its length, not with its square: counted in steps, on what repeats."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.text.steps import CountingPattern
from usim.text import sentence_ends, tokenise
from usim.text import tokenise as _function

_module = sys.modules["usim.text.tokens"]
PATTERNS = ("_TOKEN", "_LOCAL_PART", "_DOMAIN", "_INITIALS")
UNITS = (
    "a-",
    "a.",
    "A.b",
    "a@",
    "a.b@",
    "a@b.",
    "1.",
    "1,1",
    "a'",
    "www.",
    "http://",
    "@a",
    "#",
    "a_",
    ".-",
    ";",
    "=o",
    "a+",
    "'s ",
)


@pytest.fixture(autouse=True)
def deep() -> Iterator[None]:
    """The engine that counts calls itself for each repetition."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


def steps(text: str) -> int:
    """The steps of the regular expressions over a text; with a look at whether they find what ``re`` finds."""
    expected = tokenise(text)
    count = [0]
    with pytest.MonkeyPatch.context() as patch:
        for name in PATTERNS:
            patch.setattr(_module, name, CountingPattern(getattr(_module, name), count))
        assert _function(text) == expected
    return count[0]


@pytest.mark.parametrize("end", ["", "ab", "@", "!1a"])
@pytest.mark.parametrize("unit", UNITS)
def test_tokens_of_what_repeats(unit: str, end: str) -> None:
    once, twice = (steps(unit * n + end) for n in (60, 120))
    assert twice < 2.5 * once


@settings(max_examples=25, deadline=None)
@given(st.text("aA1.-@_'+ ", min_size=1, max_size=4), st.text("a1.@!", max_size=3))
def test_tokens_of_anything_that_repeats(unit: str, end: str) -> None:
    once, twice = (steps(unit * n + end) for n in (40, 80))
    assert twice < 2.5 * once + 200


class Counted(list[str]):
    """Tokens that count how often one of them is looked at."""

    looks = 0

    def __getitem__(self, place):  # type: ignore[no-untyped-def]
        self.looks += len(range(*place.indices(len(self)))) if isinstance(place, slice) else 1
        return super().__getitem__(place)


@given(st.lists(st.sampled_from([".", "?", "'", '"', ")", ",", "He", "she", "Mr"]), min_size=1, max_size=5))
def test_sentence_ends_look_at_each_token_a_few_times(unit: list[str]) -> None:
    tokens = Counted(unit * 200)
    sentence_ends(tokens)
    assert tokens.looks <= 12 * len(tokens)
