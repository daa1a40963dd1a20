"""Train the judge on encoded pairs.

::

    python -m judges.train encoded/*.pkl --out runs/judge [--holdout 0 1]

Writes ``settings.json``, ``log.jsonl``, ``best.pt`` and ``holdout.jsonl`` (what it says of the pairs held out).
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

from judges.encode import Encoded, load
from judges.evaluate import figures
from judges.network import JudgeNet, collate
from training.encoders import encoder_folder

#: How much a pair of each data set counts, and how often it is seen an epoch.
WEIGHTS = {"tmu": 2.0, "csmd": 2.0, "swords": 1.0, "prolex": 0.7, "made": 0.7, "step": 1.0}
REPEATS = {"tmu": 2, "csmd": 2}


Place = tuple[int, int]


def batches(data: Sequence[Encoded], which: Sequence[Place], size: int, rng: random.Random) -> list[list[Place]]:
    """Return batches of pairs of like length, in random order, with about equally many tokens."""

    def length(at: Place) -> int:
        return len(data[at[0]].readings[at[1]].flag)

    ordered = sorted(which, key=lambda at: length(at) + rng.uniform(-4, 4))
    batches_: list[list[Place]] = [[]]
    for at in ordered:
        if batches_[-1] and (len(batches_[-1]) + 1) * length(at) > size:
            batches_.append([])
        batches_[-1].append(at)
    rng.shuffle(batches_)
    return batches_


@torch.no_grad()
def predict(model: JudgeNet, data: Sequence[Encoded], which: Sequence[Place], size: int = 3000) -> np.ndarray:
    """Return probabilities for pairs, in their order."""
    model.eval()
    said = {}
    for batch in batches(data, which, size, random.Random(0)):
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(collate(data, batch))
        said |= dict(zip(batch, torch.sigmoid(logits.float()).tolist(), strict=True))
    return np.array([said[at] for at in which])


def parse_args(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the options of the command."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("encoded", nargs="+", type=Path, help="files of judges.encode")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--encoder", metavar="DIR")
    p.add_argument("--holdout", type=int, nargs="*", default=[0, 1], help="folds of ten that are held out")
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--tokens", type=int, default=1600, help="tokens a batch")
    p.add_argument("--rate", type=float, default=1e-4)
    p.add_argument("--head-rate", type=float, default=5e-4)
    p.add_argument("--dropout", type=float, default=0.1)
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
    data = [load(path) for path in args.encoded]
    places = [(d, k) for d, set_ in enumerate(data) for k in range(len(set_.pairs))]
    pair = {at: data[at[0]].pairs[at[1]] for at in places}
    held = [at for at in places if pair[at].fold in args.holdout or pair[at].origin.endswith("dev")]
    out_of = set(held)
    used = [at for at in places if at not in out_of]
    print(f"{len(used)} pairs to train, {len(held)} held out", file=sys.stderr)
    model = JudgeNet(str(folder), data[0].features.shape[1], args.dropout)
    if args.start:
        model.load_state_dict(torch.load(args.start / "best.pt", weights_only=True))
    seen = np.stack([data[d].features[k] for d, k in used])
    model.mean.copy_(torch.from_numpy(seen.mean(0)))
    model.deviation.copy_(torch.from_numpy(seen.std(0)).clamp(min=1e-3))
    fresh = ("query", "pooled", "of_features", "last", "out", "flag", "lowest", "highest", "difference", "norm")
    groups = [
        {"params": list(model.joint.parameters()), "rate": args.rate},
        {"params": [p for n in fresh if hasattr(model, n) for p in getattr(model, n).parameters()],
         "rate": args.head_rate},
    ]  # fmt: skip
    optimizer = torch.optim.AdamW(groups, lr=0.0, weight_decay=0.01, fused=True)
    args.out.mkdir(parents=True, exist_ok=True)
    plan = [
        batches(data, [at for at in used for _ in range(REPEATS.get(pair[at].origin, 1))], args.tokens, rng)
        for _ in range(args.epochs)
    ]
    total, step, began = sum(map(len, plan)), 0, time.time()
    for epoch, epoch_batches in enumerate(plan):
        model.train()
        loss_sum = 0.0
        for k, batch in enumerate(epoch_batches):
            done = step / total
            factor = min(1.0, (done + 1e-6) / 0.06) * (1 - done)
            for group in optimizer.param_groups:
                group["lr"] = group["rate"] * factor
            tensors = collate(data, batch)
            weight = torch.tensor([WEIGHTS.get(pair[at].origin, 1.0) for at in batch])
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(tensors)
            loss = F.binary_cross_entropy_with_logits(logits.float(), tensors["label"], reduction="none")
            loss = (loss * weight).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            loss_sum += loss.item()
            if k % 100 == 0:
                print(
                    f"{epoch} {k}/{len(epoch_batches)} {loss_sum / (k + 1):.4f} {time.time() - began:.0f}s",
                    file=sys.stderr,
                    flush=True,
                )
        said = predict(model, data, held)
        report = figures([pair[at] for at in held], said)
        with open(args.out / "log.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps({"epoch": epoch + 1, "seconds": round(time.time() - began)} | report) + "\n")
        print(json.dumps(report), file=sys.stderr, flush=True)
        torch.save(model.state_dict(), args.out / "best.pt")
    with open(args.out / "holdout.jsonl", "w", encoding="utf-8") as file:
        for at, value in zip(held, said.tolist(), strict=True):
            p = pair[at]
            row = {"origin": p.origin, "source": p.source, "target": p.target, "label": p.label, "figure": p.figure}
            file.write(json.dumps(row | {"key": p.key, "kind": p.kind, "said": round(value, 4)}) + "\n")


if __name__ == "__main__":
    main()
