"""Harper obeys what LanguageTool's protocol asks of a checker."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.serve.languagetool_schema import check_answer
from usim.checkers import load_checker, read_request
from usim.checkers.harper import HarperChecker
from usim.errors import InputError

TEXT = "She have 3 cats, very very nice ones, and he dont likes it."


@pytest.fixture(scope="module")
def harper() -> HarperChecker:
    checker = load_checker("harper")
    assert isinstance(checker, HarperChecker)
    return checker


def check(harper: HarperChecker, text: str = TEXT, **form: str) -> dict[str, Any]:
    answer = asyncio.run(harper.check(read_request({"text": text, **form})))
    check_answer(answer)
    return answer


def rules(harper: HarperChecker, **form: str) -> set[str]:
    return {match["rule"]["id"] for match in check(harper, **form)["matches"]}


def test_rules_are_obeyed(harper: HarperChecker) -> None:
    every = {"PronounVerbAgreement", "SpellCheck", "RepeatedWords"}
    assert rules(harper) == every
    assert rules(harper, disabledRules="SpellCheck, RepeatedWords") == {"PronounVerbAgreement"}
    assert rules(harper, disabledCategories="TYPOS") == every - {"SpellCheck"}
    assert rules(harper, disabledCategories="TYPOS", enabledRules="SpellCheck") == every
    assert rules(harper, enabledRules="SpellCheck", enabledOnly="true") == {"SpellCheck"}
    assert rules(harper, enabledCategories="REPETITIONS", enabledOnly="true") == {"RepeatedWords"}
    assert rules(harper, enabledRules="SpelledNumbers") == every | {"SpelledNumbers"}
    assert rules(harper, level="picky") == every | {"SpelledNumbers"}
    # What was asked before has left nothing behind. Harper has no rules about false friends.
    assert rules(harper, motherTongue="de") == every


@pytest.mark.parametrize(
    "form", [{}, {"enabledRules": "a", "disabledRules": "b"}, {"enabledCategories": "a", "disabledCategories": "b"}]
)
def test_rules_that_contradict(harper: HarperChecker, form: dict[str, str]) -> None:
    with pytest.raises(InputError, match="enabledOnly"):
        rules(harper, enabledOnly="true", **form)


def test_the_dialect(harper: HarperChecker) -> None:
    colour = "My favourite colour is grey."
    assert check(harper, colour)["matches"]
    assert check(harper, colour, language="en-GB")["matches"] == []
    answer = check(harper, colour, language="auto", preferredVariants="de-DE,en-GB")
    assert answer["matches"] == []
    assert answer["language"]["code"] == answer["language"]["detectedLanguage"]["code"] == "en-GB"
    with pytest.raises(InputError, match="English"):
        check(harper, language="de-DE")


def test_places_and_sentences(harper: HarperChecker) -> None:
    answer = check(harper, "😀 Fine.\n\nHe dont.")
    (match,) = answer["matches"]
    assert (match["offset"], match["length"], match["sentence"]) == (13, 4, "He dont.")
    assert match["context"] == {"text": "😀 Fine.  He dont.", "offset": 13, "length": 4}
    assert answer["sentenceRanges"] == [[0, 8], [10, 18]]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\0", "a\r\nb", "\u202e abc", "tset " * 90, "Teh , cat .", "😀" * 99]
)
def test_any_text_is_checked(harper: HarperChecker, text: str) -> None:
    check(harper, text)
