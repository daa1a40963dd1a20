"""Tables of words and phrases: what they may hold."""

import random
from pathlib import Path

import pytest

from judges.pairs.phrases import read_swaps
from judges.pairs.templates.frames import Family, read_frames
from judges.pairs.templates.lexicon import Draw
from training.tables import Table

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


def test_an_entry_that_cannot_be_read_is_shown(path: Path) -> None:
    table = Table(path)
    with pytest.raises(ValueError, match=r"3 parts with ' / ' between them expected: 'tall / short'"):
        table.rows("rows", 3)
    with pytest.raises(ValueError, match=r"not of the form .*: 'tall / short'"):
        read_swaps(table.texts("rows"))
    with pytest.raises(ValueError, match=r"not of the form .*: 'exchange x'"):
        family(path, "exchange x\n\n{x} slept")
    path.write_text("[words]\nred, blue,\n")
    with pytest.raises(ValueError, match=r"no empty parts"):
        Table(path).words("words")
