"""Standard streams that are closed, full, or whose reader goes away, with the command as a shell runs it."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import usim_here
from tests.support.benchmarks import SWS, SWS_FOUND
from tests.support.graphs import GOLD, PREDICTED, written

pytestmark = pytest.mark.model

USIM = f"{shlex.quote(sys.executable)} -c 'from usim.cli import main; main()'"
SUGGESTION = {"sentence": "An intimate friend .", "start": 3, "end": 11, "substitutes": ["close"]}
#: Commands that write results in different ways; the names are files of the fixture.
WRITING = {
    "align": "align gold/a.xml gold/a.xml",
    "filter": "screen suggestions.jsonl --judge usim --filter",
    "batch": "batch pairs.jsonl -o - --judge none",
    "sws": "sws sws.json sws-found.json --resamples 0",
    "help": "--help",
}
#: Commands that read standard input.
READING = {
    "score": "score - text --judge usim",
    "batch": "batch - -o out --judge none",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    (folder / "text").write_text("John left the large house .\n", encoding="utf-8")
    written(folder / "gold", GOLD)
    written(folder / "predicted", PREDICTED)
    for name, value in {
        "sws.json": SWS,
        "sws-found.json": SWS_FOUND,
        "suggestions.jsonl": SUGGESTION,
        "pairs.jsonl": {"source": "John left .", "output": "John left ."},
    }.items():
        (folder / name).write_text(json.dumps(value) + "\n", encoding="utf-8")
    return folder


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-c", f"{USIM} {line}"], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def is_one_problem(done: subprocess.CompletedProcess[str], reason: str) -> bool:
    """Return whether the command said what is wrong in one line that ends its messages, and exited with 2."""
    lines = done.stderr.splitlines()
    named = [line for line in lines if reason in line]
    return done.returncode == 2 and len(named) == 1 and named[0].startswith("usim: ") and "Traceback" not in done.stderr


@pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)
def test_a_full_or_closed_output_is_one_line_and_exit_code_2(folder: Path, command: str) -> None:
    full, closed = run(f"{command} > /dev/full", folder), run(f"{command} >&-", folder)
    said = "standard output cannot be written ({})" if command == WRITING["batch"] else "{}"
    assert is_one_problem(full, said.format("No space left on device")), full
    assert is_one_problem(closed, said.format("Bad file descriptor")), closed


@pytest.mark.parametrize("command", READING.values(), ids=READING)
def test_a_closed_input_is_one_line_and_exit_code_2(folder: Path, command: str) -> None:
    done = run(f"{command} <&-", folder)
    said = "-: cannot be read (Bad file descriptor)" if command == READING["batch"] else "Bad file descriptor"
    assert is_one_problem(done, said), done
    assert not done.stdout


@pytest.mark.parametrize(
    "command",
    ["evaluate gold predicted --fail-under 1"]
    + [pytest.param(command, marks=pytest.mark.slow) for command in WRITING.values()],
)
def test_closed_messages_change_neither_results_nor_exit_code(folder: Path, command: str) -> None:
    expected = run(command, folder)
    for redirection in ("2>&-", "2>/dev/full"):
        done = run(f"{command} {redirection}", folder)
        assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout), redirection


# Rich, which renders what explain prints, must not choose the exit code.
@pytest.mark.parametrize("command", ["score text text --judge usim", "explain left left --judge usim", "--help"])
def test_a_reader_that_goes_away_is_neither_a_gate_nor_done(folder: Path, command: str) -> None:
    done = run(f"{command} | true; exit ${{PIPESTATUS[0]}}", folder)
    assert done.returncode == 141
    assert "usim: " not in done.stderr


def test_a_line_without_end_is_not_scored_and_costs_its_pair_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * (2**24 + 1) + b"\nJohn left .\n")
    done = usim_here("score", tmp_path / "a", tmp_path / "a", "--judge", "usim", "--format", "jsonl")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [record["error"] if "error" in record else record["score"] for record in records] == [
        "a line of more than 16 MiB",
        1.0,
    ]


def test_odd_numbers_in_a_text_are_scored() -> None:
    text = f"It was 10²s and ²th at 1:² , {'1' * 5000}/2 ."
    done = usim_here("score", "--text", text, text, "--judge", "usim", "--format", "jsonl")
    assert (done.returncode, json.loads(done.stdout)["score"]) == (0, 1.0), done.stderr
