"""Export a judge to the files that ``usim`` loads.

``pair.onnx`` has the networks over pairs. The settings name the trunk by its way from the folder
of the judge, and hold the calibration and the thresholds.
"""

from __future__ import annotations

import copy
import io
import json
import os
import shutil
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from judges.encode import layers_of
from judges.network import PARTS, PairNet
from usim.evidence import FEATURE_SCHEMA, feature_names
from usim.judge.grammar import DETECTOR_FILE
from usim.judge.similarities import NAMES as SIMILARITIES
from usim.judge.trained import CLASSIFIER_FILE
from usim.parsing import load_trunk
from usim.text.checksums import digest_of

#: The version of ONNX's operators; GELU is one of them.
_OPSET = 20
#: Matrices with at least so many numbers have 8 bits in the file, and a scale for each column.
_IN_8_BITS = 10_000
_LARGEST_BYTE = 127


class _Exported(nn.Module):
    """The networks over pairs, with the inputs of :func:`usim.judge.classifier.pair_feed`, features normalised."""

    def __init__(self, net: PairNet) -> None:
        super().__init__()
        self.net = copy.deepcopy(net).eval()
        self.net.mean.zero_()
        self.net.deviation.fill_(1)

    def forward(
        self,
        x: torch.Tensor,
        partner: torch.Tensor,
        mask: torch.Tensor,
        changed: torch.Tensor,
        features: torch.Tensor,
        flag: torch.Tensor,
        lowest: torch.Tensor,
        highest: torch.Tensor,
    ) -> torch.Tensor:
        """Return the logits of pairs, (pairs, :data:`SAYS`)."""
        pairs, tokens = flag.shape
        batch = {"x": x, "mask": mask, "changed": changed, "features": features, "flag": flag, "lowest": lowest}
        batch |= {"highest": highest, "partner": partner - torch.arange(pairs)[:, None] * tokens}
        # What has no partner is its own, from which it does not differ.
        logits: torch.Tensor = self.net(batch | {"other": x.flatten(0, 1)[partner], "paired": torch.ones_like(mask)})
        return logits


def pair_graph(net: PairNet) -> onnx.ModelProto:
    """Return the graph of the networks over pairs; its large matrices have 8 bits, and 32 when it is loaded."""
    width, features = net.first.in_features // PARTS, len(net.mean)
    partner, (mask, changed) = torch.arange(6).reshape(2, 3), torch.ones(2, 2, 3)
    codes = dict.fromkeys(("flag", "lowest", "highest"), torch.zeros(2, 3, dtype=torch.int64))
    given = {"x": torch.ones(2, 3, width), "partner": partner, "mask": mask, "changed": changed}
    given |= {"features": torch.ones(2, features), **codes}
    axes = {name: {0: "pairs", 1: "tokens"} for name in given} | {name: {0: "pairs"} for name in ("features", "logits")}
    file = io.BytesIO()
    with warnings.catch_warnings(action="ignore"):  # it warns of shapes that are fixed, which none is
        torch.onnx.export(
            _Exported(net), tuple(given.values()), file, input_names=list(given), output_names=["logits"],
            dynamic_axes=axes, opset_version=_OPSET, dynamo=False,
        )  # fmt: skip
    model = onnx.load_from_string(file.getvalue())
    for tensor in list(model.graph.initializer):
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size >= _IN_8_BITS:
            _store_in_8_bits(model.graph, tensor, array)
    return model


def _store_in_8_bits(graph: onnx.GraphProto, tensor: onnx.TensorProto, array: np.ndarray) -> None:
    """Put a matrix into bytes, with a scale for each column, and the product of both in its place."""
    scale = np.maximum(np.abs(array).max(axis=-2, keepdims=True), 1e-8) / _LARGEST_BYTE
    stored, wide, step = (f"{tensor.name}.{part}" for part in ("bytes", "wide", "scale"))
    graph.initializer.remove(tensor)
    parts = {stored: np.rint(array / scale).astype(np.int8), step: scale.astype(np.float32)}
    graph.initializer.extend(numpy_helper.from_array(part, name) for name, part in parts.items())
    graph.node.insert(0, helper.make_node("Mul", [wide, step], [tensor.name]))
    graph.node.insert(0, helper.make_node("Cast", [stored], [wide], to=TensorProto.FLOAT))


def export(run: Path, trunk: Path, out: Path, name: str) -> None:
    """Write the files of a judge from what ``judges.head``, ``judges.calibrate`` and ``judges.errors`` made."""
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
        onnx.save(pair_graph(net), str(out / CLASSIFIER_FILE))
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
