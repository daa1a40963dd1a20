"""Parse the pairs once, and keep what the network and the features are made from.

::

    python -m judges.prepare --out prepared --name swords --swords FILE
    python -m judges.prepare --out prepared --name made --made FILE

Writes a file of pickled blocks: each a list of (pair, source graph, target graph).
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from judges import data
from judges.data import Pair
from usim.parsing.embedded import EmbeddedParser
from usim.ucca import Graph

_BLOCK = 500
Block = list[tuple[Pair, Graph, Graph]]


def blocks(pairs: Sequence[Pair], parser: EmbeddedParser) -> Iterator[Block]:
    """Yield the pairs with their graphs; each distinct sentence of a block is parsed once."""
    for at in range(0, len(pairs), _BLOCK):
        block = pairs[at : at + _BLOCK]
        distinct = list(dict.fromkeys(s for p in block for s in (p.source, p.target)))
        graphs = dict(zip(distinct, parser.parse(distinct), strict=True))
        yield [(p, graphs[p.source], graphs[p.target]) for p in block]


def read(path: Path) -> Iterator[tuple[Pair, Graph, Graph]]:
    """Yield the pairs and graphs of a prepared file."""
    with open(path, "rb") as file:
        while True:
            try:
                yield from pickle.load(file)
            except EOFError:
                return


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", type=Path, required=True, help="folder")
    p.add_argument("--name", required=True, help="name of the file in it")
    for name in ("tmu", "csmd", "swords", "prolex-train", "prolex-dev", "contrast", "made", "taught"):
        p.add_argument(f"--{name}", type=Path)
    p.add_argument("--each", type=int, help="so many pairs of each target of substitution at most, by chance")
    p.add_argument("--count", type=int, help="so many pairs at most, by chance")
    p.add_argument("--origin", help="the name of the data set, in place of what the reader calls it")
    p.add_argument("--parser", default="en")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    rng = random.Random(args.seed)
    pairs: list[Pair] = []
    for name in ("tmu", "csmd", "swords", "prolex_dev", "contrast", "made"):
        if getattr(args, name):
            pairs += getattr(data, name)(getattr(args, name))
    if args.prolex_train:
        pairs += data.prolex_train(args.prolex_train, rng)
    if args.taught:
        pairs += data.taught(args.taught, rng)
    if args.origin:
        pairs = [replace(pair, origin=args.origin) for pair in pairs]
    if args.each:
        pairs = data.some_of_each(pairs, args.each, rng)
    if args.count and args.count < len(pairs):
        pairs = rng.sample(pairs, args.count)
    parser = EmbeddedParser(args.parser)
    args.out.mkdir(parents=True, exist_ok=True)
    partial = args.out / f"{args.name}.part"
    began = time.time()
    done = 0
    with open(partial, "wb") as file:
        for block in blocks(pairs, parser):
            pickle.dump(block, file, protocol=5)
            done += len(block)
            print(f"{done} of {len(pairs)}, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    partial.rename(args.out / f"{args.name}.pkl")


if __name__ == "__main__":
    main()
