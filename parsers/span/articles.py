"""Whether a parser keeps the versions of the guidelines apart, as far as articles show it.

::

    python -m parsers.span.articles FILE-OR-DIR --guidelines 1 [--model en]

The file has a sentence a line, the folder UCCA XML. The command counts the articles (*a*, *an*, *the*) that are units
by themselves, and those of them with the category of the other version. Each version goes with a kind of text in the
annotated corpora, so a parser may go by the text instead of the version that it is asked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from parsers.span.data import Example, Examples, Inventory, read_corpus
from usim.parsing import load
from usim.parsing.embedded import ARTICLES
from usim.ucca import Graph

#: What each version of the guidelines calls an article.
CATEGORIES = {1: "E", 2: "F"}


def count(graphs: Iterable[Graph], guidelines: int) -> tuple[int, int]:
    """Return how many articles have the category of the other version of the guidelines, and how many there are."""
    wrong = every = 0
    for graph in graphs:
        for unit in range(1, len(graph.units)):
            if graph.text(unit).lower() in ARTICLES:
                every += 1
                wrong += CATEGORIES[3 - guidelines] in graph.category(unit)
    return wrong, every


def with_articles(item: Example, inventory: Inventory) -> Example:
    """Return a sentence whose articles have the category of its version of the guidelines.

    Version 1 calls them elaborators, version 2 functions. A teacher that saw each version with one kind of text alone
    often gives other texts the category that their kind had.
    """
    if "E" not in inventory.labels or "F" not in inventory.labels or item.soft is None:
        return item
    right, wrong = CATEGORIES[item.guidelines], CATEGORIES[3 - item.guidelines]
    n, spans, probabilities = len(item.tree.words), dict(item.tree.spans), item.soft.probabilities.copy()
    row_of = {int(number): row for row, number in enumerate(item.soft.at)}
    columns = [inventory.labels.index(label) + 1 for label in (right, wrong)]
    for i, word in enumerate(item.tree.words):
        if item.tokens[word].lower() not in ARTICLES:
            continue
        if spans.get((i, i + 1)) == wrong:
            spans[i, i + 1] = right
        row = row_of.get(i * n - i * (i - 1) // 2)
        if row is not None:
            probabilities[row, columns[0]] += probabilities[row, columns[1]]
            probabilities[row, columns[1]] = 0
    changed = Examples(inventory).of_tree(item.tokens, item.guidelines, replace(item.tree, spans=spans))
    return replace(changed, soft=replace(item.soft, probabilities=probabilities))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("texts", type=Path, help="a file with a sentence a line, or a folder of UCCA XML")
    p.add_argument("--guidelines", type=int, choices=(1, 2), required=True)
    p.add_argument("--model", default="en", help="the name of a model, or the folder of an exported one")
    args = p.parse_args(argv)
    sentences: list[str | Sequence[str]] = []
    if args.texts.is_dir():
        sentences += [graph.tokens for graph in read_corpus(args.texts, "", args.guidelines).graphs]
    else:
        sentences += args.texts.read_text(encoding="utf-8").splitlines()
    wrong, every = count(load(args.model, guidelines=args.guidelines).parse(sentences), args.guidelines)
    print(f"{wrong} of {every} articles have the category of the other version")


if __name__ == "__main__":
    main()
