"""Speed and memory of comparing whole texts, from 10 to 2,000 sentences.

    python -m bench.texts [--sizes 10 100 1000] [--share 0.2] [--text FILE] [--csv FILE] [--svg FILE]

Texts are made up, of sentences of 22 to 28 tokens, or are the beginning of a text, such as a novel, that ``--text``
names. In the later version a share of the sentences is edited, and one in
twenty each is left out, added, or moved. Time is the processor's, one thread; memory is what the process needs at its
peak beyond what it needs with the models loaded, so sizes are measured in ascending order. ``aligned`` is the alignment
alone, ``compared`` all of it. The naive reading judges each sentence with each other one, which grows with the square:
it is measured up to ``--naive`` sentences.
"""

from __future__ import annotations

import csv
import random
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.common import changed, command, seconds, sentences
from usim.report.tables import markdown_table
from usim.scorer import Scorer
from usim.texts import PassageReader, cut_text, link_texts

SIZES = (10, 30, 100, 300, 1000, 2000)
#: Sentences of so many words or fewer are not edited.
_SHORT = 3


class Point(NamedTuple):
    """What a text of so many sentences costs: seconds, and MiB at the peak."""

    sentences: int
    aligned: float
    compared: float
    naive: float | None
    memory: float

    @property
    def rate(self) -> float:
        """Sentences a second."""
        return self.sentences / self.compared


def make_texts(size: int, share: float, seed: int = 1, given: Sequence[str] = ()) -> tuple[str, str]:
    """Make up a text and a later version of it; of given sentences the first ones are the text."""
    rng = random.Random(seed)
    before = list(given[:size]) or sentences(size, seed)
    added = iter(sentences(size, seed + 1))
    after: list[str] = []
    moved: list[str] = []
    for text in before:
        kind = rng.random()
        if kind < 0.05:
            continue
        if kind < 0.1:
            after.append(next(added))
        if kind > 0.95:
            moved.append(text)
        else:
            is_edited = rng.random() < share and len(text.split()) > _SHORT
            after.append(changed(text, rng) if is_edited else text)
    for text in moved:
        after.insert(rng.randrange(len(after) + 1), text)
    return " ".join(before), " ".join(after)


def measure(scorer: Scorer, before: str, after: str, size: int, idle: float) -> Point:
    """Measure a text of so many sentences; memory is that beyond ``idle``."""
    encoder = scorer.judge.encoder
    assert encoder is not None
    aligned = seconds(lambda: link_texts(cut_text(before), cut_text(after), PassageReader(encoder)), 1)
    compared = seconds(lambda: scorer.compare_texts(before, after), 1)
    memory = _peak() - idle
    return Point(size, aligned, compared, None, memory)


def every_pair(scorer: Scorer, before: str, after: str) -> float:
    """Return the time that it takes to judge each sentence with each other one."""
    sides = [[text[slice(*passage[:2])] for passage in cut_text(text).passages] for text in (before, after)]
    pairs = [(a, b) for a in sides[0] for b in sides[1]]
    return seconds(lambda: list(scorer.score_pairs(pairs)), 1)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def table(points: Sequence[Point]) -> str:
    """Return the figures as a table in Markdown."""
    rows = [["sentences", "aligned, s", "compared, s", "sentences/s", "every pair, s", "memory, MiB"]]
    for p in points:
        naive = "–" if p.naive is None else f"{p.naive:.1f}"
        rows.append(
            [f"{p.sentences}", f"{p.aligned:.2f}", f"{p.compared:.2f}", f"{p.rate:.0f}", naive, f"{p.memory:.0f}"]
        )
    return markdown_table(rows, right=range(6))


def draw(points: Sequence[Point], path: Path) -> None:
    """Draw time and memory against the number of sentences, as SVG; the same bytes for the same figures."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "usim"
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    time, memory = figure.subplots(1, 2)
    sizes = [p.sentences for p in points]
    time.plot(sizes, [p.compared for p in points], "o-", label="compared")
    time.plot(sizes, [p.aligned for p in points], "s--", label="alignment alone")
    naive = [(p.sentences, p.naive) for p in points if p.naive is not None]
    time.plot([size for size, _ in naive], [seconds for _, seconds in naive], "^:", label="every pair of sentences")
    time.set_ylabel("seconds, one core")
    time.legend()
    memory.plot(sizes, [p.memory for p in points], "o-")
    memory.set_ylabel("MiB at the peak, beyond the models")
    for axes in (time, memory):
        axes.set_xscale("log")
        axes.set_xlabel("sentences")
    time.set_yscale("log")
    figure.savefig(path, metadata={"Date": None})


def main(argv: Sequence[str] | None = None) -> None:
    """Run the benchmark that the module describes."""
    p = command(__doc__)
    p.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="numbers of sentences")
    p.add_argument("--share", type=float, default=0.2, help="the share of sentences that are edited (%(default)s)")
    p.add_argument("--text", type=Path, metavar="FILE", help="compare the beginning of this text, not made-up ones")
    p.add_argument("--naive", type=int, default=30, metavar="N", help="judge every pair up to N (%(default)s)")
    p.add_argument("--csv", type=Path, metavar="FILE", help="write the figures")
    p.add_argument("--svg", type=Path, metavar="FILE", help="draw the curve")
    args = p.parse_args(argv)
    given = cut_text(args.text.read_text(encoding="utf-8")).keys if args.text else ()
    if given and max(args.sizes) > len(given):
        p.error(f"{args.text} has {len(given)} sentences; choose --sizes no greater than that")
    scorer = Scorer()
    scorer.compare_texts(*make_texts(10, args.share, seed=7))
    idle = _peak()
    texts = {size: make_texts(size, args.share, given=given) for size in sorted(args.sizes)}
    points = [measure(scorer, *both, size, idle) for size, both in texts.items()]
    # Last, because it would raise the peak.
    points = [p._replace(naive=every_pair(scorer, *texts[p[0]])) if p[0] <= args.naive else p for p in points]
    print(table(points))
    if args.csv:
        with args.csv.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(Point._fields)
            writer.writerows(["" if value is None else round(value, 3) for value in point] for point in points)
    if args.svg:
        draw(points, args.svg)


if __name__ == "__main__":
    main()
