"""Tables of words and phrases: what they may hold, and errors that name the file and the line."""

import random
from pathlib import Path

import pytest

from judges.pairs.phrases import read_swaps
from judges.pairs.tables import Table, TableError
from judges.pairs.templates.frames import Family, read_frames
from judges.pairs.templates.lexicon import Draw

TEXT = """\
# A comment.

[words]
red, light green
blue

[rows]
tall / short
old / young

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
    assert list(table) == ["words", "rows", "contrasts"]
    assert table.words("words") == ["red", "light green", "blue"]
    assert table.rows("rows", 2) == [("tall", "short"), ("old", "young")]
    assert table.texts("rows") == ["tall / short", "old / young"]
    assert table.contrasts("contrasts") == [
        ("a {} pupil", ("bright", "clever"), ("shining",)),
        ("", ("it is true", "so it is"), ("it is false",)),
    ]


def family(path: Path, text: str) -> Family:
    """What the frame of a table draws."""
    path.write_text(f"[frame]\n1 / .9 / .1\n{text}\n", encoding="utf-8")
    return read_frames(path)["frame"].draw(Draw(random.Random(1)))


def test_a_frame_is_filled_with_forms_and_pronouns(path: Path) -> None:
    (seen, was_seen), other = family(
        path,
        "x y = couple\nverb = see\nit = {thing:a}\n\n"
        "{x} {verb:past} {it}\n{x}, {y:a mother|a father}, was {verb:done} by {y.him}\n\n{y} slept",
    ).meanings
    first, _, thing = seen.partition(" saw ")
    assert thing.startswith(("a ", "an "))
    assert was_seen in (f"{first}, a father, was seen by him", f"{first}, a mother, was seen by her")
    assert other[0].endswith("slept")


def test_further_meanings_of_a_frame(path: Path) -> None:
    (first,), (other,) = family(path, "x y = a | b\nswap x y\n\n{x} before {y}").meanings
    assert {first, other} == {"a before b", "b before a"}
    (first,), (other,) = family(path, "x y = tall / short | old / young\nredraw x y\n\n{x}, not {y}").meanings
    assert {first, other} == {"tall, not short", "old, not young"}


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
    table = Table(path)
    with pytest.raises(
        TableError, match=r"table.txt, line 8: 3 parts with ' / ' between them expected: 'tall / short'"
    ):
        table.rows("rows", 3)
    with pytest.raises(TableError, match=r"table.txt: no section \[other\]"):
        table.lines("other")
    with pytest.raises(TableError, match=r"line 8: not of the form"):
        read_swaps(table.lines("rows"))
    path.write_text("[words]\nred, blue,\n")
    with pytest.raises(TableError, match=r"table.txt, line 2: no empty parts"):
        Table(path).words("words")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = name\n\n{y} slept", r"table.txt, line 5: cannot be filled \('y'\): '\{y\} slept'"),
        ("verb = see\n\n{verb:future}", r"table.txt, line 5: cannot be filled"),
        ("exchange x\n\n{x} slept", r"table.txt, line 3: not of the form"),
        ("x y = a / b | c\n\n{x} {y}", r"table.txt, line 3: rows with a word for each of x, y expected"),
        ("x y = a / b | c / d\nredraw y\n\n{x} {y}", r"table.txt, line 3: rows with a word for each of y expected"),
    ],
)
def test_a_frame_that_cannot_be_drawn(path: Path, text: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        family(path, text)
