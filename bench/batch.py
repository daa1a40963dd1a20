"""How many pairs a second ``usim batch`` scores, from raw text to lines of results; and how much memory that takes.

::

    python -m bench.batch speed [--parser en] [--judge none] [--pairs 4000] [--repeat 3]
    python -m bench.batch memory [--pairs 1000000] [--jobs 2]
    python -m bench.batch cores [--parser en] [--judge none] [--pairs 4000] [--jobs 2] [--out DIR]

*speed*: made-up pairs of which no sentence comes twice, so that each is two parses; the peer in the same run is
:func:`usim.score`, pair by pair. Rates count from when the first worker has loaded the parser. Processor time is that
of all processes of the job, so that a busy machine counts little. *memory*: so many pairs out of some thousand
sentences, over and over; the memory of the parent and of its workers at each tenth of the way. *cores*: the rate by the
clock with 1 to ``--jobs`` workers, processes of loky and a Dask cluster on this machine, each with as many again and a
worker killed half-way; and whether the output is that of one worker, byte for byte. ``--out`` names a folder for the
table (CSV, Markdown, LaTeX) and the drawing (SVG, PNG, PDF).
"""

from __future__ import annotations

import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.common import changed, command, memory, processor_time, sentences
from experiments.common.study import Study
from usim.batch import NO_JUDGE, Progress, Summary, Task, run
from usim.report.tables import Table


def distinct_pairs(count: int, seed: int = 1) -> list[tuple[str, str]]:
    """Return pairs in which no sentence comes twice."""
    rng = random.Random(seed)
    seen: set[str] = set()
    pairs = []
    for source in sentences(6 * count, seed):
        source = changed(source, rng)
        output = changed(source, rng)
        if len(pairs) < count and source != output and not seen & {source, output}:
            seen |= {source, output}
            pairs.append((source, output))
    return pairs


def repeated_pairs(count: int, distinct: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Yield pairs out of some sentences, over and over."""
    rng = random.Random(seed)
    known = distinct_pairs(distinct, seed)
    for _ in range(count):
        source, output = rng.choice(known)
        yield (source, output) if rng.random() < 0.5 else (output, source)


def write(pairs: Iterator[tuple[str, str]], path: Path) -> Path:
    """Write pairs as JSON lines."""
    with open(path, "w", encoding="utf-8") as file:
        for number, (source, output) in enumerate(pairs):
            file.write(json.dumps({"id": number, "source": source, "output": output}) + "\n")
    return path


class Rate(NamedTuple):
    """Pairs a second: by the processor time of all processes of the job, and by the clock."""

    processor: float
    clock: float


def timed(path: Path, task: Task, jobs: int = 1) -> Rate:
    """Return the rates of a job."""
    seen: list[tuple[int, float, float]] = []

    def watch(progress: Progress) -> None:
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
        path = write(iter(pairs), Path(folder, "pairs.jsonl"))
        scorer = Scorer(parser, judge="usim" if judge == NO_JUDGE else judge)
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


class Run(NamedTuple):
    """A job on some workers: its pairs a second by the clock, and whether its output is that of one worker."""

    where: str
    workers: int
    killed: int
    rate: float
    is_same: bool


def cores(parser: str, judge: str, count: int, most: int) -> Study:
    """Measure the rate over the number of workers, processes and a Dask cluster, and with a worker killed."""
    task = Task(parser=parser, judge=judge)
    runs: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        path = write(iter(distinct_pairs(count)), Path(folder, "pairs.jsonl"))
        alone = _run_on(runs, path, task, "one process", 1, b"", jobs=1)
        for workers in range(2, most + 1):
            _run_on(runs, path, task, "loky", workers, alone, jobs=workers)
        if most > 1:
            _run_on(runs, path, task, "loky", most, alone, _kill_process, jobs=most)
        for workers in range(1, most + 1):
            with _dask(workers) as (scheduler, kill):
                _run_on(runs, path, task, "Dask", workers, alone, backend="dask", scheduler=scheduler)
                if workers == most > 1:
                    _run_on(runs, path, task, "Dask", workers, alone, kill, backend="dask", scheduler=scheduler)
    return curve(runs, f"{count} pairs of {2 * count} different sentences, parser {parser}, judge {judge}")


def _run_on(
    runs: list[Run],
    path: Path,
    task: Task,
    where: str,
    workers: int,
    alone: bytes,
    kill: Callable[[], None] | None = None,
    **how: Any,
) -> bytes:
    """Run a job and add its rate from its first chunk on; ``kill`` kills a worker half-way. Return the output."""
    out, total = path.with_name("out.jsonl"), len(path.read_bytes().splitlines())
    seen: list[tuple[int, float]] = []
    victims = [kill] if kill else []

    def watch(progress: Progress) -> None:
        seen.append((progress.records, time.perf_counter()))
        if victims and progress.records >= total / 2:
            victims.pop()()

    summary: Summary = run(path, out, task, chunk=64, watch=watch, **how)
    if summary.records != total or victims or (kill is _kill_process and not summary.notes):
        raise RuntimeError(f"{where}: {summary.records} of {total} pairs; no worker was lost half-way")
    (first, began), (last, ended) = seen[0], seen[-1]
    output = out.read_bytes()
    runs.append(
        Run(where, workers, int(kill is not None), (last - first) / (ended - began), output == (alone or output))
    )
    return output


def _kill_process() -> None:
    """Kill one of loky's processes."""
    import psutil

    child = next(each for each in psutil.Process().children() if "popen_loky" in " ".join(each.cmdline()))
    os.kill(child.pid, signal.SIGKILL)


@contextmanager
def _dask(workers: int) -> Iterator[tuple[str, Callable[[], None]]]:
    """Start a Dask cluster on this machine; yield its address, and what kills one of its workers."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,  # type: ignore[no-untyped-call]
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        client.wait_for_workers(workers)

        def kill() -> None:
            os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)

        yield cluster.scheduler_address, kill


def curve(runs: Sequence[Run], what: str) -> Study:
    """Return the runs as a table and a drawing of the rate over the workers."""
    one = runs[0].rate

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for where, style in (("loky", "o-"), ("Dask", "s--")):
            own = [
                r for r in runs if not r.killed and (r.where == where or (where == "loky" and r.where == "one process"))
            ]
            axes.plot([r.workers for r in own], [r.rate for r in own], style, label=where)
        for r in (r for r in runs if r.killed):
            axes.plot(r.workers, r.rate, "x", color="black", label=f"{r.where}, a worker killed")
            axes.annotate(r.where, (r.workers, r.rate), xytext=(6, -3), textcoords="offset points", fontsize="small")
        most = max(r.workers for r in runs)
        axes.plot([1, most], [one, most * one], ":", color="grey", label="as many times one")
        axes.set_xticks(range(1, most + 1))
        axes.set_ylim(0)
        axes.set_xlabel("workers")
        axes.set_ylabel("pairs a second")
        axes.legend()

    return Study(
        "cores",
        "How much faster are more workers?",
        (
            Table(
                "cores",
                f"Pairs a second by the clock: {what}",
                ("where", "workers", "killed", "pairs/s", "times one", "same output"),
                tuple((r.where, r.workers, r.killed, r.rate, r.rate / one, "yes" if r.is_same else "NO") for r in runs),
                "from the first chunk on; same output: byte for byte that of one process",
                digits=2,
            ),
        ),
        {},
        {"cores of this machine": os.cpu_count()},
        draw=draw,
    )


def memory_used(parser: str, judge: str, count: int, jobs: int) -> None:
    """Print how much memory it takes."""
    import psutil

    with tempfile.TemporaryDirectory() as folder:
        path = write(repeated_pairs(count, min(2000, count)), Path(folder, "pairs.jsonl"))
        print(
            f"{count} pairs, parser {parser}, judge {judge}, {jobs} job(s); input {path.stat().st_size / 2**20:.0f} MiB"
        )
        step = max(1, count // 10)
        due = 0

        def watch(progress: Progress) -> None:
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
    """Run the command; see the module's text."""
    p = command(__doc__, repeat=3)
    p.add_argument("what", choices=["speed", "memory", "cores"])
    p.add_argument("--parser", default="en")
    p.add_argument("--judge", default="none")
    p.add_argument("--pairs", type=int)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--out", type=Path, metavar="DIR", help="of cores: write the table and the drawing into this folder")
    args = p.parse_args(argv)
    if args.what == "speed":
        speed(args.parser, args.judge, args.pairs or 4000, args.repeat)
    elif args.what == "cores":
        study = cores(args.parser, args.judge, args.pairs or 4000, args.jobs)
        print(study.as_markdown())
        if args.out:
            study.write(args.out)
    else:
        memory_used(args.parser, args.judge, args.pairs or 1_000_000, args.jobs)


if __name__ == "__main__":
    main()
