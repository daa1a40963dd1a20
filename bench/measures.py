"""Speed of USim beside the published scorer, in one run.

    python -m bench.measures

Timed is the alignment of words and units with all scores, by :func:`usim.measures.usim_score`, and the same by
``fully_aligned_distance`` of the ``ucca`` toolkit (``scripts/distances/align.py``), which is not needed for the times
of usim: pip install --no-deps ucca, and tqdm requests munkres zss distance. Graphs are given to both and made up.
"""

from __future__ import annotations

import contextlib
import io
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

from bench.common import command, seconds, ucca_reader
from usim.measures import PRESETS, align_graphs, usim_score
from usim.ucca import Edge, Graph, Terminal, Unit, to_xml

SIZES = {"sentence": 30, "unrelated sentences": 30, "essay": 500}
LABELS = "AAADEECCFRTLN"


def random_graph(words: list[str], rng: random.Random) -> Graph:
    """Make a graph over the words with about as many inner units as people annotate."""
    terminals = [Terminal(w, w in ".,") for w in words]
    units, edges = [Unit()], []

    def unit(parent: int, label: str, held: tuple[int, ...] = (), punct: bool = False) -> int:
        units.append(Unit(held, is_punct=punct))
        edges.append(Edge(parent, len(units) - 1, (label,)))
        return len(units) - 1

    def grow(parent: int, start: int, end: int) -> None:
        while start < end:
            size = min(rng.choice((1, 1, 1, 2, 3, 5)), end - start)
            if terminals[start].is_punct:
                unit(parent, "U", (start,), punct=True)
                size = 1
            elif size == 1:
                unit(parent, rng.choice(LABELS), (start,))
            else:
                grow(unit(parent, rng.choice(LABELS)), start, start + size)
            start += size

    for start in range(0, len(words), 15):
        grow(unit(0, "H"), start, min(start + 15, len(words)))
    return Graph(terminals, units, edges)


def edit_words(words: list[str], rng: random.Random) -> list[str]:
    """Edit one word in ten: delete it, put another before it, change its spelling or replace it."""
    edited: list[str] = []
    for word in words:
        kind = rng.random()
        if kind < 0.03:
            continue
        if kind < 0.05:
            edited.append(rng.choice(words))
        edited.append(word + "s" if 0.05 <= kind < 0.08 else rng.choice(words) if 0.08 <= kind < 0.1 else word)
    return edited


def make_pairs(size: int, how_many: int) -> list[tuple[Graph, Graph]]:
    """Return pairs of graphs of ``size`` tokens: a text and an edited version of it."""
    rng = random.Random(1)
    vocabulary = ["the", "of", "a", "to", "in", "and", ".", ","] * 15
    vocabulary += ["".join(rng.choices("aeioubcdlmnprst", k=rng.randint(3, 10))) for _ in range(300)]
    texts = [rng.choices(vocabulary, k=size) for _ in range(how_many)]
    return [(random_graph(t, rng), random_graph(edit_words(t, rng), rng)) for t in texts]


def peer() -> tuple[Callable[[str], object], Callable[[object, object], float]] | None:
    """Return the published scorer's reader of XML and its score of two passages; None if it is not installed."""
    read = ucca_reader()
    try:
        from scripts.distances.align import fully_aligned_distance
    except ImportError as e:
        print(f"the published scorer is not there ({e}); see python -m bench.measures --help", file=sys.stderr)
        return None

    def score(a: object, b: object) -> float:
        with contextlib.redirect_stdout(io.StringIO()):  # it prints
            return float(fully_aligned_distance(a, b))

    return None if read is None else (read, score)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the benchmark that the module describes."""
    command(__doc__).parse_args(argv)
    published = peer()
    for name, size in SIZES.items():
        is_short = size < 100
        pairs = make_pairs(size, 20 if is_short else 2)
        if name.startswith("unrelated"):
            sources = [source for source, _ in pairs]
            pairs = list(zip(sources, [*sources[1:], sources[0]], strict=True))
        repeat = 300 if is_short else 10
        for preset in PRESETS.values():  # graphs make their arrays on first use
            median(pairs, lambda a, b: usim_score(a, b, preset), 1)  # noqa: B023
        times = {"words alone": median(pairs, align_graphs, repeat)}
        for preset in PRESETS.values():
            times[f"usim, {preset.name}"] = median(pairs, lambda a, b: usim_score(a, b, preset), repeat)  # noqa: B023
        if published is not None:
            read, score = published
            passages = [(read(to_xml(a)), read(to_xml(b))) for a, b in (pairs if is_short else pairs[:1])]
            times["published scorer"] = median(passages, score, 3 if is_short else 1)
        graphs = [graph for pair in pairs for graph in pair]
        tokens, units = (statistics.mean(len(getattr(g, parts)) for g in graphs) for parts in ("terminals", "units"))
        print(f"{name}: {tokens:.0f} tokens, {units:.0f} units")
        for what, time in times.items():
            print(f"  {what:20} {1e6 * time:12.1f} µs")
        if published is not None:
            ratio = times["published scorer"] / times["usim, default"]
            print(f"  usim (default) is {ratio:.0f} times as fast as the published scorer")


def median(pairs: Sequence[tuple[Any, Any]], work: Callable[[Any, Any], object], repeat: int) -> float:
    """Return the median over the pairs of the seconds that some work takes, at best, with a pair."""
    return statistics.median(seconds(lambda: work(a, b), repeat) for a, b in pairs)  # noqa: B023


if __name__ == "__main__":
    main()
