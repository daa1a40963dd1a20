"""MPNet with a frozen lower part, whose output is computed once for each sentence.

The word embeddings and the lowest layers of a large encoder need no training: the *trunk*. It runs in 16 bits and
without dropout, so what it gives for a sentence never changes and is kept; the layers above are trained. MPNet
(Song et al. 2020) has no token types. In their place, a learned vector of the type is added to what the trunk gives.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AutoConfig, AutoModel
from transformers.modeling_outputs import BaseModelOutput
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from training.precision import half

#: How many of the lowest layers belong to the trunk.
FROZEN = 6
_KEPT_BYTES = 3 << 30
_MASKED = -1e4
#: Ranges of distances, as MPNet has them.
_RANGES = 32


def is_mpnet(folder: Path) -> bool:
    """Return whether the pretrained encoder in a folder is an MPNet."""
    return bool(AutoConfig.from_pretrained(folder).model_type == "mpnet")


def ranges(length: int, table: nn.Embedding) -> torch.Tensor:
    """Return which entry of the table of distances is for each two pieces, (length, length)."""
    place = torch.arange(length)
    return MPNetEncoder.relative_position_bucket(place[None, :] - place[:, None], num_buckets=table.num_embeddings)


def scores_added(table: nn.Embedding, mask: torch.Tensor) -> torch.Tensor:
    """Return what is added to attention by distance and for padding (mask 0), (batch, heads, pieces, pieces)."""
    padding = (1.0 - mask.float())[:, None, None, :] * _MASKED
    return table(ranges(mask.shape[1], table)).permute(2, 0, 1) + padding


class Trunk:
    """The frozen part: embeddings, lowest layers, and ``bias`` by distance. Copies of a network share it."""

    def __init__(self, encoder: Any) -> None:
        self.embeddings = encoder.embeddings.eval().requires_grad_(False)
        self.layer = nn.ModuleList(encoder.encoder.layer[:FROZEN]).eval().requires_grad_(False)
        self.bias = nn.Embedding.from_pretrained(encoder.encoder.relative_attention_bias.weight.detach().clone())
        self._kept: dict[tuple[int, ...], torch.Tensor] = {}
        self._bytes = 0

    def __deepcopy__(self, memo: dict[int, Any]) -> Trunk:
        return self

    @torch.no_grad()
    def outputs(self, ids: torch.Tensor, mask: torch.Tensor) -> list[torch.Tensor]:
        """Return what the embeddings and each layer give, (batch, pieces, width) each."""
        # MPNet tells positions by the padding piece, which stands at the end alone.
        hidden = self.embeddings(ids.masked_fill(mask == 0, 1))
        added = scores_added(self.bias, mask)
        given = [hidden]
        for layer in self.layer:
            hidden = layer(hidden, None, added)[0]
            given.append(hidden)
        return given

    @torch.no_grad()
    def __call__(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return what the trunk gives, (batch, pieces, width) in 16 bits; sentences that are known cost nothing."""
        lengths = mask.sum(1).tolist()
        keys = [tuple(row[:n]) for row, n in zip(ids.tolist(), lengths, strict=True)]
        unknown = [k for k, key in enumerate(keys) if key not in self._kept]
        fresh: dict[tuple[int, ...], torch.Tensor] = {}
        if unknown:
            with half():
                hidden = self.outputs(ids[unknown], mask[unknown])[-1].bfloat16()
            for row, k in zip(hidden, unknown, strict=True):
                vectors = row[: lengths[k]].clone()
                fresh[keys[k]] = vectors
                if self._bytes < _KEPT_BYTES:
                    self._kept[keys[k]] = vectors
                    self._bytes += vectors.nbytes
        rows = [fresh[key] if key in fresh else self._kept[key] for key in keys]
        return nn.utils.rnn.pad_sequence(rows, batch_first=True)


class UpperEncoder(nn.Module):
    """The trained layers above the trunk, called as the library's encoders; the trunk is neither saved nor trained."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.config = encoder.config
        self.trunk = Trunk(encoder)
        self.layer = nn.ModuleList(encoder.encoder.layer[FROZEN:])
        self.bias = encoder.encoder.relative_attention_bias
        self.types = nn.Embedding(2, self.config.hidden_size)
        nn.init.normal_(self.types.weight, std=0.01)
        self.dropout = nn.Dropout(self.config.hidden_dropout_prob)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> BaseModelOutput:
        """Return vectors of the word pieces, (batch, pieces, width)."""
        hidden = self.trunk(input_ids, attention_mask).float()
        hidden = self.dropout(hidden + self.types(token_type_ids))
        added = scores_added(self.bias, attention_mask)
        for layer in self.layer:
            hidden = layer(hidden, None, added)[0]
        return BaseModelOutput(last_hidden_state=hidden)


class UpperBert(nn.Module):
    """The upper half of a BERT, called as that of an MPNet, with a table of distances like its own, zeros at first."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.config = encoder.config
        layers = encoder.encoder.layer
        self.layer = nn.ModuleList(map(BertLayerByDistance, layers[len(layers) // 2 :]))
        self.bias = nn.Embedding(_RANGES, self.config.num_attention_heads)
        nn.init.zeros_(self.bias.weight)


class BertLayerByDistance(nn.Module):
    """A layer of BERT, called as one of MPNet."""

    def __init__(self, own: Any) -> None:
        super().__init__()
        self.own = own

    def forward(self, hidden: torch.Tensor, mask: None, added: torch.Tensor) -> tuple[torch.Tensor]:
        """Return the vectors that the layer gives, alone in a tuple."""
        return (self.own(hidden, added),)


def load_encoder(folder: Path, dropout: float, **options: Any) -> Any:
    """Return the pretrained encoder in a folder, with this dropout in its layers."""
    config = AutoConfig.from_pretrained(folder)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
    return AutoModel.from_pretrained(folder, config=config, add_pooling_layer=False, **options).float()
