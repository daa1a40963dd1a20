"""Smaller layers out of large ones: the units that matter most are kept, and training makes up for the others.

How much a unit matters is the length of the weights before it times that of the weights behind it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from parsers.span.model import SpanModel


def narrow_inner(encoder: Any, units: int) -> None:
    """Keep the best units in each feed-forward layer of an encoder (of BERT's kind), in place."""
    for layer in encoder.encoder.layer:
        before, after = layer.intermediate.dense, layer.output.dense
        kept = _best(before.weight.norm(dim=1) * after.weight.norm(dim=0), units)
        layer.intermediate.dense = _rows(before, kept)
        layer.output.dense = _columns(after, kept)
    encoder.config.intermediate_size = units


def narrow_spans(model: SpanModel, units: int) -> None:
    """Keep the best units in the layer before the labels of spans, in place."""
    kept = _best(model.norm.weight.abs() * model.label.weight.norm(dim=0), units)
    model.left, model.right = _rows(model.left, kept), _rows(model.right, kept)
    norm = nn.LayerNorm(units, eps=model.norm.eps)
    norm.load_state_dict({name: value[kept] for name, value in model.norm.state_dict().items()})
    model.norm = norm
    model.label = _columns(model.label, kept)
    model.sizes.span_hidden = units


def _best(score: torch.Tensor, count: int) -> torch.Tensor:
    return score.detach().topk(count).indices.sort().values


def _rows(layer: nn.Linear, kept: torch.Tensor) -> nn.Linear:
    narrowed = nn.Linear(layer.in_features, len(kept), bias=layer.bias is not None)
    narrowed.load_state_dict({name: value[kept] for name, value in layer.state_dict().items()})
    return narrowed


def _columns(layer: nn.Linear, kept: torch.Tensor) -> nn.Linear:
    narrowed = nn.Linear(len(kept), layer.out_features, bias=layer.bias is not None)
    narrowed.load_state_dict(layer.state_dict() | {"weight": layer.weight.detach()[:, kept]})
    return narrowed
