"""Models by name: those that come with usim, and those that are not there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.command import usim_here
from usim.batch import Task
from usim.errors import OptionError, ParsingError
from usim.judge import load_judge
from usim.options import Options
from usim.parsing import load
from usim.registry import MODELS, find_model


def test_the_models_that_come_with_usim_are_complete() -> None:
    assert list(MODELS) == ["en", "en-fast"]
    for model in MODELS.values():
        assert (model.parser / "settings.json").is_file()
        assert (model.judge / "settings.json").is_file()


@pytest.mark.parametrize(
    ("options", "is_read"),
    [
        ({}, True), ({"context": False}, False), ({"judge": "usim"}, True), ({"judge": "en-fast"}, False),
        ({"model": "en-fast"}, False), ({"model": "en-fast", "judge": "en"}, True), ({"model": "en-fast", "context": True}, True),
    ],
)  # fmt: skip
def test_the_model_of_the_judge_says_whether_sentences_are_read_in_their_text(
    options: dict[str, Any], is_read: bool
) -> None:
    assert Options(**options).reads_context() is is_read


def test_parser_and_judge_come_from_the_model_unless_they_are_named() -> None:
    fast = Options(model="en-fast")
    assert fast.load_parser().name == load("en-fast").name
    assert fast.load_judge().name == load_judge("en-fast").name
    mixed = Options(model="en-fast", parser="en", judge="usim")
    assert (mixed.load_parser().name, mixed.load_judge().name) == (load("en").name, load_judge("usim").name)
    signature = Task(model="en-fast", judge="usim").load_pipeline().signature
    assert f"parser:{load('en-fast').name}" in signature.split("|")


def test_a_model_that_is_not_there_is_an_error_that_says_which_are() -> None:
    with pytest.raises(OptionError, match="no such model: 'de'; there are en, en-fast"):
        find_model("de")
    with pytest.raises(ParsingError, match="no such model"):
        load("de")


@pytest.mark.parametrize("words", [("explain", "He go.", "He goes.", "--judge", "usim"), ("parse", "-t", "He left.")])
def test_commands_take_a_model(words: tuple[str, ...]) -> None:
    assert usim_here(*words, "--model", "en-fast").returncode == 0
    missing = usim_here(*words, "--model", "de")
    assert missing.returncode == 2
    assert "no such model: 'de'; there are en, en-fast" in missing.stderr
