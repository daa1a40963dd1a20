"""The short form of the endurance test, each experiment in a process of its own; ``--long`` runs on demand."""

from __future__ import annotations

import re
import sys

import pytest

from tests.endurance.__main__ import EXPERIMENTS
from tests.endurance.tally import Tally
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
