"""Several trained parsers as one teacher: what they say together about annotated and about bare sentences.

::

    python -m parsers.span.committee runs/a runs/b --wiki-dev DIR --ewt-dev DIR                   # how good it is
    python -m parsers.span.committee runs/a runs/b --wiki-train DIR --ewt-train DIR --texts FILE --out FILE

The second form writes what ``parsers.span.train --lessons FILE`` learns from. For each sentence of the training parts
there are the probabilities of the labels of its spans, the mean over the members; for each bare sentence, and for
sentences recombined from the training parts (:mod:`parsers.span.recombine`), also the tree that is best by that mean,
as its annotation. Each bare sentence is parsed by one version of the guidelines, by chance, and each recombined one by
that of its corpus or, one in four, by the other: so the versions do not go with a kind of text (Hinton et al. 2015 for
learning from probabilities; Kuncoro et al. 2016 for a parser that learns from several).
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from parsers.span.cky import decode
from parsers.span.data import Corpus, Example, Examples, Inventory, Soft, collate, read_corpus
from parsers.span.model import SpanModel
from parsers.span.quick import quick_f1
from parsers.span.recombine import recombined
from parsers.span.train import bare_example, build, encoder_folder, load_pieces
from usim.graph import Graph
from usim.parsing.chart import spans_of
from usim.parsing.encoding import Pieces
from usim.parsing.trees import Tree, to_graph, words_of
from usim.tokenise import tokenise

#: Spans that have no label with at least this probability are kept as spans without one, to save room.
_SURE = 0.998
#: Probability of a remote edge, against none, from which there is one: e^-.5 / (1 + e^-.5), as in parsing.
_REMOTE = 0.378
#: Sentences that are run together.
_SIZE = 24


@dataclass(frozen=True)
class Committee:
    """Models of one inventory."""

    models: tuple[SpanModel, ...]
    inventory: Inventory
    pieces: Pieces

    @classmethod
    def of(cls, runs: Sequence[str], folder: Path) -> Committee:
        """The best weights of some training runs.

        Raises:
            SystemExit: the runs do not have the same labels.
        """
        models, inventories = [], []
        for run in runs:
            settings = json.loads((Path(run) / "settings.json").read_text(encoding="utf-8"))
            inventories.append(Inventory.from_settings(settings))
            model = build(folder, inventories[-1], settings, pretrained=False)
            model.load_state_dict(torch.load(Path(run) / "best.pt", weights_only=True))
            models.append(model.eval())
            if inventories[-1] != inventories[0]:
                raise SystemExit(f"{run} has other labels than {runs[0]}: train them on the same data")
        return cls(tuple(models), inventories[0], load_pieces(folder))

    @torch.no_grad()
    def parse(self, sentences: Sequence[tuple[Sequence[str], int]]) -> Iterator[tuple[int, Tree, Soft]]:
        """Trees and probabilities of sentences, each given with the version of the guidelines, in any order.

        Yields:
            The number of the sentence, its tree with remote edges, and what the members say of its spans.
        """
        maker, number = Examples(self.inventory), self.inventory.label_categories()
        order = sorted(range(len(sentences)), key=lambda k: len(sentences[k][0]))
        chunk: list[int] = []
        for at, k in enumerate(order):
            chunk.append(k)
            last = at + 1 == len(order)
            if len(chunk) == _SIZE or last or len(chunk) * len(sentences[order[at + 1]][0]) > 1400:
                yield from self._chunk(chunk, sentences, maker, number)
                chunk = []

    def _chunk(
        self,
        chunk: Sequence[int],
        sentences: Sequence[tuple[Sequence[str], int]],
        maker: Examples,
        number: dict[str, tuple[int, ...]],
    ) -> Iterator[tuple[int, Tree, Soft]]:
        items = []
        for k in chunk:
            tokens, guidelines = sentences[k]
            items.append(bare_example(tokens, words_of(tokens, guidelines), guidelines, number))
        batch = collate(items, self.pieces, 0, None, random.Random(0))
        fences = []
        probabilities = torch.zeros(len(batch["start"]), len(self.inventory.labels) + 1)
        for model in self.models:
            with torch.autocast("cpu", torch.bfloat16):
                hidden = model.encode(batch["ids"], batch["mask"], batch["types"]).float()
            fences.append(model.fences(hidden, batch["before"], batch["after"]))
            scores = F.pad(model.spans(fences[-1], batch["start"], batch["end"]), (1, 0))
            probabilities += scores.softmax(1) / len(self.models)
        logs = probabilities.log()
        best, label = (logs[:, 1:] - logs[:, :1]).max(1)
        gains = best.clamp(min=0).numpy()
        chosen = decode(gains, batch["words"].numpy()) & (gains > 0)
        trees, softs, offset = [], [], 0
        for item in items:
            n = len(item.tree.words)
            i, j = spans_of(n)
            part = slice(offset, offset + len(i))
            offset += len(i)
            mine = np.flatnonzero(chosen[part])
            spans = {(int(i[s]), int(j[s])): self.inventory.labels[int(label[part][s])] for s in mine}
            trees.append(Tree(item.tree.words, dict(sorted(spans.items(), key=lambda s: (s[0][0], -s[0][1])))))
            unsure = torch.nonzero(probabilities[part, 0] < _SURE).squeeze(1)
            softs.append(Soft(unsure.numpy().astype(np.int32), probabilities[part][unsure].half().numpy()))
        made = [maker.of_tree(item.tokens, item.guidelines, t) for item, t in zip(items, trees, strict=True)]
        batch = collate(made, self.pieces, 0, None, random.Random(0))
        pairs = torch.stack(
            [
                F.pad(m.remote(batch, m.node_left(f), m.node_right(f)), (1, 0)).softmax(-1)
                for m, f in zip(self.models, fences, strict=True)
            ]
        ).mean(0)
        value, kind = pairs[..., 1:].max(-1)
        edges = value / (value + pairs[..., 0]) > _REMOTE
        for b, (k, example, tree, soft) in enumerate(zip(chunk, made, trees, softs, strict=True)):
            nodes = example.nodes
            remotes = tuple(
                (nodes.node(p), nodes.node(c), self.inventory.remote_labels[int(kind[b, p, c])])
                for p, c in edges[b].nonzero().tolist()
                if p < len(nodes) and c < len(nodes)
            )
            yield k, replace(tree, remotes=remotes), soft

    def graphs(self, corpus: Corpus) -> list[Graph]:
        """The graphs that the members together give to the sentences of a corpus."""
        out: list[Graph | None] = [None] * len(corpus.graphs)
        for k, tree, _ in self.parse([(g.tokens, corpus.guidelines) for g in corpus.graphs]):
            out[k] = to_graph(corpus.graphs[k].tokens, tree)
        return [g for g in out if g is not None]


def lessons(
    committee: Committee, train: Sequence[Corpus], texts: Sequence[str], share: float, seed: int
) -> tuple[list[Example], list[Example]]:
    """What a model can learn from: the training sentences with probabilities, and others with annotation as well.

    Args:
        committee: the teachers.
        train: the annotated corpora.
        texts: bare sentences.
        share: how many recombined sentences there shall be for each annotated one.
        seed: of the choice of versions, and of the recombined sentences.
    """
    maker, rng = Examples(committee.inventory), random.Random(seed)
    gold = maker.of_corpora(train)
    bare: list[tuple[tuple[str, ...], int]] = []
    for corpus in train:
        mine = [(e.tokens, e.tree) for e in gold if e.guidelines == corpus.guidelines]
        for tokens in recombined(mine, int(share * len(mine)), rng):
            bare.append((tokens, corpus.guidelines if rng.random() < 0.75 else 3 - corpus.guidelines))
    for text in texts:
        bare.append((tuple(t.text for t in tokenise(text)), rng.choice((1, 2))))
    bare = [(tokens, version) for tokens, version in bare if 3 <= len(words_of(tokens, version)) <= 80]
    began = time.time()
    known = list(gold)
    for k, _, soft in committee.parse([(e.tokens, e.guidelines) for e in gold]):
        known[k] = replace(gold[k], soft=soft)
    print(f"{len(gold)} annotated sentences, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    made = []
    for done, (k, tree, soft) in enumerate(committee.parse(bare)):
        tokens, version = bare[k]
        if tree.spans:
            made.append(replace(maker.of_tree(tokens, version, tree), soft=soft))
        if done % 2000 == 0:
            print(f"{done} of {len(bare)}, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    return known, made


def main(argv: Sequence[str] | None = None) -> None:
    """The command; see the module's text."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("runs", nargs="+", metavar="RUN", help="folders of training runs")
    for name in ("wiki-train", "ewt-train", "wiki-dev", "ewt-dev"):
        p.add_argument(f"--{name}", metavar="DIR", help="folder of UCCA XML")
    p.add_argument("--texts", type=Path, metavar="FILE", help="bare sentences, one a line")
    p.add_argument("--recombined", type=float, default=1.0, help="recombined sentences for each annotated one")
    p.add_argument("--encoder", metavar="DIR", help="pretrained encoder, as parsers.span.train has it")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--out", type=Path, metavar="FILE")
    args = p.parse_args(argv)
    torch.set_num_threads(args.threads)
    committee = Committee.of(args.runs, encoder_folder(args.encoder))
    for name, guidelines in (("wiki", 1), ("ewt", 2)):
        if folder := getattr(args, f"{name}_dev"):
            corpus = read_corpus(folder, name, guidelines)
            print(name, json.dumps(quick_f1(zip(committee.graphs(corpus), corpus.graphs, strict=True))), flush=True)
    if args.out:
        given = (("wiki", args.wiki_train, 1), ("ewt", args.ewt_train, 2))
        train = [read_corpus(folder, name, guidelines) for name, folder, guidelines in given if folder]
        texts = args.texts.read_text(encoding="utf-8").splitlines() if args.texts else []
        made = lessons(committee, train, texts, args.recombined, args.seed)
        partial = args.out.with_name(args.out.name + ".part")
        with open(partial, "wb") as file:
            pickle.dump(made, file, protocol=pickle.HIGHEST_PROTOCOL)
        partial.replace(args.out)
        print(f"{len(made[0])} annotated and {len(made[1])} bare sentences")


if __name__ == "__main__":
    main()
