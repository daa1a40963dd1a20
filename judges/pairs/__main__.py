"""``python -m judges.pairs``: write the pairs, or show some of each kind."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

from judges.pairs.learners import with_errors
from judges.pairs.make import make
from judges.pairs.registry import Pair, Sources
from judges.pairs.templates.frames import plain
from training.corpora import from_examples, from_graphs, parse_missing, read_examples
from training.sentence import Sentence
from usim.text.files import written_whole


def read(arguments: argparse.Namespace) -> Sources:
    """Read the sources that the arguments name."""
    sentences: list[Sentence] = []
    if arguments.wiki_train:
        sentences += from_graphs(arguments.wiki_train, "wiki")
    if arguments.ewt_train:
        sentences += from_graphs(arguments.ewt_train, "ewt")
    if arguments.wordnet:
        sentences += from_examples(read_examples(arguments.wordnet))
    sentences += (Sentence.of(text) for text in plain(arguments.frames, arguments.seed))
    if arguments.parse:
        sentences = list(parse_missing(sentences))
    return Sources(*with_errors(sentences, arguments.learners, arguments.seed))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m judges.pairs", description=__doc__)
    parser.add_argument("--out", help="the file to write, JSON lines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40000, help="how many pairs (default: %(default)s)")
    parser.add_argument("--wiki-train", help="a folder of UCCA XML")
    parser.add_argument("--ewt-train", help="a folder of UCCA XML")
    parser.add_argument(
        "--learners", type=int, default=0, metavar="N", help="put learners' errors into N of the clean sentences"
    )
    parser.add_argument("--wordnet", help="a folder of WordNet's database files, for its examples")
    parser.add_argument(
        "--frames", type=int, default=1500, help="how many sentences made from frames to change like any other"
    )
    parser.add_argument("--parse", action="store_true", help="parse the sentences that have no graph")
    parser.add_argument("--only", default="", help="the beginning of the names of the makers to use")
    parser.add_argument("--show", type=int, metavar="N", help="print N pairs of each kind")
    arguments = parser.parse_args(argv)
    if not arguments.out and not arguments.show:
        parser.error("nothing to do: give --out FILE, --show N, or both")
    pairs = make(read(arguments), arguments.count, arguments.seed, arguments.only)
    if arguments.out:
        with written_whole(arguments.out) as file:
            for pair in pairs:
                file.write(json.dumps(pair._asdict(), ensure_ascii=False) + "\n")
    if arguments.show:
        show(pairs, arguments.show)
    kinds = Counter(pair.kind.split("+")[0] for pair in pairs)
    faithful = sum(pair.label >= 0.5 for pair in pairs)
    print(f"{len(pairs)} pairs, {faithful} faithful, {len(kinds)} kinds", file=sys.stderr)


def show(pairs: Sequence[Pair], count: int) -> None:
    """Print some pairs of each kind."""
    by_kind: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_kind[pair.kind.split("+")[0]].append(pair)
    for kind, of_kind in sorted(by_kind.items()):
        print(f"== {kind} ({len(of_kind)})")
        for pair in random.Random(0).sample(of_kind, min(count, len(of_kind))):
            print(f"{pair.label:.2f}  {pair.source}\n      {pair.target}")


if __name__ == "__main__":
    main()
