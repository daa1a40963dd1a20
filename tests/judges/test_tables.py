"""Tables of words and phrases: what they may hold, and errors that name the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from judges.pairs.phrases import read_swaps
from judges.pairs.tables import Table, TableError
from judges.pairs.templates.lexicon import Person
from judges.pairs.templates.wordings import Wordings

TEXT = """\
# A comment.

[words]
red, light green
blue

[rows]
tall / short
old / young

[meanings]
{x} {verb:past} {y}
{x.he} {verb:past} {y}

{y} was {verb:done}

[contrasts]
a {} pupil : bright / clever ~ shining
it is true / so it is ~ it is false
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_sections_of_a_table(path: Path) -> None:
    table = Table(path)
    assert list(table) == ["words", "rows", "meanings", "contrasts"]
    assert table.words("words") == ["red", "light green", "blue"]
    assert table.rows("rows", 2) == [("tall", "short"), ("old", "young")]
    assert table.texts("rows") == ["tall / short", "old / young"]
    assert table.contrasts("contrasts") == [
        ("a {} pupil", ("bright", "clever"), ("shining",)),
        ("", ("it is true", "so it is"), ("it is false",)),
    ]


def test_wordings_are_filled_with_forms_and_pronouns(path: Path) -> None:
    wordings = Wordings(path)
    anna = Person("Anna", "she", "her", "her")
    assert wordings.meanings("meanings", x=anna, verb="see", y="the dog") == [
        ["Anna saw the dog", "she saw the dog"],
        ["the dog was seen"],
    ]
    assert len(wordings("meanings", x=anna, verb="see", y="the dog")) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word\n", r"table.txt, line 1: an entry before the first section: 'word'"),
        ("[a]\n\n[a]\n", r"table.txt, line 3: a section of this name stands above"),
    ],
)
def test_a_table_that_cannot_be_read(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(TableError, match=message):
        Table(path)


def test_an_entry_that_cannot_be_read(path: Path) -> None:
    table, wordings = Table(path), Wordings(path)
    with pytest.raises(
        TableError, match=r"table.txt, line 8: 3 parts with ' / ' between them expected: 'tall / short'"
    ):
        table.rows("rows", 3)
    with pytest.raises(TableError, match=r"table.txt: no section \[other\]"):
        table.lines("other")
    with pytest.raises(TableError, match=r"line 8: not of the form"):
        read_swaps(table.lines("rows"))
    with pytest.raises(TableError, match=r"line 12: cannot be filled \('verb'\): '\{x\} \{verb:past\} \{y\}'"):
        wordings("meanings", x="Anna", y="the dog")
    path.write_text("[words]\nred, blue,\n")
    with pytest.raises(TableError, match=r"table.txt, line 2: no empty parts"):
        Table(path).words("words")


def test_an_unknown_form_is_named(path: Path) -> None:
    path.write_text("[meanings]\n{x} {verb:future}\n")
    with pytest.raises(TableError, match=r"line 2: cannot be filled"):
        Wordings(path)("meanings", x="Anna", verb="see")
