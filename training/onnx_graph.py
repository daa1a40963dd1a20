"""Write an encoder as an ONNX graph, operator by operator, for speed in onnxruntime on a CPU.

:class:`EncoderGraph` has the layers that the parser and the reader share; ``parsers.span.graph`` and
``judges.reader_graph`` add their own. What differs from the network in torch, and why:

* *Products in integers.* Weights have 8 bits and a scale for each column; they keep to 7 of the bits, since on
  processors without VNNI the sum of two products of 8 bits overflows. Inputs have 8 bits and one scale and zero point
  for each place of the graph, which :mod:`training.scales` has chosen beforehand. Nothing is measured while
  parsing, so that a sentence's numbers never depend on its neighbours. The scale, the offset and the bias go into the
  product itself (``MatMulIntegerToFloat``).
* *Outliers* would cost all other numbers their precision. Large channels are divided by a number by which the weights
  after them are multiplied (Xiao et al. 2023, SmoothQuant). Behind the GELU, where that costs time, a large unit is
  cut off at a limit, and further units hold what is beyond it: ``x = min(x, t) + gelu(x - t)``.
* *Pieces first, sentences second.* Tensors are (pieces, batch, width), so that the attention can read queries, keys and
  values where they lie (``transBatch`` of ``FusedMatMul``) without copying them.
* *No slow operators*: ``SkipLayerNormalization`` takes six times as long as an addition and a ``LayerNormalization``,
  so the session must not fuse them (``ORT_ENABLE_BASIC``).
* *GELU* is computed through tanh (``FastGelu``), which is off by at most .0005.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from training.packing import Packing
from usim.parsing.packed import quantise_columns

Floats = npt.NDArray[np.float32]

CONTRIB = "com.microsoft"
#: Added to the score of a key that is padding, so that its weight is exactly 0.
_MASKED = -1e4


@dataclass(frozen=True, eq=False)
class Place:
    """The quantisation of the numbers at one place of the graph into 8 bits.

    Attributes:
        low, high: the least and the largest number that fits, after the division.
        divisor: the divisor of each channel; None for no division.
        further: for units behind a GELU: how many further units, each ``high`` apart, hold what is beyond ``high``.
    """

    low: float
    high: float
    divisor: Floats | None = None
    further: Mapping[int, int] = field(default_factory=dict)

    def scale_and_zero(self) -> tuple[float, int]:
        """Return scale and zero point of 8 unsigned bits that hold the range, and exactly 0."""
        low, high = min(self.low, 0.0), max(self.high, 0.0)
        scale = max(high - low, 1e-8) / 255
        return scale, round(-low / scale)


Places = Mapping[str, Place]


class EncoderGraph(ABC):
    """A graph over the layers of an encoder, of BERT's kind.

    Args:
        config: the settings of the encoder.
        places: the quantisation of each place, by :func:`training.scales.choose_places`. Without it everything
            stays in 32 bits.
        packing: takes the matrices, which then stand beside the graph (:mod:`usim.parsing.packed`).
        flat: add no branches, so that every tensor can be measured; :attr:`tensors` and :attr:`weights` say which.
    """

    def __init__(
        self, config: Any, places: Places | None = None, *, packing: Packing | None = None, flat: bool = False
    ) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self._count = 0
        self.constants: dict[str, onnx.TensorProto] = {}
        self.packing, self.flat = packing, flat
        self.config, self.places = config, places
        #: For each place that can be quantised the tensor that stands there, and the matrices that it meets.
        self.tensors: dict[str, str] = {}
        self.weights: dict[str, list[Floats]] = {}

    def op(self, kind: str, *inputs: str, domain: str = "", out: str = "", **attributes: Any) -> str:
        """Add a node with one output and return the output's name."""
        self._count += 1
        name = out or f"{kind.lower()}_{self._count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name

    def constant(self, value: Any, name: str) -> str:
        """Add a constant unless its name is known, and return the name."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    @contextmanager
    def branches(self, condition: str, output: str) -> Iterator[Callable[[str], None]]:
        """Add two branches that compute one output of two dimensions; the first runs if the condition holds.

        onnxruntime computes everything in a graph, whether it is asked for or not; a branch prevents that. What this
        yields is called at the end of each branch with the name of its result.
        """
        before, self.nodes = self.nodes, []
        branches: list[onnx.GraphProto] = []

        def end(result: str) -> None:
            typed = helper.make_tensor_value_info(result, TensorProto.FLOAT, [None, None])
            branches.append(helper.make_graph(self.nodes, f"{output} {len(branches)}", [], [typed]))
            self.nodes = []

        yield end
        self.nodes = before
        then, otherwise = branches
        self.nodes.append(helper.make_node("If", [condition], [output], then_branch=then, else_branch=otherwise))

    def ints(self, *values: int) -> str:
        """Add a constant vector of integers."""
        return self.constant(np.array(values, np.int64), "ints_" + "_".join(map(str, values)))

    def number(self, value: float) -> str:
        """Add a constant number."""
        return self.constant(np.float32(value), f"number_{value}")

    def numbered(self, tensor: str, axis: int) -> str:
        """Add the numbers from 0 of the places along an axis of a tensor."""
        length = self.op("Squeeze", self.op("Shape", tensor, start=axis, end=axis + 1))
        begin, step = (self.constant(np.int64(n), f"scalar_{n}") for n in (0, 1))
        return self.op("Range", begin, length, step)

    def penalty(self, mask: str) -> str:
        """Add zeros where a mask of floats is 1, and what no score of attention comes up to where it is 0."""
        return self.op("Mul", self.op("Sub", self.number(1.0), mask), self.number(_MASKED))

    def norm(self, x: str, name: str, layer: nn.LayerNorm, divisor: Floats | float = 1.0) -> str:
        """Normalise ``x`` and divide it."""
        weight = self.constant((as_array(layer.weight) / divisor).astype(np.float32), f"{name}.weight")
        bias = self.constant((as_array(layer.bias) / divisor).astype(np.float32), f"{name}.bias")
        return self.op("LayerNormalization", x, weight, bias, axis=-1, epsilon=float(layer.eps))

    def finished(
        self, inputs: Mapping[str, tuple[int, Sequence[Any]]], outputs: Mapping[str, Sequence[Any]]
    ) -> onnx.ModelProto:
        """Return the nodes as a model; see :func:`type_of` for the types of the outputs."""
        given = [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()]
        results = [helper.make_tensor_value_info(name, type_of(name), shape) for name, shape in outputs.items()]
        graph = helper.make_graph(self.nodes, "usim", given, results, list(self.constants.values()))
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="usim")

    @abstractmethod
    def build(self) -> onnx.ModelProto:
        """Build the whole graph."""

    def products(self) -> dict[str, Floats]:
        """Return for each place of a graph built in 32 bits the matrix (channels, outputs) of all products with it."""
        return {place: np.concatenate(parts, axis=1) for place, parts in self.weights.items()}

    def divisor(self, place: str) -> Floats | float:
        """Return the divisor of the channels of a place."""
        divisor = self.places[place].divisor if self.places is not None else None
        return 1.0 if divisor is None else divisor

    def quantised(self, x: str, place: str) -> str:
        """Quantise ``x``, which has been divided already."""
        self.tensors[place] = x
        if self.places is None:
            return x
        scale, zero = self.places[place].scale_and_zero()
        self.constant(np.float32(scale), f"{place}.scale")
        self.constant(np.uint8(zero), f"{place}.zero")
        return self.op("QuantizeLinear", x, f"{place}.scale", f"{place}.zero")

    def linear(self, x: str, place: str, name: str, weight: Floats, bias: Floats | str | None) -> str:
        """Multiply ``x``, quantised at ``place``, by a matrix (inputs, outputs) and add a bias."""
        given = self.constant(bias, f"{name}.bias") if isinstance(bias, np.ndarray) else bias
        if self.places is None:
            self.weights.setdefault(place, []).append(weight)
            y = self.op("MatMul", x, self.constant(weight, f"{name}.weight"))
            return self.op("Add", y, given) if given else y
        divisor = self.divisor(place)
        weight = weight * (divisor[:, None] if isinstance(divisor, np.ndarray) else divisor)
        if self.packing is not None and self.packing.takes(weight):
            shapes = self.packing.add(name, weight)
            for part, kind in (("weight", TensorProto.INT8), ("scale", TensorProto.FLOAT)):  # given when it is loaded
                outside = {"dims": shapes[part], "data_location": TensorProto.EXTERNAL}
                tensor = TensorProto(name=f"{name}.{part}", data_type=kind, **outside)
                tensor.external_data.add(key="location", value="weights")
                self.constants[tensor.name] = tensor
        else:
            rows, scale = quantise_columns(weight)
            self.constant(rows, f"{name}.weight")
            self.constant(scale, f"{name}.scale")
        inputs = [x, f"{name}.weight", f"{place}.scale", f"{name}.scale", f"{place}.zero", "", given or ""]
        while not inputs[-1]:
            inputs.pop()
        return self.op("MatMulIntegerToFloat", *inputs, domain=CONTRIB)

    def dense(self, x: str, place: str, name: str, layer: nn.Linear) -> str:
        """Apply a linear layer to ``x``, quantised at ``place``."""
        return self.linear(x, place, name, *linear_arrays(layer))

    def attention_mask(self) -> str:
        """Add what the scores of the keys are masked with, (batch, 1, queries, keys): one for all heads is fastest."""
        padding = self.op("Unsqueeze", self.penalty(self.op("Cast", "mask", to=TensorProto.FLOAT)), self.ints(1, 2))
        batch, length = (self.op("Shape", "mask", start=i, end=i + 1) for i in (0, 1))
        return self.op("Expand", padding, self.op("Concat", batch, self.ints(1), length, length, axis=0))

    def softmax(self, x: str) -> str:
        """Apply the softmax to the last axis, with the same result to the last bit wherever keys are hidden.

        onnxruntime's own adds in an order that depends on the number of keys and on where a key stands. The last bits
        of its sums then turn the rounding to 8 bits behind it, and a text would be read a little differently beside
        longer ones, or beside other substitutes.
        """
        powers = self.op("Exp", self.op("Sub", x, self.op("ReduceMax", x, axes=[-1], keepdims=1)))
        total = self.op("ReduceSum", self.op("Cast", powers, to=TensorProto.DOUBLE), self.ints(-1), keepdims=1)
        return self.op("Div", powers, self.op("Cast", total, to=TensorProto.FLOAT))

    def layer(self, x: str, mask: str, name: str, layer: Any) -> str:
        """Apply a layer of the encoder to ``x``, (pieces, batch, width); ``mask`` may be empty."""
        y = self._attention(x, mask, name, layer.attention.self)
        out = layer.attention.output
        y = self.dense(y, f"{name}.context", f"{name}.attention.output.dense", out.dense)
        x = self.norm(self.op("Add", y, x), f"{name}.attention.output.LayerNorm", out.LayerNorm)
        y = self._feed_forward(x, name, layer)
        return self.norm(self.op("Add", y, x), f"{name}.output.LayerNorm", layer.output.LayerNorm)

    def _attention(self, x: str, mask: str, name: str, attention: Any) -> str:
        heads = self.config.num_attention_heads
        size = self.config.hidden_size // heads
        quantised = self.quantised(x, f"{name}.in")
        parts = []
        for part in ("query", "key", "value"):
            weight, bias = linear_arrays(getattr(attention, part))
            divisor = {"query": size**0.5, "key": 1.0, "value": self.divisor(f"{name}.context")}[part]
            weight, bias = (weight / divisor).astype(np.float32), (bias / divisor).astype(np.float32)
            y = self.linear(quantised, f"{name}.in", f"{name}.attention.self.{part}", weight, bias)
            parts.append(self.op("Reshape", y, self.ints(0, 0, heads, size)))
        query, key, value = parts
        scores = self.op("FusedMatMul", query, key, domain=CONTRIB, transBatchA=1, transBatchB=1, transB=1)
        weights = self.softmax(self.op("Add", scores, mask) if mask else scores)
        y = self.op("FusedMatMul", weights, value, domain=CONTRIB, transBatchB=1)
        # Bytes are moved faster than numbers of 32 bits: quantise first.
        y = self.op("Transpose", self.quantised(y, f"{name}.context"), perm=[2, 0, 1, 3])
        return self.op("Reshape", y, self.ints(0, 0, -1))

    def _feed_forward(self, x: str, name: str, layer: Any) -> str:
        divisor = self.divisor(f"{name}.between")
        if isinstance(divisor, np.ndarray):
            x = self.op("Mul", x, self.constant((1 / divisor).astype(np.float32), f"{name}.between.factor"))
        x = self.quantised(x, f"{name}.between")
        (weight, bias), (after, bias_after) = linear_arrays(layer.intermediate.dense), linear_arrays(layer.output.dense)
        if self.places is not None:
            weight, bias, after = _further_units(weight, bias, after, self.places[f"{name}.inner"])
        y = self.linear(x, f"{name}.between", f"{name}.intermediate.dense", weight, bias)
        y = self.quantised(self.op("FastGelu", y, domain=CONTRIB), f"{name}.inner")
        return self.linear(y, f"{name}.inner", f"{name}.output.dense", after, bias_after)


def _further_units(weight: Floats, bias: Floats, after: Floats, place: Place) -> tuple[Floats, Floats, Floats]:
    """Return the weights and bias before and the weights behind a GELU, with the further units of a place."""
    units = [unit for unit, count in place.further.items() for _ in range(count)]
    steps = [k + 1 for count in place.further.values() for k in range(count)]
    shifts = np.array(steps, np.float32) * np.float32(place.high)
    return (
        np.concatenate([weight, weight[:, units]], axis=1),
        np.concatenate([bias, bias[units] - shifts]),
        np.concatenate([after, after[units]]),
    )


def type_of(output: str) -> int:
    """Return the type of an output: integers for ``chosen`` spans, else floats, of 16 bits for ``half…``."""
    if output == "chosen":
        return int(TensorProto.INT64)
    return int(TensorProto.FLOAT16 if output.startswith("half") else TensorProto.FLOAT)


def as_array(parameter: Any) -> Floats:
    """Return a parameter as a numpy array."""
    return np.ascontiguousarray(parameter.detach().float().numpy())


def linear_arrays(layer: nn.Linear) -> tuple[Floats, Floats | None]:
    """Return the matrix of a layer as (inputs, outputs), and its bias."""
    return np.ascontiguousarray(as_array(layer.weight).T), None if layer.bias is None else as_array(layer.bias)
