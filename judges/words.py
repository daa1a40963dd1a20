"""Teach a small network how well words fit in the place of others, from figures of the trunk's layers; and apply it.

Learns from substitutes that people judged (SWORDS, ProLex, and those written for the project): their order for a word,
and how likely people accept each. Writes ``words.pt``, and ``NAME.words.npy`` beside each file to apply it to: the
least and the mean logits of the replacements of each pair. What it learned from gets the scores of networks that never
saw the context, which is cut into :data:`FOLDS` parts. Nothing that is held out (``Pair.is_held_out``) is ever learned
from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from judges.encode import Block, joined, load_block
from judges.network import OUTPUTS, WordHead

#: How many parts the contexts are cut into.
FOLDS = 5
#: The data set of the lists whose authors say what fits; those of the others were rated.
WRITTEN = "written"
#: Steps, each over all words, and how much weights shrink.
STEPS, DECAY = 100, 0.3
#: Shares of people are kept away from 0 and 1 by this much.
LEAST_SHARE = 0.02


def word_loss(logits: torch.Tensor, scores: torch.Tensor, of_list: torch.Tensor) -> torch.Tensor:
    """Return the loss of the logits of candidates against what people say.

    Half of it is the cross-entropy of both as shares of their list (the order), half that of both as probabilities.
    """
    lists = int(of_list.max()) + 1

    def shares(values: torch.Tensor) -> torch.Tensor:
        top = torch.full((lists,), -1e9).scatter_reduce(0, of_list, values.detach(), "amax")
        e = torch.exp(values - top[of_list])
        return torch.log(e) - torch.log(torch.zeros(lists).index_add(0, of_list, e))[of_list]

    wanted, said = shares(scores), shares(logits)
    order = (wanted.exp() * (wanted - said)).sum() / lists
    return order + F.binary_cross_entropy_with_logits(logits, torch.sigmoid(scores))


def train(rows: Block, which: np.ndarray, seed: int) -> WordHead:
    """Train on some of the rows: the weighted sum of the figures first, then the network over them as well."""
    torch.manual_seed(seed)
    given = torch.from_numpy(rows.figures[which])
    head = WordHead(given.shape[1])
    head.mean.copy_(given.mean(0))
    head.deviation.copy_(given.std(0, correction=0).clamp(min=1e-3))
    pairs = [rows.pairs[k] for k in rows.of_pair[which].tolist()]
    shares = np.clip([pair.figure for pair in pairs], LEAST_SHARE, 1 - LEAST_SHARE)
    wanted = torch.from_numpy(np.log(shares / (1 - shares))).float()
    keys = np.array([pair.key for pair in pairs])
    is_written = np.array([pair.origin == WRITTEN for pair in pairs])
    # What each output learns from, and the list of each.
    parts = []
    for output, some in enumerate(map(torch.from_numpy, map(np.flatnonzero, (~is_written, is_written)))):
        if len(some):
            of_list = torch.from_numpy(np.unique(keys[some], return_inverse=True)[1])
            parts.append((output, some, of_list))
    for learning, rate in ((head.linear, 0.03), (head, 0.003)):
        optimizer = torch.optim.AdamW(learning.parameters(), lr=rate, weight_decay=DECAY)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
        for _ in range(STEPS):
            logits = head(given)
            losses = [word_loss(logits[some, output], wanted[some], of_list) for output, some, of_list in parts]
            optimizer.zero_grad()
            torch.stack(losses).sum().backward()
            optimizer.step()
            schedule.step()
    return head.eval()


@torch.no_grad()
def say(head: WordHead, rows: Block, which: np.ndarray) -> np.ndarray:
    """Return the logits of some of the replacements, (replacements, outputs)."""
    return head(torch.from_numpy(rows.figures[which])).numpy()


def of_pairs(said: np.ndarray, index: np.ndarray, pairs: int) -> np.ndarray:
    """Return the least and the mean logits of the replacements of each pair, (pairs, 2 * outputs); 0 without any."""
    counts = np.bincount(index, minlength=pairs)[:, None]
    least, total = np.full((pairs, said.shape[1]), np.inf), np.zeros((pairs, said.shape[1]))
    np.minimum.at(least, index, said)
    np.add.at(total, index, said)
    both = np.concatenate([least, total / np.maximum(counts, 1)], axis=1)
    return np.where(counts > 0, both, 0).astype(np.float32)


def cross_scores(rows: Block, seed: int) -> np.ndarray:
    """Return the logits of all rows, each of a network that never saw its context, nor one that is held out."""
    folds = np.array([pair.fold for pair in rows.pairs])[rows.of_pair] % FOLDS
    usable = learnable(rows)
    said = np.zeros((len(folds), OUTPUTS), np.float32)
    for fold in range(FOLDS):
        here, others = np.flatnonzero(folds == fold), np.flatnonzero((folds != fold) & usable)
        if len(here) and len(others):
            said[here] = say(train(rows, others, seed), rows, here)
    return said


def learnable(rows: Block) -> np.ndarray:
    """Return which rows may be learned from: substitutes of contexts that are not held out, alone in their pairs.

    What people said of a pair holds for its replacement if there is no other.
    """
    of_list = np.array([bool(pair.key) and not pair.is_held_out for pair in rows.pairs])[rows.of_pair]
    return of_list & (np.bincount(rows.of_pair)[rows.of_pair] == 1)


def make(judged: Sequence[Path], out: Path, encoded: Sequence[Path], seed: int) -> None:
    """Train the network of words on some files of :mod:`judges.encode`, and apply it to all."""
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    blocks = [load_block(path) for path in judged]
    rows = joined(blocks)
    cross = cross_scores(rows, seed)
    head = train(rows, np.flatnonzero(learnable(rows)), seed)
    ends = np.cumsum([len(block.of_pair) for block in blocks])[:-1]
    unseen = dict(zip(judged, np.split(cross, ends), strict=True))
    for path in encoded:
        own = load_block(path)
        said = say(head, own, np.arange(len(own.of_pair)))
        if path in unseen:
            said = np.where(learnable(own)[:, None], unseen[path], said)
        np.save(path.with_suffix(".words.npy"), of_pairs(said, own.of_pair, len(own.pairs)))
    torch.save(head.state_dict(), out / "words.pt")
