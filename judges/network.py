"""The judge's network: what a pretrained encoder says of both sentences, read together, and the features of the pair.

The lower layers of the encoder read each sentence by itself and stay as they are, so that a source is read once
however many changes are proposed for it. The upper layers read the tokens of both sentences together. Each token comes
with what happened to it, its role in the graph, and how its vector differs from its partner's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from transformers import AutoModel

from usim.judge.inputs import FLAGS, ROLES

if TYPE_CHECKING:
    from judges.encode import Encoded

#: How many layers read a sentence by itself; the layers above them read pairs.
ALONE = 3


@dataclass
class Sentence:
    """A sentence as word pieces; ``starts`` has the first piece of each token, and the end of the last."""

    ids: list[int]
    starts: list[int]


class Alone:
    """The lower layers of the encoder, which read each sentence by itself."""

    def __init__(self, folder: Path) -> None:
        encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False).float().eval()
        encoder.encoder.layer = encoder.encoder.layer[:ALONE]
        self.encoder = encoder

    def all(self, sentences: Sequence[Sentence], size: int = 4000) -> tuple[np.ndarray, np.ndarray]:
        """Return vectors of the tokens of all sentences, float16 (tokens, width), and where each sentence begins."""
        lengths = [len(s.starts) - 1 for s in sentences]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        out = np.zeros((offsets[-1], self.encoder.config.hidden_size), dtype=np.float16)
        order = sorted(range(len(sentences)), key=lambda k: len(sentences[k].ids))
        batch: list[int] = []
        for k in [*order, -1]:
            if batch and (k < 0 or (len(batch) + 1) * len(sentences[k].ids) > size):
                for number, vectors in zip(batch, self([sentences[b] for b in batch]), strict=True):
                    out[offsets[number] : offsets[number + 1]] = vectors
                batch = []
            batch.append(k)
        return out, offsets

    @torch.no_grad()
    def __call__(self, sentences: Sequence[Sentence]) -> list[np.ndarray]:
        """Return vectors of the tokens of some sentences: the mean over the word pieces of each token."""
        longest = max(len(s.ids) for s in sentences)
        ids = torch.zeros(len(sentences), longest, dtype=torch.long)
        mask = torch.zeros(len(sentences), longest, dtype=torch.long)
        for k, s in enumerate(sentences):
            ids[k, : len(s.ids)] = torch.tensor(s.ids)
            mask[k, : len(s.ids)] = 1
        with torch.autocast("cpu", torch.bfloat16):
            hidden = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state.float().numpy()
        return [
            np.add.reduceat(h[: s.starts[-1]], s.starts[:-1], axis=0) / np.diff(s.starts)[:, None]
            if len(s.starts) > 1
            else np.zeros((0, h.shape[1]), np.float32)
            for h, s in zip(hidden, sentences, strict=True)
        ]


class JudgeNet(nn.Module):
    """The network; see the module's text."""

    def __init__(self, folder: str, features: int, dropout: float = 0.1) -> None:
        super().__init__()
        encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False).float()
        width = encoder.config.hidden_size
        self.joint = nn.ModuleList(encoder.encoder.layer[ALONE:])
        self.flag = nn.Embedding(2 * FLAGS, width)
        self.lowest = nn.Embedding(ROLES, width)
        self.highest = nn.Embedding(ROLES, width)
        for table in (self.flag, self.lowest, self.highest):
            nn.init.normal_(table.weight, std=0.02)
        self.difference = nn.Linear(width, width, bias=False)
        nn.init.normal_(self.difference.weight, std=0.02)
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, 4)
        self.pooled = nn.Linear(5 * width, 128)
        self.features = features
        if features:
            self.register_buffer("mean", torch.zeros(features))
            self.register_buffer("deviation", torch.ones(features))
            self.of_features = nn.Linear(features, 64)
        self.last = nn.Linear(128 + (64 if features else 0), 64)
        self.out = nn.Linear(64, 1)
        self.dropout = nn.Dropout(dropout)

    def pool(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return what the layers compute for pairs, (pairs, 5 * width), from the batch of :func:`collate`."""
        x, partner = batch["x"], batch["other"]
        mask = batch["mask"]
        x = (
            x
            + self.flag(batch["flag"])
            + self.lowest(batch["lowest"])
            + self.highest(batch["highest"])
            + self.difference((x - partner) * batch["paired"].unsqueeze(-1))
        )
        x = self.dropout(self.norm(x))
        bias = (1 - mask.float())[:, None, None, :] * -1e4
        for layer in self.joint:
            out = layer(x, bias)
            x = out[0] if isinstance(out, tuple) else out
        weights = torch.softmax(self.query(x).float().masked_fill(mask.unsqueeze(-1) == 0, -1e4), dim=1)
        parts = torch.einsum("bnk,bnw->bkw", weights, x.float()).flatten(1)
        changed = (batch["changed"] * mask).float()
        mean = (x.float() * changed.unsqueeze(-1)).sum(1) / changed.sum(1, keepdim=True).clamp(min=1)
        return torch.cat([parts, mean], 1)

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the logits, (pairs,)."""
        h = F.gelu(self.pooled(self.dropout(self.pool(batch))))
        if self.features:
            f = ((batch["features"] - self.mean) / self.deviation).clamp(-5, 5)
            h = torch.cat([h, F.gelu(self.of_features(self.dropout(f)))], 1)
        return self.out(F.gelu(self.last(self.dropout(h)))).squeeze(1)


def collate(data: Sequence[Encoded], which: Sequence[tuple[int, int]]) -> dict[str, torch.Tensor]:
    """Return a batch of pairs, each given by the number of its data set and its number in it."""
    readings = [data[d].readings[k] for d, k in which]
    longest = max(len(r.flag) for r in readings)
    b, width = len(which), data[0].vectors.shape[1]
    x = np.zeros((b, longest, width), dtype=np.float32)
    other = np.zeros((b, longest, width), dtype=np.float32)
    codes = {name: np.zeros((b, longest), dtype=np.int64) for name in ("flag", "lowest", "highest", "mask")}
    paired = np.zeros((b, longest), dtype=np.float32)
    changed = np.zeros((b, longest), dtype=np.float32)
    for row, ((d, k), r) in enumerate(zip(which, readings, strict=True)):
        set_, n = data[d], len(r.flag)
        begin, end = set_.offsets[set_.numbers[k]]
        x[row, :n] = set_.vectors[np.concatenate([r.source + begin, r.target + end])]
        has = r.partner >= 0
        other[row, :n][has] = x[row][r.partner[has]]
        paired[row, :n] = has
        changed[row, :n] = r.flag != 1
        side = np.repeat([0, FLAGS], [len(r.source), len(r.target)])
        codes["flag"][row, :n] = r.flag + side
        codes["lowest"][row, :n], codes["highest"][row, :n] = r.role.T
        codes["mask"][row, :n] = 1
    out = {name: torch.from_numpy(array) for name, array in codes.items()}
    out |= {"x": torch.from_numpy(x), "other": torch.from_numpy(other)}
    out |= {"paired": torch.from_numpy(paired), "changed": torch.from_numpy(changed)}
    out["features"] = torch.from_numpy(np.stack([data[d].features[k] for d, k in which]))
    out["label"] = torch.tensor([data[d].pairs[k].label for d, k in which])
    return out
