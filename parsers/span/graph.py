"""The parser's network as an ONNX graph; :mod:`training.onnx_graph` explains how it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import onnx
from onnx import TensorProto

from parsers.span.model import SpanModel
from parsers.span.sieve import Sieve
from training.onnx_graph import CONTRIB, EncoderGraph, Floats, Places, as_array, linear_arrays
from training.trunk_graph import MPNetGraph, as_bert


class SpanGraph(EncoderGraph):
    """The graph of a parser; the sieve decides which spans get scores, and without one, all do.

    ``versions`` has for each label the versions of the guidelines that know it; no span gets another. ``inputs`` are
    the inputs that are integers, with their shapes, ``below`` is the one that the encoder begins with, (batch, pieces,
    width): word embeddings, or what the trunk gives.
    """

    inputs: ClassVar[Mapping[str, Sequence[str]]] = {
        "mask": ("batch", "pieces"), "types": ("batch", "pieces"), "before": ("batch", "fences"),
        "after": ("batch", "fences"), "start": ("spans",), "end": ("spans",),
    }  # fmt: skip
    below = "embedded"

    def __init__(
        self, model: SpanModel, versions: Sequence[Sequence[int]], places: Places | None = None, *,
        sieve: Sieve | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(model.encoder.config, places, **options)
        self.model, self.encoder = model, model.encoder
        self.versions, self.sieve = versions, sieve

    def products(self) -> dict[str, Floats]:
        """Return the matrix that each place is multiplied by; a fence consists of two pieces, which are quantised."""
        products = super().products()
        width = self.config.hidden_size
        fences = products["fences"]
        products["fences"] = np.concatenate([fences[:width], fences[width:]], axis=1)
        return products

    def build(self) -> onnx.ModelProto:
        version = self.op("Gather", self.op("Reshape", "types", self.ints(-1)), self.constant(np.int64(0), "first"))
        x = self.encoded(version)
        self.op("Transpose", x, perm=[1, 0, 2], out="pieces")
        fences = self._fences(x)
        self._spans(fences, version)
        for name in ("node_left", "node_right"):
            y = self.dense(fences, "fences", f"model.{name}", getattr(self.model, name))
            self.op("Identity", y, out=name)
        return self._model()

    def encoded(self, version: str) -> str:
        """Add the encoder, and return the vectors of the pieces, (pieces, batch, width)."""
        x = self._embeddings(version)
        mask = self.attention_mask()
        for k, layer in enumerate(self.encoder.encoder.layer):
            x = self.layer(x, mask, f"layers.{k}", layer)
        return x

    def _embeddings(self, version: str) -> str:
        embeddings = self.encoder.embeddings
        x = self.op("Transpose", "embedded", perm=[1, 0, 2])  # the table stands outside, see usim.parsing.packed
        positions = self.constant(as_array(embeddings.position_embeddings.weight), "positions")
        length = self.op("Shape", "mask", start=1, end=2)
        places = self.op("Slice", positions, self.ints(0), length, self.ints(0))
        types = self.constant(as_array(embeddings.token_type_embeddings.weight), "types.weight")
        places = self.op("Add", places, self.op("Gather", types, version))
        x = self.op("Add", x, self.op("Unsqueeze", places, self.ints(1)))
        return self.norm(x, "norm", embeddings.LayerNorm)

    def _fences(self, x: str) -> str:
        """Add the pieces on both sides of each fence, (batch * fences, 2 * width)."""
        x = self.op("Transpose", self.quantised(x, "fences"), perm=[1, 0, 2])
        sides = [self.op("Unsqueeze", side, self.ints(2, 3)) for side in ("before", "after")]
        both = self.op("GatherND", x, self.op("Concat", *sides, axis=2), batch_dims=1)
        return self.op("Reshape", both, self.ints(-1, 2 * self.config.hidden_size))

    def _spans(self, fences: str, version: str) -> None:
        model = self.model
        left = self.dense(fences, "fences", "model.left", model.left)
        right = self.dense(fences, "fences", "model.right", model.right)
        start, end = ("start", "end") if self.sieve is None else self._chosen(fences, self.sieve)
        x = self.op("Add", self.op("Gather", left, start), self.op("Gather", right, end))
        x = self.norm(x, "model.norm", model.norm, self.divisor("spans"))
        if self.places is None:
            x = self.op("Relu", x)
        x = self.quantised(x, "spans")
        weight, bias = linear_arrays(model.label)
        if self.flat:
            scores = self.linear(x, "spans", "model.label", weight, bias)
        else:
            # Labels that the version does not know need no score.
            known = [self.known(1), self.known(2)]
            is_second = self.op("Cast", version, to=TensorProto.BOOL)
            with self.branches(is_second, "known") as branch:
                for k, name in ((1, "model.label.2"), (0, "model.label.1")):
                    branch(self.linear(x, "spans", name, weight[:, known[k]], bias[known[k]]))
            scores = "known"
        self.op("ReduceMax", scores, axes=[-1], keepdims=0, out="score")
        self.op("Identity", scores, out="scores")

    def _chosen(self, fences: str, sieve: Sieve) -> tuple[str, str]:
        """Add the starts and ends of the spans that pass the sieve, and of all single words."""
        vectors = []
        shape = self.op("Concat", self.op("Shape", "before"), self.ints(-1), axis=0)
        for side, weight, bias in (("left", sieve.left, sieve.left_bias), ("right", sieve.right, sieve.right_bias)):
            y = self.linear(fences, "fences", f"sieve.{side}", weight, bias)
            vectors.append(self.op("Reshape", y, shape))
        table = self.op("FusedMatMul", *vectors, domain=CONTRIB, transB=1)  # (batch, fences, fences)
        rows = self.op("Shape", "before", start=1, end=2)
        place = self.op("Add", self.op("Mul", "start", rows), self.op("Mod", "end", rows))
        score = self.op("Gather", self.op("Reshape", table, self.ints(-1)), place)
        passes = self.op("Greater", score, self.constant(np.float32(sieve.threshold), "sieve.threshold"))
        # Words that no unit holds must get a label, even one with a low score.
        single = self.op("Equal", self.op("Sub", "end", "start"), self.ints(1))
        numbers = self.op("NonZero", self.op("Or", passes, single))
        numbers = self.op("Reshape", numbers, self.ints(-1), out="chosen")
        return self.op("Gather", "start", numbers), self.op("Gather", "end", numbers)

    def known(self, version: int) -> list[int]:
        """Return the numbers of the labels that a version of the guidelines knows; all, if it knows none."""
        every = list(range(len(self.versions)))
        return [k for k in every if version in self.versions[k]] or every

    def _model(self) -> onnx.ModelProto:
        width, hidden = self.config.hidden_size, self.model.sizes.node_hidden
        spans = "spans" if self.sieve is None else "some spans"
        outputs: dict[str, list[Any]] = {
            "score": [spans],
            "scores": [spans, "labels"],
            "node_left": ["rows", hidden],
            "node_right": ["rows", hidden],
            "pieces": ["batch", "pieces", width],
        }
        if self.sieve is not None:
            outputs["chosen"] = [spans]
        inputs: dict[str, tuple[int, list[Any]]] = {n: (TensorProto.INT64, list(s)) for n, s in self.inputs.items()}
        inputs[self.below] = (TensorProto.FLOAT, ["batch", "pieces", width])
        return self.finished(inputs, outputs)


class UpperGraph(SpanGraph, MPNetGraph):
    """The graph of a parser that stands on a trunk (:mod:`training.mpnet`)."""

    below = "lower"

    def encoded(self, version: str) -> str:
        """Add the layers above the trunk, and return the vectors of the pieces, (pieces, batch, width)."""
        types = self.constant(as_array(self.encoder.types.weight), "types.weight")
        x = self.op("Transpose", "lower", perm=[1, 0, 2])
        x = self.op("Add", x, self.op("Gather", types, version))
        places = self.op("Unsqueeze", self.numbered("mask", 1), self.ints(0))
        added = self.op("Add", self.distances(self.encoder.bias, places), self.attention_mask())
        for k, layer in enumerate(self.encoder.layer):
            x = self.layer(x, added, f"layers.{k}", as_bert(layer))
        return x
