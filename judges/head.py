"""Train the networks over pairs, on what the trunk says of their tokens, and on their features.

::

    python -m judges.head runs/judge/*.pkl --out runs/judge/head [--share tmu=.1]

Small networks that read the files of :mod:`judges.encode` with those of :mod:`judges.words` beside them; the data sets
are weighed, so that small ones count. Data sets without a share are measured and not learned from. Writes ``head.pt``,
and for the pairs that are held out ``holdout.jsonl`` and ``figures.json``.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from judges.data import Pair
from judges.encode import load_block
from judges.evaluate import figures
from judges.export import load_exported
from judges.network import SAYS, PairNet, gather
from usim.judge.inputs import PairInputs

#: How much each data set counts in all; those that are not named are measured and not learned from.
SHARES = {
    "swords": 0.27, "prolex": 0.05, "made": 0.26, "ends": 0.15, "step": 0.05, "step-wrong": 0.04, "paws": 0.09,
    "mqm": 0.12, "breaking-nli": 0.07, "written": 0.26, "rewrites": 0.25, "corrections": 0.1, "clear": 0.12,
    "summedits": 0.09, "entailment": 0.14,
}  # fmt: skip
#: How much each of :data:`judges.network.SAYS` counts.
OF_OUTPUT = (1.0, 0.6, 0.6)
#: Without AVX-512 or AMX, torch computes with 16 bits sixty times as slowly as with 32.
_HAS_BF16 = torch.backends.cpu.get_cpu_capability() not in ("DEFAULT", "AVX2")
#: How many networks; how much is dropped.
COUNT, DROPOUT = 12, 0.15
#: The highest learning rate.
RATE = 1e-3
#: How many of them read the features alone: the mean of both kinds is better than either.
PLAIN = 6


class Pairs:
    """Pairs of several data sets, ready for the networks.

    The features are those of the file, and the two of the network of words.

    Args:
        paths: files of ``judges.encode``, with those of ``judges.words`` beside.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.pairs: list[Pair] = []
        self.readings: list[PairInputs] = []
        starts, uppers, rows, before = [], [], [], 0
        for path in paths:
            block = load_block(path)
            self.pairs += block.pairs
            self.readings += block.readings
            starts.append(block.starts + before)
            before += len(block.upper)
            uppers.append(block.upper)
            rows.append(np.concatenate([block.features, np.load(path.with_suffix(".words.npy"))], axis=1))
        self.starts, self.upper, self.features = (np.concatenate(arrays) for arrays in (starts, uppers, rows))

    def batch(self, which: np.ndarray) -> dict[str, torch.Tensor]:
        """Return some pairs as :class:`~judges.network.PairNet` reads them, with their labels."""
        tokens = gather(self.upper, [self.readings[k] for k in which], self.starts[which])
        tokens["features"] = torch.from_numpy(self.features[which])
        tokens["label"] = torch.tensor([self.pairs[k].wanted for k in which])
        return tokens


def part_of(pair: Pair) -> str:
    """Return the pair's name in :data:`SHARES`: its data set; wrong corrections count by themselves."""
    return "step-wrong" if pair.origin == "step" and pair.label < 0.5 else pair.origin


def is_outside(pairs: Sequence[Pair], shares: Mapping[str, float] = SHARES) -> np.ndarray:
    """Return of which pairs nothing is learned: those that are held out, or in a data set without a share."""
    return np.array([part_of(pair) not in shares or pair.is_held_out for pair in pairs])


def weights_of(pairs: Sequence[Pair], shares: Mapping[str, float] = SHARES) -> torch.Tensor:
    """Return a weight for each pair, so that the data sets count by their shares; the mean is 1."""
    origins = [part_of(p) for p in pairs]
    counts = {name: origins.count(name) for name in set(origins)}
    weight = torch.tensor([shares.get(name, 0.0) / counts[name] for name in origins])
    return weight / weight.mean()


def pair_loss(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Return the loss of each pair, (pairs,), from (pairs, networks, outputs) and labels, (pairs, outputs), or NaN."""
    is_known = ~wanted.isnan()
    target = wanted.nan_to_num().unsqueeze(1).expand_as(logits)
    loss = F.binary_cross_entropy_with_logits(logits, target, reduction="none").mean(1)
    return (loss * is_known * torch.tensor(OF_OUTPUT)).sum(1)


def train_head(
    data: Pairs, used: np.ndarray, *, count: int = COUNT, epochs: int = 6, seed: int = 1, dropout: float = DROPOUT,
    size: int = 128, rate: float = RATE, shares: Mapping[str, float] = SHARES, plain: int = PLAIN,
    network: type[PairNet] = PairNet, start: PairNet | None = None,
) -> PairNet:  # fmt: skip
    """Train the networks on some of the pairs, given by their numbers, with the data sets weighed by their shares.

    The last ``plain`` networks read the features alone. Networks to ``start`` from keep their scale of the features.
    """
    torch.manual_seed(seed)
    rng = random.Random(seed)
    net = network(data.upper.shape[1], data.features.shape[1], count, dropout, plain)
    if start is None:
        net.mean.copy_(torch.from_numpy(data.features[used].mean(0)))
        net.deviation.copy_(torch.from_numpy(data.features[used].std(0)).clamp(min=1e-3))
    else:
        net.load_state_dict(start.state_dict())
    weight = np.zeros(len(data.pairs), np.float32)
    weight[used] = weights_of([data.pairs[k] for k in used], shares).numpy()
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.03)
    steps = epochs * (len(used) // size + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps + 1, pct_start=0.1)
    began = time.time()
    for epoch in range(epochs):
        net.train()
        # Pairs of like length together; which ones, and in which order, by chance.
        ordered = sorted(used.tolist(), key=lambda k: len(data.readings[k].flag) + rng.uniform(-8, 8))
        parts = [np.array(ordered[k : k + size]) for k in range(0, len(ordered), size)]
        rng.shuffle(parts)
        total = 0.0
        for some in parts:
            batch = data.batch(some)
            with torch.autocast("cpu", torch.bfloat16, enabled=_HAS_BF16):
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
def predict(net: PairNet, data: Pairs, which: np.ndarray, size: int = 128) -> np.ndarray:
    """Return the logits of some of the pairs, (pairs, outputs)."""
    order = sorted(range(len(which)), key=lambda k: len(data.readings[which[k]].flag))
    said = np.zeros((len(which), len(SAYS)), np.float32)
    for k in range(0, len(order), size):
        some = order[k : k + size]
        said[some] = net(data.batch(which[some])).numpy()
    return said


def write_rows(path: Path, pairs: Sequence[Pair], said: np.ndarray) -> None:
    """Write pairs with what was said of each, as :mod:`judges.calibrate` reads them."""
    with open(path, "w", encoding="utf-8") as file:
        for pair, values in zip(pairs, said.tolist(), strict=True):
            row = {"origin": pair.origin, "source": pair.source, "target": pair.target, "label": pair.label}
            row |= {"figure": pair.figure, "key": pair.key, "kind": pair.kind, "fold": pair.fold}
            labels = zip(SAYS, pair.wanted, strict=True)
            row["wanted"] = {name: value for name, value in labels if not math.isnan(value)}
            row["said"] = {name: round(value, 6) for name, value in zip(SAYS, values, strict=True)}
            file.write(json.dumps(row) + "\n")


def _share(text: str) -> tuple[str, float]:
    name, _, share = text.partition("=")
    return name, float(share)


def main(argv: Sequence[str] | None = None) -> None:
    """Train the networks."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("encoded", nargs="+", type=Path, help="files of judges.encode")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--count", type=int, default=COUNT, help="networks")
    p.add_argument("--plain", type=int, default=PLAIN, help="how many of these read the features alone")
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--start", type=Path, metavar="JUDGE", help="the folder of an exported judge, to go on from")
    p.add_argument("--rate", type=float, default=RATE, help="the highest learning rate (default: %(default)s)")
    p.add_argument("--dropout", type=float, default=DROPOUT)
    p.add_argument(
        "--share", action="append", default=[], type=_share, metavar="NAME=SHARE",
        help="the share of a further data set, or another share of one; 0 leaves it out",
    )  # fmt: skip
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    data = Pairs(args.encoded)
    shares = {name: share for name, share in (SHARES | dict(args.share)).items() if share > 0}
    outside = is_outside(data.pairs, shares)
    net = train_head(
        data, np.flatnonzero(~outside), count=args.count, epochs=args.epochs, seed=args.seed, dropout=args.dropout,
        shares=shares, plain=args.plain, rate=args.rate, start=args.start and load_exported(args.start)[0],
    )  # fmt: skip
    held = np.flatnonzero(outside)
    said = 1 / (1 + np.exp(-predict(net, data, held).astype(np.float64)))
    pairs = [data.pairs[k] for k in held]
    report = figures(pairs, said)
    print(json.dumps(report), file=sys.stderr, flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    write_rows(args.out / "holdout.jsonl", pairs, said)
    (args.out / "figures.json").write_text(json.dumps(report, indent=1) + "\n")
    torch.save(net.state_dict(), args.out / "head.pt")


if __name__ == "__main__":
    main()
