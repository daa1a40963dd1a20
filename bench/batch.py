"""How many pairs a second ``usim batch`` scores, from raw text to lines of results; and how much memory that takes.

::

    python -m bench.batch speed [--parser en] [--judge usim] [--pairs 4000] [--repeat 3]
    python -m bench.batch memory [--pairs 1000000] [--jobs 2]

*speed*: made-up pairs of which no sentence comes twice, so that each is two parses; the peer in the same run is
:func:`usim.score`, pair by pair. Rates count from when the first worker has loaded the parser. Processor time is that
of all processes of the job, so that a busy machine counts little. *memory*: so many pairs out of some thousand
sentences, over and over; the memory of the parent and of its workers at each tenth of the way.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.common import changed, command, memory, processor_time, sentences
from training.recipe import write_lines
from usim.batch import Summary, Task, run


def distinct_pairs(count: int) -> list[tuple[str, str]]:
    """Return pairs in which no sentence comes twice."""
    rng = random.Random(1)
    seen: set[str] = set()
    pairs = []
    for source in sentences(6 * count):
        source = changed(source, rng)
        output = changed(source, rng)
        if len(pairs) < count and source != output and not seen & {source, output}:
            seen |= {source, output}
            pairs.append((source, output))
    return pairs


def repeated_pairs(count: int, distinct: int) -> Iterator[tuple[str, str]]:
    """Yield pairs out of some sentences, over and over."""
    rng = random.Random(1)
    known = distinct_pairs(distinct)
    for _ in range(count):
        source, output = rng.choice(known)
        yield (source, output) if rng.random() < 0.5 else (output, source)


def write(pairs: Iterable[tuple[str, str]], path: Path) -> Path:
    """Write pairs as JSON lines."""
    records = ({"id": number, "source": source, "output": output} for number, (source, output) in enumerate(pairs))
    write_lines(path, map(json.dumps, records))
    return path


class Rate(NamedTuple):
    """Pairs a second: by the processor time of all processes of the job, and by the clock."""

    processor: float
    clock: float


def timed(path: Path, task: Task, jobs: int = 1) -> Rate:
    """Return the rates of a job."""
    seen: list[tuple[int, float, float]] = []

    def watch(progress: Summary) -> None:
        seen.append((progress.records, processor_time(), time.perf_counter()))

    run(path, path.with_name("out.jsonl"), task, jobs=jobs, chunk=64, watch=watch)
    first, last = seen[0], seen[-1]
    count = last[0] - first[0]
    return Rate(count / (last[1] - first[1]), count / (last[2] - first[2]))


def speed(parser: str, judge: str, count: int, repeat: int) -> None:
    """Print how fast it is."""
    from usim import Scorer

    pairs = distinct_pairs(count)
    task = Task(parser=parser, judge=judge)
    with tempfile.TemporaryDirectory() as folder:
        path = write(pairs, Path(folder, "pairs.jsonl"))
        scorer = Scorer(parser=parser, judge=judge)
        some = pairs[: max(1, count // 8)]
        alone, one_job, two_jobs = [], [], []
        for _ in range(repeat):  # in turns, so that all see the same machine
            began = time.process_time()
            for source, output in some:
                scorer.score(source, output)
            alone.append(len(some) / (time.process_time() - began))
            one_job.append(timed(path, task))
            two_jobs.append(timed(path, task, jobs=2))
    best, both = (Rate(*map(max, zip(*rates, strict=True))) for rates in (one_job, two_jobs))
    print(f"{len(pairs)} pairs of {count * 2} different sentences, parser {parser}, judge {judge}; best of {repeat}")
    print(f"usim.score, pair by pair    {max(alone):8.1f} pairs/s of processor time")
    more = best.processor / max(alone)
    print(f"usim batch                  {best.processor:8.1f} pairs/s of processor time: {more:.2f} times as many")
    print(f"usim batch, by the clock    {best.clock:8.1f} pairs/s")
    faster = both.clock / best.clock
    print(f"usim batch --jobs 2         {both.clock:8.1f} pairs/s by the clock: {faster:.2f} times as many")
    cost = best.processor / both.processor
    print(f"  its processor time        {both.processor:8.1f} pairs/s: {cost:.2f} times the time of one job for a pair")


def memory_used(parser: str, judge: str, count: int, jobs: int) -> None:
    """Print how much memory it takes."""
    import psutil

    with tempfile.TemporaryDirectory() as folder:
        path = write(repeated_pairs(count, min(2000, count)), Path(folder, "pairs.jsonl"))
        size = path.stat().st_size / 2**20
        print(f"{count} pairs, parser {parser}, judge {judge}, {jobs} job(s); input {size:.0f} MiB")
        step = max(1, count // 10)
        due = 0

        def watch(progress: Summary) -> None:
            nonlocal due
            if progress.records >= due:
                due += step
                largest = max((memory(child.pid) for child in psutil.Process().children()), default=0.0)
                done = f"{progress.records:9d} pairs {progress.seconds:7.0f} s   parent {memory():6.0f} MiB"
                print(f"{done}   largest worker {largest:6.0f} MiB", flush=True)

        began = time.process_time()
        summary = run(path, Path(folder, "out.jsonl"), Task(parser=parser, judge=judge), jobs=jobs, watch=watch)
        spent = (time.process_time() - began) / count
    if jobs > 1:
        print(f"the parent's processor time: {1e6 * spent:.0f} µs a pair, enough for {1 / spent:.0f} pairs/s")
    print(f"{summary.rate:.0f} pairs/s")


def main(argv: Sequence[str] | None = None) -> None:
    p = command(__doc__, repeat=3)
    p.add_argument("what", choices=["speed", "memory"])
    p.add_argument("--parser", default="en")
    p.add_argument("--judge", default="usim")
    p.add_argument("--pairs", type=int)
    p.add_argument("--jobs", type=int, default=2)
    args = p.parse_args(argv)
    if args.what == "speed":
        speed(args.parser, args.judge, args.pairs or 4000, args.repeat)
    else:
        memory_used(args.parser, args.judge, args.pairs or 1_000_000, args.jobs)


if __name__ == "__main__":
    main()
