"""The time of cutting a text grows with its length, not with its square: measured on what repeats."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.text import sentence_ends, tokenise

UNITS = [*"a- a. A.b a@ a.b@ a@b. 1. 1,1 a' www. http:// @a # a_ .- ; =o a+".split(), "'s "]


def seconds(text: str) -> float:
    """The processor time of cutting a text, without what else the machine does."""

    def once() -> float:
        start = process_time()
        tokenise(text)
        return process_time() - start

    return min(once() for _ in range(3))


@pytest.mark.parametrize("end", ["", "!1a"])
@pytest.mark.parametrize("unit", UNITS)
def test_tokens_of_what_repeats(unit: str, end: str) -> None:
    once, eightfold = (seconds(unit * n + end) for n in (500, 4000))
    assert eightfold < 25 * once + 0.02  # a time that grows with the square is 64 times as long


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
