"""What the tests of the batch share: pairs, files, jobs that are killed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.batch.slow_parser import WordParser
from tests.processes import wait_until
from usim.batch import Summary, Task, run

WORDS = "the old man saw a new house near our river and told nobody about it".split()
PLAIN = Task(parser=WordParser(), judge="usim")


def pairs(count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Pairs of sentences, of which some come again."""
    rng = random.Random(seed)
    records: list[dict[str, Any]] = []
    for number in range(count):
        words = rng.sample(WORDS, rng.randint(3, 8))
        changed = [word for word in words if rng.random() > 0.2]
        source = " ".join(words) if number % 3 or not records else records[-1]["source"]
        records.append({"id": f"r{number}", "source": source, "output": " ".join(changed), "by": {"x": [1, None]}})
    return records


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def beside(path: Path) -> list[str]:
    """What stands beside a file under its name."""
    return sorted(p.name for p in path.parent.iterdir() if p.name.startswith(path.name) and p != path)


class Stopped(Exception):  # noqa: N818
    """What a test stops a job with."""


def stopped_after(number: int) -> Any:
    def watch(progress: Summary) -> None:
        if progress.records + progress.errors >= number:
            raise Stopped

    return watch


def errors_of(output: Path) -> Path:
    """The file of bad records beside an output."""
    return output.with_name(f"{output.name}.errors.jsonl")


def partial_of(output: Path) -> Path:
    """The file of what is done so far beside an output."""
    return output.with_name(f"{output.name}.partial")


def interrupt(given: Path, output: Path, after: int, task: Task = PLAIN, **options: Any) -> Path:
    """Stop a job after so many records, and return the file of what is done so far."""
    with pytest.raises(Stopped):
        run(given, output, task, watch=stopped_after(after), **options)
    assert not output.exists()
    return partial_of(output)


def check_equal(output: Path, whole: Path) -> None:
    """Check that an output, and its bad records, are those of another job."""
    assert output.read_bytes() == whole.read_bytes(), "other bytes"
    bad, all_bad = errors_of(output), errors_of(whole)
    assert bad.exists() == all_bad.exists()
    assert not bad.exists() or bad.read_bytes() == all_bad.read_bytes(), "other bad records"


def check_whole(output: Path, given: Path, **options: Any) -> None:
    """Check that an output, and its bad records, are those of a job that nobody disturbs."""
    whole = output.with_name(f"whole-{output.name}")
    run(given, whole, PLAIN, **options)
    check_equal(output, whole)


def with_bad(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [r if n % 11 else {"id": n} for n, r in enumerate(records, 1)]


def chunks_done(output: Path) -> int:
    """How many chunks of a job that is under way are done."""
    try:
        return partial_of(output).read_bytes().count(b'"digest":')
    except OSError:
        return 0


def wait_for(output: Path, count: int) -> None:
    """Until a job has done some chunks."""
    wait_until(lambda: chunks_done(output) >= count, 120)
