"""Suggestions that are easier than their targets."""

from __future__ import annotations

import json
from pathlib import Path
from unittest import mock

import pytest
from click.testing import CliRunner

from tests.test_scorer import Flat
from usim.cli import cli
from usim.errors import FormatError
from usim.lexicon._cefr import listed_levels
from usim.proficiency import not_easier
from usim.records import Part, Record
from usim.screen import Screened
from usim.suggestions import Suggestion

LEVELS = listed_levels({("big", None): 1, ("huge", None): 4, ("vast", None): 5}, "mine")
TEXT = "A huge house."


def screened(suggestion: Suggestion) -> Screened:
    return Screened(suggestion.substitute, TEXT, 0.9, "keep", (), 1.0, TEXT, TEXT)


def record(*suggestions: Suggestion) -> Record:
    return Record(1, 1, TEXT, suggestions, "", lambda dropped: "")


def test_easier_ones_are_dropped_and_all_have_their_levels() -> None:
    suggestions = [Suggestion(word, (2, 6), about={"score": 1}) for word in ("big", "vast", "odd")]
    part = record(*suggestions)
    ((rated, verdicts),) = not_easier([(part, [screened(s) for s in suggestions])], LEVELS)
    assert [one.verdict for one in verdicts] == ["drop", "keep", "keep"]
    assert isinstance(rated, Record)
    assert [s.about for s in rated.suggestions] == [
        {"score": 1, "target_level": "B2", "level": "A1", "easier": True},
        {"score": 1, "target_level": "B2", "level": "C1", "easier": False},
        {"score": 1, "target_level": "B2", "level": None, "easier": False},
    ]


def test_corrections_and_deletions_stay() -> None:
    suggestions = (Suggestion("A big house."), Suggestion("", (2, 6)))
    parts: list[tuple[Part, list[Screened]]] = [
        (record(*suggestions), [screened(s) for s in suggestions]),
        ("\n", []),
    ]
    assert [[one.verdict for one in verdicts] for _, verdicts in not_easier(parts, LEVELS)] == [["keep", "keep"], []]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    suggestions, levels = tmp_path / "suggestions.jsonl", tmp_path / "levels.csv"
    record = {"sentence": TEXT, "start": 2, "end": 6, "substitutes": ["big", "vast", "odd"]}
    suggestions.write_text(json.dumps(record) + "\n", encoding="utf-8")
    levels.write_text("big,A1\nhuge,B2\nvast,C1\n", encoding="utf-8")
    return str(suggestions), str(levels)


@pytest.mark.model
def test_the_command_drops_what_is_easier(files: tuple[str, str]) -> None:
    suggestions, levels = files
    # Nothing but levels can drop a suggestion here.
    line = ["screen", suggestions, "--not-easier", "--levels", levels, "--judge", "usim", "--keep", "0", "--drop", "0"]
    with mock.patch("usim.options.load", return_value=Flat()):
        told = CliRunner().invoke(cli, line)
        left = CliRunner().invoke(cli, [*line, "--filter"])
    assert (told.exit_code, left.exit_code) == (0, 0)
    rated = json.loads(told.stdout)["suggestions"]
    assert [(one["verdict"], one["level"], one["easier"]) for one in rated] == [
        ("drop", "A1", True),
        ("keep", "C1", False),
        ("keep", None, False),
    ]
    assert json.loads(left.stdout)["substitutes"] == ["vast", "odd"]


def test_levels_that_cannot_be_read(files: tuple[str, str]) -> None:
    suggestions, levels = files
    Path(levels).write_text("big\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["screen", suggestions, "--not-easier", "--levels", levels])
    assert isinstance(done.exception, FormatError)  # which main() tells, with exit code 2
    assert "a word and its level" in str(done.exception)
