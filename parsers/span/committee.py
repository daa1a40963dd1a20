"""Several trained parsers as one teacher: what they say together about annotated and about bare sentences.

::

    python -m parsers.span.committee runs/a runs/b --wiki-dev DIR --ewt-dev DIR                   # how good it is
    python -m parsers.span.committee runs/a runs/b --wiki-train DIR --ewt-train DIR --texts FILE --out FILE
    python -m parsers.span.committee --model en-large --wiki-train DIR --ewt-train DIR --texts FILE --out FILE

Teachers are training runs, or models that ship (``--model``). With ``--out`` the command writes what
``parsers.span.train --lessons FILE`` learns from. For each sentence of the training parts there are the probabilities
of the labels of its spans, the mean over the teachers; for each bare sentence, and for sentences recombined from the
training parts (:mod:`parsers.span.recombine`), also the tree that is best by that mean, as its annotation. Each bare
sentence is parsed by one version of the guidelines, by chance, and each recombined one by that of its corpus or, one in
four, by the other: so the versions do not go with a kind of text; :mod:`parsers.span.articles` helps (Hinton et al.
2015 for learning from probabilities; Kuncoro et al. 2016 for a parser that learns from several).
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from parsers.span.articles import with_articles
from parsers.span.data import Corpus, Example, Examples, Soft, collate, read_corpus
from parsers.span.quick import quick_f1
from parsers.span.recombine import recombined
from parsers.span.teachers import Shipped, Teacher, Trained
from parsers.span.train import bare_example, best_trees
from training.encoders import encoder_folder
from usim.parsing.trees import Node, Tree, to_graph, words_of
from usim.text import token_texts
from usim.ucca import Graph

#: Spans that have no label with at least this probability are kept as spans without one, to save room.
_SURE = 0.998
#: Probability of a remote edge, against none, from which there is one: e^-.5 / (1 + e^-.5), as in parsing.
_REMOTE = 0.378
#: Sentences that are run together.
_SIZE = 24
#: How many words a sentence without annotation has.
_FEWEST, _MOST = 3, 80


class Committee:
    """Teachers of one inventory.

    Args:
        teachers: one or more.

    Raises:
        ValueError: they do not have the same labels.
    """

    def __init__(self, teachers: Sequence[Teacher]) -> None:
        self.teachers = tuple(teachers)
        self.inventory = teachers[0].inventory
        self.pieces = teachers[0].pieces
        if any(teacher.inventory != self.inventory for teacher in teachers):
            raise ValueError("the teachers have different labels: train them on the same data")

    @torch.no_grad()
    def parse(self, items: Sequence[Example], *, keep_trees: bool = False) -> Iterator[tuple[int, Tree, Soft]]:
        """Yield trees and probabilities of sentences, in any order.

        Args:
            items: the sentences.
            keep_trees: say of the remote edges of the trees that are there, rather than of those that are found.

        Yields:
            The number of the sentence, its tree with remote edges, and what the teachers say together.
        """
        order = sorted(range(len(items)), key=lambda k: (items[k].guidelines, len(items[k].tokens)))
        chunk: list[int] = []
        for at, k in enumerate(order):
            chunk.append(k)
            following = items[order[at + 1]] if at + 1 < len(order) else None
            if (
                following is None
                or len(chunk) == _SIZE
                or len(chunk) * len(following.tokens) > 1400
                or following.guidelines != items[k].guidelines
            ):
                yield from zip(chunk, *self._chunk([items[k] for k in chunk], keep_trees), strict=True)
                chunk = []

    def _chunk(self, items: Sequence[Example], keep_trees: bool) -> tuple[list[Tree], list[Soft]]:
        looks = [teacher.look(items) for teacher in self.teachers]
        probabilities = torch.stack([F.pad(look.scores, (1, 0)).softmax(1) for look in looks]).mean(0)
        trees = [item.tree for item in items] if keep_trees else self._trees(items, probabilities)
        maker = Examples(self.inventory)
        examples = [maker.of_tree(item.tokens, item.guidelines, t) for item, t in zip(items, trees, strict=True)]
        batch = collate(examples, self.pieces, 0, None, random.Random(0))
        edges = torch.stack(
            [
                F.pad(teacher.remote(batch, look.left, look.right), (1, 0)).softmax(-1)
                for teacher, look in zip(self.teachers, looks, strict=True)
            ]
        ).mean(0)
        softs, offset = [], 0
        for b, example in enumerate(examples):
            n, size = len(example.nodes), len(example.gold)
            of_spans, of_pairs = probabilities[offset : offset + size], edges[b, :n, :n]
            offset += size
            at, pairs = torch.nonzero(of_spans[:, 0] < _SURE)[:, 0], torch.nonzero(of_pairs[..., 0] < _SURE)
            softs.append(
                Soft(
                    at.numpy().astype(np.int32),
                    of_spans[at].half().numpy(),
                    pairs.numpy().astype(np.int16),
                    of_pairs[pairs[:, 0], pairs[:, 1]].half().numpy(),
                )
            )
            if not keep_trees:
                trees[b] = replace(trees[b], remotes=tuple(self._remotes(example, of_pairs)))
        return trees, softs

    def _trees(self, items: Sequence[Example], probabilities: torch.Tensor) -> list[Tree]:
        logs = probabilities.log()
        best, label = (logs[:, 1:] - logs[:, :1]).max(1)
        return best_trees(items, best, label, self.inventory)

    def _remotes(self, example: Example, pairs: torch.Tensor) -> Iterator[tuple[Node, Node, str]]:
        value, kind = pairs[..., 1:].max(-1)
        for p, c in torch.nonzero(value / (value + pairs[..., 0]) > _REMOTE).tolist():
            label = self.inventory.remote_labels[int(kind[p, c])]
            yield example.nodes.node(p), example.nodes.node(c), label

    def bare(self, tokens: Sequence[str], guidelines: int) -> Example:
        """Return a sentence without annotation."""
        return bare_example(tokens, words_of(tokens, guidelines), guidelines, self.inventory.label_categories())

    def graphs(self, corpus: Corpus) -> list[Graph]:
        """Return the graphs that the teachers together give to the sentences of a corpus."""
        out: list[Graph | None] = [None] * len(corpus.graphs)
        for k, tree, _ in self.parse([self.bare(g.tokens, corpus.guidelines) for g in corpus.graphs]):
            out[k] = to_graph(corpus.graphs[k].tokens, tree)
        return [g for g in out if g is not None]


def lessons(
    committee: Committee, train: Sequence[Corpus], texts: Sequence[str], share: float, seed: int
) -> tuple[list[Example], list[Example]]:
    """Return what a model can learn from: training sentences with probabilities, and newly annotated ones.

    Args:
        committee: the teachers.
        train: the annotated corpora.
        texts: bare sentences.
        share: how many recombined sentences there shall be for each annotated one.
        seed: of the choice of versions, and of the recombined sentences.
    """
    maker, rng = Examples(committee.inventory), random.Random(seed)
    gold = maker.of_corpora(train)
    bare: list[Example] = []
    for corpus in train:
        annotated = [(e.tokens, e.tree) for e in gold if e.guidelines == corpus.guidelines]
        for tokens in recombined(annotated, int(share * len(annotated)), rng):
            version = corpus.guidelines if rng.random() < 0.75 else 3 - corpus.guidelines
            bare.append(committee.bare(tokens, version))
    for text in texts:
        bare.append(committee.bare(tuple(token_texts(text)), rng.choice((1, 2))))
    bare = [item for item in bare if _FEWEST <= len(item.tree.words) <= _MOST]
    began = time.time()
    known = list(gold)
    for k, _, soft in committee.parse(gold, keep_trees=True):
        known[k] = replace(gold[k], soft=soft)
    print(f"{len(gold)} annotated sentences, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    unannotated = []
    for done, (k, tree, soft) in enumerate(committee.parse(bare)):
        if tree.spans:
            taught = replace(maker.of_tree(bare[k].tokens, bare[k].guidelines, tree), soft=soft)
            unannotated.append(with_articles(taught, committee.inventory))
        if done % 2000 == 0:
            print(f"{done} of {len(bare)}, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    return known, unannotated


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("runs", nargs="*", metavar="RUN", help="folders of training runs")
    p.add_argument(
        "--model", nargs="+", default=[], metavar="NAME", help="models that ship, by name or folder, as teachers"
    )
    for name in ("wiki-train", "ewt-train", "wiki-dev", "ewt-dev"):
        p.add_argument(f"--{name}", metavar="DIR", help="folder of UCCA XML")
    p.add_argument("--texts", type=Path, metavar="FILE", help="bare sentences, one a line")
    p.add_argument("--recombined", type=float, default=1.0, help="recombined sentences for each annotated one")
    p.add_argument("--encoder", metavar="DIR", help="pretrained encoder, as parsers.span.train has it")
    p.add_argument("--weights", default="best.pt", metavar="NAME", help="the file of each run that is read")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--out", type=Path, metavar="FILE")
    args = p.parse_args(argv)
    torch.set_num_threads(args.threads)
    if not args.runs and not args.model:
        p.error("no teachers: name training runs, or models that ship with --model")
    teachers: list[Teacher] = [Shipped(name) for name in args.model]
    if args.runs:
        folder = encoder_folder(args.encoder)
        teachers += [Trained(Path(run), folder, args.weights) for run in args.runs]
    try:
        committee = Committee(teachers)
    except ValueError as e:
        raise SystemExit(str(e)) from e
    for name, guidelines in (("wiki", 1), ("ewt", 2)):
        if folder := getattr(args, f"{name}_dev"):
            corpus = read_corpus(folder, name, guidelines)
            print(name, json.dumps(quick_f1(zip(committee.graphs(corpus), corpus.graphs, strict=True))), flush=True)
    if args.out:
        given = (("wiki", args.wiki_train, 1), ("ewt", args.ewt_train, 2))
        train = [read_corpus(folder, name, guidelines) for name, folder, guidelines in given if folder]
        texts = args.texts.read_text(encoding="utf-8").splitlines() if args.texts else []
        lessons_ = lessons(committee, train, texts, args.recombined, args.seed)
        partial = args.out.with_name(args.out.name + ".part")
        with open(partial, "wb") as file:
            pickle.dump(lessons_, file, protocol=pickle.HIGHEST_PROTOCOL)
        partial.replace(args.out)
        print(f"{len(lessons_[0])} annotated and {len(lessons_[1])} bare sentences")


if __name__ == "__main__":
    main()
