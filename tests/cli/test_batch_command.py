"""``usim batch`` as a user types it."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.batch.common import lines, pairs, wait_for, with_bad, write
from tests.batch.slow_parser import WordParser
from tests.command import USIM, usim_here
from tests.processes import dask_cluster
from usim.batch import Summary
from usim.cli import cli
from usim.cli.batch import progress_text
from usim.ucca import write_mrp

pytestmark = pytest.mark.model

SENTENCES = [("He go to school.", "He goes to school."), ("John saw Mary at home.", "John saw home.")]


def batch(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["batch", *map(str, arguments)], input=stdin, catch_exceptions=False)


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pairs, some of them bad, and with the graphs of all their sentences."""
    folder = tmp_path_factory.mktemp("batch")
    records = with_bad(pairs(90))
    write(folder / "pairs.jsonl", records)
    sentences = sorted({r[name] for r in records if "source" in r for name in ("source", "output")})
    write_mrp(WordParser().parse(sentences), folder / "graphs.mrp")
    return folder


def graphs_of(given: Path) -> str:
    return f"mrp:{given / 'graphs.mrp'}"


def test_scores_are_those_of_usim_score(tmp_path: Path) -> None:
    write(tmp_path / "pairs.jsonl", [{"source": a, "output": b} for a, b in SENTENCES])
    for number, name in enumerate(("source", "output")):
        (tmp_path / name).write_text("".join(pair[number] + "\n" for pair in SENTENCES))
    scored = CliRunner().invoke(
        cli, ["score", str(tmp_path / "source"), str(tmp_path / "output"), "--format", "jsonl"], catch_exceptions=False
    )
    done = batch(tmp_path / "pairs.jsonl", "-o", tmp_path / "out.jsonl")
    assert done.exit_code == 0
    expected = [json.loads(line) for line in scored.stdout.splitlines()]
    assert lines(tmp_path / "out.jsonl") == expected
    assert [list(line) for line in lines(tmp_path / "out.jsonl")] == [list(line) for line in expected]
    assert "2 records, 0 errors" in done.stderr
    assert scored.stderr.splitlines()[-1] == done.stderr.splitlines()[-1]  # the signature
    # The same, with USim alone.
    assert batch(tmp_path / "pairs.jsonl", "-o", tmp_path / "out.jsonl", "--judge", "none").exit_code == 0
    kept = ("line", "source", "output", "score", "usim", "language")
    assert lines(tmp_path / "out.jsonl") == [{name: line[name] for name in kept} for line in expected]


def test_suggestions_are_those_of_usim_screen(tmp_path: Path) -> None:
    record = {"id": 1, "sentence": "An old friend came.", "start": 3, "end": 6, "substitutes": ["close", "new"]}
    path = write(tmp_path / "a.jsonl", [record])
    screened = CliRunner().invoke(cli, ["screen", str(path)], catch_exceptions=False)
    done = batch(path, "-o", tmp_path / "out.jsonl", "--task", "screen")
    (line,) = lines(tmp_path / "out.jsonl")
    assert line == {**record, "line": 1, **json.loads(screened.stdout)}
    assert "2 suggestions" in done.stderr


def test_standard_input_to_standard_output(given: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    options = ["--parser", graphs_of(given), "--judge", "none", "--chunk", 7]
    done = batch(given / "pairs.jsonl", "-o", out, *options)
    streamed = batch("-", "-o", "-", *options, stdin=(given / "pairs.jsonl").read_bytes())
    assert done.exit_code == streamed.exit_code == 2  # records are bad
    assert streamed.stdout_bytes == out.read_bytes()
    assert "usim: warning: -:11: no field 'source'" in streamed.stderr
    assert "82 records, 8 errors" in streamed.stderr
    assert f"82 records, 8 errors ({out}.errors.jsonl)" in done.stderr


def test_the_summary_is_a_file_as_well(given: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.json"
    options = ["--parser", graphs_of(given), "--judge", "none", "--summary", summary]
    assert batch(given / "pairs.jsonl", "-o", tmp_path / "out.jsonl", *options).exit_code == 2
    told = json.loads(summary.read_text())
    assert (told["records"], told["errors"], told["before"]) == (82, 8, 0)
    assert told["rate"] == pytest.approx(90 / told["seconds"])
    assert told["errors_file"] == str(tmp_path / "out.jsonl.errors.jsonl")
    assert len(lines(tmp_path / "out.jsonl.errors.jsonl")) == 8


def test_files_of_a_glob_are_named(given: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    done = batch(given / "*.jsonl", "-o", tmp_path / "out.jsonl", "--parser", graphs_of(given), "--judge", "none")
    assert done.exit_code == 2
    assert {line["file"] for line in lines(tmp_path / "out.jsonl")} == {str(given / "pairs.jsonl")}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("none.jsonl -o out", "no such file"),
        ("- -o out --task screen --judge none", "needs a judge"),
        ("- -o out --task screen --tokenised", "for pairs"),
        ("- -o out --keep 0.2 --drop 0.4", "is above keep"),
        ("- -o out --columns a", "two names"),
        ("- -o out --parser nothing", "no such model"),
    ],
)
def test_usage(line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = usim_here("batch", *line.split())
    assert done.returncode == 2
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_progress_in_a_line() -> None:
    far = Summary(1500, 1, 500, 10.0, 0.3)
    assert progress_text(far) == "1500 records, 1 error, 30.0 %, 100.1/s, 0:00:35 left"
    assert progress_text(Summary(10, 0, 0, 1.0, None)) == "10 records, 10.0/s"


def test_killed_as_a_user_would_see_it(given: Path, tmp_path: Path) -> None:
    """The input is stuck in a pipe when the kill comes, so that it comes half way for certain."""
    out, whole = tmp_path / "out.jsonl", tmp_path / "whole.jsonl"
    options = ["--parser", graphs_of(given), "--judge", "none", "--chunk", "5"]
    assert batch(given / "pairs.jsonl", "-o", whole, *options).exit_code == 2
    command = [*USIM, "batch", "-", "-o", str(out), *options]
    content = (given / "pairs.jsonl").read_bytes()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(content[: len(content) // 2])
    process.stdin.flush()
    wait_for(out, random.Random(5).randint(1, 3))
    process.kill()
    process.wait()
    process.stdin.close()
    assert not out.exists()
    again = batch("-", "-o", out, *options, stdin=content)
    assert again.exit_code == 2
    assert "had been done before" in again.stderr
    assert out.read_bytes() == whole.read_bytes()
    errors = [Path(f"{path}.errors.jsonl") for path in (out, whole)]
    name = json.dumps(str(given / "pairs.jsonl")).encode()
    assert errors[0].read_bytes().replace(b'"-"', name) == errors[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == [out, errors[0], whole, errors[1]]


# -- a cluster -------------------------------------------------------------------------------------------------------


@pytest.fixture
def cluster() -> Iterator[str]:
    with dask_cluster() as (address, _):
        yield address


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same(given: Path, tmp_path: Path, cluster: str) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    options = ["--parser", graphs_of(given), "--judge", "none", "--chunk", "5"]
    command = [*USIM, "batch", str(given / "pairs.jsonl"), "-o", str(out), *options, "--scheduler", cluster]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert batch(given / "pairs.jsonl", "-o", whole, *options).exit_code == 2
    _, told = process.communicate(timeout=120)
    assert process.returncode == 2, told.decode()
    assert out.read_bytes() == whole.read_bytes()
    assert Path(f"{out}.errors.jsonl").read_bytes() == Path(f"{whole}.errors.jsonl").read_bytes()
    assert b"82 records, 8 errors" in told
