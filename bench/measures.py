"""Speed of USim beside the published scorer, in one run.

    python -m bench.measures [--data DIR] [--format text|json] [--no-peer]

Timed are a pair of sentences of 30 tokens, a pair of such sentences that have nothing to do with each other, and a pair
of essays of 500: the alignment of words and units and all scores, by :func:`usim.measures.usim_score`, and the same by
``fully_aligned_distance`` of the ``ucca`` toolkit (``scripts/distances/align.py``). Graphs are given to both; reading
and parsing is not timed. Times are those of the processor, so that a busy machine counts as little as possible.

The peer is not needed for the times of usim. To install it, in an environment of its own or not:

    pip install --no-deps ucca
    pip install tqdm requests munkres zss distance

Texts and graphs are made up. With ``--data``, a folder of UCCA XML files, the sources are its passages nearest to 30
and to 500 tokens, cut where they are longer; the outputs are still made up: what a corrector might leave of the text.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from bench.common import command, seconds, ucca_reader
from usim.measures import PRESETS, align_graphs, usim_score
from usim.ucca import Edge, Graph, Terminal, Unit, read_xml, to_xml

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


def make_pairs(size: int, how_many: int, data: Path | None, seed: int = 1) -> list[tuple[Graph, Graph]]:
    """Return pairs of graphs of about ``size`` tokens: a text and an edited version of it."""
    rng = random.Random(seed)
    if data is None:
        vocabulary = ["the", "of", "a", "to", "in", "and", ".", ","] * 15
        vocabulary += ["".join(rng.choices("aeioubcdlmnprst", k=rng.randint(3, 10))) for _ in range(300)]
        texts = [rng.choices(vocabulary, k=size) for _ in range(how_many)]
        return [(random_graph(t, rng), random_graph(edit_words(t, rng), rng)) for t in texts]
    graphs = [read_xml(path) for path in sorted(data.rglob("*.xml"))]
    if not graphs:
        sys.exit(f"{data}: no xml files in it")
    graphs.sort(key=lambda g: abs(len(g.terminals) - size))
    chosen = [g.slice(0, min(len(g.terminals), size)) for g in graphs[:how_many]]
    return [(g, random_graph(edit_words(list(g.tokens), rng), rng)) for g in chosen]


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


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark."""
    parser = command(__doc__)
    parser.add_argument("--data", type=Path, help="a folder of UCCA XML files")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--no-peer", action="store_true", help="time usim alone")
    options = parser.parse_args(arguments)
    published = None if options.no_peer else peer()
    rows = []
    for name, size in SIZES.items():
        short = size < 100
        compared = make_pairs(size, 20 if short else 2, options.data)
        if name.startswith("unrelated"):
            sources = [a for a, _ in compared]
            compared = list(zip(sources, [*sources[1:], sources[0]], strict=True))
        repeat = 300 if short else 10
        row: dict[str, object] = {
            "pair": name,
            "tokens": statistics.mean(len(g.terminals) for pair in compared for g in pair),
            "units": statistics.mean(len(g.units) for pair in compared for g in pair),
        }
        for a, b in compared:  # graphs make their arrays on first use
            for preset in PRESETS.values():
                usim_score(a, b, preset)
        times = {
            preset.name: statistics.median(seconds(lambda: usim_score(a, b, preset), repeat) for a, b in compared)  # noqa: B023
            for preset in PRESETS.values()
        }
        row["align_words"] = statistics.median(seconds(lambda: align_graphs(a, b), repeat) for a, b in compared)  # noqa: B023
        row |= times
        if published is not None:
            read, score = published
            some = compared if short else compared[:1]
            passages = [(read(to_xml(a)), read(to_xml(b))) for a, b in some]
            tries = 3 if short else 1
            row["published"] = statistics.median(seconds(lambda: score(a, b), tries) for a, b in passages)  # noqa: B023
            row["ratio"] = float(str(row["published"])) / times["default"]
        rows.append(row)
    if options.format == "json":
        print(json.dumps(rows, indent=2))
        return 0
    for row in rows:
        print(f"{row['pair']}: {row['tokens']:.0f} tokens, {row['units']:.0f} units")
        for key in ("align_words", *PRESETS, "published"):
            if key in row:
                what = {"align_words": "words alone", "published": "published scorer"}.get(key, f"usim, {key}")
                print(f"  {what:20} {float(str(row[key])) * 1e6:12.1f} µs")
        if "ratio" in row:
            print(f"  usim (default) is {row['ratio']:.0f} times as fast as the published scorer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
