"""The judge's networks over what the trunk says of both sentences of a pair.

:class:`PairNet` reads all tokens of both sentences, each with what happened to it, its role in the graph, and how its
vector differs from its partner's and from what is like it in the other sentence; then the tokens of both sentences see
each other, and the features of the pair are added. What a pair costs besides reading a sentence is small.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from judges.data import SAYS
from usim.judge.classifier import LIMIT
from usim.judge.inputs import FLAGS, ROLES, PairInputs, padded_inputs

#: The width of what :class:`PairNet` makes of a token.
INNER = 192
#: How many vectors of a token :class:`PairNet` reads: its own, and twice how it differs from another.
PARTS = 5
#: How many layers let the tokens of both sentences see each other, and how many heads each has.
LAYERS, HEADS = 2, 6
#: Tokens at most so far apart are near.
NEAR = 3
#: How many figures of two tokens of a pair a head may go by, see :func:`relations`.
RELATIONS = 6
#: How many weighted means over the tokens of a pair are learned.
QUERIES = 4


class Layer(nn.Module):
    """A layer of attention over the tokens of both sentences; each head goes by their relations as well.

    In the beginning, the heads look from one end, where partners count, to the other, where likeness does.
    """

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(INNER), nn.LayerNorm(INNER)
        self.parts = nn.Linear(INNER, 3 * INNER)
        self.mixed = nn.Linear(INNER, INNER)
        self.first, self.second = nn.Linear(INNER, 2 * INNER), nn.Linear(2 * INNER, INNER)
        self.by_relation = nn.Parameter(torch.zeros(RELATIONS, HEADS))
        self.dropout = nn.Dropout(dropout)
        with torch.no_grad():
            self.mixed.weight.mul_(0.3)
            self.second.weight.mul_(0.3)
            self.by_relation[0] = torch.linspace(0, 4, HEADS)
            self.by_relation[1] = torch.linspace(4, 0, HEADS)

    def forward(self, e: torch.Tensor, related: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """Return the tokens anew, (pairs, tokens, width)."""
        query, key, value = (
            part.unflatten(2, (HEADS, -1)).transpose(1, 2) for part in self.parts(self.before(e)).chunk(3, 2)
        )
        scores = (query @ key.transpose(2, 3)).float() * query.shape[-1] ** -0.5
        scores = scores + (related @ self.by_relation.float()).permute(0, 3, 1, 2)
        weights = scores.masked_fill(hidden[:, None, None], -1e4).softmax(-1).to(value.dtype)
        e = e + self.mixed((self.dropout(weights) @ value).transpose(1, 2).flatten(2))
        return e + self.second(self.dropout(F.gelu(self.first(self.between(e)))))


def relations(batch: dict[str, torch.Tensor], alike: torch.Tensor, cross: torch.Tensor) -> torch.Tensor:
    """Return figures of each two tokens of a pair, (pairs, tokens, tokens, :data:`RELATIONS`).

    They are partners; how much they are alike, by cosines; they are of two sentences (``cross``); of one, and one is
    the next, the token before or near. The batch is that of :func:`gather`.
    """
    count = alike.shape[1]
    places = torch.arange(count)
    apart = places[None] - places[:, None]
    partners = (batch["partner"][:, :, None] == places) & cross
    within = ~cross
    near = [within & (apart == 1), within & (apart == -1), within & (apart.abs() <= NEAR)]
    return torch.stack([partners.float(), (2 * alike - 1) * cross, *(x.float() for x in (cross, *near))], -1)


class PairNet(nn.Module):
    """From the tokens of a pair and its features to logits: several small networks over one vector of the pair.

    The mean of the logits of ``count`` networks counts, each of which has an output for all of :data:`SAYS`; the last
    ``plain`` of them read the features alone. ``width`` is that of the upper vectors.
    """

    def __init__(self, width: int, features: int, count: int, dropout: float = 0.3, plain: int = 0) -> None:
        super().__init__()
        self.count = count
        self.flag = nn.Embedding(2 * FLAGS, INNER)
        self.lowest = nn.Embedding(ROLES, INNER)
        self.highest = nn.Embedding(ROLES, INNER)
        for table in (self.flag, self.lowest, self.highest):
            nn.init.normal_(table.weight, std=0.1)
        self.first = nn.Linear(PARTS * width, INNER)
        self.sharpness = nn.Parameter(torch.tensor(10.0))
        self.between = nn.Linear(INNER, INNER)
        self.second = nn.Linear(INNER, INNER)
        self.norm = nn.LayerNorm(INNER)
        self.layers = nn.ModuleList(Layer(dropout / 3) for _ in range(LAYERS))
        self.query = nn.Linear(INNER, QUERIES)
        self.pooled = nn.Linear((QUERIES + 2) * INNER, 32 * count)
        self.of_features = nn.Linear(features, 48 * count)
        self.linear = nn.Linear(features, count * len(SAYS))
        self.last = nn.Parameter(torch.randn(count, 80, 24) * 80**-0.5)
        self.last_bias = nn.Parameter(torch.zeros(count, 24))
        self.out = nn.Parameter(torch.randn(count, 24, len(SAYS)) * 24**-0.5)
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
        mask, x = batch["mask"], batch["x"]
        padding = mask == 0
        is_output = batch["flag"] >= FLAGS
        cross = is_output[:, :, None] != is_output[:, None]
        unit = F.normalize(x, dim=2)
        alike = (unit @ unit.transpose(1, 2)).float()
        seen = (alike * self.sharpness).masked_fill(~cross | padding[:, None], -1e4).softmax(-1)
        partner = (x - batch["other"]) * batch["paired"].unsqueeze(-1)
        soft = x - seen.to(x.dtype) @ x
        e = self.first(torch.cat([x, partner, partner.abs(), soft, soft.abs()], -1))
        e = F.gelu(e + self.flag(batch["flag"]) + self.lowest(batch["lowest"]) + self.highest(batch["highest"]))
        e = self.norm(e + self.second(F.gelu(self.between(self.dropout(e)))))
        related = relations(batch, alike, cross)
        for layer in self.layers:
            e = layer(e, related, padding)
        hidden = padding.unsqueeze(-1)
        weights = torch.softmax(self.query(e).float().masked_fill(hidden, -1e4), dim=1)
        parts = torch.einsum("bnk,bnw->bkw", weights, e.float()).flatten(1)
        changed = (batch["changed"] * mask).float()
        mean = (e.float() * changed.unsqueeze(-1)).sum(1) / changed.sum(1, keepdim=True).clamp(min=1)
        largest = e.float().masked_fill(hidden, -1e4).amax(1)
        return torch.cat([parts, mean, largest], 1)

    def each(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the logits of each network, (pairs, networks, :data:`SAYS`)."""
        a = F.gelu(self.pooled(self.dropout(self.pool(batch)))).unflatten(1, (self.count, 32))
        features = ((batch["features"] - self.mean) / self.deviation).clamp(-LIMIT, LIMIT)
        dropped = self.dropout(features)
        b = F.gelu(self.of_features(dropped)).unflatten(1, (self.count, 48))
        last = self.last * self.reads
        h = torch.einsum("bki,kij->bkj", self.dropout(torch.cat([a, b], 2)), last) + self.last_bias
        linear: torch.Tensor = self.linear(dropped).unflatten(1, (self.count, len(SAYS)))
        return torch.einsum("bkj,kjo->bko", F.gelu(h), self.out) + linear

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the mean logits, (pairs, :data:`SAYS`)."""
        return self.each(batch).mean(1)


def gather(upper: np.ndarray, readings: Sequence[PairInputs], starts: np.ndarray) -> dict[str, torch.Tensor]:
    """Return the tokens of pairs as :class:`PairNet` reads them; ``starts`` (pairs, 2) are places in ``upper``."""
    arrays = padded_inputs(readings)
    partner = arrays["partner"]
    here, there = np.zeros((2, *partner.shape), np.int64)
    for row, (r, (source, output)) in enumerate(zip(readings, starts.tolist(), strict=True)):
        here[row, : len(r.flag)] = np.concatenate([r.source + source, r.output + output])
        has = partner[row] >= 0
        there[row, has] = here[row, partner[row, has]]
    arrays |= {"paired": partner >= 0, "x": upper[here], "other": upper[there]}
    arrays |= {name: arrays[name].astype(np.float32) for name in ("paired", "x", "other")}
    return {name: torch.from_numpy(array) for name, array in arrays.items()}
