"""A batch job killed at each of its system calls that write, and started again."""

from __future__ import annotations

import shutil
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from tests.batch.common import PLAIN, Stopped, pairs, stopped_after, with_bad, write
from tests.endurance.system_calls import Way, run_traced
from tests.endurance.tally import Tally, Terms
from usim.batch import run

_RECORDS = 24
_CHUNK = 4


class Scenario(NamedTuple):
    """A job.

    Attributes:
        name: what is special about it.
        output: the name of its output.
        options: what :func:`usim.batch.run` gets.
        chunks_before: how many chunks an interrupted job has left; 0 where there was none.
    """

    name: str
    output: str
    options: dict[str, Any]
    chunks_before: int = 0


SCENARIOS = (
    Scenario("fresh", "out.jsonl", {}),
    Scenario("packed, with a cache and a summary", "out.jsonl.gz", {"cache": "parses", "summary": "summary.json"}),
    Scenario("resumed", "out.jsonl", {"errors": "bad.jsonl"}, 3),
    Scenario("restarted", "out.jsonl.zst", {"restart": True}, 2),
    Scenario("over an older output", "older.jsonl", {}),
)


def _job(folder: Path, scenario: Scenario, **options: Any) -> None:
    named = {name: folder / value for name, value in scenario.options.items() if isinstance(value, str)}
    run(folder / "in.jsonl", folder / scenario.output, PLAIN, chunk=_CHUNK, **{**scenario.options, **named, **options})


def _prepare(folder: Path, given: Path, scenario: Scenario) -> None:
    folder.mkdir()
    shutil.copy(given, folder / "in.jsonl")
    if scenario.output.startswith("older"):
        (folder / scenario.output).write_text("the output of an older job\n")
    if scenario.chunks_before:
        with suppress(Stopped):
            _job(folder, scenario, watch=stopped_after(scenario.chunks_before * _CHUNK))


def _contents(folder: Path) -> dict[str, bytes]:
    # A kill may leave the first part of a file that was to be written whole; nothing ever reads it.
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".part"}


#: Their bytes depend on time, or on how often SQLite was started.
_OWN = ("parses", "summary.json")


class _Reference:
    """What a job leaves that nobody disturbs, and how many calls it makes."""

    def __init__(self, root: Path, given: Path, scenario: Scenario) -> None:
        self.given, self.scenario = given, scenario
        folder = root / "job"  # bad records name their file
        _prepare(folder, given, scenario)
        self.before = _contents(folder).get(scenario.output)
        outcome = run_traced(lambda: _job(folder, scenario))
        assert outcome.code == 0
        self.calls = outcome.calls
        self.contents = _contents(folder)
        shutil.rmtree(folder)

    def problem(self, folder: Path, points: list[tuple[int, Way]]) -> str | None:
        """Run the job in a new folder, kill it at these points one after another, finish it, and compare."""
        _prepare(folder, self.given, self.scenario)
        for point, way in points:
            outcome = run_traced(lambda: _job(folder, self.scenario), kill_at=point, way=way)
            if outcome.code:
                return f"the job failed with exit code {outcome.code}"
            output = folder / self.scenario.output
            now = output.read_bytes() if output.exists() else None
            if now not in (self.before, self.contents[self.scenario.output]):
                return "half an output has the final name"
        _job(folder, self.scenario)
        contents = _contents(folder)
        if sorted(contents) != sorted(self.contents):
            return f"other files: {sorted(contents)} for {sorted(self.contents)}"
        differing = [name for name in contents if not name.startswith(_OWN) and contents[name] != self.contents[name]]
        return f"other bytes: {differing}" if differing else None


def experiment(tally: Tally, terms: Terms) -> None:
    """Kill jobs at their system calls, in the long form at each of them in three ways, and twice in a row."""
    rng = terms.rng()
    given = terms.folder / "in.jsonl"
    write(given, with_bad(pairs(_RECORDS, terms.seed)))
    ways: tuple[Way, ...] = ("before", "half", "power")
    for scenario in SCENARIOS:
        reference = _Reference(terms.folder, given, scenario)
        points: list[list[tuple[int, Way]]] = [[p] for p in product(range(1, reference.calls + 1), ways)]
        twice = [[rng.choice(points)[0], rng.choice(points)[0]] for _ in range(terms.count(2, 100))]
        chosen = points if terms.is_long else rng.sample(points, min(len(points), 25))
        for case in chosen + twice:
            folder = terms.folder / "job"
            try:
                problem = reference.problem(folder, case)
            except Exception as e:
                problem = f"{type(e).__name__}: {e}"
            tally.check(problem and f"{scenario.name}, killed at {case}: {problem}")
            shutil.rmtree(folder, ignore_errors=True)
