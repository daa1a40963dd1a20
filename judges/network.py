"""The judge's network: an encoder that reads each sentence by itself, and small networks over what it says of a pair.

The lower layers of a pretrained encoder stay as they are; those above them learn. Each token has a vector from either
half. :class:`WordHead` compares a word with what stands in its place, each in its own sentence. :class:`PairNet` reads
all tokens of both sentences, each with what happened to it, its role in the graph, and how its vector differs from its
partner's, and the features of the pair. What a pair costs besides reading a sentence is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from transformers import AutoModel

from usim.judge.classifier import LIMIT
from usim.judge.inputs import FLAGS, ROLES, PairInputs
from usim.judge.words import PAIRS, SURFACE

#: How many layers of the encoder stay as they are; the layers above them learn.
LOWER = 3
#: How many slices the vectors of the encoder have: those of the lower layers, and those of the upper ones.
SLICES = 2
#: The width of what :class:`PairNet` makes of a token.
INNER = 192
#: How many weighted means over the tokens of a pair are learned.
QUERIES = 4
#: How many figures of a replacement can be seen without reading.
SEEN = len(SURFACE)


@dataclass
class Pieces:
    """A sentence as word pieces; ``starts`` has the first piece of each token, and the end of the last."""

    ids: list[int]
    starts: list[int]


class SentenceEncoder(nn.Module):
    """The pretrained encoder, which reads each sentence by itself: two vectors for each token, one behind the other.

    Args:
        folder: the pretrained encoder; with all its layers.
    """

    def __init__(self, folder: Path | str) -> None:
        super().__init__()
        self.encoder: Any = AutoModel.from_pretrained(
            folder, add_pooling_layer=False, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
        ).float()
        self.width: int = self.encoder.config.hidden_size
        self.fixed = nn.ModuleList([self.encoder.embeddings, *self.encoder.encoder.layer[:LOWER]])
        self.learning = nn.ModuleList(self.encoder.encoder.layer[LOWER:])
        for parameter in self.fixed.parameters():
            parameter.requires_grad_(False)

    @torch.no_grad()
    def lower(self, ids: torch.Tensor, positions: torch.Tensor | None, bias: torch.Tensor) -> torch.Tensor:
        """Return what the lower layers give for pieces, (sentences, pieces, width).

        Args:
            ids: the pieces.
            positions: the position of each; by default their order.
            bias: what is added to the scores of attention, (sentences, 1, 1 or pieces, pieces).
        """
        x: torch.Tensor = self.fixed[0](ids, position_ids=positions)
        for layer in self.fixed[1:]:
            x = _first(layer(x, bias))
        return x

    def upper(self, lower: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """Return what the upper layers make of it, (sentences, pieces, width)."""
        x = lower
        for layer in self.learning:
            x = _first(layer(x, bias))
        return x

    @torch.no_grad()
    def lower_of(self, sentences: Sequence[Pieces]) -> tuple[np.ndarray, np.ndarray]:
        """Return what the lower layers give for all pieces, float16 (pieces, width), and where each sentence begins."""
        offsets = np.concatenate([[0], np.cumsum([len(s.ids) for s in sentences])]).astype(np.int64)
        out = np.zeros((offsets[-1], self.width), np.float16)
        for batch in in_batches(sentences):
            ids, bias = padded([sentences[k].ids for k in batch])
            with torch.autocast("cpu", torch.bfloat16):
                x = self.lower(ids, None, bias)
            for k, pieces in zip(batch, x.float().numpy(), strict=True):
                out[offsets[k] : offsets[k + 1]] = pieces[: len(sentences[k].ids)]
        return out, offsets

    def upper_of(self, lower: Sequence[np.ndarray]) -> torch.Tensor:
        """Return the upper layers' vectors of the pieces of some sentences, (sentences, most pieces, width)."""
        longest = max(map(len, lower))
        x = torch.from_numpy(np.stack([np.pad(v.astype(np.float32), ((0, longest - len(v)), (0, 0))) for v in lower]))
        _, bias = padded([[0] * len(v) for v in lower])
        return self.upper(x, bias)


def padded(ids: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the pieces of sentences as one array, and what hides the padding from the attention."""
    longest = max(map(len, ids))
    rows = np.array([[*some, *[0] * (longest - len(some))] for some in ids], np.int64)
    hidden = np.arange(longest) >= np.array([[len(some)] for some in ids])
    return torch.from_numpy(rows), torch.from_numpy(hidden).float()[:, None, None, :] * -1e4


def in_batches(sentences: Sequence[Pieces], size: int = 3000) -> Iterator[list[int]]:
    """Yield the numbers of sentences of like length, with at most so many pieces together."""
    batch: list[int] = []
    for k in sorted(range(len(sentences)), key=lambda k: len(sentences[k].ids)):
        if batch and (len(batch) + 1) * len(sentences[k].ids) > size:
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch


def token_means(pieces: np.ndarray, starts: Sequence[int]) -> np.ndarray:
    """Return the mean vectors of tokens, float32 (tokens, width), from those of a sentence's pieces."""
    if len(starts) < 2:
        return np.zeros((0, pieces.shape[1]), np.float32)
    sums = np.add.reduceat(pieces[: starts[-1]].astype(np.float32), starts[:-1], axis=0)
    means: np.ndarray = sums / np.diff(starts)[:, None]
    return means


def _first(result: Any) -> torch.Tensor:
    return result[0] if isinstance(result, tuple) else result


class Replaced(NamedTuple):
    """Words and what stands in their place, a row each.

    Attributes:
        before, after: the mean vectors of the words and of what stands for them, each in its sentence, (n, 2 * width).
        alone_before, alone_after: those of both without any text around.
        surface: what can be seen without reading, (n, :data:`SEEN`); see :func:`usim.judge.words.surface`.
    """

    before: torch.Tensor
    after: torch.Tensor
    alone_before: torch.Tensor
    alone_after: torch.Tensor
    surface: torch.Tensor

    def figures(self, width: int) -> torch.Tensor:
        """Return the figures of each row, (n, figures).

        They are cosines, by pair and within a pair by slice of the vectors (so wide): of the words and what stands
        for them, in the text; of both alone; of the word in the text and the other alone; of the other in the text
        and alone; of the other in the text and the word alone; of the word in the text and alone. The surface follows.
        """
        t, s, t_alone, s_alone = (F.normalize(v.unflatten(1, (-1, width)), dim=2) for v in self[:4])
        pairs = (t, s), (t_alone, s_alone), (t, s_alone), (s, s_alone), (s, t_alone), (t, t_alone)
        return torch.cat([*((a * b).sum(2) for a, b in pairs), self.surface], 1)


class WordHead(nn.Module):
    """How well what stands in the place of some words says what they say: a logit for each replacement.

    It starts as a sum of the cosines of words and replacement in the text; a weighted sum of all figures, and what a
    small network makes of them and of the upper vectors, are learned.

    Args:
        width: of a slice of the vectors.
        slices: how many slices they have.
    """

    def __init__(self, width: int, slices: int = SLICES, inner: int = 96) -> None:
        super().__init__()
        self.width, self.slices = width, slices
        figures = PAIRS * slices + SEEN
        self.figures = nn.Linear(figures, 1)
        self.first = nn.Linear(3 * width + figures, inner)
        self.last = nn.Linear(inner, 1, bias=False)
        self.register_buffer("mean", torch.zeros(figures))
        self.register_buffer("deviation", torch.ones(figures))
        with torch.no_grad():
            self.figures.weight.zero_()
            self.figures.weight[:, :slices] = 8.0 / slices
            self.figures.bias.fill_(-5.0)
            self.last.weight.zero_()

    def standardise(self, surface: torch.Tensor) -> None:
        """Bring the figures of the surface to one scale, that of some replacements."""
        self.mean[-SEEN:] = surface.mean(0)
        self.deviation[-SEEN:] = surface.std(0).clamp(min=0.1)

    def forward(self, replaced: Replaced) -> torch.Tensor:
        """Return logits, (replacements,)."""
        before, after = (v[:, -self.width :] for v in replaced[:2])
        return self.logits(replaced.figures(self.width), before, after)

    def logits(self, figures: torch.Tensor, before: torch.Tensor, after: torch.Tensor) -> torch.Tensor:
        """Return logits, (replacements,), from figures and the mean vectors of the last slice."""
        figures = (figures - self.mean) / self.deviation
        a, b = (F.normalize(v, dim=1) for v in (before, after))
        difference = (a - b) * self.width**0.5
        z = torch.cat([a * b * self.width, difference, difference.abs(), figures], 1)
        return (self.figures(figures) + self.last(F.gelu(self.first(z)))).squeeze(1)


class WordNet(nn.Module):
    """The encoder with the head that compares words."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__()
        self.sentences = SentenceEncoder(folder)
        self.words = WordHead(self.sentences.width)


class PairNet(nn.Module):
    """From the tokens of a pair and its features to logits: several small networks over one vector of the pair.

    Args:
        width: of the upper vectors.
        features: how many there are.
        count: how many small networks; the mean of their logits counts.
        plain: how many of these, the last ones, read the features alone.
    """

    def __init__(self, width: int, features: int, count: int, dropout: float = 0.3, plain: int = 0) -> None:
        super().__init__()
        self.count = count
        self.flag = nn.Embedding(2 * FLAGS, INNER)
        self.lowest = nn.Embedding(ROLES, INNER)
        self.highest = nn.Embedding(ROLES, INNER)
        for table in (self.flag, self.lowest, self.highest):
            nn.init.normal_(table.weight, std=0.1)
        self.first = nn.Linear(3 * width, INNER)
        self.between = nn.Linear(INNER, INNER)
        self.second = nn.Linear(INNER, INNER)
        self.norm = nn.LayerNorm(INNER)
        self.query = nn.Linear(INNER, QUERIES)
        self.pooled = nn.Linear((QUERIES + 2) * INNER, 32 * count)
        self.of_features = nn.Linear(features, 48 * count)
        self.linear = nn.Linear(features, count)
        self.last = nn.Parameter(torch.randn(count, 80, 24) * 80**-0.5)
        self.last_bias = nn.Parameter(torch.zeros(count, 24))
        self.out = nn.Parameter(torch.randn(count, 24) * 24**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("deviation", torch.ones(features))
        # What a network does not read has weights of 0, so that all are exported alike.
        reads = torch.ones(count, 80, 1)
        reads[count - plain :, :32] = 0
        self.register_buffer("reads", reads, persistent=False)
        with torch.no_grad():
            self.last *= reads

    def pool(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return a vector of each pair from the tokens of :func:`gather`."""
        mask = batch["mask"]
        difference = (batch["x"] - batch["other"]) * batch["paired"].unsqueeze(-1)
        e = self.first(torch.cat([batch["x"], difference, difference.abs()], -1))
        e = F.gelu(e + self.flag(batch["flag"]) + self.lowest(batch["lowest"]) + self.highest(batch["highest"]))
        e = self.norm(e + self.second(F.gelu(self.between(self.dropout(e)))))
        hidden = mask.unsqueeze(-1) == 0
        weights = torch.softmax(self.query(e).float().masked_fill(hidden, -1e4), dim=1)
        parts = torch.einsum("bnk,bnw->bkw", weights, e.float()).flatten(1)
        changed = (batch["changed"] * mask).float()
        mean = (e.float() * changed.unsqueeze(-1)).sum(1) / changed.sum(1, keepdim=True).clamp(min=1)
        largest = e.float().masked_fill(hidden, -1e4).amax(1)
        return torch.cat([parts, mean, largest], 1)

    def each(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the logits of each network, (pairs, networks)."""
        a = F.gelu(self.pooled(self.dropout(self.pool(batch)))).unflatten(1, (self.count, 32))
        features = ((batch["features"] - self.mean) / self.deviation).clamp(-LIMIT, LIMIT)
        dropped = self.dropout(features)
        b = F.gelu(self.of_features(dropped)).unflatten(1, (self.count, 48))
        last = self.last * self.reads
        h = torch.einsum("bki,kij->bkj", self.dropout(torch.cat([a, b], 2)), last) + self.last_bias
        return (F.gelu(h) * self.out).sum(2) + self.linear(dropped)

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the mean logits, (pairs,)."""
        return self.each(batch).mean(1)


def gather(upper: np.ndarray, readings: Sequence[PairInputs], starts: np.ndarray) -> dict[str, torch.Tensor]:
    """Return the tokens of pairs as :class:`PairNet` reads them.

    Args:
        upper: the upper vectors of the tokens of all sentences.
        readings: what is read of each pair.
        starts: int64 (pairs, 2), where the tokens of source and target begin in ``upper``.
    """
    b, longest = len(readings), max(len(r.flag) for r in readings)
    here, there = np.zeros((2, b, longest), np.int64)
    codes = {name: np.zeros((b, longest), dtype=np.int64) for name in ("flag", "lowest", "highest", "mask")}
    paired, changed = np.zeros((2, b, longest), dtype=np.float32)
    for row, (r, (source, target)) in enumerate(zip(readings, starts.tolist(), strict=True)):
        n = len(r.flag)
        here[row, :n] = np.concatenate([r.source + source, r.target + target])
        has = r.partner >= 0
        there[row, :n][has] = here[row, r.partner[has]]
        paired[row, :n] = has
        changed[row, :n] = r.flag != 1
        codes["flag"][row, :n] = r.flag + np.repeat([0, FLAGS], [len(r.source), len(r.target)])
        codes["lowest"][row, :n], codes["highest"][row, :n] = r.role.T
        codes["mask"][row, :n] = 1
    out = {name: torch.from_numpy(array) for name, array in codes.items()}
    out |= {"paired": torch.from_numpy(paired), "changed": torch.from_numpy(changed)}
    out |= {name: torch.from_numpy(upper[index].astype(np.float32)) for name, index in (("x", here), ("other", there))}
    return out
