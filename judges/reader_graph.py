"""The reader (:mod:`judges.reader`) as an ONNX graph, and its files.

::

    python -m judges.reader_graph --run runs/reader --encoder DIR --judge DIR
    python -m judges.reader_graph --run runs/more --encoder DIR --judge DIR --begin

The first command writes what a run has trained into the folder of a judge. The second one begins a run with the weights
that are there, so that a reader can learn on where its checkpoints are gone.

The graph takes the trunk's vectors of the tokens of both sides, ``x`` (pairs, tokens, layers * width), the ``side`` and
the ``place`` of each, as :meth:`judges.reader.ReaderNet.forward` does, and gives ``said`` (pairs, 3) and ``tokens``
(pairs, tokens). The matrices of its layers have 4 bits and stand beside it; those of its heads have 16.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from torch import nn

from judges.lessons import Vectors, read_layers
from judges.reader import ReaderNet, batch_of, upper_of
from training.mpnet import ranges
from training.onnx_graph import CONTRIB, as_array, linear_arrays
from training.packing import Packing
from training.scales import choose_places
from training.trunk_graph import LONGEST, MPNetGraph, as_bert
from usim.judge.reader import GRAPH_FILE, WEIGHTS_FILE
from usim.parsing.packed import unpack
from usim.text.checksums import digest_of

#: How many pairs are looked at to choose how numbers are brought into 8 bits.
_PAIRS = 250
#: The numbers of a graph that no training chooses.
_NUMBERS = {float(np.float32(number)) for number in (0.3, 1 / 0.7, 1.0, -1e4, 1e-4, 10.0)}


class ReaderGraph(MPNetGraph):
    """The graph of a reader over one or two layers of the trunk (``count``), with the settings of its encoder."""

    def __init__(self, reader: ReaderNet, config: Any, places: Any = None, *, count: int = 1, **options: Any) -> None:
        super().__init__(config, places, **options)
        self.reader, self.count = reader.eval(), count

    def build(self) -> onnx.ModelProto:
        reader = self.reader
        sides = [self.op("Cast", self.op("Equal", "side", self.scalar(k)), to=TensorProto.FLOAT) for k in (0, 1)]
        x, compared = self._layer(0), self._layer(self.count - 1)
        unit = self.op("LpNormalization", compared, axis=-1, p=2)
        cosine = self.op("FusedMatMul", unit, unit, domain=CONTRIB, transB=1)
        cosine = self.op("Mul", self.op("Sub", cosine, self.number(0.3)), self.number(1 / 0.7))
        rows, columns = ([self.op("Unsqueeze", side, self.ints(axis)) for side in sides] for axis in (2, 1))
        across, within = (
            self.op("Add", self.op("Mul", rows[0], columns[k]), self.op("Mul", rows[1], columns[1 - k])) for k in (1, 0)
        )
        sharp = self.op("Mul", cosine, self.number(reader.sharpness.item()))
        weight = self.op("Mul", self.softmax(self.op("Add", sharp, self.penalty(across))), across)
        other = self.op("MatMul", weight, x)
        x = self._first(x, other)
        both = self.op("Add", weight, self.op("Transpose", weight, perm=[0, 2, 1]))
        of_two = [self.op("Unsqueeze", f, self.ints(3)) for f in (self.op("Mul", cosine, across), both, across)]
        figures = self.op("Concat", *of_two, axis=3)
        near = self.op("Mul", self.distances(reader.bias, "place"), self.op("Unsqueeze", within, self.ints(1)))
        # What is neither of the source nor of the output is hidden; the vector of the pair is not.
        is_token = self.op("Pad", self.op("Add", *sides), self.ints(0, 1, 0, 0), self.number(1.0))
        near = self.op("Add", self._padded(near), self.penalty(self.op("Unsqueeze", is_token, self.ints(1, 2))))
        for k, layer in enumerate(reader.layer):
            table = self.constant(np.ascontiguousarray(as_array(reader.match[k]).T), f"match.{k}")
            match = self.op("MatMul", figures, table)
            added = self._padded(self.op("Transpose", match, perm=[0, 3, 1, 2]))
            x = self.layer(x, self.op("Add", added, near), f"layers.{k}", as_bert(layer))
        self._heads(self.op("Transpose", x, perm=[1, 0, 2]), sides)
        width = self.config.hidden_size
        ints = dict.fromkeys(("side", "place"), (TensorProto.INT64, ["pairs", "tokens"]))
        inputs = {"x": (TensorProto.FLOAT, ["pairs", "tokens", self.count * width]), **ints}
        return self.finished(inputs, {"said": ["pairs", 3], "tokens": ["pairs", "tokens"]})

    def scalar(self, value: int) -> str:
        """Add a constant integer without dimensions."""
        return self.constant(np.int64(value), f"scalar_{value}")

    def _layer(self, number: int) -> str:
        """Return the vectors in one of the layers that stand side by side in ``x``."""
        if self.count == 1:
            return "x"
        start, end = (self.ints((number + k) * self.config.hidden_size) for k in (0, 1))
        return self.op("Slice", "x", start, end, self.ints(2))

    def _first(self, x: str, other: str) -> str:
        """Add what the layers begin with, (1 + tokens, pairs, width)."""
        reader = self.reader
        table = self.constant(as_array(reader.side.weight), "sides")
        sides = self.op("Gather", table, self.op("Min", "side", self.scalar(1)))
        beside = self.op("Concat", self.op("Sub", other, x), self.op("Mul", other, x), axis=2)
        place = "counterpart.between"
        divisor = self.divisor(place)
        if isinstance(divisor, np.ndarray):
            beside = self.op("Mul", beside, self.constant((1 / divisor).astype(np.float32), f"{place}.factor"))
        beside = self.dense(self.quantised(beside, place), place, "counterpart", reader.counterpart)
        x = self.op("Transpose", self.op("Add", self.op("Add", x, sides), beside), perm=[1, 0, 2])
        shape = self.op("Concat", self.ints(1), self.op("Shape", x, start=1, end=3), axis=0)
        own = self.op("Expand", self.constant(as_array(reader.pair), "pair"), shape)
        return self.op("Concat", own, x, axis=0)

    def _padded(self, x: str) -> str:
        """Add a row and a column of zeros for the vector of the pair, before those of the tokens."""
        return self.op("Pad", x, self.ints(0, 0, 1, 1, 0, 0, 0, 0))

    def _head(self, x: str, name: str, head: nn.Sequential) -> str:
        linear = [layer for layer in head if isinstance(layer, nn.Linear)]
        for k, layer in enumerate(linear):
            weight, bias = linear_arrays(layer)
            half = self.constant(weight.astype(np.float16), f"{name}.{k}.weight")
            x = self.op("MatMul", x, self.op("Cast", half, to=TensorProto.FLOAT))
            x = self.op("Add", x, self.constant(bias, f"{name}.{k}.bias"))
            if k + 1 < len(linear):
                x = self.op("FastGelu", x, domain=CONTRIB)
        return x

    def _heads(self, x: str, sides: Sequence[str]) -> None:
        of_tokens = self.op("Slice", x, self.ints(1), self.ints(1 << 40), self.ints(1))
        tokens = self.op("Squeeze", self._head(of_tokens, "token", self.reader.token), self.ints(2), out="tokens")
        own = self.op("Squeeze", self.op("Slice", x, self.ints(0), self.ints(1), self.ints(1)), self.ints(1))
        parts, drifted = [own], []
        for side in sides:
            of_side = self.op("Mul", of_tokens, self.op("Unsqueeze", side, self.ints(2)))
            total = self.op("ReduceSum", of_side, self.ints(1), keepdims=0)
            count = self.op("ReduceSum", side, self.ints(1), keepdims=1)
            parts.append(self.op("Div", total, self.op("Max", count, self.number(1.0))))
            any_one = self.op("ReduceSum", self.op("Mul", self.op("Softplus", tokens), side), self.ints(1), keepdims=1)
            any_one = self.op("Clip", any_one, self.number(1e-4), self.number(10.0))
            drifted.append(self.op("Log", self.op("Sub", self.op("Exp", any_one), self.number(1.0))))
        said = self._head(self.op("Concat", *parts, axis=1), "of pair", self.reader.of_pair)
        share = self.constant(np.ascontiguousarray(as_array(self.reader.of_drift).T), "of drift")
        self.op("Add", said, self.op("MatMul", self.op("Concat", *drifted, axis=1), share), out="said")


@torch.no_grad()
def take(net: ReaderNet, folder: Path) -> None:
    """Give a network the weights of the reader in the folder of a judge, rounded as they are.

    The divisors of channels stay where they are between two matrices, and are taken out where they stand by themselves.
    """
    graph = onnx.load(folder / GRAPH_FILE, load_external_data=False).graph
    inner = [tensor for tensor in graph.initializer if tensor.data_location != TensorProto.EXTERNAL]
    arrays = {tensor.name: torch.tensor(numpy_helper.to_array(tensor)).float() for tensor in inner}
    with np.load(folder / WEIGHTS_FILE) as file:
        for name in {entry.rpartition(".")[0] for entry in file.files}:
            codes, levels, scales, inputs = (file[f"{name}.{part}"] for part in ("codes", "levels", "scales", "inputs"))
            arrays[f"{name}.weight"] = torch.from_numpy(unpack(codes, levels, scales, int(inputs)))

    def fill(layer: nn.Linear, name: str, factor: float = 1.0, place: str = "") -> None:
        weight = arrays[f"{name}.weight"] * arrays.get(f"{name}.scale", 1.0) * factor
        bias = arrays[f"{name}.bias"] * factor
        if (divided := arrays.get(f"{place}.factor")) is not None:
            weight *= divided[:, None]
        # What is beyond are further units behind a GELU.
        layer.weight.copy_(weight[: layer.in_features, : layer.out_features].T)
        layer.bias.copy_(bias[: layer.out_features])

    for k, given in enumerate(net.layer):
        layer, name = as_bert(given), f"layers.{k}"
        for part in ("query", "key", "value"):
            own = getattr(layer.attention.self, part)
            size = own.out_features / net.heads
            fill(own, f"{name}.attention.self.{part}", size**0.5 if part == "query" else 1.0)
        fill(layer.attention.output.dense, f"{name}.attention.output.dense")
        fill(layer.intermediate.dense, f"{name}.intermediate.dense", place=f"{name}.between")
        fill(layer.output.dense, f"{name}.output.dense")
        for part, norm in (("attention.output", layer.attention.output.LayerNorm), ("output", layer.output.LayerNorm)):
            norm.weight.copy_(arrays[f"{name}.{part}.LayerNorm.weight"])
            norm.bias.copy_(arrays[f"{name}.{part}.LayerNorm.bias"])
        net.match[k].copy_(arrays[f"match.{k}"].T)
    fill(net.counterpart, "counterpart", place="counterpart.between")
    for name, head in (("token", net.token), ("of pair", net.of_pair)):
        for k, own in enumerate(layer for layer in head if isinstance(layer, nn.Linear)):
            fill(own, f"{name}.{k}")
    net.pair.copy_(arrays["pair"])
    net.side.weight.copy_(arrays["sides"])
    net.of_drift.copy_(arrays["of drift"].T)
    every = ranges(LONGEST, net.bias)
    net.bias.weight[torch.cat([every[:, 0].flip(0), every[0, 1:]])] = arrays["distances"].T
    sharp = {float(value) for name, value in arrays.items() if name.startswith("number_")} - _NUMBERS
    net.sharpness.fill_(sharp.pop())


def feeds(run: Path, count: int) -> Iterator[dict[str, Any]]:
    """Yield inputs of the graph for some of the lessons."""
    vectors = Vectors(run / "vectors")
    lessons = pickle.loads((run / "lessons.pkl").read_bytes())
    for lesson in random.Random(1).sample(list(filter(vectors.has, lessons)), count):
        batch = batch_of([lesson], vectors)
        yield {name: batch[name].numpy() for name in ("x", "side", "place")}


def export(run: Path, encoder: Path, folder: Path) -> None:
    """Write the files of a reader into the folder of a judge, whose settings get their digests."""
    upper = upper_of(encoder)
    net = ReaderNet(upper)
    net.load_state_dict(torch.load(run / "reader.ckpt", weights_only=False)["net"])
    path = folder / "settings.json"
    settings = json.loads(path.read_text(encoding="utf-8"))
    layers = read_layers(settings["layers"])
    make = partial(ReaderGraph, net, upper.config, count=len(layers))
    places = choose_places(make, list(feeds(run, _PAIRS)))
    packing = Packing(4)
    onnx.save(make(places, packing=packing).build(), str(folder / GRAPH_FILE))
    packing.save(folder / WEIGHTS_FILE)
    settings["reader_layers"] = layers
    settings["sha256"] |= {name: digest_of(folder / name) for name in (GRAPH_FILE, WEIGHTS_FILE)}
    path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> None:
    """Write the files of a reader."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--run", type=Path, required=True, help="the folder of the training")
    p.add_argument("--encoder", type=Path, required=True, help="folder of the pretrained encoder")
    p.add_argument("--judge", type=Path, required=True, help="folder of the judge that gets the reader")
    p.add_argument("--begin", action="store_true", help="begin the run with the reader of the judge")
    args = p.parse_args(argv)
    if args.begin:
        net = ReaderNet(upper_of(args.encoder))
        take(net, args.judge)
        args.run.mkdir(parents=True, exist_ok=True)
        torch.save({"net": net.state_dict(), "spent": 0.0, "seen": 0, "steps": 0}, args.run / "reader.ckpt")
        return
    export(args.run, args.encoder, args.judge)


if __name__ == "__main__":
    main()
