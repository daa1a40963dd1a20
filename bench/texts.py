"""Speed and memory of comparing whole texts, from 10 to 2,000 sentences.

    python -m bench.texts [--sizes 10 100 1000] [--csv FILE] [--svg FILE]

Texts are made up, of sentences of 22 to 28 tokens. In the later version a fifth of the sentences is edited, and one in
twenty each is left out, added, or moved. Time is the processor's, one thread; memory is what the process needs at its
peak beyond what it needs with the models loaded, so sizes are measured in ascending order. ``aligned`` is the alignment
alone, ``compared`` all of it. The naive reading judges each sentence with each other one, which grows with the square:
it is measured up to 30 sentences.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from bench.common import changed, command, peak, seconds, sentences
from usim.documents import PassageReader, cut_text, link_texts
from usim.scorer import Scorer

SIZES = (10, 30, 100, 300, 1000, 2000)
#: The share of sentences that are edited, and the most sentences that are each judged with each other one.
SHARE, NAIVE = 0.2, 30


def make_texts(size: int, share: float, seed: int = 1) -> tuple[str, str]:
    """Make up a text and a later version of it."""
    rng = random.Random(seed)
    before = sentences(size, seed)
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
            after.append(changed(text, rng) if rng.random() < share else text)
    for text in moved:
        after.insert(rng.randrange(len(after) + 1), text)
    return " ".join(before), " ".join(after)


def measure(scorer: Scorer, before: str, after: str, idle: float) -> dict[str, float]:
    """Return the seconds that a text takes, and the MiB at its peak beyond ``idle``."""
    encoder = scorer.judge.encoder
    aligned = seconds(lambda: link_texts(cut_text(before), cut_text(after), PassageReader(encoder)), 1)
    compared = seconds(lambda: scorer.compare_texts(before, after), 1)
    return {"aligned": aligned, "compared": compared, "memory": peak() - idle}


def every_pair(scorer: Scorer, before: str, after: str) -> float:
    """Return the time that it takes to judge each sentence with each other one."""
    sides = [[text[slice(*passage[:2])] for passage in cut_text(text).passages] for text in (before, after)]
    pairs = [(a, b) for a in sides[0] for b in sides[1]]
    return seconds(lambda: list(scorer.score_pairs(pairs)), 1)


def draw(points: pd.DataFrame, path: Path) -> None:
    """Draw time and memory against the number of sentences, as SVG; the same bytes for the same figures."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "usim"
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    time, memory = figure.subplots(1, 2)
    times = points[["compared", "aligned", "every pair"]]
    times.plot(ax=time, logx=True, logy=True, style=["o-", "s--", "^:"], ylabel="seconds, one core")
    points["memory"].plot(ax=memory, logx=True, style="o-", ylabel="MiB at the peak, beyond the models")
    figure.savefig(path, metadata={"Date": None})


def main(argv: Sequence[str] | None = None) -> None:
    p = command(__doc__)
    p.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="numbers of sentences")
    p.add_argument("--csv", type=Path, metavar="FILE", help="write the figures")
    p.add_argument("--svg", type=Path, metavar="FILE", help="draw the curve")
    args = p.parse_args(argv)
    scorer = Scorer()
    scorer.compare_texts(*make_texts(10, SHARE, seed=7))
    idle = peak()
    texts = {size: make_texts(size, SHARE) for size in sorted(args.sizes)}
    points = pd.DataFrame({size: measure(scorer, *both, idle) for size, both in texts.items()}).T
    # Last, because it would raise the peak.
    points["every pair"] = pd.Series({n: every_pair(scorer, *texts[n]) for n in texts if n <= NAIVE}, dtype=float)
    points["sentences/s"] = points.index / points["compared"]
    points.index.name = "sentences"
    print(points.round(2).to_markdown())
    if args.csv:
        points.round(3).to_csv(args.csv)
    if args.svg:
        draw(points, args.svg)


if __name__ == "__main__":
    main()
