"""The network as an ONNX graph, operator by operator, made for the speed of onnxruntime on a CPU.

What differs from the network in torch, and why:

* *Products in integers.* Weights have 8 bits and a scale for each column; they keep to 7 of the bits, since on
  processors without VNNI the sum of two products of 8 bits overflows. Inputs have 8 bits and one scale and zero point
  for each place of the graph, which :mod:`training.calibration` has chosen beforehand. Nothing is measured while
  parsing, so that a sentence's numbers never depend on its neighbours, and the scale, the offset and the bias go into
  the product itself (``MatMulIntegerToFloat``).
* *Outliers* would cost all other numbers their precision. Large channels are divided by a number that the weights
  after them are multiplied by (Xiao et al. 2023, SmoothQuant). Behind the GELU, where that costs time, a large unit
  is cut off at a limit, and further units stand for what is beyond it: ``x = min(x, t) + gelu(x - t)``.
* *Pieces first, sentences second.* Tensors are (pieces, batch, width), so that the attention can read queries, keys and
  values where they lie (``transBatch`` of ``FusedMatMul``) and nothing is moved about.
* *What onnxruntime is slow at is left out*: ``SkipLayerNormalization`` takes six times as long as an addition and a
  ``LayerNormalization``, so the session must not fuse them (``ORT_ENABLE_BASIC``); labels are chosen outside.
* *A sieve* (:mod:`parsers.span.sieve`) says from a product of two short vectors which spans may have a label; the
  others get no scores.
* GELU is computed through tanh (``FastGelu``), which is off by at most .0005. A rectifier, like that before the label
  scores, is the zero point of the quantisation: what is below 0 becomes 0. An encoder with ``hidden_act: relu`` is
  faster for that reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from parsers.span.model import SpanModel
from parsers.span.sieve import Sieve

Floats = npt.NDArray[np.float32]

#: The largest weight; two products with an input of 8 bits fit into 16 bits.
LARGEST = 63
_CONTRIB = "com.microsoft"
#: What a key that is no piece of the sentence gets; its weight is exactly 0.
_MASKED = -1e4


@dataclass(frozen=True, eq=False)
class Place:
    """How the numbers at one place of the graph are brought into 8 bits.

    Attributes:
        low, high: the least and the largest number that fits, after the division.
        divisor: what each channel is divided by; None for nothing.
        further: for units behind a GELU: how many further units, each ``high`` apart, hold what is beyond ``high``.
    """

    low: float
    high: float
    divisor: Floats | None = None
    further: Mapping[int, int] = field(default_factory=dict)

    def scale_and_zero(self) -> tuple[float, int]:
        """Scale and zero point of 8 unsigned bits that hold the range, and exactly 0."""
        low, high = min(self.low, 0.0), max(self.high, 0.0)
        scale = max(high - low, 1e-8) / 255
        return scale, round(-low / scale)


Places = Mapping[str, Place]


def quantise_columns(weight: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """A matrix (inputs, outputs) in 8 bits, and the scale of each column."""
    scale = np.maximum(np.abs(weight).max(axis=0), 1e-8) / LARGEST
    return np.rint(weight / scale).astype(np.int8), scale.astype(np.float32)


class _Graph:
    """Nodes and constants under construction."""

    def __init__(self, *, flat: bool) -> None:
        self.flat = flat
        self.nodes: list[onnx.NodeProto] = []
        self._count = 0
        self.constants: dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, domain: str = "", out: str = "", **attributes: Any) -> str:
        """Adds a node of one output; its name."""
        self._count += 1
        name = out or f"{kind.lower()}_{self._count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name

    def constant(self, value: Any, name: str) -> str:
        """A constant under a name; a name stands for one value."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    @contextmanager
    def only_if(self, condition: str, outputs: Mapping[str, int]) -> Iterator[None]:
        """What is added inside runs only if a truth value holds, and makes ``outputs`` of what is named so with ``_``.

        Otherwise the outputs are empty. onnxruntime computes all that is in a graph, asked for or not; this stops it.

        Args:
            condition: the name of the truth value.
            outputs: the number of dimensions of each output; numbers of spans are integers, all else are floats.
        """
        if self.flat:
            yield
            for name in outputs:
                self.op("Identity", f"{name}_", out=name)
            return
        before, self.nodes = self.nodes, []
        yield
        inner, self.nodes = self.nodes, before
        typed = [helper.make_tensor_value_info(f"{n}_", _type_of(n), [None] * rank) for n, rank in outputs.items()]
        then = helper.make_graph(inner, condition, [], typed)
        none, made = [], []
        for name, rank in outputs.items():
            empty = np.zeros([0] * rank, np.int64 if _type_of(name) == TensorProto.INT64 else np.float32)
            value = numpy_helper.from_array(empty, f"{name}_empty")
            none.append(helper.make_node("Constant", [], [f"{name}__"], value=value))
            made.append(helper.make_tensor_value_info(f"{name}__", _type_of(name), [None] * rank))
        otherwise = helper.make_graph(none, f"not {condition}", [], made)
        self.nodes.append(helper.make_node("If", [condition], list(outputs), then_branch=then, else_branch=otherwise))

    @contextmanager
    def branches(self, condition: str, output: str) -> Iterator[Callable[[str], None]]:
        """Two ways to make one output of two dimensions, only one of which runs: first that for a true condition.

        Yields:
            To be called at the end of each way, with its result.
        """
        before, self.nodes = self.nodes, []
        made: list[onnx.GraphProto] = []

        def end(result: str) -> None:
            typed = helper.make_tensor_value_info(result, TensorProto.FLOAT, [None, None])
            made.append(helper.make_graph(self.nodes, f"{output} {len(made)}", [], [typed]))
            self.nodes = []

        yield end
        self.nodes = before
        self.nodes.append(helper.make_node("If", [condition], [output], then_branch=made[0], else_branch=made[1]))

    def ints(self, *values: int) -> str:
        """A constant vector of integers."""
        return self.constant(np.array(values, np.int64), "ints_" + "_".join(map(str, values)))

    def number(self, value: float) -> str:
        """A constant number."""
        return self.constant(np.float32(value), f"number_{value}")


class Builder(_Graph):
    """Builds the graph of one model.

    Args:
        model: the network.
        versions: for each label the versions of the guidelines that know it; no span gets another.
        places: for each place how it is quantised, by :func:`training.calibration.choose`. Without them everything
            stays in 32 bits.
        flat: no branches, so that all tensors can be looked at; :attr:`found` and :attr:`weights` say what is to be
            measured.
        sieve: which spans get scores; without one, all.
    """

    def __init__(
        self,
        model: SpanModel,
        versions: Sequence[Sequence[int]],
        places: Places | None = None,
        *,
        flat: bool = False,
        sieve: Sieve | None = None,
    ) -> None:
        super().__init__(flat=flat)
        self.sieve = sieve
        self.model = model.eval()
        self.encoder: Any = model.encoder
        self.config = self.encoder.config
        self.versions = versions
        self.places = places
        #: For each place that can be quantised the tensor that stands there, and the matrices that it meets.
        self.found: dict[str, str] = {}
        self.weights: dict[str, list[Floats]] = {}

    # -- parts -------------------------------------------------------------------------------------------------------

    def divisor(self, place: str) -> Floats | float:
        """What the channels of a place are divided by."""
        divisor = self.places[place].divisor if self.places is not None else None
        return 1.0 if divisor is None else divisor

    def quantised(self, x: str, place: str) -> str:
        """``x``, which has been divided already, in 8 bits."""
        self.found[place] = x
        if self.places is None:
            return x
        scale, zero = self.places[place].scale_and_zero()
        self.constant(np.float32(scale), f"{place}.scale")
        self.constant(np.uint8(zero), f"{place}.zero")
        return self.op("QuantizeLinear", x, f"{place}.scale", f"{place}.zero")

    def linear(self, x: str, place: str, name: str, weight: Floats, bias: Floats | str | None) -> str:
        """``x`` (which stands at ``place``, in 8 bits if there are any) times a matrix (inputs, outputs), and bias."""
        given = self.constant(bias, f"{name}.bias") if isinstance(bias, np.ndarray) else bias
        if self.places is None:
            self.weights.setdefault(place, []).append(weight)
            y = self.op("MatMul", x, self.constant(weight, f"{name}.weight"))
            return self.op("Add", y, given) if given else y
        divisor = self.divisor(place)
        rows, scale = quantise_columns(weight * (divisor[:, None] if isinstance(divisor, np.ndarray) else divisor))
        self.constant(rows, f"{name}.weight")
        self.constant(scale, f"{name}.scale")
        inputs = [x, f"{name}.weight", f"{place}.scale", f"{name}.scale", f"{place}.zero", "", given or ""]
        while not inputs[-1]:
            inputs.pop()
        return self.op("MatMulIntegerToFloat", *inputs, domain=_CONTRIB)

    def dense(self, x: str, place: str, name: str, layer: nn.Linear) -> str:
        """``x`` through a linear layer."""
        return self.linear(x, place, name, *_arrays(layer))

    def norm(self, x: str, name: str, layer: nn.LayerNorm, divisor: Floats | float = 1.0) -> str:
        """``x``, normalised and divided."""
        weight = self.constant((as_array(layer.weight) / divisor).astype(np.float32), f"{name}.weight")
        bias = self.constant((as_array(layer.bias) / divisor).astype(np.float32), f"{name}.bias")
        return self.op("LayerNormalization", x, weight, bias, axis=-1, epsilon=float(layer.eps))

    # -- the network -------------------------------------------------------------------------------------------------

    def build(self) -> onnx.ModelProto:
        """The whole graph."""
        version = self.op("Gather", self.op("Reshape", "types", self.ints(-1)), self.constant(np.int64(0), "first"))
        x = self._embeddings(version)
        mask = self._mask()
        layers = list(enumerate(self.encoder.encoder.layer))
        half = len(layers) // 2
        for k, layer in layers[:half]:
            x = self._layer(x, mask, f"layers.{k}", layer)
        self.op("Transpose", x, perm=[1, 0, 2], out="middle")
        with self.only_if("deep", {"last": 3}):
            for k, layer in layers[half:]:
                x = self._layer(x, mask, f"layers.{k}", layer)
            self.op("Identity", x, out="last_")
        self.op("Transpose", "last", perm=[1, 0, 2], out="pieces")
        outputs = {"score": 1, "scores": 2, "node_left": 2, "node_right": 2}
        with self.only_if("parse", outputs if self.sieve is None else outputs | {"chosen": 1}):
            fences = self._fences("last")
            self._spans(fences, version)
            for name in ("node_left", "node_right"):
                y = self.dense(fences, "fences", f"model.{name}", getattr(self.model, name))
                self.op("Identity", y, out=f"{name}_")
        return self._made()

    def _embeddings(self, version: str) -> str:
        embeddings = self.encoder.embeddings
        x = self.op("Transpose", "embedded", perm=[1, 0, 2])  # the table stands outside, see usim.parsing.embeddings
        positions = self.constant(as_array(embeddings.position_embeddings.weight), "positions")
        length = self.op("Shape", "mask", start=1, end=2)
        places = self.op("Slice", positions, self.ints(0), length, self.ints(0))
        types = self.constant(as_array(embeddings.token_type_embeddings.weight), "types.weight")
        places = self.op("Add", places, self.op("Gather", types, version))
        x = self.op("Add", x, self.op("Unsqueeze", places, self.ints(1)))
        return self.norm(x, "norm", embeddings.LayerNorm)

    def _mask(self) -> str:
        """What is added to the scores of the keys, (batch, 1, queries, keys): one block for all heads is fastest."""
        none = self.op("Sub", self.number(1.0), self.op("Cast", "mask", to=TensorProto.FLOAT))
        none = self.op("Unsqueeze", self.op("Mul", none, self.number(_MASKED)), self.ints(1, 2))
        batch, length = (self.op("Shape", "mask", start=i, end=i + 1) for i in (0, 1))
        return self.op("Expand", none, self.op("Concat", batch, self.ints(1), length, length, axis=0))

    def _layer(self, x: str, mask: str, name: str, layer: Any) -> str:
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
            weight, bias = _arrays(getattr(attention, part))
            assert bias is not None
            divisor = {"query": size**0.5, "key": 1.0, "value": self.divisor(f"{name}.context")}[part]
            weight, bias = (weight / divisor).astype(np.float32), (bias / divisor).astype(np.float32)
            y = self.linear(quantised, f"{name}.in", f"{name}.attention.self.{part}", weight, bias)
            parts.append(self.op("Reshape", y, self.ints(0, 0, heads, size)))
        query, key, value = parts
        scores = self.op("FusedMatMul", query, key, domain=_CONTRIB, transBatchA=1, transBatchB=1, transB=1)
        weights = self.op("Softmax", self.op("Add", scores, mask) if mask else scores, axis=-1)
        y = self.op("FusedMatMul", weights, value, domain=_CONTRIB, transBatchB=1)
        # Bytes are moved faster than numbers of 32 bits: quantise first.
        y = self.op("Transpose", self.quantised(y, f"{name}.context"), perm=[2, 0, 1, 3])
        return self.op("Reshape", y, self.ints(0, 0, -1))

    def _feed_forward(self, x: str, name: str, layer: Any) -> str:
        divisor = self.divisor(f"{name}.between")
        if isinstance(divisor, np.ndarray):
            x = self.op("Mul", x, self.constant((1 / divisor).astype(np.float32), f"{name}.between.factor"))
        x = self.quantised(x, f"{name}.between")
        (weight, bias), (after, bias_after) = _arrays(layer.intermediate.dense), _arrays(layer.output.dense)
        assert bias is not None
        if self.places is not None:
            weight, bias, after = _further_units(weight, bias, after, self.places[f"{name}.inner"])
        y = self.linear(x, f"{name}.between", f"{name}.intermediate.dense", weight, bias)
        y = self.quantised(self._activated(y), f"{name}.inner")
        return self.linear(y, f"{name}.inner", f"{name}.output.dense", after, bias_after)

    def _activated(self, y: str) -> str:
        if self.config.hidden_act == "relu":  # is there for nothing: see the module's text
            return y if self.places is not None else self.op("Relu", y)
        return self.op("FastGelu", y, domain=_CONTRIB)

    def _fences(self, x: str) -> str:
        """The pieces on both sides of each fence, (batch * fences, 2 * width)."""
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
        weight, bias = _arrays(model.label)
        assert bias is not None
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
        self.op("ReduceMax", scores, axes=[-1], keepdims=0, out="score_")
        self.op("Identity", scores, out="scores_")

    def _chosen(self, fences: str, sieve: Sieve) -> tuple[str, str]:
        """The starts and ends of the spans that pass the sieve, and of all single words."""
        vectors = []
        shape = self.op("Concat", self.op("Shape", "before"), self.ints(-1), axis=0)
        for side, weight, bias in (("left", sieve.left, sieve.left_bias), ("right", sieve.right, sieve.right_bias)):
            y = self.linear(fences, "fences", f"sieve.{side}", weight, bias)
            vectors.append(self.op("Reshape", y, shape))
        table = self.op("FusedMatMul", *vectors, domain=_CONTRIB, transB=1)  # (batch, fences, fences)
        rows = self.op("Shape", "before", start=1, end=2)
        place = self.op("Add", self.op("Mul", "start", rows), self.op("Mod", "end", rows))
        score = self.op("Gather", self.op("Reshape", table, self.ints(-1)), place)
        passes = self.op("Greater", score, self.constant(np.float32(sieve.threshold), "sieve.threshold"))
        # Words that no unit holds need a label, whatever it scores.
        single = self.op("Equal", self.op("Sub", "end", "start"), self.ints(1))
        numbers = self.op("NonZero", self.op("Or", passes, single))
        numbers = self.op("Reshape", numbers, self.ints(-1), out="chosen_")
        return self.op("Gather", "start", numbers), self.op("Gather", "end", numbers)

    def known(self, version: int) -> list[int]:
        """The numbers of the labels that a version of the guidelines knows; all, if it knows none."""
        every = list(range(len(self.versions)))
        return [k for k in every if version in self.versions[k]] or every

    def _made(self) -> onnx.ModelProto:
        width, hidden = self.config.hidden_size, self.model.sizes.node_hidden
        spans = "spans" if self.sieve is None else "some spans"
        shapes: dict[str, list[str | int]] = {
            "score": [spans],
            "scores": [spans, "labels"],
            "node_left": ["rows", hidden],
            "node_right": ["rows", hidden],
            "middle": ["batch", "pieces", width],
            "pieces": ["batch", "pieces", width],
        }
        if self.sieve is not None:
            shapes["chosen"] = [spans]
        outputs = [helper.make_tensor_value_info(n, _type_of(n), s) for n, s in shapes.items()]
        ints: dict[str, list[str | int]] = {
            **{name: ["batch", "pieces"] for name in ("mask", "types")},
            **{name: ["batch", "fences"] for name in ("before", "after")},
            **{name: ["spans"] for name in ("start", "end")},
        }
        inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, s) for n, s in ints.items()]
        inputs += [helper.make_tensor_value_info(name, TensorProto.BOOL, []) for name in ("deep", "parse")]
        inputs.append(helper.make_tensor_value_info("embedded", TensorProto.FLOAT, ["batch", "pieces", width]))
        graph = helper.make_graph(self.nodes, "usim", inputs, outputs, list(self.constants.values()))
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="usim")


def _type_of(output: str) -> int:
    return int(TensorProto.INT64 if output == "chosen" else TensorProto.FLOAT)


def _further_units(weight: Floats, bias: Floats, after: Floats, place: Place) -> tuple[Floats, Floats, Floats]:
    """The matrices before and behind a GELU with the further units of a place."""
    units = [unit for unit, count in place.further.items() for _ in range(count)]
    steps = [k + 1 for count in place.further.values() for k in range(count)]
    shifts = np.array(steps, np.float32) * np.float32(place.high)
    return (
        np.concatenate([weight, weight[:, units]], axis=1),
        np.concatenate([bias, bias[units] - shifts]),
        np.concatenate([after, after[units]]),
    )


def as_array(parameter: Any) -> Floats:
    """A parameter as numpy has it."""
    return np.ascontiguousarray(parameter.detach().float().numpy())


def _arrays(layer: nn.Linear) -> tuple[Floats, Floats | None]:
    """The matrix of a layer as (inputs, outputs), and its bias."""
    return np.ascontiguousarray(as_array(layer.weight).T), None if layer.bias is None else as_array(layer.bias)
