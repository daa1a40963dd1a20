"""The short form of the endurance test, each experiment in a process of its own; ``--long`` runs on demand."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.endurance.__main__ import EXPERIMENTS
from tests.endurance.tally import Tally, UnavailableError
from tests.processes import end_of, start


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_short(name: str) -> None:
    process = start(sys.executable, "-m", "tests.endurance", "--only", name)
    assert process.stdout is not None
    report = process.stdout.read().decode()
    code, messages = end_of(process, 300)
    assert code == 0, report + messages
    if f"{name}: not run" in report:
        pytest.skip(report)
    match = re.match(rf"{name}: (\d+) tried, 0 failed", report)
    assert match is not None, report
    assert int(match[1]) > 2


def test_a_tally_counts_what_fails() -> None:
    tally = Tally()
    tally.check()
    tally.check(None, "")
    tally.check("wrong", None, "other")
    with tally.case("good"):
        pass
    with tally.case("bad"):
        raise ValueError("odd")
    assert tally.tried == 5
    assert tally.failures[0] == "wrong; other"
    assert re.fullmatch(r"bad: ValueError: odd \(test_endurance.py:\d+\)", tally.failures[1])
    assert len(tally.failures) == 2


SCRIPT = """
import os, sys
from tests.endurance.system_calls import run_traced

def work():
    with open(sys.argv[1], "wb", buffering=0) as file:
        file.write(b"one ")
        os.fsync(file.fileno())
        file.write(b"two ")
    os.rename(sys.argv[1], sys.argv[2])

"""


def test_a_process_is_killed_at_its_system_calls(tmp_path: Path) -> None:
    def killed(kill_at: int | None, way: str) -> tuple[str, dict[str, bytes]]:
        script = SCRIPT + f"print(*run_traced(work, kill_at={kill_at}, way={way!r}))"
        a, b = tmp_path / "a.partial", tmp_path / "b"
        for path in (a, b):
            path.unlink(missing_ok=True)
        process = start(sys.executable, "-c", script, str(a), str(b))
        assert process.stdout is not None
        report = process.stdout.read().decode().strip()
        _, messages = end_of(process)
        if UnavailableError.__name__ in messages:
            pytest.skip(messages)
        return report, {path.name: path.read_bytes() for path in (a, b) if path.exists()}

    # open, write, fsync, write, rename
    assert killed(None, "before") == ("5 0", {"b": b"one two "})
    assert killed(1, "before") == ("1 None", {})
    assert killed(2, "before") == ("2 None", {"a.partial": b""})
    assert killed(2, "half") == ("2 None", {"a.partial": b"on"})
    assert killed(3, "power") == ("3 None", {"a.partial": b""})
    assert killed(4, "half") == ("4 None", {"a.partial": b"one tw"})
    assert killed(5, "before") == ("5 None", {"a.partial": b"one two "})
    assert killed(5, "power") == ("5 None", {"a.partial": b"one "})
