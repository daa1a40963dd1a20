"""Harper obeys what it is asked."""

from __future__ import annotations

import gc
import os
import signal
from typing import Any

import pytest

from usim.checkers import Checked, CheckerError, CheckRequest
from usim.checkers import _harper as module
from usim.checkers._harper import HarperChecker
from usim.errors import InputError

TEXT = "She have 3 cats, very very nice ones, and he dont likes it."
#: Harper's time grows with the square of the number of such symbols.
RARE = "".join(chr(0x2200 + k % 251) for k in range(20_000))


def check(harper: HarperChecker, text: str = TEXT, **settings: Any) -> Checked:
    checked = harper.check(CheckRequest(text, **settings))
    assert all(0 <= finding.start <= finding.end <= len(text) for finding in checked.findings)
    return checked


def rules(harper: HarperChecker, **settings: Any) -> set[str]:
    return {finding.rule for finding in check(harper, **settings).findings}


def test_rules_are_obeyed(harper: HarperChecker) -> None:
    every = {"PronounVerbAgreement", "SpellCheck", "RepeatedWords"}
    assert rules(harper) == every
    assert rules(harper, disabled_rules={"SpellCheck", "RepeatedWords"}) == {"PronounVerbAgreement"}
    assert rules(harper, disabled_categories={"TYPOS"}) == every - {"SpellCheck"}
    assert rules(harper, disabled_categories={"TYPOS"}, enabled_rules={"SpellCheck"}) == every
    assert rules(harper, enabled_rules={"SpellCheck"}, is_enabled_only=True) == {"SpellCheck"}
    assert rules(harper, enabled_categories={"REPETITIONS"}, is_enabled_only=True) == {"RepeatedWords"}
    assert rules(harper, enabled_rules={"SpelledNumbers"}) == every | {"SpelledNumbers"}
    assert rules(harper, is_picky=True) == every | {"SpelledNumbers"}
    assert rules(harper) == every  # what was asked before has left nothing behind


def test_the_dialect(harper: HarperChecker) -> None:
    colour = "My favourite colour is grey."
    assert check(harper, colour, language="en-US").findings
    assert check(harper, colour, language="en-GB").findings == []
    # A text of no known dialect is in that one in which most of its words are words.
    for text, language in ((colour, "en-GB"), ("My favorite color is gray.", "en-US"), ("No wrds.", "en-US")):
        assert check(harper, text).language == check(harper, text, language="en").language == language
    assert check(harper, colour).findings == []
    assert [fault.start for fault in check(harper, "My favorite color is the colour gray.").findings] == [25]
    checked = check(harper, colour, language="auto", preferred_variants=("de-DE", "en-GB"))
    assert (checked.findings, checked.language) == ([], "en-GB")
    with pytest.raises(InputError, match="English"):
        check(harper, language="de-DE")


def test_places_are_counted_in_characters(harper: HarperChecker) -> None:
    (finding,) = check(harper, "😀 Fine.\n\nHe dont.").findings
    assert (finding.start, finding.end, finding.category) == (12, 16, "TYPOS")


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\0", "a\r\nb", "\u202e abc", "tset " * 90, "Teh , cat .", "😀" * 99]
)
def test_any_text_is_checked(harper: HarperChecker, text: str) -> None:
    check(harper, text)


def test_what_harper_prints_is_not_seen(harper: HarperChecker, capfd: pytest.CaptureFixture[str]) -> None:
    (finding,) = check(harper, "I am looking forward to hear from you.").findings  # it prints about this one
    assert finding.replacements == ("hearing",)
    assert capfd.readouterr() == ("", "")


def test_a_text_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LEAST_SECONDS", 0.3)
    monkeypatch.setattr(module, "_SPEED", 1e9)
    harper = HarperChecker()
    with pytest.raises(CheckerError, match="takes too long"):
        check(harper, RARE)
    assert check(harper).findings


@pytest.mark.slow
def test_a_text_that_takes_too_much_memory_costs_no_other(harper: HarperChecker) -> None:
    with pytest.raises(CheckerError, match="or too much memory"):
        check(harper, "x" * 30_000)
    assert check(harper).findings


@pytest.mark.slow
def test_harper_ends_when_it_is_forgotten_and_starts_again() -> None:
    harper = HarperChecker()
    first = number_of_process(harper)
    assert number_of_process(harper) == first
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    second = number_of_process(harper)
    assert second != first
    del harper
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


def number_of_process(harper: HarperChecker) -> int:
    check(harper)
    process = harper._process
    assert process is not None
    return process.pid
