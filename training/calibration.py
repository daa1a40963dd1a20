"""How the numbers between the layers are brought into 8 bits: chosen on some training sentences, once, when exporting.

For each place of the graph that meets a matrix the network in 32 bits is run on the sentences; then several ways of
quantising are tried on what stood there, and the one that changes the products least is kept. What counts is the change
of a product in relation to its length, as a normalisation follows most of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from parsers.span.model import SpanModel
from training.onnx_graph import Builder, Floats, Place, quantise_columns

#: How many vectors are looked at for each place.
_ROWS = 2000
#: Limits that are tried for large channels, from what the largest channel needs down to what the median one needs.
_LIMITS = 8
#: Shares of the range that are tried; what is beyond is cut off.
_SHARES = (1.0, 0.9, 0.8, 0.7)
#: At most so many further units behind a GELU.
_FURTHER = 16


def observed(builder: Builder, feeds: Iterable[Mapping[str, Any]]) -> dict[str, Floats]:
    """Some of the vectors that stand at each place of a graph in 32 bits, (rows, channels).

    Args:
        builder: a flat builder without places, which has not built yet.
        feeds: inputs of the graph, one sentence (or pair) each.
    """
    import onnxruntime as ort
    from onnx import TensorProto, helper

    proto = builder.build()
    given = {one.name for one in proto.graph.input}
    known = given | {output.name for output in proto.graph.output}
    for name in builder.found.values():
        if name not in known:
            proto.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(proto.SerializeToString(), options, providers=["CPUExecutionProvider"])
    asked = [name for name in builder.found.values() if name not in given]
    seen: dict[str, list[Floats]] = {place: [] for place in builder.found}
    for feed in feeds:
        values = {**feed, **dict(zip(asked, session.run(asked, dict(feed)), strict=True))}
        for place, name in builder.found.items():
            value = values[name]
            if place.endswith(".context"):  # (batch, heads, pieces, size)
                value = value.transpose(2, 0, 1, 3).reshape(value.shape[2], -1)
            seen[place].append(value.reshape(-1, value.shape[-1]))
    rng = np.random.default_rng(1)
    rows = {}
    for place, parts in seen.items():
        whole = np.concatenate(parts)
        rows[place] = whole[rng.permutation(len(whole))[:_ROWS]]
    return rows


def measure(
    model: SpanModel, versions: Sequence[Sequence[int]], feeds: Iterable[Mapping[str, Any]]
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """What stands at each place of the graph in 32 bits, and what it is multiplied by.

    Args:
        model, versions: as :class:`Builder` takes them.
        feeds: inputs of the graph, one sentence each.

    Returns:
        For each place some of its vectors (rows, channels), and the matrix (channels, outputs) of all the products.
    """
    builder = Builder(model, versions, flat=True)
    rows = observed(builder, feeds)
    weights = {place: np.concatenate(parts, axis=1) for place, parts in builder.weights.items()}
    # A fence is two pieces; what is quantised is the pieces.
    width = rows["fences"].shape[1]
    weights["fences"] = np.concatenate([weights["fences"][:width], weights["fences"][width:]], axis=1)
    return rows, weights


def choose(model: SpanModel, versions: Sequence[Sequence[int]], feeds: Iterable[Mapping[str, Any]]) -> dict[str, Place]:
    """The best way to quantise each place.

    Raises:
        ValueError: there are no sentences.
    """
    rows, weights = measure(model, versions, feeds)
    return {place: choose_place(place.rpartition(".")[2], rows[place], weights[place]) for place in rows}


def choose_place(kind: str, x: Floats, weight: Floats) -> Place:
    """The best way to quantise what stood at a place of some kind, given the matrix that it meets."""
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
        # Further units hold what is beyond the range in steps of the same size.
        top = np.full(x.shape[1], 255 - zero)
        for unit, count in place.further.items():
            top[unit] *= count + 1
        rows, columns = quantise_columns(weight * np.reshape(divisor, (-1, 1)))
        y = np.clip(np.rint(x / divisor / scale), -zero, top).astype(np.float32) * np.float32(scale)
        return float(np.mean((((y @ rows.astype(np.float32)) * columns - exact) / length) ** 2))

    return min(candidates, key=error)


def _split(x: Floats, largest: Floats, limit: float) -> Place:
    """A range up to ``limit``, and further units for the channels that go far beyond, the largest first."""
    further: dict[int, int] = {}
    left = _FURTHER
    for unit in np.argsort(-largest):
        count = int(np.ceil(largest[unit] / limit)) - 1
        # The sum of the parts is a little off close to a limit; what is just beyond one is better cut off.
        if largest[unit] < 1.5 * limit or count > left:
            break
        further[int(unit)] = count
        left -= count
    return Place(float(x.min()), limit, None, further)
