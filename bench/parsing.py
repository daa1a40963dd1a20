"""Measure the speed of the embedded parser, from text to graphs, everything included.

::

    python -m bench.parsing [--model en] [--cores 2] [--operators usim/models/en]

On one core: sentences a second in batches, one at a time, and where the time goes; the best of several times, of the
processor. Then the memory and the loading time of a process that does nothing else, and what more cores bring, which
needs a quiet machine. The peer in the same run is the ``ucca`` toolkit (``pip install --no-deps ucca``) making its
passages from finished graphs: what its users pay for the data structure alone.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from bench.common import command, seconds, sentences, ucca_reader

if TYPE_CHECKING:
    from usim.parsing.embedded import EmbeddedParser


#: The stages of parsing: the name, module or class, name of the function.
STAGES: tuple[tuple[str, str, str], ...] = (
    ("tokenise", "usim.parsing.embedded", "token_texts"),
    ("tokenise", "usim.parsing.embedded", "sentence_ends"),
    ("encode", "usim.parsing.wordpieces.Pieces", "encode"),
    ("encode", "usim.parsing.embedded", "words_of"),
    ("model", "usim.parsing.network.Network", "run"),
    ("chart", "usim.parsing.embedded", "best_spans"),
    ("remotes", "usim.parsing.remotes.Nodes", "of"),
    ("remotes", "usim.parsing.remotes.RemoteScorer", "of_batch"),
    ("graph", "usim.parsing.embedded", "join"),
)


@contextmanager
def timed_stages(clock: Callable[[], float]) -> Iterator[dict[str, float]]:
    """Add up the time of each stage of parsing in the dictionary that is given."""
    spent = {stage: 0.0 for stage, _, _ in STAGES}

    def timed(stage: str, function: Any) -> Any:
        inner = function.__func__ if isinstance(function, classmethod) else function

        def call(*args: Any, **options: Any) -> Any:
            began = clock()
            try:
                return inner(*args, **options)
            finally:
                spent[stage] += clock() - began

        return classmethod(call) if isinstance(function, classmethod) else call

    with ExitStack() as patches:
        for stage, where, name in STAGES:
            owner: Any = resolve_name(where)
            patches.enter_context(patch.object(owner, name, timed(stage, vars(owner)[name])))
        yield spent


def stages(parser: EmbeddedParser, texts: Sequence[str], repeat: int) -> dict[str, float]:
    """Measure the seconds a sentence of each stage, and of the ``rest``, in the fastest of several runs."""
    best: dict[str, float] = {}
    for _ in range(repeat):
        began = time.process_time()
        with timed_stages(time.process_time) as spent:
            parser.parse(texts)
        whole = time.process_time() - began
        if not best or whole < sum(best.values()):
            best = spent | {"rest": whole - sum(spent.values())}
    return {stage: total / len(texts) for stage, total in best.items()}


def operators(folder: Path, texts: Sequence[str]) -> dict[str, float]:
    """Return the share of each kind of operator in the time of the model, the largest first, by onnxruntime's profile.

    The model in the folder is loaded once more, with the profile on.
    """
    from usim.parsing import network
    from usim.parsing.embedded import EmbeddedParser

    plain = network.session_options
    with TemporaryDirectory() as place:

        def profiling(threads: int = 1) -> Any:
            options = plain(threads)
            options.enable_profiling = True
            options.profile_file_prefix = f"{place}/profile"
            return options

        with patch.object(network, "session_options", profiling):
            parser = EmbeddedParser(folder)
        parser.parse(texts)
        del parser  # a session writes its profile when it ends
        gc.collect()
        events = [event for file in Path(place).iterdir() for event in json.loads(file.read_text())]
    spent: Counter[str] = Counter()
    for event in events:
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            spent[event["args"]["op_name"]] += event["dur"]
    del spent["If"]  # holds others, which are counted by themselves
    return {kind: time / spent.total() for kind, time in spent.most_common()}


_ALONE = """
import json, resource, sys, time
began = time.perf_counter()
from usim.parsing import load
parser = load(sys.argv[1])
loading = time.perf_counter() - began
parser.parse(json.load(sys.stdin))
print(json.dumps([loading, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def alone(model: str, texts: Sequence[str], repeat: int = 3) -> tuple[float, float]:
    """Measure in a fresh process the seconds to import and load the parser, and the peak memory in MiB."""
    runs = [
        json.loads(subprocess.run([sys.executable, "-c", _ALONE, model], input=json.dumps(texts), **_CAPTURED).stdout)
        for _ in range(repeat)
    ]
    return min(loading for loading, _ in runs), max(memory for _, memory in runs)


_CAPTURED: dict[str, Any] = {"capture_output": True, "text": True, "check": True}


def _measure(model: str, texts: Sequence[str], repeat: int, ready: Any, times: Any) -> None:
    from usim.parsing import load

    parser = load(model)
    parser.parse(texts[:50])
    ready.wait()
    times.put(seconds(lambda: parser.parse(texts), repeat, time.perf_counter))


def in_processes(model: str, texts: Sequence[str], repeat: int, count: int) -> float:
    """Measure the seconds that each of several processes needs for the texts while the others do the same."""
    context = multiprocessing.get_context("spawn")
    ready, times = context.Barrier(count), context.Queue()
    workers = [context.Process(target=_measure, args=(model, texts, repeat, ready, times)) for _ in range(count)]
    for worker in workers:
        worker.start()
    results = [times.get() for _ in workers]
    for worker in workers:
        worker.join()
    return float(max(results))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the benchmark that the module describes."""
    p = command(__doc__, repeat=5)
    p.add_argument("--model", default="en")
    p.add_argument("--cores", type=int, default=2, help="how many to compare with one; 1 leaves this out")
    p.add_argument("--operators", type=Path, metavar="DIR", help="the model's folder: the shares of its operators, too")
    p.add_argument("--sentences", type=int, default=300)
    args = p.parse_args(argv)

    from usim.parsing.embedded import EmbeddedParser
    from usim.ucca import to_xml

    texts = sentences(args.sentences)
    parser = EmbeddedParser(args.model)
    graphs = parser.parse(texts)
    tokens = sum(len(g.terminals) for g in graphs) / len(graphs)
    batch = seconds(lambda: parser.parse(texts), args.repeat) / len(texts)
    single = min(seconds(lambda t=t: parser.parse([t]), args.repeat) for t in texts[:20])  # type: ignore[misc]
    each = seconds(lambda: [parser.parse([t]) for t in texts[:100]], args.repeat) / len(texts[:100])
    spent = stages(parser, texts, args.repeat)
    loading, memory = alone(args.model, texts)

    print(f"model {parser.name}, one core, {tokens:.1f} tokens a sentence")
    print(f"in batches        {1 / batch:8.0f} sentences/s   {1000 * batch:6.2f} ms a sentence")
    for stage, share in spent.items():
        print(f"  {stage:10} {' ' * 29}{1000 * share:6.2f} ms   ({100 * share / sum(spent.values()):.0f} %)")
    print(f"one at a time     {1 / each:8.0f} sentences/s   {1000 * each:6.2f} ms a sentence")
    print(f"  the fastest     {' ' * 24}{1000 * single:6.2f} ms")
    print(f"a fresh process   {loading:8.2f} s to import and load, {memory:.0f} MiB at most")
    if args.operators:
        for kind, share in operators(args.operators, texts).items():
            if share >= 0.005:
                print(f"  {kind:30} {100 * share:6.1f} % of the model")
    if args.cores > 1:
        more = EmbeddedParser(args.model, threads=args.cores)
        single_thread, several = (
            min(seconds(lambda p=p: p.parse(texts), 1, time.perf_counter) for _ in range(args.repeat))  # type: ignore[misc]
            for p in (parser, more)
        )
        rate = len(texts) / several
        print(f"{args.cores} threads         {rate:8.0f} sentences/s, {single_thread / several:.2f} times one thread")
        lone, beside = (in_processes(args.model, texts, args.repeat, count) for count in (1, args.cores))
        rate = args.cores * len(texts) / beside
        print(
            f"{args.cores} processes       {rate:8.0f} sentences/s, {args.cores * lone / beside:.2f} times one process"
        )
    read = ucca_reader()
    if read is None:
        print("peer: the ucca toolkit is not installed")
        return
    xml = [to_xml(g) for g in graphs[:100]]
    peer = seconds(lambda: [read(text) for text in xml], 2) / len(xml)
    print(f"peer: ucca makes its passage from a finished graph in {1000 * peer:.2f} ms; text to graph here takes")
    print(f"{batch / peer:.2f} times as long")


if __name__ == "__main__":
    main()
