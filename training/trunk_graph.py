"""The trunk that a parser and a judge share as an ONNX graph, of an MPNet or of a BERT.

Its outputs are what each of some layers gives in 16 bits, ``half3`` and so on, and what the last of them gives in 32,
``layer6``. MPNet adds a learned number to each score of attention, by how far the two pieces are from each other, the
same in all layers; BERT adds a vector of the token type to the embeddings.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto
from torch import nn

from training.mpnet import BertLayerByDistance, ranges
from training.onnx_graph import EncoderGraph, Places, as_array
from usim.parsing import Pieces

#: The layers of the trunk whose outputs a judge may ask for: of an MPNet, whose parser stands on the last one, and of
#: a BERT.
LAYERS = (3, 4, 5, 6)
LAYERS_OF_BERT = (2, 3, 5, 6)
#: The longest sentence in word pieces.
LONGEST = 512
_LARGEST_HALF = 65504.0


def as_bert(layer: Any) -> Any:
    """Return the parts of a layer of MPNet under the names that those of BERT have; those of a layer of BERT."""
    if isinstance(layer, BertLayerByDistance):
        return layer.own
    attention = layer.attention
    parts = SimpleNamespace(query=attention.attn.q, key=attention.attn.k, value=attention.attn.v)
    output = SimpleNamespace(dense=attention.attn.o, LayerNorm=attention.LayerNorm)
    return SimpleNamespace(
        attention=SimpleNamespace(self=parts, output=output), intermediate=layer.intermediate, output=layer.output
    )


class MPNetGraph(EncoderGraph):
    """A graph over layers of MPNet."""

    def distances(self, table: nn.Embedding, places: str) -> str:
        """Add what the scores of attention gain by distance, (rows, heads, queries, keys), by places (rows, pieces)."""
        with torch.no_grad():
            # Every distance occurs in the first row or the first column of the longest sentence.
            every = ranges(LONGEST, table)
            by_distance = table(torch.cat([every[:, 0].flip(0), every[0, 1:]])).T
        values = self.constant(by_distance.float().contiguous().numpy(), "distances")
        apart = self.op("Sub", *(self.op("Unsqueeze", places, self.ints(axis)) for axis in (1, 2)))
        number = self.op("Add", apart, self.constant(np.int64(LONGEST - 1), "zero distance"))
        return self.op("Transpose", self.op("Gather", values, number, axis=1), perm=[1, 0, 2, 3])


class TrunkGraph(MPNetGraph):
    """The graph of the trunk of an encoder: embeddings of word pieces and a mask in, what some layers give out."""

    layers = LAYERS

    def __init__(self, encoder: Any, places: Places | None = None, **options: Any) -> None:
        super().__init__(encoder.config, places, **options)
        self.encoder = encoder

    def build(self) -> onnx.ModelProto:
        x = self.op("Transpose", "embedded", perm=[1, 0, 2])  # the table stands outside, see usim.parsing.packed
        x, added, stack = self.lowest(x)
        for k, layer in enumerate(stack):
            x = self.layer(x, added, f"layers.{k}", layer)
            if k + 1 in self.layers:
                x_of_sentences = self.op("Transpose", x, perm=[1, 0, 2], out=f"layer{k + 1}")
                within = self.op("Clip", x_of_sentences, self.number(-_LARGEST_HALF), self.number(_LARGEST_HALF))
                self.op("Cast", within, to=TensorProto.FLOAT16, out=f"half{k + 1}")
        width = self.config.hidden_size
        inputs = {
            "embedded": (TensorProto.FLOAT, ["batch", "pieces", width]),
            # A row for each sentence, or one row for all.
            "places": (TensorProto.INT64, ["rows", "pieces"]),
            # Which keys a query sees: of every query, or one row for all.
            "mask": (TensorProto.INT64, ["batch", "queries", "pieces"]),
        }
        names = [f"layer{self.layers[-1]}", *(f"half{k}" for k in self.layers)]
        return self.finished(inputs, {name: ["batch", "pieces", width] for name in names})

    def lowest(self, x: str) -> tuple[str, str, list[Any]]:
        """Add positions and the first normalisation; return that, what is added to attention, and the layers."""
        trunk = self.encoder.trunk
        # Positions begin behind that of the padding piece.
        x = self._placed(x, as_array(trunk.embeddings.position_embeddings.weight)[2:])
        x = self.norm(x, "norm", trunk.embeddings.LayerNorm)
        added = self.op("Add", self.distances(trunk.bias, "places"), self.attention_mask())
        return x, added, [as_bert(layer) for layer in trunk.layer]

    def attention_mask(self) -> str:
        """Add what the scores are masked with, see :meth:`EncoderGraph.attention_mask`; each query has its own keys."""
        hidden = self.op("Unsqueeze", self.penalty(self.op("Cast", "mask", to=TensorProto.FLOAT)), self.ints(1))
        batch, length = (self.op("Shape", "embedded", start=i, end=i + 1) for i in (0, 1))
        return self.op("Expand", hidden, self.op("Concat", batch, self.ints(1), length, length, axis=0))

    def _placed(self, x: str, positions: Any) -> str:
        rows = self.op("Gather", self.constant(positions, "positions"), "places")
        return self.op("Add", x, self.op("Transpose", rows, perm=[1, 0, 2]))


class BertTrunkGraph(TrunkGraph):
    """The graph of a trunk that is a BERT."""

    layers = LAYERS_OF_BERT

    def lowest(self, x: str) -> tuple[str, str, list[Any]]:
        """Add positions and types, see :meth:`TrunkGraph.lowest`."""
        embeddings = self.encoder.embeddings
        types = as_array(embeddings.token_type_embeddings.weight)[0]
        x = self._placed(x, as_array(embeddings.position_embeddings.weight) + types)
        x = self.norm(x, "norm", embeddings.LayerNorm)
        return x, self.attention_mask(), list(self.encoder.encoder.layer)


def trunk_feeds(pieces: Pieces, sentences: Sequence[Sequence[str]], table: Any, count: int) -> Iterator[dict[str, Any]]:
    """Yield inputs of the trunk for some of the sentences; ``table`` gives the embeddings of word pieces."""
    for tokens in random.Random(1).sample(list(sentences), min(len(sentences), count)):
        ids = np.array([pieces.encode(tokens)[0]])
        if ids.shape[1] <= LONGEST:
            yield {"embedded": table(ids), "places": np.arange(ids.shape[1])[None], "mask": np.ones_like(ids)[:, None]}
