"""Steps of a recipe run once, and its record refuses other data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from training.recipe import record, step


def test_a_step_runs_until_its_result_is_there(tmp_path: Path) -> None:
    calls: list[Sequence[str]] = []

    def run(arguments: Sequence[str]) -> None:
        calls.append(arguments)
        (tmp_path / "result").write_text("done")

    for _ in range(2):
        step(tmp_path / "result", run, "--seed", 1, tmp_path)
    assert calls == [["--seed", "1", str(tmp_path)]]


def test_a_folder_is_not_continued_with_other_options_or_data(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "a.txt").write_text("one")
    path = tmp_path / "out" / "record.json"
    for _ in range(2):
        record(path, {"seed": 1}, ["pytest"], {"texts": data})
    with pytest.raises(SystemExit, match=r"begun with other options seed: take another --out"):
        record(path, {"seed": 2}, ["pytest"], {"texts": data})
    (data / "a.txt").write_text("two")
    with pytest.raises(SystemExit, match=r"begun with other data texts"):
        record(path, {"seed": 1}, ["pytest"], {"texts": data})
    with pytest.raises(SystemExit, match=r"gone: no such file or folder"):
        record(path, {"seed": 1}, ["pytest"], {"texts": tmp_path / "gone"})
