"""MPNet as an ONNX graph: the trunk that a parser and a judge share, and the layers above it.

The trunk's outputs are what each of some layers gives (:data:`LAYERS`) in 16 bits, ``half3`` and so on, and what the
last of them gives in 32, ``layer6``. MPNet adds a learned number to each score of attention, by how
far the two pieces are from each other, the same in all layers.
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

from training.mpnet import UpperEncoder, ranges
from training.onnx_graph import EncoderGraph, as_array
from usim.parsing import Pieces

#: The layers of the trunk whose outputs a judge may ask for; the last one is what the parser stands on.
LAYERS = (3, 4, 5, 6)
#: The longest sentence in word pieces.
LONGEST = 512
#: The largest number in 16 bits.
_LARGEST_HALF = 65504.0


def as_bert(layer: Any) -> Any:
    """Return the parts of a layer of MPNet under the names that those of BERT have."""
    attention = layer.attention
    parts = SimpleNamespace(query=attention.attn.q, key=attention.attn.k, value=attention.attn.v)
    output = SimpleNamespace(dense=attention.attn.o, LayerNorm=attention.LayerNorm)
    return SimpleNamespace(
        attention=SimpleNamespace(self=parts, output=output), intermediate=layer.intermediate, output=layer.output
    )


class MPNetGraph(EncoderGraph):
    """A graph over layers of MPNet."""

    def distances_and_mask(self, table: nn.Embedding) -> str:
        """Add what is added to the scores of attention, (batch, heads, queries, keys)."""
        with torch.no_grad():
            # By distance: the first row and the first column of the longest sentence have every one.
            every = ranges(LONGEST, table)
            by_distance = table(torch.cat([every[:, 0].flip(0), every[0, 1:]])).T
        values = self.constant(by_distance.float().contiguous().numpy(), "distances")
        length = self.op("Squeeze", self.op("Shape", "mask", start=1, end=2))
        zero, one = (self.constant(np.int64(n), f"scalar_{n}") for n in (0, 1))
        place = self.op("Range", zero, length, one)
        apart = self.op("Sub", self.op("Unsqueeze", place, self.ints(0)), self.op("Unsqueeze", place, self.ints(1)))
        number = self.op("Add", apart, self.constant(np.int64(LONGEST - 1), "zero distance"))
        distances = self.op("Unsqueeze", self.op("Gather", values, number, axis=1), self.ints(0))
        return self.op("Add", distances, self.attention_mask())


class TrunkGraph(MPNetGraph):
    """The graph of a trunk: embeddings of word pieces and a mask in, what some layers give out."""

    def build(self) -> onnx.ModelProto:
        """Build the whole graph."""
        trunk = self.encoder.trunk
        x = self.op("Transpose", "embedded", perm=[1, 0, 2])  # the table stands outside, see usim.parsing.embeddings
        # Positions begin behind that of the padding piece.
        positions = self.constant(as_array(trunk.embeddings.position_embeddings.weight)[2:], "positions")
        length = self.op("Shape", "mask", start=1, end=2)
        x = self.op("Add", x, self.op("Unsqueeze", self.op("Slice", positions, self.ints(0), length, self.ints(0)),
                                      self.ints(1)))  # fmt: skip
        x = self.norm(x, "norm", trunk.embeddings.LayerNorm)
        added = self.distances_and_mask(trunk.bias)
        for k, layer in enumerate(trunk.layer):
            x = self.layer(x, added, f"layers.{k}", as_bert(layer))
            if k + 1 in LAYERS:
                x_of_sentences = self.op("Transpose", x, perm=[1, 0, 2], out=f"layer{k + 1}")
                within = self.op("Clip", x_of_sentences, self.number(-_LARGEST_HALF), self.number(_LARGEST_HALF))
                self.op("Cast", within, to=TensorProto.FLOAT16, out=f"half{k + 1}")
        width = self.config.hidden_size
        inputs = {
            "embedded": (TensorProto.FLOAT, ["batch", "pieces", width]),
            "mask": (TensorProto.INT64, ["batch", "pieces"]),
        }
        names = [f"layer{LAYERS[-1]}", *(f"half{k}" for k in LAYERS)]
        return self.finished(inputs, {name: ["batch", "pieces", width] for name in names})


class TrunkNet(nn.Module):
    """What :class:`TrunkGraph` is made of: something with an encoder."""

    def __init__(self, encoder: UpperEncoder) -> None:
        super().__init__()
        self.encoder = encoder


def trunk_feeds(pieces: Pieces, sentences: Sequence[Sequence[str]], table: Any, count: int) -> Iterator[dict[str, Any]]:
    """Yield inputs of the trunk for some of the sentences; ``table`` gives the embeddings of word pieces."""
    for tokens in random.Random(1).sample(list(sentences), min(len(sentences), count)):
        pieces.learn(tokens)
        ids = np.array([pieces.encode(tokens, ())[0]])
        if ids.shape[1] <= LONGEST:
            yield {"embedded": table(ids), "mask": np.ones_like(ids)}
