"""``usim batch`` as a user types it."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from unittest import mock

import pytest

from tests.batch.common import check_equal, errors_of, lines, pairs, wait_for, with_bad, write
from tests.batch.slow_parser import WordParser
from tests.command import USIM, usim, usim_here
from tests.processes import dask_cluster
from usim.batch import Summary
from usim.batch._journal import Journal
from usim.batch._worker import ChunkResult
from usim.cli.batch import progress_text
from usim.ucca import write_mrp

pytestmark = pytest.mark.model

SENTENCES = [("He go to school.", "He goes to school."), ("John saw Mary at home.", "John saw home.")]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pairs, some of them bad, and with the graphs of all their sentences."""
    folder = tmp_path_factory.mktemp("batch")
    records = with_bad(pairs(90))
    write(folder / "pairs.jsonl", records)
    sentences = sorted({r[name] for r in records if "source" in r for name in ("source", "output")})
    write_mrp(WordParser().parse(sentences), folder / "graphs.mrp")
    return folder


def plain(given: Path) -> tuple[str, ...]:
    """Return the options of a job that needs no model."""
    return ("--parser", f"mrp:{given / 'graphs.mrp'}", "--judge", "usim")


def test_scores_are_those_of_usim_score(tmp_path: Path) -> None:
    write(tmp_path / "pairs.jsonl", [{"source": a, "output": b} for a, b in SENTENCES])
    for number, name in enumerate(("source", "output")):
        (tmp_path / name).write_text("".join(pair[number] + "\n" for pair in SENTENCES))
    scored = usim_here("score", tmp_path / "source", tmp_path / "output", "--format", "jsonl")
    done = usim_here("batch", tmp_path / "pairs.jsonl", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0
    expected = [json.loads(line) for line in scored.stdout.splitlines()]
    assert lines(tmp_path / "out.jsonl") == expected
    assert [list(line) for line in lines(tmp_path / "out.jsonl")] == [list(line) for line in expected]
    assert "2 records, 0 errors" in done.stderr
    assert scored.stderr.splitlines()[-1] == done.stderr.splitlines()[-1]  # the signature


def test_suggestions_are_those_of_usim_screen(tmp_path: Path) -> None:
    record = {"id": 1, "sentence": "An old friend came.", "start": 3, "end": 6, "substitutes": ["close", "new"]}
    path = write(tmp_path / "a.jsonl", [record])
    screened = usim_here("screen", path)
    done = usim_here("batch", path, "-o", tmp_path / "out.jsonl", "--task", "screen")
    (line,) = lines(tmp_path / "out.jsonl")
    assert line == {**record, "line": 1, **json.loads(screened.stdout)}
    assert "2 suggestions" in done.stderr


def test_standard_input_is_read_and_bad_records_are_counted(given: Path, tmp_path: Path) -> None:
    out, piped = tmp_path / "out.jsonl", tmp_path / "piped.jsonl"
    options = (*plain(given), "--chunk", "7")
    done = usim_here("batch", given / "pairs.jsonl", "-o", out, *options)
    streamed = usim_here("batch", "-", "-o", piped, *options, stdin=(given / "pairs.jsonl").read_bytes())
    assert done.returncode == streamed.returncode == 2  # records are bad
    assert piped.read_bytes() == out.read_bytes()
    assert f"82 records, 8 errors ({out}.errors.jsonl)" in done.stderr
    assert len(lines(errors_of(out))) == 8
    assert "usim: warning: 8 errors: 8 × no field 'source'\n" in done.stderr


def test_errors_are_told_by_reason(tmp_path: Path) -> None:
    """The commonest first: how many there are, and not which."""
    records = [{"source": "It rained.", "output": "It rains."}, {"source": "A."}, {"output": "A."}, {"source": "B."}, 3]
    path = write(tmp_path / "a.jsonl", records)  # type: ignore[arg-type]
    done = usim_here("batch", path, "-o", tmp_path / "out.jsonl", "--judge", "usim")
    first, *others = done.stderr.partition("usim: warning: ")[2].splitlines()[0].split("; ")
    assert first == "4 errors: 2 × no field 'output'"
    assert [other.partition(" × ")[0] for other in others] == ["1", "1"]


def test_a_finished_output_stays_where_no_record_has_a_result(given: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert usim_here("batch", given / "pairs.jsonl", "-o", out, *plain(given)).returncode == 2
    before = out.read_bytes()
    done = usim_here("batch", given / "pairs.jsonl", "-o", out, "--task", "screen", "--judge", "usim")
    assert done.returncode == 1
    assert "90 errors: 90 × Object missing required field `sentence`" in done.stderr
    assert f"no record has a result: {out} stays as it was" in done.stderr
    assert out.read_bytes() == before


def test_an_interrupt_says_what_is_saved_and_the_same_command_goes_on(given: Path, tmp_path: Path) -> None:
    command = ("batch", given / "pairs.jsonl", "-o", tmp_path / "out.jsonl", *plain(given))
    add, added = Journal.add, list[object]()

    def interrupted(self: Journal, result: ChunkResult) -> None:
        if added:
            raise KeyboardInterrupt
        added.append(result)
        add(self, result)

    with mock.patch.object(Journal, "add", interrupted):
        done = usim_here(*command)
    assert done.returncode == 130
    assert "usim: interrupted: 64 results saved; the same command goes on from there" in done.stderr
    assert "64 records had been done before" in usim_here(*command).stderr


def test_files_of_a_glob_are_named(given: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    done = usim_here("batch", given / "*.jsonl", "-o", tmp_path / "out.jsonl", *plain(given))
    assert done.returncode == 2
    assert {line["file"] for line in lines(tmp_path / "out.jsonl")} == {str(given / "pairs.jsonl")}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("none.jsonl -o out", "no such file"),
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
    options = [*plain(given), "--chunk", "5"]
    assert usim_here("batch", given / "pairs.jsonl", "-o", whole, *options).returncode == 2
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
    again = usim_here("batch", "-", "-o", out, *options, stdin=content)
    assert again.returncode == 2
    assert "had been done before" in again.stderr
    assert out.read_bytes() == whole.read_bytes()
    errors = [errors_of(path) for path in (out, whole)]
    name = json.dumps(str(given / "pairs.jsonl")).encode()
    assert errors[0].read_bytes().replace(b'"-"', name) == errors[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == [out, errors[0], whole, errors[1]]


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same(given: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    options = [*plain(given), "--chunk", "5"]
    assert usim_here("batch", given / "pairs.jsonl", "-o", whole, *options).returncode == 2
    with dask_cluster() as (address, _):
        done = usim("batch", given / "pairs.jsonl", "-o", out, *options, "--scheduler", address)
    assert done.returncode == 2, done.stderr
    check_equal(out, whole)
    assert "82 records, 8 errors" in done.stderr
