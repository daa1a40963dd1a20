"""Teach a small network how well words fit in the place of others, from figures of the trunk's layers; and apply it.

::

    python -m judges.words runs/judge/{swords,written}.pkl --out runs/judge/words --apply runs/judge/*.pkl

Learns from substitutes that people judged (SWORDS, and those written for the project): their order for a word, and how
likely people accept each. Writes ``words.pt``, ``words.json`` with the agreement with people on contexts that were not
learned from, in :data:`FOLDS` parts, and ``NAME.words.npy`` beside each file to apply it to: the least and the mean
logit of the replacements of each pair. What it learned from gets the scores of networks that never saw the context.
Nothing that is held out (``Pair.is_held_out``) is ever learned from.
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

from judges.data import Pair
from judges.encode import Block, joined, load_block
from judges.evaluate import gap
from judges.network import PAIRS, SEEN, WordHead
from training.statistics import auc

#: How many parts the contexts are cut into.
FOLDS = 5
#: Steps, each over all words, and how much weights shrink.
STEPS, DECAY = 100, 0.3


#: Scores of a list become shares of it at this temperature.
TEMPERATURE = 1.0
#: Shares of people are kept away from 0 and 1 by this much.
LEAST_SHARE = 0.02


def some_rows(rows: Block, which: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return figures and vectors of some replacements as :meth:`judges.network.WordHead.logits` reads them."""
    arrays = (array[which].astype(np.float32) for array in (rows.figures, rows.before, rows.after))
    figures, before, after = map(torch.from_numpy, arrays)
    return figures, before, after


def logits_of(shares: Sequence[float]) -> list[float]:
    """Return the logits of shares of people who would accept candidates."""
    inside = np.clip(shares, LEAST_SHARE, 1 - LEAST_SHARE)
    logits: list[float] = np.log(inside / (1 - inside)).tolist()
    return logits


def word_loss(logits: torch.Tensor, scores: torch.Tensor, of_list: torch.Tensor) -> torch.Tensor:
    """Return the loss of the logits of candidates against what people say.

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


def new_head(width: int, figures: int) -> WordHead:
    """Return a network that reads so many figures."""
    return WordHead(width, (figures - SEEN) // PAIRS)


def train(rows: Block, which: np.ndarray, seed: int, steps: int = STEPS) -> WordHead:
    """Train on some of the rows: the weighted sum of the figures first, then the network over them as well.

    What the network would read of the vectors stays without weight: there are too few words that people judged.
    """
    torch.manual_seed(seed)
    head = new_head(rows.before.shape[1], rows.figures.shape[1])
    head.mean.copy_(torch.from_numpy(rows.figures[which].mean(0)))
    head.deviation.copy_(torch.from_numpy(rows.figures[which].std(0)).clamp(min=1e-3))
    pairs = rows.pairs
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
def say(head: WordHead, rows: Block, which: np.ndarray, size: int = 4096) -> np.ndarray:
    """Return the logits of some of the replacements."""
    said = [head.logits(*some_rows(rows, which[k : k + size])).numpy() for k in range(0, len(which), size)]
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
    return {"gap": round(100 * float(np.mean(gaps)), 2), "auc": round(auc(said[figure >= 0.5], said[figure < 0.5]), 4)}


def cross_scores(rows: Block, seed: int, steps: int = STEPS) -> np.ndarray:
    """Return the logits of all rows, each of a network that never saw its context, nor one that is held out."""
    folds = np.array([pair.fold for pair in rows.pairs])[rows.of_pair] % FOLDS
    usable = learnable(rows)
    said = np.zeros(len(folds), np.float32)
    for fold in range(FOLDS):
        here, others = np.flatnonzero(folds == fold), np.flatnonzero((folds != fold) & usable)
        if len(here) and len(others):
            said[here] = say(train(rows, others, seed, steps), rows, here)
    return said


def learnable(rows: Block) -> np.ndarray:
    """Return which rows may be learned from: substitutes of contexts that are not held out, alone in their pairs.

    What people said of a pair holds for its replacement if there is no other.
    """
    of_list = np.array([bool(pair.key) and not pair.is_held_out for pair in rows.pairs])[rows.of_pair]
    usable: np.ndarray = of_list & (np.bincount(rows.of_pair)[rows.of_pair] == 1)
    return usable


def main(argv: Sequence[str] | None = None) -> None:
    """Train the network of words, and apply it."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("judged", nargs="+", type=Path, help="files of judges.encode with lists of judged substitutes")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--apply", type=Path, nargs="*", default=[])
    p.add_argument("--steps", type=int, default=STEPS, help="default: %(default)s")
    p.add_argument("--seed", type=int, default=1)
    args = p.parse_args(argv)
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    blocks = [load_block(path) for path in args.judged]
    rows = joined(blocks)
    cross = cross_scores(rows, args.seed, args.steps)
    said = of_pairs(cross, rows.of_pair, len(rows.pairs))[:, 0]
    listed = [number for number, pair in enumerate(rows.pairs) if pair.key]
    report = agreement([rows.pairs[number] for number in listed], said[listed])
    print(json.dumps(report), file=sys.stderr, flush=True)
    head = train(rows, np.flatnonzero(learnable(rows)), args.seed, args.steps)
    (args.out / "words.json").write_text(json.dumps(report) + "\n", encoding="utf-8")
    ends = np.cumsum([len(block.of_pair) for block in blocks])[:-1]
    unseen = dict(zip(args.judged, np.split(cross, ends), strict=True))
    for path in args.apply:
        own = load_block(path)
        said = say(head, own, np.arange(len(own.of_pair)))
        if path in unseen:
            said = np.where(learnable(own), unseen[path], said)
        np.save(path.with_suffix(".words.npy"), of_pairs(said, own.of_pair, len(own.pairs)))
    torch.save(head.state_dict(), args.out / "words.pt")


if __name__ == "__main__":
    main()
