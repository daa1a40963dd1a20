"""What ``SECURITY.md`` promises: the tests that it names are there, and its bounds are those of the code."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from usim.batch import Task
from usim.serve.settings import Limits

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
TABLE = TEXT.partition("**Bounds.**")[2].partition("**Nothing lost")[0]
UNITS = {"MB": 10**6, "MiB": 2**20, "GiB": 2**30, "": 1}


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`(tests/[\w/]+\.py::[\w:]+)`", TEXT))))
def test_each_promise_has_its_test(name: str) -> None:
    path, *_, function = name.split("::")
    assert re.search(rf"^ *def {function}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("row", [line.split("|")[1:4] for line in TABLE.splitlines() if line.startswith("|")][2:])
def test_bounds_are_those_of_the_code(row: list[str]) -> None:
    stated = row[1].strip().partition(", or")[0]
    number, _, unit = stated.partition(" ")
    bound = int(number.replace(",", "")) * UNITS[unit]
    names = re.findall(r"`(usim[\w.]+)`", row[2])
    assert names
    for name in names:
        module, _, constant = name.rpartition(".")
        holder = {"usim.batch.Task": Task, "usim.serve.settings.Limits": Limits()}.get(module) or import_module(module)
        assert getattr(holder, constant) == bound
