"""Train the networks over pairs, on what the trunk says of their tokens, and on their features.

Small networks that read the files of :mod:`judges.encode`; the data sets are weighed, so that small ones count. Writes
``head.pt``, and ``holdout.jsonl`` for the pairs that are held out.
"""

from __future__ import annotations

import json
import math
import pickle
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from judges.data import Pair
from judges.encode import Block, joined
from judges.network import SAYS, PairNet, gather
from training.precision import half

#: How much each data set counts in all; those that are not named are measured and not learned from.
SHARES = {
    "swords": 0.27, "prolex": 0.05, "made": 0.26, "ends": 0.15, "step": 0.05, "step-wrong": 0.04, "paws": 0.22,
    "mqm": 0.12, "breaking-nli": 0.07, "written": 0.26, "rewrites": 0.25, "corrections": 0.1, "clear": 0.12,
    "summedits": 0.09, "snli": 0.14, "vitaminc": 0.26, "med": 0.12, "covering": 0.12,
}  # fmt: skip
#: How much each of :data:`judges.network.SAYS` counts.
OF_OUTPUT = (1.0, 0.6, 0.6)
#: How many networks; how much is dropped.
COUNT, DROPOUT = 12, 0.15
#: How often all pairs are read, the highest learning rate, and how many pairs are read together.
EPOCHS, RATE, SIZE = 8, 1e-3, 128
#: How many of them read the features alone: the mean of both kinds is better than either.
PLAIN = 6


def batch_of(block: Block, which: np.ndarray) -> dict[str, torch.Tensor]:
    """Return some pairs as :class:`~judges.network.PairNet` reads them, with their labels."""
    tokens = gather(block.upper, [block.readings[k] for k in which], block.starts[which])
    tokens["features"] = torch.from_numpy(block.features[which])
    tokens["label"] = torch.tensor([block.pairs[k].wanted for k in which])
    return tokens


def part_of(pair: Pair) -> str:
    """Return the pair's name in :data:`SHARES`; wrong corrections and the sets of entailment have their own."""
    if pair.origin == "entailment":
        return pair.kind.split(".")[0]
    return "step-wrong" if pair.origin == "step" and pair.label < 0.5 else pair.origin


def weights_of(pairs: Sequence[Pair]) -> torch.Tensor:
    """Return a weight for each pair, so that the data sets count by their shares; the mean is 1."""
    origins = [part_of(p) for p in pairs]
    counts = {name: origins.count(name) for name in set(origins)}
    weight = torch.tensor([SHARES.get(name, 0.0) / counts[name] for name in origins])
    return weight / weight.mean()


def pair_loss(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Return the loss of each pair, (pairs,), from (pairs, networks, outputs) and labels, (pairs, outputs), or NaN."""
    is_known = ~wanted.isnan()
    target = wanted.nan_to_num().unsqueeze(1).expand_as(logits)
    loss = F.binary_cross_entropy_with_logits(logits, target, reduction="none").mean(1)
    return (loss * is_known * torch.tensor(OF_OUTPUT)).sum(1)


def train_head(data: Block, used: np.ndarray, seed: int) -> PairNet:
    """Train the networks on some of the pairs, given by their numbers, with the data sets weighed by their shares."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    net = PairNet(data.upper.shape[1], data.features.shape[1], COUNT, DROPOUT, PLAIN)
    net.mean.copy_(torch.from_numpy(data.features[used].mean(0)))
    net.deviation.copy_(torch.from_numpy(data.features[used].std(0)).clamp(min=1e-3))
    weight = np.zeros(len(data.pairs), np.float32)
    weight[used] = weights_of([data.pairs[k] for k in used]).numpy()
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.03)
    steps = EPOCHS * (len(used) // SIZE + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1, pct_start=0.1)
    began = time.time()
    for epoch in range(EPOCHS):
        net.train()
        # Pairs of like length together; which ones, and in which order, by chance.
        ordered = sorted(used.tolist(), key=lambda k: len(data.readings[k].flag) + rng.uniform(-8, 8))
        parts = [np.array(ordered[k : k + SIZE]) for k in range(0, len(ordered), SIZE)]
        rng.shuffle(parts)
        total = 0.0
        for some in parts:
            batch = batch_of(data, some)
            with half():
                logits = net.each(batch)
            loss = pair_loss(logits.float(), batch["label"])
            loss = (loss * torch.from_numpy(weight[some])).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"{epoch + 1}: {total / len(parts):.4f}, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
    return net.eval()


@torch.no_grad()
def predict(net: PairNet, data: Block, which: np.ndarray) -> np.ndarray:
    """Return the logits of some of the pairs, (pairs, outputs)."""
    order = sorted(range(len(which)), key=lambda k: len(data.readings[which[k]].flag))
    said = np.zeros((len(which), len(SAYS)), np.float32)
    for k in range(0, len(order), SIZE):
        some = order[k : k + SIZE]
        said[some] = net(batch_of(data, which[some])).numpy()
    return said


def write_rows(path: Path, pairs: Sequence[Pair], said: np.ndarray) -> None:
    """Write pairs with what was said of each, as :mod:`judges.calibrate` reads them."""
    with open(path, "w", encoding="utf-8") as file:
        for pair, values in zip(pairs, said.tolist(), strict=True):
            row = {"origin": pair.origin, "source": pair.source, "target": pair.output, "label": pair.label}
            labels = zip(SAYS, pair.wanted, strict=True)
            row["wanted"] = {name: value for name, value in labels if not math.isnan(value)}
            row["said"] = {name: round(value, 6) for name, value in zip(SAYS, values, strict=True)}
            file.write(json.dumps(row) + "\n")


def make(encoded: Sequence[Path], out: Path, seed: int) -> None:
    """Train the networks on files of :mod:`judges.encode`."""
    torch.set_num_threads(1)
    data = joined([Block(*pickle.loads(path.read_bytes())) for path in encoded])
    outside = np.array([pair.is_held_out for pair in data.pairs])
    net = train_head(data, np.flatnonzero(~outside), seed)
    held = np.flatnonzero(outside)
    said = 1 / (1 + np.exp(-predict(net, data, held).astype(np.float64)))
    pairs = [data.pairs[k] for k in held]
    out.mkdir(parents=True, exist_ok=True)
    write_rows(out / "holdout.jsonl", pairs, said)
    torch.save(net.state_dict(), out / "head.pt")
