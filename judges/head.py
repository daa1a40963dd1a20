"""Train the last layers of the judge anew, on what the layers below make of each pair.

::

    python -m judges.head encoded/*.pkl --run runs/judge --out runs/judge-head

The upper layers are trained once over all pairs (:mod:`judges.train`). What they make of a pair, and its features, are
small: on them the last layers can be trained many times, with the data sets weighed, from several seeds. The judge is
the mean of these heads. The folds that are held out give ``holdout.jsonl``; the weights that are shipped come from
training on all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from judges.data import Pair
from judges.encode import load
from judges.evaluate import figures
from usim.judge.classifier import LIMIT

#: How much each data set counts in all.
SHARES = {
    "tmu": 0.27, "csmd": 0.12, "swords": 0.3, "prolex": 0.05, "made": 0.23, "unrelated": 0.065,
    "step": 0.07, "step-wrong": 0.05,
}  # fmt: skip


class Head(nn.Module):
    """Several small networks from what the upper layers say of a pair, and its features, to a logit: their mean."""

    def __init__(self, width: int, features: int, count: int, dropout: float = 0.3) -> None:
        super().__init__()
        self.count = count
        self.pooled = nn.Linear(width, 32 * count)
        self.of_features = nn.Linear(features, 48 * count)
        self.linear = nn.Linear(features, count)
        self.last = nn.Parameter(torch.randn(count, 80, 24) * 80**-0.5)
        self.last_bias = nn.Parameter(torch.zeros(count, 24))
        self.out = nn.Parameter(torch.randn(count, 24) * 24**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pool_mean", torch.zeros(width))
        self.register_buffer("pool_deviation", torch.ones(width))
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("deviation", torch.ones(features))

    def each(self, pooled: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """Return the logits of each network, (pairs, networks)."""
        p = self.dropout((pooled - self.pool_mean) / self.pool_deviation)
        f = ((features - self.mean) / self.deviation).clamp(-LIMIT, LIMIT)
        dropped = self.dropout(f)
        a = F.gelu(self.pooled(p)).unflatten(1, (self.count, 32))
        b = F.gelu(self.of_features(dropped)).unflatten(1, (self.count, 48))
        h = torch.einsum("bki,kij->bkj", self.dropout(torch.cat([a, b], 2)), self.last) + self.last_bias
        return (F.gelu(h) * self.out).sum(2) + self.linear(dropped)

    def forward(self, pooled: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """Return the mean logits, (pairs,)."""
        return self.each(pooled, features).mean(1)


def part_of(pair: Pair) -> str:
    """Return the pair's name in :data:`SHARES`: its data set; wrong corrections count by themselves."""
    return "step-wrong" if pair.origin == "step" and pair.label < 0.5 else pair.origin


def weights_of(pairs: Sequence[Pair]) -> torch.Tensor:
    """Return a weight for each pair, so that the data sets count by their shares; the mean is 1."""
    origins = [part_of(p) for p in pairs]
    counts = {name: origins.count(name) for name in set(origins)}
    weight = torch.tensor([SHARES.get(name, 0.0) / counts[name] for name in origins])
    return weight / weight.mean()


def train_head(
    pooled: torch.Tensor, features: torch.Tensor, pairs: Sequence[Pair], count: int, epochs: int, seed: int,
    dropout: float, decay: float = 0.03,
) -> Head:  # fmt: skip
    """Train a head on these pairs."""
    torch.manual_seed(seed)
    label = torch.tensor([p.label for p in pairs])
    weight = weights_of(pairs)
    head = Head(pooled.shape[1], features.shape[1], count, dropout)
    head.pool_mean.copy_(pooled.mean(0))
    head.pool_deviation.copy_(pooled.std(0).clamp(min=1e-3))
    head.mean.copy_(features.mean(0))
    head.deviation.copy_(features.std(0).clamp(min=1e-3))
    optimizer = torch.optim.AdamW(head.parameters(), lr=1.5e-3, weight_decay=decay)
    steps = epochs * (len(pairs) // 256 + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.5e-3, total_steps=steps + 1, pct_start=0.1)
    head.train()
    for _ in range(epochs):
        for some in torch.randperm(len(pairs)).split(256):
            logits = head.each(pooled[some], features[some])
            target = label[some].unsqueeze(1).expand_as(logits)
            loss = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
            optimizer.zero_grad()
            (loss.mean(1) * weight[some]).mean().backward()
            optimizer.step()
            schedule.step()
    return head.eval()


def joined(one: Head, other: Head) -> Head:
    """Return a head with the networks of two, so that its logit is the mean of all.

    Inputs are standardised as the first has it; features further out than the limit can differ a little for the other.
    """
    pooled, features = one.pooled.in_features, one.of_features.in_features
    joint = Head(pooled, features, one.count + other.count).eval()
    with torch.no_grad():
        for name in ("pool_mean", "pool_deviation", "mean", "deviation"):
            getattr(joint, name).copy_(getattr(one, name))
        for name in ("pooled", "of_features", "linear"):
            mean, deviation = ("pool_mean", "pool_deviation") if name == "pooled" else ("mean", "deviation")
            first, second, layer = (getattr(head, name) for head in (one, other, joint))
            weight = second.weight * getattr(one, deviation) / getattr(other, deviation)
            shift = second.weight @ ((getattr(one, mean) - getattr(other, mean)) / getattr(other, deviation))
            layer.weight.copy_(torch.cat([first.weight, weight]))
            layer.bias.copy_(torch.cat([first.bias, second.bias + shift]))
        for name in ("last", "last_bias", "out"):
            getattr(joint, name).copy_(torch.cat([getattr(one, name), getattr(other, name)]))
    return joint


def train_both(
    pooled: torch.Tensor, features: torch.Tensor, pairs: Sequence[Pair], count: int, epochs: int, seed: int,
    dropout: float,
) -> Head:  # fmt: skip
    """Train a head of which half of the networks have seen no corrections done one at a time.

    What people say of corrections by systems (TMU-GFM) and what holds of corrections by people pull at the same place:
    networks that see both agree less with the former, those that do not see the latter mistrust all corrections.
    """
    rest = [k for k, pair in enumerate(pairs) if pair.origin != "step"]
    some = train_head(pooled[rest], features[rest], [pairs[k] for k in rest], count, epochs, seed, dropout)
    if len(rest) == len(pairs):
        return some
    return joined(some, train_head(pooled, features, pairs, count, epochs, seed, dropout))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("encoded", nargs="+", type=Path, help="files of judges.encode, with .pool.npy of judges.pool beside")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--count", type=int, default=4, help="networks without step pairs, and as many with them")
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--dropout", type=float, default=0.3)
    p.add_argument("--folds", type=int, default=5, help="parts of the cross-validation")
    p.add_argument("--unseen", type=int, nargs="*", default=[0], help="folds of ten that judges.train held out")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    sets = [load(path) for path in args.encoded]
    pairs = [pair for s in sets for pair in s.pairs]
    features = torch.from_numpy(np.concatenate([s.features for s in sets]))
    pooled = torch.from_numpy(np.concatenate([np.load(path.with_suffix(".pool.npy")) for path in args.encoded])).float()
    del sets
    dev = np.array([pair.origin.endswith("dev") for pair in pairs])
    fold = np.array([pair.fold % args.folds for pair in pairs])
    said = np.zeros(len(pairs))
    for k in range(args.folds):
        inside, outside = np.flatnonzero((fold != k) & ~dev), np.flatnonzero((fold == k) | (dev & (k == 0)))
        head = train_both(
            pooled[inside],
            features[inside],
            [pairs[i] for i in inside],
            args.count,
            args.epochs,
            args.seed,
            args.dropout,
        )
        with torch.no_grad():
            said[outside] = torch.sigmoid(head(pooled[outside], features[outside])).numpy()
        here = [pairs[i] for i in outside]
        print(k, json.dumps(figures(here, said[outside])), file=sys.stderr, flush=True)
    unseen = np.flatnonzero(dev | np.array([pair.fold in args.unseen for pair in pairs]))
    report = {"all": figures(pairs, said), "unseen": figures([pairs[i] for i in unseen], said[unseen])}
    print(json.dumps(report), file=sys.stderr, flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    with open(args.out / "holdout.jsonl", "w", encoding="utf-8") as file:
        for pair, value in zip(pairs, said.tolist(), strict=True):
            row = {"origin": pair.origin, "source": pair.source, "target": pair.target, "label": pair.label}
            row |= {"figure": pair.figure, "key": pair.key, "kind": pair.kind, "said": round(value, 5)}
            file.write(json.dumps(row) + "\n")
    (args.out / "figures.json").write_text(json.dumps(report, indent=1) + "\n")
    used = np.flatnonzero(~dev)
    head = train_both(
        pooled[used], features[used], [pairs[i] for i in used], args.count, args.epochs, args.seed, args.dropout
    )
    torch.save(head.state_dict(), args.out / "head.pt")


if __name__ == "__main__":
    main()
