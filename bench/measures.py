"""Speed of USim beside the published scorer, in one run.

    python -m bench.measures

Timed is the alignment of words and units with all scores, by :func:`usim.measures.usim_score`, and the same by
``fully_aligned_distance`` of the ``ucca`` toolkit (``scripts/distances/align.py``), which is not needed for the times
of usim: pip install --no-deps ucca, and tqdm requests munkres zss distance. Graphs of made-up sentences are given to
both.
"""

from __future__ import annotations

import contextlib
import io
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

from bench.common import changed, command, seconds, sentences, ucca_reader
from usim.measures import PRESETS, align_graphs, usim_score
from usim.parsing.embedded import EmbeddedParser
from usim.ucca import Graph, to_xml

SIZES = {"sentence": 1, "unrelated sentences": 1, "essay": 20}


def make_pairs(size: int, how_many: int) -> list[tuple[Graph, Graph]]:
    """Return pairs of graphs, of so many made-up sentences, and of these with a word changed in each."""
    rng = random.Random(1)
    sources = [sentences(size, seed) for seed in range(how_many)]
    texts = [" ".join(text) for own in sources for text in (own, [changed(sentence, rng) for sentence in own])]
    graphs = EmbeddedParser("en-fast").parse(texts)
    return list(zip(graphs[::2], graphs[1::2], strict=True))


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
    command(__doc__).parse_args(argv)
    published = peer()
    for name, size in SIZES.items():
        is_short = size == 1
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
