"""The experiments, in their short form or, with ``USIM_ENDURANCE=long``, with all cases."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.endurance.batches import kills
from tests.endurance.fuzz import fixes, fuzz
from tests.endurance.hostile import hostile
from tests.endurance.numbers import numbers
from tests.endurance.service import service
from tests.endurance.tally import Tally, Terms


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("experiment", [kills, fuzz, fixes, hostile, service, numbers], ids=lambda each: each.__name__)
def test_short(experiment: Callable[[Tally, Terms], None], tmp_path: Path) -> None:
    tally = Tally()
    experiment(tally, Terms(tmp_path, is_long=os.environ.get("USIM_ENDURANCE") == "long"))
    assert tally.failures == []
    assert tally.tried > 2


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
