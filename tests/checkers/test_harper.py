"""Harper obeys what LanguageTool's protocol asks of a checker."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from typing import Any

import pytest

from tests.serve.languagetool_schema import check_answer
from usim.checkers import CheckerError, load_checker, read_request
from usim.checkers import _harper as module
from usim.checkers._harper import HarperChecker
from usim.errors import InputError

TEXT = "She have 3 cats, very very nice ones, and he dont likes it."


#: What Harper prints about, see :func:`test_what_harper_prints_is_not_seen`.
PRINTED = "I am looking forward to hear from you."
#: Harper's time grows with the square of the number of such symbols.
RARE = "".join(chr(0x2200 + k % 251) for k in range(20_000))


@pytest.fixture(scope="module")
def harper() -> HarperChecker:
    checker = load_checker("harper", seconds=60.0)
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


def test_what_harper_prints_is_not_seen(harper: HarperChecker, capfd: pytest.CaptureFixture[str]) -> None:
    (match,) = check(harper, PRINTED)["matches"]
    assert [each["value"] for each in match["replacements"]] == ["hearing"]
    assert capfd.readouterr() == ("", "")


def test_a_text_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LEAST_SECONDS", 0.3)
    monkeypatch.setattr(module, "_SPEED", 1e9)
    harper = HarperChecker(seconds=60.0)
    text = f"He dont.\n\n😀 {RARE}\n\nShe have it."
    answer = check(harper, text)
    assert [match["sentence"] for match in answer["matches"]] == ["He dont.", "She have it."]
    assert [match["offset"] for match in answer["matches"]] == [3, 15 + 20_000 + 4]
    assert answer["warnings"]["incompleteResults"]
    assert answer["warnings"]["notChecked"] == [[10, 13 + 20_000]]


@pytest.mark.slow
def test_a_text_that_takes_too_much_memory_costs_no_other(harper: HarperChecker) -> None:
    with pytest.raises(CheckerError, match="or too much memory"):
        check(harper, "x" * 30_000)
    assert check(harper)["matches"]


@pytest.mark.slow
def test_harper_ends_when_it_is_forgotten_and_starts_again() -> None:
    harper = HarperChecker(seconds=60.0)
    first = number_of_process(harper)
    assert number_of_process(harper) == first
    os.kill(first, signal.SIGKILL)
    answer = check(harper, "She have it.")  # one paragraph, which did not take too long
    assert answer["matches"]
    assert not answer["warnings"]["incompleteResults"]
    second = number_of_process(harper)
    assert second != first
    del harper
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


def number_of_process(harper: HarperChecker) -> int:
    check(harper)
    process = harper._process._process
    assert process is not None
    return process.pid
