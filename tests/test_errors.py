"""The tree of errors."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import usim.errors
from usim.errors import FormatError, InputError, OptionError, UsimError
from usim.scorer import Scorer

CLASSES = [
    value
    for value in vars(usim.errors).values()
    if isinstance(value, type) and issubclass(value, Exception) and not issubclass(value, Warning)
]


@pytest.mark.parametrize("kind", CLASSES)
def test_errors_reach_other_processes_whole(kind: type[UsimError]) -> None:
    error = kind("wrong")
    assert isinstance(error, UsimError)
    error.path, error.line, error.text = "a.xml", 7, "x"
    assert str(pickle.loads(pickle.dumps(error))) == "a.xml:7: wrong: 'x'"


def test_an_error_about_an_option_is_a_value_error_and_names_it() -> None:
    error = pickle.loads(pickle.dumps(OptionError("no such judge", option="judge")))
    assert isinstance(error, ValueError)
    assert (str(error), error.option) == ("no such judge", "judge")


def test_what_the_caller_of_a_scorer_can_do_wrong_is_an_input_error() -> None:
    """A service answers 422 to it, and 500 to any other error, as docs/how-to/assistant.md has it."""
    scorer, text = Scorer(judge="usim"), "He left."
    wrong: list[Callable[[Any], object]] = [
        lambda given: scorer.score(text, given),
        lambda given: scorer.best(text, [given]),
        lambda given: scorer.best(text, [text], policy=given),
        lambda given: scorer.repair(text, given),
        lambda given: scorer.repair(given, text),
        lambda given: scorer.compare_texts(text, given),
        lambda given: scorer.under("same", risk=given),
    ]
    for call in wrong:
        with pytest.raises(InputError):
            call([3] if call is wrong[0] else 3)
    with pytest.raises(InputError, match="a text must be a string"):
        scorer.repair(text, ["He", "left"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no candidates"):
        scorer.best(text, [])


def test_long_texts_are_cut() -> None:
    assert len(str(FormatError("wrong", text="x" * 1000))) < 100
