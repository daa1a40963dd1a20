"""``usim draw``, and what ``usim explain`` says of graphs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.brackets import graph_of
from tests.command import usim_here
from usim.ucca import write_xml


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "a.xml", tmp_path / "b.xml"
    for path, words in zip(paths, ("[A John] [P left]", "[A John] [P went] [D early]"), strict=True):
        write_xml(graph_of(f"[H {words} ] [U .]"), path)
    return paths


def test_one_graph_and_two(files: tuple[Path, Path], tmp_path: Path) -> None:
    one = usim_here("draw", files[0]).stdout
    assert one.startswith("<svg")
    assert "left" in one
    assert usim_here("draw", *files, "-o", tmp_path / "pair.svg").returncode == 0
    both = (tmp_path / "pair.svg").read_text()
    assert "left" in both
    assert "early" in both
    assert "no.xml" in usim_here("draw", tmp_path / "no.xml").stderr


def test_words_and_units_that_belong_together(files: tuple[Path, Path]) -> None:
    lines = usim_here("align", *files).stdout.splitlines()
    assert [line.split() for line in lines[:6]] == [
        ["words"], ["John", "John"], ["left", "went"], [".", "."], ["–", "early"], []
    ]  # fmt: skip
    assert [line.split() for line in lines[6:11]] == [
        ["units"], ["H:", "John", "left", "H:", "John", "went", "early"], ["A:", "John", "A:", "John"],
        ["P:", "left", "P:", "went"], ["–", "D:", "early"]
    ]  # fmt: skip
    record = json.loads(usim_here("align", *files, "--format", "json").stdout)
    assert record["words"] == {
        "source": ["John", "left", "."], "output": ["John", "went", "early", "."], "partner": [0, 1, 3]
    }  # fmt: skip
    assert (
        record["units"]["output"][record["units"]["partner"][record["units"]["source"].index("A: John")]] == "A: John"
    )


def test_sentences_are_no_graphs(files: tuple[Path, Path], tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("He left.\n")
    for command in ("align", "draw"):
        for other in ("no.xml", text, tmp_path):
            done = usim_here(command, files[0], other)
            assert done.returncode == 2
            assert str(other) in done.stderr


def test_files_are_no_sentences(files: tuple[Path, Path]) -> None:
    for command in ("explain", "repair"):
        done = usim_here(command, *files)
        assert done.returncode == 2
        assert "a.xml' is a file, and a sentence is needed here; usim draw" in done.stderr
