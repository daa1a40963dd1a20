"""Teach a small network how well words fit in the place of others, from figures of the trunk's layers; and apply it.

::

    python -m judges.larger.words encoded/swords.pkl --out runs/large --apply encoded/*.pkl

Learns from substitutes that people judged (SWORDS): their order for a word, and how likely people accept each. Writes
``words.pt``, and ``words.json`` with the agreement with people on contexts that were held out, in :data:`FOLDS` parts.
Then writes ``NAME.npz`` beside each file to apply it to, as :mod:`judges.vectors` does. What it learned from gets the
scores of networks that never saw the context. The contexts that :mod:`judges.head` holds out are never learned from, so
that figures on them are those of a judge that has not seen them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from judges.data import HELD, Pair
from judges.encode import load
from judges.evaluate import auc, gap
from judges.network import PAIRS, SEEN, WordHead
from judges.train import word_loss
from judges.vectors import Read
from judges.words import logits_of

#: How many parts the contexts are cut into.
FOLDS = 5
#: Steps, each over all words, and how much weights shrink.
STEPS, DECAY = 100, 0.3


class Replaced(NamedTuple):
    """Words and what stands for them, see :mod:`judges.larger.encode`."""

    of_pair: np.ndarray
    figures: np.ndarray
    before: np.ndarray
    after: np.ndarray

    def some(self, which: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return figures and vectors of some rows as :meth:`judges.network.WordHead.logits` reads them."""
        arrays = (array[which].astype(np.float32) for array in self[1:])
        figures, before, after = map(torch.from_numpy, arrays)
        return figures, before, after


def new_head(width: int, figures: int) -> WordHead:
    """Return a network that reads so many figures."""
    return WordHead(width, (figures - SEEN) // PAIRS)


def train(rows: Replaced, which: np.ndarray, pairs: Sequence[Pair], seed: int, steps: int = STEPS) -> WordHead:
    """Train on some of the rows: the weighted sum of the figures first, then the network over them as well.

    What the network would read of the vectors stays without weight: there are too few words that people judged.
    """
    torch.manual_seed(seed)
    head = new_head(rows.before.shape[1], rows.figures.shape[1])
    head.mean.copy_(torch.from_numpy(rows.figures[which].mean(0)))
    head.deviation.copy_(torch.from_numpy(rows.figures[which].std(0)).clamp(min=1e-3))
    numbers: dict[str, int] = {}
    of_list = torch.tensor([numbers.setdefault(pairs[k].key, len(numbers)) for k in rows.of_pair[which].tolist()])
    wanted = torch.tensor(logits_of([pairs[k].figure for k in rows.of_pair[which].tolist()])).float()
    figures = (torch.from_numpy(rows.figures[which]) - head.mean) / head.deviation
    vectors = 3 * rows.before.shape[1]
    with torch.no_grad():
        head.first.weight[:, :vectors] = 0
        head.figures.weight.zero_()
        head.figures.bias.zero_()
    inner = head.first.weight[:, vectors:].detach().clone().requires_grad_()
    linear, network = [head.figures.weight, head.figures.bias], [inner, head.first.bias, head.last.weight]
    for learning, rate in ((linear, 0.03), ([*linear, *network], 0.003)):
        optimizer = torch.optim.AdamW(learning, lr=rate, weight_decay=DECAY)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
        for _ in range(steps):
            hidden = F.gelu(F.linear(figures, inner, head.first.bias))
            loss = word_loss((head.figures(figures) + head.last(hidden)).squeeze(1), wanted, of_list)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    with torch.no_grad():
        head.first.weight[:, vectors:] = inner
    return head.eval()


@torch.no_grad()
def say(head: WordHead, rows: Replaced, size: int = 4096) -> np.ndarray:
    """Return the logit of each row."""
    count = len(rows.of_pair)
    said = [head.logits(*rows.some(np.arange(k, min(k + size, count)))).numpy() for k in range(0, count, size)]
    return np.concatenate([np.zeros(0, np.float32), *said])


def of_pairs(said: np.ndarray, index: np.ndarray, pairs: int) -> np.ndarray:
    """Return the least and the mean logit of the replacements of each pair, (pairs, 2); 0 where there are none."""
    counts = np.bincount(index, minlength=pairs)
    mean = np.bincount(index, said, pairs) / np.maximum(counts, 1)
    least = np.full(pairs, np.inf)
    np.minimum.at(least, index, said)
    return np.stack([np.where(counts > 0, least, 0), mean], axis=1).astype(np.float32)


def agreement(pairs: Sequence[Pair], said: np.ndarray) -> dict[str, float]:
    """Return GAP and AUC of substitutes that people judged."""
    lists: dict[str, list[int]] = {}
    for number, pair in enumerate(pairs):
        lists.setdefault(pair.key, []).append(number)
    figure = np.array([pair.figure for pair in pairs])
    gaps = [gap(figure[some], said[some]) for some in map(np.array, lists.values()) if figure[some].max() > 0]
    return {"gap": round(100 * float(np.mean(gaps)), 2), "auc": round(auc(figure >= 0.5, said), 4)}


def cross_scores(rows: Replaced, pairs: Sequence[Pair], seed: int, steps: int = STEPS) -> np.ndarray:
    """Return the logits of all rows, each of a network that never saw its context, nor one that is held out."""
    tenths = np.array([pair.fold for pair in pairs])[rows.of_pair]
    folds, usable = tenths % FOLDS, learnable(rows, pairs)
    said = np.zeros(len(folds), np.float32)
    for fold in range(FOLDS):
        here = folds == fold
        others = np.flatnonzero(~here & usable)
        if here.any() and len(others):
            head = train(rows, others, pairs, seed, steps)
            said[here] = say(head, Replaced(*(array[here] for array in rows)))
    return said


def learnable(rows: Replaced, pairs: Sequence[Pair]) -> np.ndarray:
    """Return which rows may be learned from: those of contexts that are not held out, alone in their pairs.

    What people said of a pair holds for its replacement if there is no other.
    """
    held = np.isin(np.array([pair.fold for pair in pairs]), HELD)[rows.of_pair]
    usable: np.ndarray = ~held & (np.bincount(rows.of_pair)[rows.of_pair] == 1)
    return usable


def read_rows(path: Path) -> Replaced:
    """Read the replacements of an encoded file."""
    with np.load(path.with_suffix(".words.npz")) as file:
        return Replaced(*(file[name] for name in Replaced._fields))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("swords", type=Path, help="encoded pairs of SWORDS")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--apply", type=Path, nargs="*", default=[])
    p.add_argument("--steps", type=int, default=STEPS, help="default: %(default)s")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    pairs, rows = load(args.swords).pairs, read_rows(args.swords)
    held = cross_scores(rows, pairs, args.seed, args.steps)
    report = agreement(pairs, of_pairs(held, rows.of_pair, len(pairs))[:, 0])
    print(json.dumps(report), file=sys.stderr, flush=True)
    head = train(rows, np.flatnonzero(learnable(rows, pairs)), pairs, args.seed, args.steps)
    (args.out / "words.json").write_text(json.dumps(report) + "\n", encoding="utf-8")
    for path in args.apply:
        data, own = load(path), read_rows(path)
        said = say(head, own)
        if path == args.swords:
            said = np.where(learnable(own, pairs), held, said)
        features = np.concatenate([data.features, of_pairs(said, own.of_pair, len(data.pairs))], axis=1)
        with np.load(path.with_suffix(".npz")) as file:
            read = Read(file["upper"], file["starts"], features)
        np.savez(path.with_suffix(".npz"), **read._asdict())
    torch.save(head.state_dict(), args.out / "words.pt")


if __name__ == "__main__":
    main()
