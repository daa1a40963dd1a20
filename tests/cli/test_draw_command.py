"""``usim draw``, and what ``usim explain`` says of graphs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.brackets import graph_of
from tests.command import usim_here
from usim.measures import usim_score
from usim.ucca import Graph, read_xml, write_mrp, write_xml


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


def test_mrp_is_read_as_xml_is(files: tuple[Path, Path], tmp_path: Path) -> None:
    graphs = [read_xml(path) for path in files]
    alone = [tmp_path / f"{name}.mrp" for name in "ab"]
    for graph, path in zip(graphs, alone, strict=True):
        write_mrp([graph], path)
    assert usim_here("draw", *alone).stdout == usim_here("draw", *files).stdout
    assert usim_here("align", alone[0], files[1]).stdout == usim_here("align", *files).stdout
    both = tmp_path / "both.json"  # what a file holds is told by how it begins
    write_mrp([Graph(g.terminals, g.units, g.edges, id=name) for g, name in zip(graphs, "xy", strict=True)], both)
    assert "2 graphs; choose one by its id (--id): x, y" in usim_here("draw", both).stderr
    assert usim_here("draw", both, "--id", "y").stdout == usim_here("draw", alone[1]).stdout
    assert "2 graphs; choose one by its id (--id): x, y: 'z'" in usim_here("draw", both, "--id", "z").stderr


@pytest.mark.model
def test_graphs_in_files_are_scored(files: tuple[Path, Path], tmp_path: Path) -> None:
    for path, name in zip(files, "ab", strict=True):
        write_mrp([read_xml(path), read_xml(files[0])], tmp_path / f"{name}.mrp")
    paths = tmp_path / "a.mrp", tmp_path / "b.mrp"
    done = usim_here("score", *paths, "--judge", "usim", "--format", "json")
    results = json.loads(done.stdout)["results"]
    expected = usim_score(*map(read_xml, files)).f
    assert [result["score"] for result in results] == [pytest.approx(expected, abs=1e-4), 1.0]
    assert expected < 1
    assert [result["output"] for result in results] == ["John went early .", "John left ."]
    alone = json.loads(usim_here("score", *files, "--judge", "usim", "--format", "json").stdout)
    assert alone["results"][0]["score"] == results[0]["score"]
    paths[1].write_text("{\n" + paths[1].read_text().splitlines()[1] + "\n")
    done = usim_here("score", *paths, "--judge", "usim")
    assert done.returncode == 2
    assert f"{paths[1]}:1: not JSON" in done.stderr


def test_a_unit_whose_partner_has_another_one_is_marked(tmp_path: Path) -> None:
    write_xml(graph_of("[H [A [E The] [E old] [C man]] [P fed] [A [E the] [C dog]]]"), tmp_path / "a.xml")
    write_xml(graph_of("[H [A [E The] [C dog]] [P fed] [A him]]"), tmp_path / "b.xml")
    files = tmp_path / "a.xml", tmp_path / "b.xml"
    lines = [" ".join(line.split()) for line in usim_here("align", *files).stdout.splitlines()]
    assert "A: The old man E: The →" in lines
    assert "E: The E: The" in lines
    assert lines[-6].startswith("→ ← one way")


def test_sentences_are_no_graphs_and_files_no_sentences(files: tuple[Path, Path], tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("He left.\n")
    for command in ("align", "draw"):
        for other in ("no.xml", text):
            done = usim_here(command, files[0], other)
            assert done.returncode == 2
            assert str(other) in done.stderr
    for command in ("explain", "repair"):
        done = usim_here(command, *files)
        assert done.returncode == 2
        assert "a.xml' is a file, but this command takes a sentence; usim draw" in done.stderr
