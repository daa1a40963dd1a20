"""Teach the upper layers of the encoder what a larger model says of words in their contexts.

::

    python -m judges.train scores/*.jsonl --out runs/judge --swords FILE [--prolex-dev FILE]

Writes ``log.jsonl`` and ``best.pt``. What it learns: the order of the candidates for a word, and how likely people
would accept each. What people said (SWORDS) is learned like what the teacher says.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from judges.data import prolex_dev, swords
from judges.evaluate import auc, gap
from judges.network import WordNet
from judges.words import WordList, lists_of_pairs, read_lists, scored_rows, word_lists
from training.encoders import encoder_folder, load_pieces

#: Lists a step, and candidates of each.
LISTS, CANDIDATES = 24, 10
#: How many tokens on either side of a word are read.
AROUND = 24
#: Contexts of SWORDS in these folds of ten are measured on, not learned from.
HELD = (0, 1)
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
def word_figures(net: WordNet, lists: Sequence[WordList], size: int = 8) -> dict[str, float]:
    """Return GAP and AUC of lists whose scores are what people say."""
    net.eval()
    gaps, people, said = [], [], []
    for at in range(0, len(lists), size):
        some = lists[at : at + size]
        with torch.autocast("cpu", torch.bfloat16):
            before, after, index = read_lists(net.sentences, some, [range(len(e.candidates)) for e in some])
            logits = net.words(before, after).float().numpy()
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
    p.add_argument("--epochs", type=int, default=1)
    p.add_argument("--rate", type=float, default=1e-4)
    p.add_argument("--head-rate", type=float, default=8e-4)
    p.add_argument("--minutes", type=float, help="stop after this time, with rates that fall until then")
    p.add_argument("--start", type=Path, metavar="RUN", help="train on from the weights of another run")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=1)
    return p.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    args = parse_args(argv)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    folder = encoder_folder(args.encoder)
    pieces = load_pieces(folder)
    lists = [entry for path in args.words for entry in word_lists(scored_rows(path), pieces, AROUND)]
    dev = {}
    if args.swords:
        pairs = list(swords(args.swords))
        lists += [e.with_logits() for e in lists_of_pairs([p for p in pairs if p.fold not in HELD], pieces, AROUND)]
        dev["swords"] = lists_of_pairs([p for p in pairs if p.fold in HELD], pieces, AROUND)
    if args.prolex_dev:
        dev["prolex-dev"] = lists_of_pairs(prolex_dev(args.prolex_dev), pieces, AROUND)
    net = WordNet(folder)
    if args.start:
        net.load_state_dict(torch.load(args.start / "best.pt", weights_only=True))
    groups = [
        {"params": list(net.sentences.learning.parameters()), "rate": args.rate},
        {"params": list(net.words.parameters()), "rate": args.head_rate},
    ]
    optimizer = torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, fused=True)
    args.out.mkdir(parents=True, exist_ok=True)
    plan: list[list[WordList]] = []
    for _ in range(args.epochs):
        mixed = sorted(rng.sample(lists, len(lists)), key=lambda e: len(e.ids) + rng.uniform(-6, 6))
        steps = [mixed[k : k + LISTS] for k in range(0, len(mixed), LISTS)]
        plan += rng.sample(steps, len(steps))
    print(f"{len(lists)} lists, {len(plan)} steps", file=sys.stderr, flush=True)
    began, losses = time.time(), []

    def measure(step: int) -> None:
        net.eval()
        row = {"step": step, "seconds": round(time.time() - began)}
        row |= {name: word_figures(net, of_set) for name, of_set in dev.items()}
        with open(args.out / "log.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(json.dumps(row), file=sys.stderr, flush=True)
        net.train()

    for step, batch in enumerate(plan):
        done = step / len(plan)
        if args.minutes:
            done = max(done, (time.time() - began) / (60 * args.minutes))
        if done >= 1:
            break
        factor = min(1.0, (step + 1) / 30) * (1 - done)
        for group in optimizer.param_groups:
            group["lr"] = group["rate"] * factor
        with torch.autocast("cpu", torch.bfloat16):
            loss = _word_step(net, batch, rng)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 20 == 19:
            print(step + 1, f"{np.mean(losses[-20:]):.4f} {time.time() - began:.0f} s", file=sys.stderr, flush=True)
            torch.save(net.state_dict(), args.out / "best.pt")
    torch.save(net.state_dict(), args.out / "best.pt")
    measure(len(losses))


def _word_step(net: WordNet, lists: Sequence[WordList], rng: random.Random) -> torch.Tensor:
    chosen = [rng.sample(range(len(e.candidates)), min(CANDIDATES, len(e.candidates))) for e in lists]
    before, after, index = read_lists(net.sentences, lists, chosen)
    scores = torch.tensor([e.scores[k] for e, some in zip(lists, chosen, strict=True) for k in some])
    return word_loss(net.words(before, after).float(), scores, index)


if __name__ == "__main__":
    main()
