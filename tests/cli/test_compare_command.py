"""``usim compare``, and what else of the command line knows texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.batch.common import errors_of, lines, write
from tests.command import usim_here

pytestmark = pytest.mark.model

BEFORE = "# Notes\n\nIt rained. We paid 20 euros for the two tickets to the museum.\n\n```\nx = 1\n```\n"
AFTER = "# Notes\n\nWe paid **25** euros for the two tickets to the museum. It rained.\n\n```\nx = 1\n```\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before.md", tmp_path / "after.md"
    before.write_text(BEFORE, encoding="utf-8")
    after.write_text(AFTER, encoding="utf-8")
    return before, after


def test_text_json_and_html_say_the_same(files: tuple[Path, Path], tmp_path: Path) -> None:
    text = usim_here("compare", *files)
    assert text.returncode == 0
    assert "The number changed: “20 euros” became “25 euros”" in text.stdout
    assert "[-20-]{+**25**+}" in text.stdout
    pytest.importorskip("jinja2", reason="pages need jinja2")
    page = tmp_path / "page.html"
    assert usim_here("compare", *files, "--format", "html", "-o", page).returncode == 0
    assert "The number changed: “20 euros” became “25 euros”" in page.read_text(encoding="utf-8")
    values = json.loads(usim_here("compare", *files, "--format", "json", "--policy", "shorten").stdout)
    assert (values["verdict"], values["policy"], values["counts"]["moved"]) == ("drop", "shorten", 1)
    assert values["signature"].split("|")[-2] == "policy:shorten"
    (finding,) = values["findings"]
    assert [BEFORE[slice(*span)] for span in finding["before"]] == ["20", "euros"]
    assert [AFTER[slice(*span)] for span in finding["after"]] == ["25", "euros"]


def test_a_gate(files: tuple[Path, Path]) -> None:
    assert usim_here("compare", *files, "--fail-on", "drop").returncode == 1
    assert usim_here("compare", files[0], files[0], "--fail-on", "review").returncode == 0


def test_what_cannot_be_read(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("word " * 200_001)
    for given, message in (
        (("-", "-"), "only one of the files can be standard input"),
        ((files[0], tmp_path / "none.txt"), "No such file"),
        ((files[0], tmp_path / "big.txt"), "1,000,005 characters, and 1,000,000 are the most"),
        ((files[0], tmp_path), "Is a directory"),
    ):
        done = usim_here("compare", *given)
        assert done.returncode == 2
        assert message in done.stderr
    (tmp_path / "empty.txt").write_text("")
    done = usim_here("compare", tmp_path / "empty.txt", files[1])
    assert "an empty text" in done.stderr


def test_another_language_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Er ging jeden Tag in die Schule. Dort lernte er lesen und schreiben.")
    done = usim_here("compare", tmp_path / "a.txt", tmp_path / "a.txt")
    assert "seems not to be English (de)" in done.stderr
    assert done.stdout.startswith("keep")


def test_score_points_to_compare_where_files_are_not_parallel(files: tuple[Path, Path]) -> None:
    files[1].write_text("It rained.\n")
    done = usim_here("score", *files)
    assert done.returncode == 2
    assert "usim compare takes texts" in done.stderr


def test_a_batch_of_texts(tmp_path: Path) -> None:
    paid = "It rained. We paid {} euros for the two tickets to the museum."
    records = [
        {"id": 1, "before": paid.format(20), "after": paid.format(25)},
        {"id": 2, "before": "It rained."},
        {"id": 3, "before": "It rained.", "after": "word " * 2001},
        {"id": 4, "before": "It rained.", "after": "It rained. Nobody came."},
    ]
    given, out = write(tmp_path / "texts.jsonl", records), tmp_path / "compared.jsonl"
    done = usim_here("batch", given, "-o", out, "--task", "compare", "--policy", "expand")
    assert done.returncode == 2, done.stderr
    assert [(result["id"], result["verdict"]) for result in lines(out)] == [(1, "drop"), (4, "keep")]
    errors = errors_of(out).read_text(encoding="utf-8")
    assert "no field 'after'" in errors
    assert "cut it into passages" in errors
    assert "|policy:expand|" in done.stderr
