"""Export a judge to the files that ``usim`` loads.

``pair.onnx`` has the networks over pairs. The settings name the trunk by its way from the folder
of the judge, and hold the calibration and the thresholds.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto

from judges.encode import layers_of
from judges.network import HEADS, INNER, NEAR, PARTS, SAYS, Layer, PairNet
from training.onnx_graph import CONTRIB, Graph, as_array, linear_arrays
from usim.evidence import FEATURE_SCHEMA, feature_names
from usim.judge.grammar import DETECTOR_FILE
from usim.judge.inputs import FLAGS
from usim.judge.similarities import NAMES as SIMILARITIES
from usim.judge.trained import CLASSIFIER_FILE
from usim.parsing import load_trunk
from usim.text.checksums import digest_of

#: Matrices with at least so many numbers have 8 bits in the file, and a scale for each column.
_IN_8_BITS = 10_000
_LARGEST_BYTE = 127


class PairGraph(Graph):
    """What the encoder says of the tokens of a batch of pairs, and their features, to the logits of each pair.

    The inputs are those of :func:`usim.judge.classifier.pair_feed`.
    """

    def __init__(self, net: PairNet) -> None:
        super().__init__(flat=False)
        self.net = net.eval()

    def constant(self, value: Any, name: str) -> str:
        """Add a constant, a large matrix in 8 bits; onnxruntime makes 32 of them when it loads the graph."""
        array, stored, step = np.asarray(value), f"{name}.bytes", f"{name}.scale"
        if array.dtype != np.float32 or array.size < _IN_8_BITS:
            return super().constant(value, name)
        if stored not in self.constants:
            scale = np.maximum(np.abs(array).max(axis=-2, keepdims=True), 1e-8) / _LARGEST_BYTE
            numbers = np.rint(array / scale).astype(np.int8)
            wide = self.op("Cast", super().constant(numbers, stored), to=TensorProto.FLOAT)
            self.op("Mul", wide, super().constant(scale.astype(np.float32), step), out=name)
        return name

    def build(self) -> onnx.ModelProto:
        net, width = self.net, self.net.first.in_features // PARTS
        rows = self.op("Reshape", "x", self.ints(-1, width))
        difference = self.op("Sub", "x", self.op("Gather", rows, "partner"))  # 0 for what is its own partner
        padding = self.penalty("mask")
        alike, cross, between = self._alike()
        sharp = self.op("Mul", alike, self.number(net.sharpness.item()))
        unseen = self.op("Add", self.penalty(between), self.op("Unsqueeze", padding, self.ints(1)))
        seen = self.op("Softmax", self.op("Add", sharp, unseen), axis=-1)
        soft = self.op("Sub", "x", self.op("MatMul", seen, "x"))
        both = [y for x in (difference, soft) for y in (x, self.op("Abs", x))]
        x = self._dense(self.op("Concat", "x", *both, axis=2), "first", net.first)
        for name in ("flag", "lowest", "highest"):
            table = self.constant(as_array(getattr(net, name).weight), f"{name}s")
            x = self.op("Add", x, self.op("Gather", table, name))
        x = self._gelu(x)
        y = self._dense(self._gelu(self._dense(x, "between", net.between)), "second", net.second)
        x = self.norm(self.op("Add", x, y), "norm", net.norm)
        related = self._relations(alike, cross, between)
        hidden = self.op("Unsqueeze", padding, self.ints(1, 2))
        for k, layer in enumerate(net.layers):
            x = self._layer(x, f"layers.{k}", layer, related, hidden)
        # A weight of padding is exactly 0, and padding is never the largest.
        padding = self.op("Unsqueeze", padding, self.ints(2))
        weights = self.op("Softmax", self.op("Add", self._dense(x, "query", net.query), padding), axis=1)
        parts = self.op("MatMul", self.op("Transpose", weights, perm=[0, 2, 1]), x)
        mean = self.op("MatMul", self.op("Unsqueeze", "changed", self.ints(1)), x)  # weights that sum to one, or zeros
        largest = self.op("ReduceMax", self.op("Add", x, padding), axes=[1], keepdims=1)
        pooled = self.op("Reshape", self.op("Concat", parts, mean, largest, axis=1), self.ints(0, -1))
        self._last(pooled)
        of_token = ["pairs", "tokens"]
        floats = {
            "x": [*of_token, width],
            "mask": of_token,
            "changed": of_token,
            "features": ["pairs", len(net.mean)],
        }
        inputs = {name: (TensorProto.FLOAT, shape) for name, shape in floats.items()}
        inputs |= dict.fromkeys(("partner", "flag", "lowest", "highest"), (TensorProto.INT64, of_token))
        return self.finished(inputs, {"logits": ["pairs", len(SAYS)]})

    def _alike(self) -> tuple[str, str, str]:
        """Add the cosines of each two tokens, and whether they are of two sentences: as booleans and as numbers."""
        length = self.op("ReduceL2", "x", axes=[2], keepdims=1)
        unit = self.op("Div", "x", self.op("Max", length, self.constant(np.full(1, 1e-12, np.float32), "tiny")))
        alike = self.op("MatMul", unit, self.op("Transpose", unit, perm=[0, 2, 1]))
        is_target = self.op("GreaterOrEqual", "flag", self.constant(np.int64(FLAGS), "flags of the source"))
        sides = (self.op("Unsqueeze", is_target, self.ints(axis)) for axis in (2, 1))
        cross = self.op("Xor", *sides)
        return alike, cross, self.op("Cast", cross, to=TensorProto.FLOAT)

    def _relations(self, alike: str, cross: str, between: str) -> str:
        """Add the figures of :func:`judges.network.relations`, (pairs, tokens, tokens, figures)."""
        pairs, tokens = (self.numbered("flag", axis) for axis in (0, 1))
        before = self.op("Mul", pairs, self.op("Shape", "flag", start=1, end=2))
        partner = self.op("Sub", "partner", self.op("Unsqueeze", before, self.ints(1)))
        partners = self.op("And", self.op("Equal", self.op("Unsqueeze", partner, self.ints(2)), tokens), cross)
        apart = self.op("Sub", *(self.op("Unsqueeze", tokens, self.ints(axis)) for axis in (0, 1)))
        within = self.op("Not", cross)
        near = [self.op("Equal", apart, self.constant(np.int64(n), f"scalar_{n}")) for n in (1, -1)]
        near.append(self.op("LessOrEqual", self.op("Abs", apart), self.constant(np.int64(NEAR), f"scalar_{NEAR}")))
        figures = [partners, cross, *(self.op("And", within, some) for some in near)]
        first, *others = (self.op("Cast", figure, to=TensorProto.FLOAT) for figure in figures)
        centred = self.op("Sub", self.op("Mul", alike, self.number(2.0)), self.number(1.0))
        every = [first, self.op("Mul", centred, between), *others]
        return self.op("Concat", *(self.op("Unsqueeze", figure, self.ints(3)) for figure in every), axis=3)

    def _layer(self, x: str, name: str, layer: Layer, related: str, hidden: str) -> str:
        """Add a :class:`judges.network.Layer`."""
        parts = self._dense(self.norm(x, f"{name}.before", layer.before), f"{name}.parts", layer.parts)
        heads = self.op("Reshape", parts, self.ints(0, 0, 3, HEADS, -1))
        query, key, value = (
            self.op("Gather", heads, self.constant(np.int64(k), f"scalar_{k}"), axis=2) for k in range(3)
        )
        query, value = (self.op("Transpose", part, perm=[0, 2, 1, 3]) for part in (query, value))
        scores = self.op("MatMul", query, self.op("Transpose", key, perm=[0, 2, 3, 1]))
        scores = self.op("Mul", scores, self.number((INNER // HEADS) ** -0.5))
        by_relation = self.constant(as_array(layer.by_relation), f"{name}.by_relation")
        of_relations = self.op("Transpose", self.op("MatMul", related, by_relation), perm=[0, 3, 1, 2])
        scores = self.op("Add", scores, of_relations)
        weights = self.op("Softmax", self.op("Add", scores, hidden), axis=-1)
        mixed = self.op("Transpose", self.op("MatMul", weights, value), perm=[0, 2, 1, 3])
        mixed = self.op("Reshape", mixed, self.ints(0, 0, -1))
        x = self.op("Add", x, self._dense(mixed, f"{name}.mixed", layer.mixed))
        y = self._gelu(self._dense(self.norm(x, f"{name}.between", layer.between), f"{name}.first", layer.first))
        return self.op("Add", x, self._dense(y, f"{name}.second", layer.second))

    def _dense(self, x: str, name: str, layer: Any) -> str:
        weight, bias = linear_arrays(layer)
        y = self.op("MatMul", x, self.constant(weight, f"{name}.weight"))
        return y if bias is None else self.op("Add", y, self.constant(bias, f"{name}.bias"))

    def _last(self, pooled: str) -> None:
        """Add the small networks and the mean of their logits."""
        net = self.net
        each = self.ints(0, net.count, -1)
        a = self.op("Reshape", self._gelu(self._dense(pooled, "pooled", net.pooled)), each)
        b = self.op("Reshape", self._gelu(self._dense("features", "of_features", net.of_features)), each)
        both = self.op("Transpose", self.op("Concat", a, b, axis=2), perm=[1, 0, 2])  # (networks, pairs, …)
        h = self.op("MatMul", both, self.constant(as_array(net.last), "last.weight"))
        h = self._gelu(self.op("Add", h, self.constant(as_array(net.last_bias)[:, None], "last.bias")))
        each_logit = self.op("MatMul", h, self.constant(as_array(net.out), "out"))  # (networks, pairs, outputs)
        linear = self.op("Reshape", self._dense("features", "linear", net.linear), self.ints(0, net.count, -1))
        linear = self.op("Transpose", linear, perm=[1, 0, 2])
        self.op("ReduceMean", self.op("Add", each_logit, linear), axes=[0], keepdims=0, out="logits")

    def _gelu(self, x: str) -> str:
        return self.op("Gelu", x, domain=CONTRIB)


def export(run: Path, trunk: Path, out: Path, name: str) -> None:
    """Write the files of a judge.

    Args:
        run: a folder with what ``judges.head``, ``judges.calibrate`` and ``judges.errors`` made.
        trunk: the folder of the trunk.
        out: the folder to write.
        name: the judge's name.
    """
    of_pairs = torch.load(run / "head/head.pt", weights_only=True)
    net = PairNet(of_pairs["first.weight"].shape[1] // PARTS, len(of_pairs["mean"]), len(of_pairs["out"]))
    net.load_state_dict(of_pairs)
    names = feature_names()
    layers = layers_of(trunk)
    assert len(net.mean) == len(names) + len(layers) * len(SIMILARITIES)
    about = json.loads((run / "head/calibration.json").read_text(encoding="utf-8"))
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(run / DETECTOR_FILE, out / DETECTOR_FILE)
    with torch.no_grad():
        onnx.save(PairGraph(net).build(), str(out / CLASSIFIER_FILE))
    settings = {
        "name": name,
        "trunk": Path(os.path.relpath(trunk, out)).as_posix(),
        "trunk_digest": load_trunk(trunk).digest,
        "layers": list(layers),
        "features": list(names),
        "feature_schema": FEATURE_SCHEMA,
        "sha256": {name: digest_of(out / name) for name in (CLASSIFIER_FILE, DETECTOR_FILE)},
        "mean": [float(f"{v:.6g}") for v in net.mean.tolist()],
        "deviation": [float(f"{v:.6g}") for v in net.deviation.tolist()],
        "calibration": about["calibration"],
        "thresholds": about["thresholds"],
        "risk": {},
    }
    (out / "settings.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
