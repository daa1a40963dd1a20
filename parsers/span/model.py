"""The network: a pretrained encoder, a score for each label of each span, and a head for remote edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from usim.parsing.remotes import IMPOSSIBLE, RELATIONS


@dataclass
class Sizes:
    """How large the heads are."""

    labels: int
    categories: int
    remote_labels: int
    span_hidden: int = 512
    node_hidden: int = 128
    pair_hidden: int = 64


class SpanModel(nn.Module):
    """Scores of spans and pairs of nodes.

    A *fence* is a place between two words: the last piece of the word before it and the first piece of the word after
    it. A span is its two fences (Kitaev & Klein 2018). "No label" always scores 0 (Stern et al. 2017).
    """

    def __init__(self, encoder: nn.Module, width: int, sizes: Sizes, dropout: float = 0.2) -> None:
        super().__init__()
        self.encoder = encoder
        self.sizes = sizes
        self.left = nn.Linear(2 * width, sizes.span_hidden)
        self.right = nn.Linear(2 * width, sizes.span_hidden, bias=False)
        self.norm = nn.LayerNorm(sizes.span_hidden)
        self.label = nn.Linear(sizes.span_hidden, sizes.labels)
        # Most spans have no label: start there.
        nn.init.constant_(self.label.bias, -5.0)
        self.dropout = nn.Dropout(dropout)
        self.node_left = nn.Linear(2 * width, sizes.node_hidden)
        self.node_right = nn.Linear(2 * width, sizes.node_hidden, bias=False)
        self.remote = RemoteHead(sizes, dropout)

    def encode(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        """Return vectors of the word pieces, (batch, pieces, width)."""
        return self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state

    def fences(self, hidden: torch.Tensor, before: torch.Tensor, after: torch.Tensor) -> torch.Tensor:
        """Return vectors of the fences, (batch * fences, 2 * width), from the numbers of the pieces beside them."""
        width = hidden.shape[-1]
        first = torch.gather(hidden, 1, before.unsqueeze(-1).expand(-1, -1, width))
        second = torch.gather(hidden, 1, after.unsqueeze(-1).expand(-1, -1, width))
        return torch.cat([first, second], -1).reshape(-1, 2 * width)

    def spans(self, fences: torch.Tensor, start: torch.Tensor, end: torch.Tensor) -> torch.Tensor:
        """Return scores of the labels of spans, (spans, labels), from the numbers of their fences."""
        fences = self.dropout(fences)
        return self.label(self.dropout(F.relu(self.norm(self.left(fences)[start] + self.right(fences)[end]))))


class RemoteHead(nn.Module):
    """Scores of remote edges between nodes; "no edge" always scores 0. In numpy: :mod:`usim.parsing.remotes`."""

    def __init__(self, sizes: Sizes, dropout: float) -> None:
        super().__init__()
        d, e, k = sizes.node_hidden, sizes.pair_hidden, sizes.remote_labels
        self.category, self.below, self.above, self.child = (nn.Embedding(sizes.categories, d) for _ in range(4))
        for embedding in (self.category, self.below, self.above, self.child):
            nn.init.normal_(embedding.weight, std=0.3)
        self.norm = nn.LayerNorm(d)
        self.as_parent = nn.Linear(d, e)
        self.as_child = nn.Linear(d, e)
        # Scaled down where it is used: a step of Adam moves all of its entries, and their sum is the score.
        self.scale = 4 / e
        self.bilinear = nn.Parameter(torch.randn(e, k * e) * 0.1)
        self.from_ = nn.Linear(d, k, bias=False)
        self.to_ = nn.Linear(d, k, bias=False)
        self.relation = nn.Parameter(torch.full((RELATIONS, k), -7.0))
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch: dict[str, torch.Tensor], left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, parents, children, labels) from padded nodes; impossible pairs get -1e4."""
        x = left[batch["node_start"]] + right[batch["node_end"]]
        category, parent = batch["node_category"], batch["node_parent"]
        below = batch["node_below"]
        if self.training:  # the categories will not all be right when parsing
            keep = torch.rand(category.shape) > 0.1
            category, below = category * keep, below * keep
        x = x + self.category(category) + self.below(below) + self.above(torch.gather(category, 1, parent))
        children = self.child(category) * batch["node_mask"].unsqueeze(-1)
        x = x.scatter_add(1, parent.unsqueeze(-1).expand_as(children), children)
        x = self.dropout(F.relu(self.norm(x)))
        p, c = self.as_parent(x), self.as_child(x)
        b, n, e = p.shape
        through = (p @ self.bilinear).view(b, n, -1, e) * self.scale
        scores = torch.einsum("bpke,bce->bpck", through, c)
        scores = scores + self.from_(x).unsqueeze(2) + self.to_(x).unsqueeze(1) + self.relation[batch["relation"]]
        impossible = (batch["relation"] == IMPOSSIBLE).unsqueeze(-1)
        return scores.masked_fill(impossible, -1e4)

    def arrays(self) -> dict[str, Any]:
        """Return the weights as :class:`usim.parsing.remotes.RemoteScorer` has them, matrices (inputs, outputs)."""
        tensors = {
            "category": self.category.weight,
            "below": self.below.weight,
            "above": self.above.weight,
            "child": self.child.weight,
            "norm_weight": self.norm.weight,
            "norm_bias": self.norm.bias,
            "parent_weight": self.as_parent.weight.T,
            "parent_bias": self.as_parent.bias,
            "child_weight": self.as_child.weight.T,
            "child_bias": self.as_child.bias,
            "bilinear": self.bilinear * self.scale,
            "from": self.from_.weight.T,
            "to": self.to_.weight.T,
            "relation": self.relation,
        }
        return {name: tensor.detach().float().contiguous().numpy() for name, tensor in tensors.items()}
