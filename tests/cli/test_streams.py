"""Standard streams that are closed, full, or whose reader goes away, with the command as a shell runs it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.benchmarks import SWS, SWS_FOUND
from tests.support.graphs import GOLD, written

pytestmark = pytest.mark.model

USIM = f"{shlex.quote(sys.executable)} -c 'from usim.cli import main; main()'"
#: Commands that write results in different ways; the names are files of the fixture.
WRITING = {
    "align": "align gold/a.xml gold/a.xml",
    "sws": "sws sws.json sws-found.json",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    (folder / "text").write_text("John left the large house .\n", encoding="utf-8")
    written(folder / "gold", GOLD)
    for name, value in {
        "sws.json": SWS,
        "sws-found.json": SWS_FOUND,
        "suggestions.jsonl": {"sentence": "John left.", "start": 5, "end": 9, "substitutes": ["stayed"]},
    }.items():
        (folder / name).write_text(json.dumps(value) + "\n", encoding="utf-8")
    return folder


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    line = f"{USIM} {line}"
    return subprocess.run(
        ["/bin/bash", "-c", line], cwd=folder, env=buffered, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)
def test_a_full_output_is_one_line_and_exit_code_2(folder: Path, command: str) -> None:
    done = run(f"{command} > /dev/full", folder)
    assert done.returncode == 2
    (named,) = (line for line in done.stderr.splitlines() if "No space left on device" in line)
    assert named.startswith("usim: ")
    assert "Traceback" not in done.stderr


def test_closed_streams_are_empty(folder: Path) -> None:
    done = run(f"{WRITING['sws']} >&-", folder)
    assert (done.returncode, done.stderr) == (0, "")
    done = run("score - text --judge usim <&-", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "- has 0 lines" in done.stderr


def test_lost_messages_change_neither_results_nor_exit_code(folder: Path) -> None:
    command = "screen suggestions.jsonl --judge usim"
    expected = run(command, folder)
    assert expected.stdout
    assert expected.stderr
    for redirection in ("2>&-", "2>/dev/full", "2> >(true)"):
        done = run(f"{command} {redirection}", folder)
        assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout), redirection


# Rich, which renders what explain prints, and click must not choose the exit code.
@pytest.mark.parametrize("command", ["explain left left --judge usim", "--help"])
def test_a_reader_that_goes_away_is_neither_a_gate_nor_done(folder: Path, command: str) -> None:
    done = run(f"{command} | true; exit ${{PIPESTATUS[0]}}", folder)
    assert done.returncode == 141
    assert "usim: " not in done.stderr
