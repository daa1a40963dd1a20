"""Choose how the numbers between the layers are quantised to 8 bits, on some training sentences, when exporting.

The network in 32 bits is run on the sentences, and the vectors at each place that meets a matrix are kept. Several
quantisations of these vectors are tried, and the one that changes the products least is kept. The change of a product
is measured relative to its length, because a normalisation follows most products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from onnx import TensorProto, helper

from training.onnx_graph import EncoderGraph, Floats, Place
from usim.parsing.network import import_onnxruntime
from usim.parsing.packed import quantise_columns

_ROWS = 2000
#: Limits that are tried for large channels, from what the largest channel needs down to what the median one needs.
_LIMITS = 8
#: Shares of the range that are tried; numbers beyond them are cut off.
_SHARES = (1.0, 0.9, 0.8, 0.7)
#: The largest number of further units behind a GELU.
_FURTHER = 16


def observe(graph: EncoderGraph, feeds: Iterable[Mapping[str, Any]]) -> dict[str, Floats]:
    """Return vectors (rows, channels) at each place of a flat graph in 32 bits, for inputs of a sentence each."""
    ort = import_onnxruntime()
    proto = graph.build()
    given = {tensor.name for tensor in proto.graph.input}
    known = given | {output.name for output in proto.graph.output}
    for name in graph.tensors.values():
        if name not in known:
            proto.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    requested = [name for name in graph.tensors.values() if name not in given]
    vectors: dict[str, list[Floats]] = {place: [] for place in graph.tensors}
    for feed in feeds:
        values = {**feed, **dict(zip(requested, session.run(requested, dict(feed)), strict=True))}
        for place, name in graph.tensors.items():
            value = values[name]
            if place.endswith(".context"):  # (batch, heads, pieces, size)
                value = value.transpose(2, 0, 1, 3).reshape(value.shape[2], -1)
            vectors[place].append(value.reshape(-1, value.shape[-1]))
    rng = np.random.default_rng(1)
    rows = {}
    for place, parts in vectors.items():
        joined = np.concatenate(parts)
        rows[place] = joined[rng.permutation(len(joined))[:_ROWS]]
    return rows


def choose_places(make: Callable[..., EncoderGraph], feeds: Iterable[Mapping[str, Any]]) -> dict[str, Place]:
    """Return the best quantisation of each place of a graph in 32 bits that ``make`` makes, which takes ``flat``."""
    graph = make(flat=True)
    rows = observe(graph, feeds)
    products = graph.products()
    return {place: choose_place(place.rpartition(".")[2], rows[place], products[place]) for place in rows}


def choose_place(kind: str, x: Floats, weight: Floats) -> Place:
    """Return the best quantisation of vectors, (rows, channels), at a kind of place where they meet a matrix."""
    exact = x @ weight
    length = np.sqrt(np.mean(exact**2, axis=1, keepdims=True)) + 1e-6
    largest = np.abs(x).max(axis=0)
    limits = np.geomspace(largest.max(), max(np.median(largest), largest.max() / 20), _LIMITS)
    candidates = []
    for limit in limits if kind in ("context", "between", "spans") else limits[:1]:
        divisor = np.maximum(1, largest / limit).astype(np.float32)
        y = x / divisor
        candidates += [
            Place(share * float(y.min()), share * float(y.max()), divisor if limit < limits[0] else None)
            for share in _SHARES
        ]
    if kind == "inner":
        candidates += [_split(x, largest, float(limit)) for limit in limits]

    def error(place: Place) -> float:
        divisor = 1.0 if place.divisor is None else place.divisor
        scale, zero = place.scale_and_zero()
        # Further units hold values beyond the range, in steps of the same size.
        top = np.full(x.shape[1], 255 - zero)
        for unit, count in place.further.items():
            top[unit] *= count + 1
        rows, columns = quantise_columns(weight * np.reshape(divisor, (-1, 1)))
        y = np.clip(np.rint(x / divisor / scale), -zero, top).astype(np.float32) * np.float32(scale)
        return float(np.mean((((y @ rows.astype(np.float32)) * columns - exact) / length) ** 2))

    return min(candidates, key=error)


def _split(x: Floats, largest: Floats, limit: float) -> Place:
    """Return a range up to ``limit``, with further units for the channels far beyond it, the largest first."""
    further: dict[int, int] = {}
    left = _FURTHER
    for unit in np.argsort(-largest):
        count = int(np.ceil(largest[unit] / limit)) - 1
        # The sum of the parts is imprecise close to a limit: numbers just beyond one are better cut off.
        if largest[unit] < 1.5 * limit or count > left:
            break
        further[int(unit)] = count
        left -= count
    return Place(float(x.min()), limit, None, further)
