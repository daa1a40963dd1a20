"""Train the embedded parser; :mod:`parsers.span.export` makes the files of usim from the run.

::

    python -m parsers.span.train --wiki-train DIR --ewt-train DIR --wiki-dev DIR --ewt-dev DIR --out runs/x

Writes into the output folder ``settings.json``, ``log.jsonl`` (one line of figures an epoch), ``last.pt`` (everything
that it takes to go on: start the same command again after a kill), and ``best.pt`` (the averaged weights of the best
epoch by the mean of the dev figures).
"""

from __future__ import annotations

import argparse
import copy
import json
import pickle
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from parsers.span.build import PACKAGE, build, encoder_folder
from parsers.span.data import Corpus, Example, Examples, Inventory, Noise, add_corpora, batches, collate, given_corpora
from parsers.span.model import SpanModel
from parsers.span.trees import to_graph
from training.precision import half
from usim.parsing import Pieces
from usim.parsing.chart import best_spans
from usim.parsing.remotes import Nodes, RemoteScorer
from usim.parsing.trees import Tree, words_of
from usim.text.files import written_beside
from usim.ucca import Graph
from usim.ucca.evaluate import evaluate, total

#: The average of the weights is brought up to date only every so many steps, as it costs a tenth of a step.
_AVERAGE_EVERY = 4
_TOGETHER = 32
#: The parts of the training whose state is kept from epoch to epoch.
_KEPT = ("model", "average", "optimizer")


def losses(
    model: SpanModel, batch: dict[str, torch.Tensor], settings: dict[str, Any]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the losses of a batch, means over its sentences: margin, entropy of spans, of remote edges.

    Where the batch has what teachers say, the cross-entropy is by the share ``distil`` of the settings that of their
    probabilities (Hinton et al. 2015).
    """
    with half(is_on=settings["bf16"]):
        hidden = model.encode(batch["ids"], batch["mask"], batch["types"])
        fences = model.fences(hidden, batch["before"], batch["after"])
        scores = model.spans(fences, batch["start"], batch["end"])
        left, right = model.node_left(fences), model.node_right(fences)
    scores = F.pad(scores.float(), (1, 0))  # number 0: no label, always 0
    gold = batch["gold"]
    count = len(batch["words"])
    of_gold = scores.gather(1, gold.unsqueeze(1)).squeeze(1)
    # Margin: the best tree when every wrong label gets one point for free.
    augmented = (scores.detach() + 1).scatter_add(1, gold.unsqueeze(1), -torch.ones(len(gold), 1))
    best, label = augmented.max(1)
    chosen = best_spans(best.numpy(), batch["words"].tolist())  # other spans of the tree are right to have no label
    places = torch.tensor([number for spans in chosen for _, _, number in spans], dtype=torch.long)
    of_best = scores[places, label[places]] + (label[places] != gold[places])
    sizes = batch["words"] * (batch["words"] + 1) // 2
    sentence = torch.repeat_interleave(torch.arange(count), sizes)
    per_sentence = torch.zeros(count).index_add(0, sentence[places], of_best)
    per_sentence = per_sentence.index_add(0, sentence, -of_gold)
    margin = F.relu(per_sentence).sum() / count
    entropy = _entropy(scores, gold, batch, "soft", settings).sum() / count
    pairs = F.pad(model.remote(batch, left.float(), right.float()), (1, 0)).flatten(0, 2)
    remote = _entropy(pairs, batch["remote"].flatten(), batch, "soft_remote", settings).sum() / count
    return margin, entropy, remote


def _entropy(
    scores: torch.Tensor, gold: torch.Tensor, batch: dict[str, torch.Tensor], soft: str, settings: dict[str, Any]
) -> torch.Tensor:
    """Return the cross-entropy of each row with the annotation and, where there are any, with teachers."""
    entropy = F.cross_entropy(scores, gold, reduction="none")
    if soft in batch:
        at = batch[f"{soft}_at"]
        taught = -(batch[soft] * scores[at].log_softmax(1)).sum(1)
        entropy = entropy.index_add(0, at, settings["distil"] * (taught - entropy[at]))
    return entropy


@torch.no_grad()
def predict(model: SpanModel, pieces: Pieces, inventory: Inventory, corpus: Corpus) -> list[Graph]:
    """Return the graphs that the model gives to the sentences of a corpus, in torch."""
    model.eval()
    number, examples = inventory.label_categories(), Examples(inventory)
    scorer = RemoteScorer(inventory.remote_labels, model.remote.arrays())
    graphs: dict[int, Graph] = {}
    words = [tuple(words_of(g.tokens, corpus.guidelines)) for g in corpus.graphs]
    order = sorted(range(len(words)), key=lambda k: len(corpus.graphs[k].tokens))
    for at in range(0, len(order), _TOGETHER):
        chunk = order[at : at + _TOGETHER]
        items = [examples.of_tree(corpus.graphs[k].tokens, corpus.guidelines, Tree(words[k], {})) for k in chunk]
        batch = collate(items, pieces, 0, None, random.Random(0))
        with half():
            hidden = model.encode(batch["ids"], batch["mask"], batch["types"]).float()
        fences = model.fences(hidden, batch["before"], batch["after"])
        best, label = model.spans(fences, batch["start"], batch["end"]).max(1)
        left, right = model.node_left(fences).numpy(), model.node_right(fences).numpy()
        rows = batch["before"].shape[1]
        chosen = best_spans(best.numpy(), [len(item.tree.words) for item in items])
        for row, (k, spans) in enumerate(zip(chunk, chosen, strict=True)):
            tree = Tree(words[k], {(i, j): inventory.labels[int(label[number])] for i, j, number in spans})
            at_row = slice(row * rows, row * rows + len(tree.words) + 1)
            remotes = scorer(Nodes.of(tree, number), left[at_row], right[at_row])
            graphs[k] = to_graph(corpus.graphs[k].tokens, replace(tree, remotes=tuple(remotes)))
    return [graphs[k] for k in range(len(words))]


def main(argv: Sequence[str] | None = None) -> None:
    """Train a parser."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_corpora(p, "train", "dev")
    p.add_argument("--out", required=True, metavar="DIR", help="folder for the run")
    p.add_argument("--encoder", metavar="DIR", help=f"pretrained encoder; by default that of {PACKAGE}")
    p.add_argument("--epochs", type=int, default=18)
    p.add_argument("--batch", type=int, default=16, help="sentences a batch")
    p.add_argument("--encoder-rate", type=float, default=2e-4)
    p.add_argument("--head-rate", type=float, default=1e-3)
    p.add_argument("--warmup", type=float, default=0.06, help="share of the steps")
    p.add_argument("--dropout", type=float, default=0.2)
    p.add_argument("--entropy", type=float, default=0.2, help="weight of the spans' cross-entropy beside the margin")
    p.add_argument("--mask", type=float, default=0.0, help="share of word pieces that are masked")
    p.add_argument("--noise", type=float, default=0.0, help="share of sentences made like learners'")
    p.add_argument("--variants", type=int, default=0, help="ways to mask and misspell a sentence; 0: always another")
    p.add_argument("--start", metavar="RUN", help="train on from the best weights of another run")
    p.add_argument("--lessons", metavar="FILE", help="learn from what parsers.span.lessons has written, too")
    p.add_argument("--distil", type=float, default=0.8, help="share of the teacher in the cross-entropies")
    p.add_argument("--bare", type=int, default=6000, help="sentences without annotation an epoch, of the lessons'")
    p.add_argument("--keep-words", action="store_true", help="leave the word embeddings as they are at the start")
    p.add_argument("--average", type=float, default=0.999, help="decay of the running average of the weights")
    p.add_argument("--evaluate-every", type=int, default=1, help="epochs between looks at dev")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--limit", type=int, default=0, help="use only so many training sentences, to try things out")
    p.add_argument("--no-bf16", action="store_true", help="compute in 32 bits")
    args = p.parse_args(argv)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    places = ("out", "encoder", "start", "lessons", "wiki_train", "ewt_train", "wiki_dev", "ewt_dev")
    settings = {k: v for k, v in vars(args).items() if k not in places} | {"bf16": not args.no_bf16}
    folder = encoder_folder(args.encoder)
    train, dev = given_corpora(args, "train"), given_corpora(args, "dev")
    if not train:
        raise SystemExit("no training data: pass --wiki-train or --ewt-train")
    inventory = Inventory.of(train)
    if args.start:
        earlier = json.loads((Path(args.start) / "settings.json").read_text(encoding="utf-8"))
        inventory = Inventory.from_settings(earlier)
    items, bare = Examples(inventory).of_corpora(train), []
    if args.lessons:
        items, bare = _lessons(args.lessons, inventory, items)
    rng = random.Random(args.seed)
    if args.limit:
        items = rng.sample(items, min(args.limit, len(items)))
    pieces = Pieces.read(folder / "tokenizer.json")
    torch.manual_seed(args.seed)
    model = build(folder, inventory, settings)
    if args.start:
        model.load_state_dict(torch.load(Path(args.start) / "best.pt", weights_only=True))
    if args.keep_words:
        model.encoder.get_input_embeddings().weight.requires_grad_(False)
    (out / "settings.json").write_text(json.dumps(settings | asdict(inventory), indent=1) + "\n")
    Trainer(model, pieces, items, dev, settings, out, inventory, bare).run()


def _lessons(path: str, inventory: Inventory, items: list[Example]) -> tuple[list[Example], list[Example]]:
    """Return the annotated sentences, with the teacher's probabilities where known, and bare sentences."""
    with open(path, "rb") as file:
        labels, annotated, bare = pickle.load(file)
    if labels != inventory:
        raise SystemExit(f"{path}: the teacher has other labels than the training data: train it on the same data")
    known = {(e.tokens, e.guidelines): e for e in annotated}
    return [known.get((e.tokens, e.guidelines), e) for e in items], bare


@dataclass(eq=False)
class Trainer:
    """The training loop, with its state on disk after each epoch."""

    model: SpanModel
    pieces: Pieces
    items: list[Example]
    dev: list[Corpus]
    settings: dict[str, Any]
    out: Path
    inventory: Inventory
    bare: Sequence[Example]

    def __post_init__(self) -> None:
        model, settings = self.model, self.settings
        self.average = copy.deepcopy(model).eval()
        encoder = [p for p in model.encoder.parameters() if p.requires_grad]
        heads = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
        rates = ((encoder, "encoder_rate"), (heads, "head_rate"))
        groups = [{"params": parameters, "rate": settings[rate]} for parameters, rate in rates]
        self.optimizer = torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
        self.noise = Noise(settings["noise"]) if settings["noise"] else None
        self.epoch = self.step = 0
        self.best = -1.0

    def run(self) -> None:
        """Run all epochs that are not done yet."""
        last = self.out / "last.pt"
        if last.exists():
            state = torch.load(last, weights_only=False)
            for name in _KEPT:
                getattr(self, name).load_state_dict(state[name])
            self.epoch, self.best = state["epoch"], state["best"]
            print(f"going on after epoch {self.epoch}", file=sys.stderr)
        while self.epoch < self.settings["epochs"]:
            figures = self.one_epoch()
            self.epoch += 1
            is_best = False
            if self.epoch % self.settings["evaluate_every"] == 0 or self.epoch == self.settings["epochs"]:
                figures |= self.evaluate()
                is_best = figures["score"] >= self.best
                self.best = max(self.best, figures["score"])
            states = {name: getattr(self, name).state_dict() for name in _KEPT}
            with written_beside(last) as file:
                torch.save({**states, "epoch": self.epoch, "best": self.best}, file)
            if is_best:
                with written_beside(self.out / "best.pt") as file:
                    torch.save(self.average.state_dict(), file)
            line = json.dumps({"epoch": self.epoch} | figures)
            with open(self.out / "log.jsonl", "a", encoding="utf-8") as log:
                log.write(f"{line}\n")
            print(line, file=sys.stderr, flush=True)

    def one_epoch(self) -> dict[str, Any]:
        """Pass over the training sentences once."""
        s = self.settings
        rng = random.Random(s["seed"] * 1000 + self.epoch)
        torch.manual_seed(s["seed"] * 1000 + self.epoch)
        items = self.items + rng.sample(list(self.bare), min(s["bare"], len(self.bare)))
        chunks = list(batches(items, s["batch"], rng))
        # The number of batches varies a little from epoch to epoch; the schedule takes this epoch's as every one's.
        total = len(chunks) * s["epochs"]
        self.model.train()
        sums, began = np.zeros(3), time.time()
        for k, chunk in enumerate(chunks):
            self.step = self.epoch * len(chunks) + k
            done = self.step / total
            factor = min(1.0, (done + 1e-6) / s["warmup"]) if done < s["warmup"] else (1 - done) / (1 - s["warmup"])
            for group in self.optimizer.param_groups:
                group["lr"] = group["rate"] * factor
            batch = collate(chunk, self.pieces, s["mask"], self.noise, rng, s["variants"])
            margin, entropy, remote = losses(self.model, batch, s)
            self.optimizer.zero_grad(set_to_none=True)
            (margin + s["entropy"] * entropy + remote).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optimizer.step()
            if k % _AVERAGE_EVERY == 0:
                self.update_average()
            sums += [margin.item(), entropy.item(), remote.item()]
            if k % 50 == 0:
                so_far = f"{(sums / (k + 1)).round(3)} {time.time() - began:.0f}s"
                print(f"{self.epoch} {k}/{len(chunks)} {so_far}", file=sys.stderr, flush=True)
        margin, entropy, remote = (sums / len(chunks)).round(4).tolist()
        return {"margin": margin, "entropy": entropy, "remote": remote, "seconds": round(time.time() - began)}

    @torch.no_grad()
    def update_average(self) -> None:
        """Move the averaged weights towards the present ones; faster in the beginning."""
        decay = min(self.settings["average"], (1 + self.step) / (10 + self.step)) ** _AVERAGE_EVERY
        averaged = list(self.average.parameters())
        torch._foreach_mul_(averaged, decay)
        torch._foreach_add_(averaged, list(self.model.parameters()), alpha=1 - decay)

    def evaluate(self) -> dict[str, Any]:
        """Return the dev figures of the averaged weights."""
        figures: dict[str, Any] = {}
        for corpus in self.dev:
            predicted = predict(self.average, self.pieces, self.inventory, corpus)
            rows = total(map(evaluate, corpus.graphs, predicted)).tables["labelled"]
            figures[corpus.name] = {name: round(100 * rows[name].f, 3) for name in ("primary", "remote", "all")}
        figures["score"] = sum(figures[c.name]["all"] for c in self.dev) / max(1, len(self.dev))
        return figures


if __name__ == "__main__":
    main()
