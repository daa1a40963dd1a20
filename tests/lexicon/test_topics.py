"""Units, equivalents, converses, and the topics of forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from usim.lexicon.phrases import EQUIVALENTS, find_phrases
from usim.lexicon.topics import (
    CALENDAR_CLASSES,
    CONVERSES,
    are_converse,
    feeling,
    is_address,
    stance,
    topics,
)
from usim.lexicon.units import COMMON_UNITS, unit_readings


@pytest.mark.parametrize(
    ("phrase", "other"),
    [
        ("e.g.", "for example"), ("put off", "postponed"), ("dunno", "do n't know"), ("lorry", "truck"),
        ("asap", "as soon as possible"), ("gonna", "going to"), ("kicked the bucket", "died"),
    ],
)  # fmt: skip
def test_phrases_of_one_meaning(phrase: str, other: str) -> None:
    meanings = [{p.name for p in find_phrases(text.split(), EQUIVALENTS)} for text in (phrase, other)]
    assert meanings[0] & meanings[1]


@given(st.lists(st.sampled_from("they put off the match at once in order to kick the bucket . lorry e.g.".split())))
def test_phrases_are_where_they_say(words: list[str]) -> None:
    for phrase in find_phrases(words, EQUIVALENTS):
        assert 0 <= phrase.start < phrase.end <= len(words)
        assert tuple(words[phrase.start + 1 : phrase.end]) == phrase.text[1:]


def test_common_units_are_units() -> None:
    assert all(map(unit_readings, COMMON_UNITS))
    assert [form for form in ("5km", "3.5kg", "°", "second") if "unit" not in topics(form)] == []
    assert "unit" not in topics("house")


def test_converses_go_both_ways() -> None:
    assert all(lemma in CONVERSES[other] for lemma, others in CONVERSES.items() for other in others)
    assert are_converse("borrowed", "lent")
    assert not are_converse("borrowed", "walked")


def test_addresses_emoji_stances_and_dates() -> None:
    assert all(map(is_address, ("a@b.com", "www.x.org", "https://x.org/a", "#tag", "@name", "x.com")))
    assert not any(map(is_address, ("e.g.", "3.5", "and/or", "house")))
    assert [feeling(form) for form in ("😀", ":(", "🙁🙁", "😡", "x")] == ["glad", "sad", "sad", "angry", ""]
    assert "emoji" in topics("😀")
    assert "emoji" not in topics("!")
    assert (stance("tried"), stance("knew"), stance("ran")) == ("try", "fact", None)
    assert CALENDAR_CLASSES["mon"] == CALENDAR_CLASSES["monday"]
