"""Two jobs at the same time on one cache, and on one output."""

from __future__ import annotations

from tests.batch.common import PLAIN, pairs, with_bad, write
from tests.batch.job import start_job
from tests.endurance.tally import Tally, Terms
from tests.processes import end_of
from usim.batch import run

_BUSY = "another usim batch is writing this output"


def experiment(tally: Tally, terms: Terms) -> None:
    """Start jobs at the same moment, and compare their outputs with those of jobs that were alone."""
    rng = terms.rng()
    given, whole = terms.folder / "in.jsonl", terms.folder / "whole.jsonl"
    write(given, with_bad(pairs(400, terms.seed)))
    run(given, whole, PLAIN, chunk=10)
    expected = whole.read_bytes()
    for number in range(terms.count(1, 10)):
        outputs = [terms.folder / f"cache-{number}-{k}.jsonl" for k in range(2)]
        jobs = [
            start_job(
                given, out, cache=str(terms.folder / f"cache-{number}"), chunk=10, cache_limit=rng.choice([1, 2**30])
            )
            for out in outputs
        ]
        for job, out in zip(jobs, outputs, strict=True):
            with tally.case(f"one cache, job {out.name}"):
                code, messages = end_of(job)
                assert code == 0, messages[-300:]
                assert out.read_bytes() == expected, "other bytes"
        out = terms.folder / f"output-{number}.jsonl"
        jobs = [start_job(given, out, chunk=10, jobs=1) for _ in range(2)]
        with tally.case(f"one output, {out.name}"):
            ends = [end_of(job) for job in jobs]
            # One of them may have ended before the other has begun.
            assert any(code == 0 for code, _ in ends), ends
            assert all(code == 0 or (code == 1 and _BUSY in messages) for code, messages in ends), ends
            assert out.read_bytes() == expected, "other bytes"
            left = sorted(path.name for path in out.parent.glob(f"{out.name}.partial*"))
            assert not left, f"left behind: {left}"
