"""Teach the upper layers of the encoder what a larger model says of words in their contexts.

::

    python -m judges.train scores/*.jsonl --out runs/judge --swords FILE [--prolex-dev FILE]

Writes ``log.jsonl`` and ``best.pt``, and ``state.pt`` on the way, from which the command goes on after a stop. What it
learns: the order of the candidates for a word, and how likely people would accept each. What people said (SWORDS) is
learned like what the teacher says.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from judges.data import HELD, prolex_dev, swords
from judges.evaluate import auc, gap
from judges.network import WordNet
from judges.words import ListReader, WordList, lists_of_pairs, scored_rows, word_lists
from training.encoders import encoder_folder, load_pieces
from usim.judge.words import surface

#: Lists a step, and candidates of each.
LISTS, CANDIDATES = 24, 10
#: How many tokens on either side of a word are read.
AROUND = 24
#: How often the lists of people are read in an epoch; how many epochs there are.
PEOPLE, EPOCHS = 4, 3
#: How far the scores of a list are from one another, for the loss by order.
TEMPERATURE = 1.0


def word_loss(logits: torch.Tensor, scores: torch.Tensor, of_list: torch.Tensor) -> torch.Tensor:
    """Return the loss of the logits of candidates against a teacher's.

    Half of it is the cross-entropy of both as shares of their list (the order), half that of both as probabilities.
    """
    lists = int(of_list.max()) + 1

    def shares(values: torch.Tensor) -> torch.Tensor:
        top = torch.full((lists,), -1e9).scatter_reduce(0, of_list, values.detach(), "amax")
        e = torch.exp(values - top[of_list])
        return torch.log(e) - torch.log(torch.zeros(lists).index_add(0, of_list, e))[of_list]

    wanted, said = shares(scores / TEMPERATURE), shares(logits / TEMPERATURE)
    order = (wanted.exp() * (wanted - said)).sum() / lists
    return order + F.binary_cross_entropy_with_logits(logits, torch.sigmoid(scores))


@torch.no_grad()
def word_figures(net: WordNet, reader: ListReader, lists: Sequence[WordList], size: int = 8) -> dict[str, float]:
    """Return GAP and AUC of lists whose scores are what people say; the reader was made with these."""
    gaps, people, said = [], [], []
    for at in range(0, len(lists), size):
        some = lists[at : at + size]
        with torch.autocast("cpu", torch.bfloat16):
            replaced, index = reader(range(at, at + len(some)), [range(len(e.candidates)) for e in some])
            logits = net.words(replaced).float().numpy()
        for k, entry in enumerate(some):
            people.append(np.array(entry.scores))
            said.append(logits[index.numpy() == k])
            if people[-1].max() > 0:
                gaps.append(gap(people[-1], said[-1]))
    figure = auc(np.concatenate(people) >= 0.5, np.concatenate(said))
    return {"gap": round(100 * float(np.mean(gaps)), 2), "auc": round(figure, 4)}


def parse_args(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the options of the command."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("words", nargs="+", type=Path, help="what the teacher scored")
    p.add_argument("--swords", type=Path, help="SWORDS dev: eight tenths are learned from, the others measured on")
    p.add_argument("--prolex-dev", type=Path, help="ProLex dev, measured on")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--encoder", metavar="DIR")
    p.add_argument("--epochs", type=int, default=EPOCHS, help="default: %(default)s")
    p.add_argument("--most", type=int, help="so many of the teacher's words at most, for a trial")
    p.add_argument("--rate", type=float, default=2e-4, help="of the encoder's layers (default: %(default)s)")
    p.add_argument("--head-rate", type=float, default=1e-3, help="default: %(default)s")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=1)
    return p.parse_args(argv)


@dataclass
class Run:
    """A training that can stop at any step and go on as if it had not stopped: all chance depends on seed and step."""

    net: WordNet
    lists: Sequence[WordList]
    dev: Mapping[str, Sequence[WordList]]
    args: argparse.Namespace
    step: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        """Make the optimizer, and go on where an earlier run stopped."""
        groups = [
            {"params": list(self.net.sentences.learning.parameters()), "rate": self.args.rate},
            {"params": list(self.net.words.parameters()), "rate": self.args.head_rate},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, fused=True)
        self.reader = ListReader(self.net, self.lists)
        self.dev_readers = {name: ListReader(self.net, of_set) for name, of_set in self.dev.items()}
        self.plan = [steps for epoch in range(self.args.epochs) for steps in self._epoch(epoch)]
        if self._saved.exists():
            state = torch.load(self._saved, weights_only=True)
            self.net.load_state_dict(state["net"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step, self.seconds = state["step"], state["seconds"]

    @property
    def _saved(self) -> Path:
        out: Path = self.args.out
        return out / "state.pt"

    def _epoch(self, number: int) -> list[list[int]]:
        """Return the steps of an epoch: the numbers of lists of like length."""
        rng = random.Random(f"{self.args.seed}:epoch:{number}")
        length = [len(e.ids) + rng.uniform(-6, 6) for e in self.lists]
        ordered = sorted(range(len(self.lists)), key=length.__getitem__)
        steps = [ordered[k : k + LISTS] for k in range(0, len(ordered), LISTS)]
        return rng.sample(steps, len(steps))

    def finish(self) -> None:
        """Train up to the last step; save and measure now and then."""
        began, losses = time.time() - self.seconds, []
        self.net.train()
        while self.step < len(self.plan):
            losses.append(self._learn(self.plan[self.step]))
            self.step += 1
            self.seconds = time.time() - began
            if self.step % 50 == 0:
                print(self.step, f"{np.mean(losses[-50:]):.4f} {self.seconds:.0f} s", file=sys.stderr, flush=True)
            if self.step % 400 == 0:
                self._save()
                self._measure()
        torch.save(self.net.state_dict(), self.args.out / "best.pt")
        self._measure()

    def _learn(self, numbers: Sequence[int]) -> float:
        lists = [self.lists[k] for k in numbers]
        factor = min(1.0, (self.step + 1) / 100) * (1 - self.step / len(self.plan))
        for group in self.optimizer.param_groups:
            group["lr"] = group["rate"] * factor
        rng = random.Random(f"{self.args.seed}:step:{self.step}")
        chosen = [rng.sample(range(len(e.candidates)), min(CANDIDATES, len(e.candidates))) for e in lists]
        scores = torch.tensor([e.scores[k] for e, some in zip(lists, chosen, strict=True) for k in some])
        # The fast kernel of attention is slow where gradients are wanted on a processor.
        with sdpa_kernel(SDPBackend.MATH), torch.autocast("cpu", torch.bfloat16):
            replaced, index = self.reader(numbers, chosen)
            loss = word_loss(self.net.words(replaced).float(), scores, index)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def _save(self) -> None:
        state = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict()}
        partial = self._saved.with_suffix(".part")
        torch.save(state | {"step": self.step, "seconds": self.seconds}, partial)
        partial.rename(self._saved)

    def _measure(self) -> None:
        self.net.eval()
        row = {"step": self.step, "seconds": round(self.seconds)}
        row |= {name: word_figures(self.net, self.dev_readers[name], of_set) for name, of_set in self.dev.items()}
        with open(self.args.out / "log.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(json.dumps(row), file=sys.stderr, flush=True)
        self.net.train()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    args = parse_args(argv)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    folder = encoder_folder(args.encoder)
    pieces = load_pieces(folder)
    lists = [entry for path in args.words for entry in word_lists(scored_rows(path), pieces, AROUND)][: args.most]
    dev = {}
    if args.swords:
        pairs = list(swords(args.swords))
        people = lists_of_pairs([p for p in pairs if p.fold not in HELD], pieces, AROUND)
        lists += [e.with_logits() for e in people] * PEOPLE
        dev["swords"] = lists_of_pairs([p for p in pairs if p.fold in HELD], pieces, AROUND)
    if args.prolex_dev:
        dev["prolex-dev"] = lists_of_pairs(prolex_dev(args.prolex_dev), pieces, AROUND)
    net = WordNet(folder)
    rows = [surface(e.word, text) for e in lists[:2000] for text in e.texts]
    net.words.standardise(torch.tensor(rows))
    args.out.mkdir(parents=True, exist_ok=True)
    run = Run(net, lists, dev, args)
    print(f"{len(lists)} lists, step {run.step} of {len(run.plan)}", file=sys.stderr, flush=True)
    run.finish()


if __name__ == "__main__":
    main()
