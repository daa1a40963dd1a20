"""Where a parser's errors are: by category, by the length of units and sentences, discontinuous, remote, by label.

::

    python -m parsers.span.errors DIR --guidelines 1 [--model en]
    python -m parsers.span.errors DIR --guidelines 2

Labelled F1 of edges by yield, without the toolkit's normalisation, as :mod:`parsers.span.quick` counts; passages are
cut into their sentences. The parser gets the gold tokens.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from parsers.span.data import read_corpus
from parsers.span.quick import yields
from usim.parsing import load
from usim.ucca import Graph

Counts = dict[str, list[int]]


def _sizes(count: int, limits: Sequence[int]) -> str:
    """Return the name of the class of a number: ``"4-8"``, ``"9+"``."""
    low = 1
    for high in limits:
        if count <= high:
            return f"{low}-{high}" if low < high else str(low)
        low = high + 1
    return f"{low}+"


def _kinds(mask: int, category: str, place: dict[int, int], length: str) -> Iterator[tuple[str, str]]:
    """Yield the tables, and the row of each, to which an edge to a set of words belongs."""
    at = [place[k] for k in range(mask.bit_length()) if mask >> k & 1]
    yield "category", category
    yield "words in the unit", _sizes(len(at), (1, 3, 8))
    yield "tokens in the sentence", length
    if at[-1] - at[0] >= len(at):
        yield "discontinuous", "units"


def tables(pairs: Iterable[tuple[Graph, Graph]]) -> tuple[dict[str, Counts], Counter[tuple[str, str]]]:
    """Count matches, guessed and gold edges by kind, and how often a gold label was taken for another.

    Args:
        pairs: (guessed, gold) graphs of the same tokens.
    """
    counts: dict[str, Counts] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    confused: Counter[tuple[str, str]] = Counter()
    for guessed, gold in pairs:
        # The two may not agree on what is punctuation.
        words = [k for k in range(len(gold.terminals)) if not (gold.punctuation & guessed.punctuation) >> k & 1]
        place = {k: i for i, k in enumerate(words)}
        length = f"{_sizes(len(gold.terminals), (14, 29, 44))} tokens"

        for remote in (False, True):
            guessed_yields, gold_yields = yields(guessed, remote), yields(gold, remote)
            for column, sets in ((1, guessed_yields), (2, gold_yields)):
                for mask, categories in sets.items():
                    for category in categories:
                        hit = category in guessed_yields.get(mask, ()) and category in gold_yields.get(mask, ())
                        for table, row in [("remote", category)] if remote else _kinds(mask, category, place, length):
                            counts[table][row][column] += 1
                            counts[table][row][0] += hit and column == 2
            if not remote:
                for mask in guessed_yields.keys() & gold_yields.keys():
                    if (
                        len(guessed_yields[mask]) == len(gold_yields[mask]) == 1
                        and guessed_yields[mask] != gold_yields[mask]
                    ):
                        confused[next(iter(gold_yields[mask])), next(iter(guessed_yields[mask]))] += 1
    return counts, confused


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("corpus", help="folder of UCCA XML")
    p.add_argument("--guidelines", type=int, choices=(1, 2), required=True)
    p.add_argument("--model", default="en", help="a name, or the folder of an exported model")
    args = p.parse_args(argv)
    gold = read_corpus(args.corpus, "dev", args.guidelines).graphs
    guessed = load(args.model, guidelines=args.guidelines).parse([g.tokens for g in gold])
    counts, confused = tables(zip(guessed, gold, strict=True))
    for table, rows in counts.items():
        print(table)
        for row, (hits, in_guessed, in_gold) in sorted(rows.items(), key=lambda r: -r[1][2]):
            f1 = 200 * hits / max(1, in_guessed + in_gold)
            print(f"  {row:>14}  F1 {f1:5.1f}   {hits} right of {in_guessed} guessed and {in_gold} gold")
    print("labels most often confused: gold, guessed")
    for (ours_, theirs_), count in confused.most_common(12):
        print(f"  {ours_:>6} {theirs_:>6} {count:5}")


if __name__ == "__main__":
    main()
