"""Train the detector of learners' errors (:mod:`usim.judge.grammar`).

Sentences with errors: what learners wrote (``judges/written``), and clean text with errors put in. Sentences without:
their corrections, and clean text of many kinds. A pair counts as mended if the logits of its sides differ by so much
that of the clean pairs that are held out, which were reworded, no more than :data:`FALSE` do.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from judges import data
from judges.encode import layers_of
from judges.pairs.learners import put_errors
from training.corpora import from_graphs
from training.statistics import auc
from usim.judge import TokenEncoder
from usim.judge.grammar import SPAN, ErrorDetector
from usim.registry import find_model
from usim.text import token_texts

#: The tables of learners' sentences, and the kinds of rows whose output has errors still, or may have.
LEARNERS = ("learners.tsv", "corrections.tsv")
HALF_CORRECTED = frozenset(("partial", "variant", "wrongword"))
CLEAN = ("rewrites.tsv", "otherwise.tsv", "simpler.tsv", "talks.tsv")
#: The most clean sentences of each source, and the share of them that get errors.
MOST, SPOILT = 2000, 0.6
#: The share of reworded clean pairs that may count as mended.
FALSE = 0.05
#: Longer sentences, in tokens, are left out.
LONGEST = 100
#: How many of the last layers that the judge of a model reads.
LAYERS = {"en": 1, "en-fast": 3}
HIDDEN, DROPOUT, EPOCHS, SIZE, RATE = 64, 0.3, 5, 48, 2e-3


class Example(NamedTuple):
    """A sentence, whether it has errors, and what it belongs to, for splits."""

    text: str
    has_errors: bool
    group: str

    @property
    def is_held_out(self) -> bool:
        return int(data.digest(self.group), 16) % 10 in data.HELD


def learners(written: Path) -> Iterator[Example]:
    """Yield what learners wrote, and its corrections."""
    for name in LEARNERS:
        for pair in data.written(written / name):
            yield Example(pair.source, True, pair.source)
            if pair.kind not in HALF_CORRECTED:
                yield Example(pair.output, False, pair.source)


def clean(pairs: Iterable[Sequence[data.Pair]], graphs: Iterable[tuple[str, Path]], rng: random.Random) -> list[str]:
    """Return clean sentences of pairs and of corpora, the same number of each at most."""
    texts = [[text for pair in some for text in (pair.source, pair.output)] for some in pairs]
    texts += [[sentence.text for sentence in from_graphs(folder, name)] for name, folder in graphs]
    distinct = [list(dict.fromkeys(some)) for some in texts]
    return [text for some in distinct for text in rng.sample(some, min(MOST, len(some)))]


def spoilt(texts: Iterable[str], rng: random.Random) -> Iterator[Example]:
    """Yield clean sentences, and some of them with a few errors put in, half of those with a single one."""
    for text in texts:
        yield Example(text, False, text)
        if rng.random() < SPOILT:
            other = put_errors(text, rng, 1 if rng.random() < 0.5 else None)
            if other != text:
                yield Example(other, True, text)


def vectors_of(texts: Sequence[str], encoder: TokenEncoder) -> list[np.ndarray]:
    """Return sentences as the network reads them: the vectors of their tokens in the last layers, as 16 bits."""
    tokens = [token_texts(text)[:LONGEST] or ["."] for text in texts]
    blocks = [encoder(tokens[k : k + 64]) for k in range(0, len(tokens), 64)]
    return [vectors.astype(np.float16) for block in blocks for vectors in block]


class Detector(nn.Module):
    """The network of :class:`usim.judge.grammar.ErrorDetector`."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.last, self.drop = nn.Linear(width, HIDDEN), nn.Linear(HIDDEN, 1), nn.Dropout(DROPOUT)
        self.near = nn.Conv1d(HIDDEN, HIDDEN, SPAN, padding=SPAN // 2)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the logits of sentences, (sentences,), from (sentences, tokens, width) and (sentences, tokens)."""
        x = torch.tanh(self.first(self.drop(x))) * mask.unsqueeze(-1)
        x = torch.relu(self.near(x.transpose(1, 2))).transpose(1, 2)
        said = self.last(self.drop(x)).squeeze(-1).masked_fill(mask == 0, -1e4)
        return torch.logsumexp(said, 1)

    def arrays(self, mean: torch.Tensor, deviation: torch.Tensor) -> dict[str, np.ndarray]:
        """Return the arrays of the file; the scale of the vectors goes into the first layer."""
        first = self.first.weight / deviation
        arrays = {
            "first": first.T, "first_bias": self.first.bias - first @ mean,
            "near": self.near.weight.permute(2, 1, 0), "near_bias": self.near.bias,
            "last": self.last.weight[0], "last_bias": self.last.bias[0],
        }  # fmt: skip
        return {name: value.detach().numpy().astype(np.float16) for name, value in arrays.items()}


def train(vectors: Sequence[np.ndarray], label: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """Train the network, and return its arrays."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    some = torch.from_numpy(np.concatenate(vectors[:2000]).astype(np.float32))
    mean, deviation = some.mean(0), some.std(0).clamp(min=1e-2)
    net = Detector(some.shape[1])
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    steps = EPOCHS * (len(vectors) // SIZE + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1)
    wanted = torch.from_numpy(label.astype(np.float32))
    for _ in range(EPOCHS):
        order = sorted(range(len(vectors)), key=lambda k: len(vectors[k]) + rng.uniform(-6, 6))
        batches = [order[k : k + SIZE] for k in range(0, len(order), SIZE)]
        rng.shuffle(batches)
        for batch in batches:
            parts = [(torch.from_numpy(vectors[k].astype(np.float32)) - mean) / deviation for k in batch]
            mask = nn.utils.rnn.pad_sequence([torch.ones(len(part)) for part in parts], batch_first=True)
            logits = net(nn.utils.rnn.pad_sequence(parts, batch_first=True), mask)
            loss = F.binary_cross_entropy_with_logits(logits, wanted[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return net.eval().arrays(mean, deviation)


def make(published: Path, written: Path, graphs: Iterable[tuple[str, Path]], model: str, seed: int, out: Path) -> None:
    """Train the detector on published and written pairs and UCCA XML, read by a model's trunk, and write its file."""
    torch.set_num_threads(1)
    rng = random.Random(seed)
    pairs = [
        *(list(data.written(written / name)) for name in CLEAN),
        list(data.paws(published / "paws-wiki-dev.tsv.gz")),
        list(data.summedits(published / "summedits-dev.jsonl.gz")),
        list(data.entailment(published / "entailment-dev.tsv.gz")),
    ]
    examples = list(dict.fromkeys([*learners(written), *spoilt(clean(pairs, graphs, rng), rng)]))
    trunk = find_model(model).parser.parent / "trunk"
    encoder = TokenEncoder(trunk, layers_of(trunk)[-LAYERS.get(model, 1) :])
    vectors = vectors_of([example.text for example in examples], encoder)
    label = np.array([example.has_errors for example in examples])
    is_held = np.array([example.is_held_out for example in examples])
    own = np.flatnonzero(~is_held)
    arrays = train([vectors[k] for k in own], label[own], seed)
    draft = out.with_suffix(".part.npz")
    np.savez(draft, **arrays, least=np.float32(0))
    detect = ErrorDetector(draft)
    said = np.array([detect(vectors[k].astype(np.float32)) for k in np.flatnonzero(is_held)])
    reworded = [pair for some in pairs for pair in some if pair.is_held_out and pair.source != pair.output]
    reworded = rng.sample(reworded, min(MOST, len(reworded)))
    texts = ([pair.source for pair in reworded], [pair.output for pair in reworded])
    sides = [[detect(v.astype(np.float32)) for v in vectors_of(of_side, encoder)] for of_side in texts]
    least = float(np.quantile(np.subtract(*sides), 1 - FALSE))
    np.savez(draft, **arrays, least=np.float32(least))
    draft.replace(out)
    held = label[is_held]
    report = {"sentences": len(examples), "auc": auc(said[held], said[~held]), "least": least}
    print(json.dumps(report), file=sys.stderr, flush=True)
