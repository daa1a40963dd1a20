"""Write what a parser says of annotated and of bare sentences, so that a smaller one can learn from it.

::

    python -m parsers.span.lessons en --wiki-train DIR --ewt-train DIR --texts FILE --out FILE

``parsers.span.train --lessons FILE`` reads what the command writes. For each sentence of the training parts there are
the probabilities of the labels of its spans (Hinton et al. 2015). For each bare sentence, and for sentences recombined
from the training parts (:func:`recombined`), there is also the teacher's tree, as its annotation. Each bare
sentence is parsed by one version of the guidelines, by chance. A recombined one is parsed by the version of its corpus
or, in one of four cases, by the other. So the versions do not go with a kind of text.
"""

from __future__ import annotations

import argparse
import pickle
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from parsers.span.data import Corpus, Example, Examples, Inventory, Soft, add_corpora, given_corpora, window_of
from usim.parsing.chart import best_spans
from usim.parsing.embedded import open_network
from usim.parsing.network import SIEVED
from usim.parsing.remotes import IMPOSSIBLE, Nodes, RemoteScorer
from usim.parsing.trees import Tree, words_of
from usim.registry import MODELS
from usim.text import token_texts
from usim.text.checksums import model_settings
from usim.text.files import written_beside

#: Spans that have no label with at least this probability are kept as spans without one, to save room.
_SURE = 0.998
#: Sentences that are run together, at most.
_SIZE = 16
#: How many words a sentence without annotation has.
_FEWEST, _MOST = 3, 80
#: The most words of a unit that is exchanged.
_LONGEST = 15


class Item(NamedTuple):
    """A sentence without annotation to parse: its tree has words alone."""

    tokens: tuple[str, ...]
    guidelines: int
    tree: Tree


def folder_of(name_or_folder: str) -> Path:
    """Return the folder of a parser, from the name of a model that is installed or a path."""
    return MODELS[name_or_folder].parser if name_or_folder in MODELS else Path(name_or_folder)


class Teacher:
    """An exported parser, by the name of a model (:mod:`usim.registry`) or its folder.

    A parser with a sieve says of most spans only that they have no label, so one without (``en``) teaches more.
    """

    def __init__(self, name_or_folder: str) -> None:
        folder = folder_of(name_or_folder)
        settings, _ = model_settings(folder)
        self.inventory = Inventory.from_settings(settings)
        self._network = open_network(folder, settings)
        self._pieces = self._network.trunk.pieces
        with np.load(folder / "remotes.npz") as file:
            weights = {name: file[name].astype(np.float32) for name in file.files}
        self._remotes = RemoteScorer(self.inventory.remote_labels, weights, settings["remote_threshold"])
        self._categories = self.inventory.label_categories()

    def parse(self, items: Sequence[Item | Example], *, keep_trees: bool = False) -> Iterator[tuple[int, Tree, Soft]]:
        """Yield numbers of sentences, in any order, their trees with remote edges, and what the teacher says of them.

        With ``keep_trees``, the remote edges of the trees that are given are judged, rather than of the teacher's own.
        """
        for version in (1, 2):
            own = (k for k, item in enumerate(items) if item.guidelines == version)
            order = sorted(own, key=lambda k: len(items[k].tokens))
            for at in range(0, len(order), _SIZE):
                chunk = order[at : at + _SIZE]
                yield from zip(chunk, *self._chunk([items[k] for k in chunk], keep_trees), strict=True)

    def _chunk(self, items: Sequence[Item | Example], keep_trees: bool) -> tuple[list[Tree], list[Soft]]:
        guidelines = items[0].guidelines
        windows = [window_of(item.tokens, item.tree.words, self._pieces) for item in items]
        seen = self._network.run(windows, guidelines)
        every = list(range(len(self.inventory.labels)))
        known = [k for k in every if guidelines in self.inventory.versions[k]] or every
        scores = np.full((len(seen.best), len(every) + 1), SIEVED, np.float32)
        scores[:, 0] = 0  # no label
        scores[np.ix_(seen.chosen, np.array(known) + 1)] = seen.label_scores
        probabilities = softmax(scores, axis=1)
        trees = [item.tree for item in items]
        if not keep_trees:
            chosen = best_spans(seen.best, seen.sizes)
            labels = iter(seen.labels([number for spans in chosen for _, _, number in spans]))
            trees = [
                Tree(tree.words, {(i, j): self.inventory.labels[known[next(labels)]] for i, j, _ in spans})
                for tree, spans in zip(trees, chosen, strict=True)
            ]
        nodes = [Nodes.of(tree, self._categories) for tree in trees]
        fences = list(zip(seen.left, seen.right, strict=True))
        if not keep_trees:
            edges = (self._remotes(own, *between) for own, between in zip(nodes, fences, strict=True))
            trees = [replace(tree, remotes=tuple(some)) for tree, some in zip(trees, edges, strict=True)]
        ends = np.cumsum([n * (n + 1) // 2 for n in seen.sizes])[:-1]
        spans = (of_spans for of_spans in np.split(probabilities, ends))
        pairs = (self._pairs(own, *between) for own, between in zip(nodes, fences, strict=True))
        return trees, [self._soft(*parts) for parts in zip(spans, pairs, strict=True)]

    def _pairs(self, nodes: Nodes, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the pairs of nodes that may have a remote edge, with the probabilities of its labels."""
        if not len(nodes.inner):
            return np.zeros((0, 2)), np.zeros((0, len(self.inventory.remote_labels) + 1))
        kind, scores = self._remotes.scores(nodes, left, right)
        probabilities = softmax(np.pad(scores, ((0, 0), (1, 0), (0, 0))), axis=1)
        p, c = np.nonzero((probabilities[:, 0] < _SURE) & (kind != IMPOSSIBLE))
        return np.stack([nodes.inner[p], c], axis=1), probabilities[p, :, c]

    @staticmethod
    def _soft(of_spans: np.ndarray, pairs: tuple[np.ndarray, np.ndarray]) -> Soft:
        (at,) = np.nonzero(of_spans[:, 0] < _SURE)
        places, remotes = pairs
        return Soft(
            at.astype(np.int32), of_spans[at].astype(np.float16), places.astype(np.int16), remotes.astype(np.float16)
        )


def recombined(
    items: Sequence[tuple[Sequence[str], Tree]], count: int, rng: random.Random
) -> Iterator[tuple[str, ...]]:
    """Yield new sentences, as tokens, of annotated ones: one to three units, none inside another, come from others.

    They change places with units of the same label, from sentences of one corpus. What comes out reads oddly and means
    little, but has the words and the build of the corpus. After the substructure substitution of Shi, Livescu & Gimpel
    (2021).
    """
    donors: dict[tuple[str, int], list[tuple[str, ...]]] = defaultdict(list)
    places: list[list[tuple[int, int, str, int]]] = []
    for tokens, tree in items:
        units = []
        for (i, j), label in tree.spans.items():
            # A part of a unit that is in several parts ("^") does not stand for the unit.
            if j - i < min(len(tree.words), _LONGEST + 1) and "^" not in label:
                first, last = tree.words[i], tree.words[j - 1] + 1
                donors[label, (j - i).bit_length()].append(tuple(tokens[first:last]))
                units.append((first, last, label, (j - i).bit_length()))
        places.append(units)
    usable = [k for k, units in enumerate(places) if units]
    for _ in range(count if usable else 0):
        k = rng.choice(usable)
        tokens = list(items[k][0])
        chosen: list[tuple[int, int, str, int]] = []
        for place in rng.sample(places[k], min(len(places[k]), 6)):
            apart = all(place[1] <= other[0] or other[1] <= place[0] for other in chosen)
            if apart and len(chosen) < 3 and (not chosen or rng.random() < 0.7):
                chosen.append(place)
        for first, last, label, size in sorted(chosen, reverse=True):  # from the end, so that places stay right
            tokens[first:last] = rng.choice(donors[label, size])
        yield tuple(tokens)


def lessons(
    teacher: Teacher, train: Sequence[Corpus], texts: Sequence[str], share: float, seed: int
) -> tuple[list[Example], list[Example]]:
    """Return training sentences with probabilities, and bare ones and recombined ones (by ``share``) with trees."""
    maker, rng = Examples(teacher.inventory), random.Random(seed)
    gold = maker.of_corpora(train)
    bare: list[tuple[tuple[str, ...], int]] = []
    for corpus in train:
        annotated = [(e.tokens, e.tree) for e in gold if e.guidelines == corpus.guidelines]
        for tokens in recombined(annotated, int(share * len(annotated)), rng):
            bare.append((tokens, corpus.guidelines if rng.random() < 0.75 else 3 - corpus.guidelines))
    bare += [(tuple(token_texts(text)), rng.choice((1, 2))) for text in texts]
    items = [Item(tokens, version, Tree(tuple(words_of(tokens, version)), {})) for tokens, version in bare]
    items = [item for item in items if _FEWEST <= len(item.tree.words) <= _MOST]
    began = time.time()
    known = list(gold)
    for k, _, soft in teacher.parse(gold, keep_trees=True):
        known[k] = replace(gold[k], soft=soft)
    print(f"{len(gold)} annotated sentences, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    unannotated = []
    for done, (k, tree, soft) in enumerate(teacher.parse(items)):
        if tree.spans:
            unannotated.append(replace(maker.of_tree(items[k].tokens, items[k].guidelines, tree), soft=soft))
        if done % 2000 == 0:
            print(f"{done} of {len(items)}, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    return known, unannotated


def main(argv: Sequence[str] | None = None) -> None:
    """Write what a teacher says."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model", metavar="MODEL", help="the teacher: a model that is installed, or a folder of a parser")
    add_corpora(p, "train")
    p.add_argument("--texts", type=Path, metavar="FILE", help="bare sentences, one a line")
    p.add_argument("--recombined", type=float, default=0.7, help="recombined sentences for each annotated one")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--out", type=Path, required=True, metavar="FILE")
    args = p.parse_args(argv)
    texts = args.texts.read_text(encoding="utf-8").splitlines() if args.texts else []
    teacher = Teacher(args.model)
    known, bare = lessons(teacher, given_corpora(args, "train"), texts, args.recombined, args.seed)
    with written_beside(args.out) as file:
        pickle.dump((teacher.inventory, known, bare), file, protocol=pickle.HIGHEST_PROTOCOL)
    print(f"{len(known)} annotated and {len(bare)} bare sentences")


if __name__ == "__main__":
    main()
