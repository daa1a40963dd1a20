"""The weights of an exported parser, back in torch: to train on from a model whose run is gone.

::

    python -m parsers.span.restore usim/models/en --out runs/restored

Writes ``settings.json`` and ``best.pt`` as a training run does. Weights of 8 bits come back as the numbers that they
stand for. Exporting them again gives nearly the same model. A sieve is left out, as each export makes its own. Models
on a trunk have their matrices elsewhere and are not read.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from parsers.span.build import build, take_words
from parsers.span.data import Inventory
from parsers.span.model import SpanModel
from training.encoders import encoder_folder

#: What a run's settings say where the exported files do not; only training needs it.
_SETTINGS = {"encoder_dropout": 0.1, "dropout": 0.2}


def restore(folder: Path, encoder: Path) -> tuple[SpanModel, Inventory, dict[str, Any]]:
    """Return the network of an exported parser in 32 bits, its labels, and the settings to build it.

    Args:
        folder: an exported parser, in 8 bits.
        encoder: the folder of the pretrained encoder that it was made from, for its sizes.

    Raises:
        SystemExit: the parser stands on a trunk.
    """
    about = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    if "trunk" in about:
        raise SystemExit(f"{folder}: a model on a trunk, which cannot be restored")
    graph = onnx.load(folder / "model.onnx").graph
    made = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    inventory = Inventory.from_settings(about)
    layers = sum(name.endswith(".attention.self.query.weight") for name in made)
    settings = _SETTINGS | {
        "span_hidden": len(made["model.norm.weight"]),
        "layers": layers,
        "inner": _units(made["layers.0.intermediate.dense.weight"]),
        "activation": "gelu" if "FastGelu" in _kinds(graph) else "relu",
    }
    model = build(encoder, inventory, settings, pretrained=False)
    config: Any = model.encoder.config
    size = config.hidden_size // config.num_attention_heads
    state = {
        "encoder.embeddings.position_embeddings.weight": made["positions"],
        "encoder.embeddings.token_type_embeddings.weight": made["types.weight"],
        "encoder.embeddings.LayerNorm.weight": made["norm.weight"],
        "encoder.embeddings.LayerNorm.bias": made["norm.bias"],
        "norm.weight": made["model.norm.weight"],
        "norm.bias": made["model.norm.bias"],
    }
    for k in range(layers):
        theirs, ours = f"layers.{k}.", f"encoder.encoder.layer.{k}."
        for part in ("query", "key", "value"):
            factor = size**0.5 if part == "query" else 1.0  # the graph has it in the query
            for kind, values in _linear(made, f"{theirs}attention.self.{part}").items():
                state[f"{ours}attention.self.{part}.{kind}"] = values * np.float32(factor)
        before = _linear(made, f"{theirs}intermediate.dense")
        before["weight"] = before["weight"] * made.get(f"{theirs}between.factor", np.float32(1))
        after = _linear(made, f"{theirs}output.dense")
        # Further units, which hold what is beyond the range of 8 bits, come last (training.onnx_graph).
        units = settings["inner"]
        before = {kind: values[:units] for kind, values in before.items()}
        after["weight"] = after["weight"][:, :units]
        dense = _linear(made, f"{theirs}attention.output.dense")
        for name, parts in (("intermediate", before), ("output", after), ("attention.output", dense)):
            state |= {f"{ours}{name}.dense.{kind}": values for kind, values in parts.items()}
        for name in ("attention.output", "output"):
            for kind in ("weight", "bias"):
                state[f"{ours}{name}.LayerNorm.{kind}"] = made[f"{theirs}{name}.LayerNorm.{kind}"]
    for name in ("left", "right", "node_left", "node_right"):
        state |= {f"{name}.{kind}": values for kind, values in _linear(made, f"model.{name}").items()}
    state |= {f"label.{kind}": values for kind, values in _labels(made, inventory).items()}
    tensors = {name: torch.from_numpy(np.array(values, np.float32)) for name, values in state.items()}
    model.load_state_dict(model.state_dict() | tensors)
    take_words(model, folder / about.get("words", "."))
    with np.load(folder / "remotes.npz") as file:
        model.remote.load_arrays({name: file[name].astype(np.float32) for name in file.files})
    return model.eval(), inventory, settings


def _kinds(graph: onnx.GraphProto) -> set[str]:
    """Return the kinds of nodes in a graph and its branches."""
    inner = (attribute.g for node in graph.node for attribute in node.attribute if attribute.HasField("g"))
    return {node.op_type for node in graph.node}.union(*map(_kinds, inner))


def _units(weight: np.ndarray) -> int:
    """Return how many units a matrix (inputs, units) has without further ones, each a copy of one before it."""
    columns = [column.tobytes() for column in weight.T]
    return len(dict.fromkeys(columns))


def _linear(made: Mapping[str, np.ndarray], name: str) -> dict[str, np.ndarray]:
    """Return weight (outputs, inputs) and bias, if there is one, of a product in 8 bits."""
    parts = {"weight": (made[f"{name}.weight"].astype(np.float32) * made[f"{name}.scale"]).T}
    if f"{name}.bias" in made:
        parts["bias"] = made[f"{name}.bias"]
    return parts


def _labels(made: Mapping[str, np.ndarray], inventory: Inventory) -> dict[str, np.ndarray]:
    """Return weight and bias of the labels' scores, which the graph has for each version of the guidelines apart."""
    every = list(range(len(inventory.labels)))
    width = len(made["model.norm.weight"])
    parts = {"weight": np.zeros((len(every), width), np.float32), "bias": np.zeros(len(every), np.float32)}
    for version in (1, 2):
        known = [k for k in every if version in inventory.versions[k]] or every
        for kind, values in _linear(made, f"model.label.{version}").items():
            parts[kind][known] = values
    return parts


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command, see the module's docstring."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model", type=Path, help="folder of an exported parser")
    p.add_argument("--out", type=Path, required=True, help="folder for the run")
    p.add_argument("--encoder", metavar="DIR", help="pretrained encoder, as parsers.span.train has it")
    args = p.parse_args(argv)
    model, inventory, settings = restore(args.model, encoder_folder(args.encoder))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "settings.json").write_text(json.dumps(settings | inventory.settings(), indent=1) + "\n")
    torch.save(model.state_dict(), args.out / "best.pt")


if __name__ == "__main__":
    main()
