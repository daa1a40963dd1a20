"""The tree of errors."""

from __future__ import annotations

import pickle

import pytest

import usim.errors
from usim.errors import FormatError, OptionError, UsimError

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


def test_long_texts_are_cut() -> None:
    assert len(str(FormatError("wrong", text="x" * 1000))) < 100
