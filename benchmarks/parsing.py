"""How fast the embedded parser is: from text to graphs, everything included, on one core.

::

    python -m benchmarks.parsing [--model en] [--threads 1]

The peer in the same run is the ``ucca`` toolkit making its passages from finished graphs (UCCA XML), without any
parsing: what a user of that toolkit pays for the data structure alone. Without it (``pip install --no-deps ucca``) the
figures stand alone. The share of the encoder is measured in the same run as well. The published parser of the USim
paper, TUPA, manages about 3 sentences a second on one core.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Sequence

_SUBJECTS = "the old man|my sister|a group of young people|nobody in the village|the new government".split("|")
_VERBS = "has decided to build|wanted to see|told us about|could not remember|gave up looking for".split("|")
_OBJECTS = "a house near the river|the results of the last election|some books that we had never read".split("|")
_ADDED = "although it was late|in the rain|after the war|in 1999".split("|")


def sentences(count: int, seed: int = 1) -> list[str]:
    """Made-up sentences of 22 to 28 tokens."""
    from usim.tokenise import tokenise

    rng = random.Random(seed)
    made: list[str] = []
    while len(made) < count:
        parts = [rng.choice(kind) for kind in (_SUBJECTS, _VERBS, _OBJECTS, _ADDED)]
        more = [rng.choice(kind) for kind in (_SUBJECTS, _VERBS, _OBJECTS)]
        text = f"{' '.join(parts).capitalize()}, and {' '.join(more)}."
        if 22 <= len(tokenise(text)) <= 28:
            made.append(text)
    return made


def seconds(task: Callable[[], object], repeat: int, clock: Callable[[], float]) -> float:
    """The best time of several."""
    best = float("inf")
    for _ in range(repeat):
        began = clock()
        task()
        best = min(best, clock() - began)
    return best


def main(argv: Sequence[str] | None = None) -> None:
    """The command; see the module's text."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", default="en")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--sentences", type=int, default=300)
    p.add_argument("--repeat", type=int, default=5)
    args = p.parse_args(argv)
    # The time of the process, so that a busy machine does not count; with several threads that would count them all.
    clock = time.process_time if args.threads == 1 else time.perf_counter

    from usim.formats import to_xml
    from usim.parsing import load

    texts = sentences(args.sentences)
    began = time.perf_counter()
    parser = load(args.model, threads=args.threads)
    loading = time.perf_counter() - began
    graphs = parser.parse(texts)
    tokens = sum(len(g.terminals) for g in graphs) / len(graphs)
    batch = seconds(lambda: parser.parse(texts), args.repeat, clock) / len(texts)
    single = seconds(lambda: [parser.parse([t]) for t in texts[:100]], args.repeat, clock) / 100

    encoder = _Timed(parser._network._session, clock)
    parser._network._session = encoder
    parser.parse(texts)
    share = encoder.seconds / len(texts)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    print(f"model {parser.name}, {args.threads} thread(s), {tokens:.1f} tokens a sentence; loaded in {loading:.2f} s")
    print(f"in batches        {1 / batch:8.0f} sentences/s   {1000 * batch:6.2f} ms a sentence")
    print(f"  of it the model {' ' * 25}{1000 * share:6.2f} ms   ({100 * share / batch:.0f} %)")
    print(f"one at a time     {1 / single:8.0f} sentences/s   {1000 * single:6.2f} ms a sentence")
    print(f"peak memory       {memory:8.0f} MiB")
    try:
        import xml.etree.ElementTree as ET

        from ucca.convert import from_standard
    except ImportError:
        print("peer: the ucca toolkit is not installed")
        return
    elements = [ET.fromstring(to_xml(g)) for g in graphs[:100]]
    peer = seconds(lambda: [from_standard(e) for e in elements], 2, clock) / len(elements)
    print(f"peer: ucca makes its passage from a finished graph in {1000 * peer:.2f} ms; text to graph here takes")
    print(f"{batch / peer:.2f} times as long")


class _Timed:
    """A session that adds up the time of its runs."""

    def __init__(self, session: object, clock: Callable[[], float]) -> None:
        self._session, self._clock, self.seconds = session, clock, 0.0

    def run(self, *args: object) -> object:
        began = self._clock()
        try:
            return self._session.run(*args)  # type: ignore[attr-defined]
        finally:
            self.seconds += self._clock() - began

    def __getattr__(self, name: str) -> object:
        return getattr(self._session, name)


if __name__ == "__main__":
    main()
