"""The weights of an exported model, back in torch: to train on from a model whose run is gone.

::

    python -m parsers.span.restore usim/models/en --out runs/restored

Writes ``settings.json`` and ``best.pt`` as a training run does. Weights of 8 bits come back as the numbers that they
stand for, so that exporting them again gives the same model but for what rounding twice changes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from parsers.span.data import Inventory
from parsers.span.model import SpanModel
from parsers.span.train import build, encoder_folder

#: What a run's settings say where the exported files do not.
_SETTINGS = {"encoder_dropout": 0.1, "dropout": 0.25}


def restore(folder: Path, encoder: Path) -> tuple[SpanModel, Inventory, dict[str, float | int]]:
    """The network of an exported model in 32 bits, its labels, and the settings to build it.

    Args:
        folder: an exported model.
        encoder: the folder of the pretrained encoder that it was made from, for its sizes.
    """
    about = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    made = {t.name: numpy_helper.to_array(t) for t in onnx.load(folder / "model.onnx").graph.initializer}
    bias = made["label_bias"]
    versions = tuple(tuple(v for v in (1, 2) if row[v - 1] > -1e3) for row in bias.T)
    inventory = Inventory(tuple(about["labels"]), tuple(about["remote_labels"]), versions)
    settings = _SETTINGS | {"span_hidden": int(made["model.norm.weight"].shape[0])}
    model = build(encoder, inventory, settings, pretrained=False)

    def matrix(name: str) -> torch.Tensor:
        return torch.from_numpy(np.array(made[f"{name}.weight"], np.float32) * made[f"{name}.scale"]).T.contiguous()

    state = model.state_dict()
    state["encoder.embeddings.word_embeddings.weight"] = torch.from_numpy(made["words.rows"] * made["words.scale"])
    state["encoder.embeddings.position_embeddings.weight"] = torch.from_numpy(made["positions"].copy())
    state["encoder.embeddings.token_type_embeddings.weight"] = torch.from_numpy(made["types.weight"].copy())
    for part in ("weight", "bias"):
        state[f"encoder.embeddings.LayerNorm.{part}"] = torch.from_numpy(made[f"norm.{part}"].copy())
    config = model.encoder.config
    for k in range(config.num_hidden_layers):
        mine, theirs = f"encoder.encoder.layer.{k}.", f"layers.{k}."
        heads = matrix(f"projections.{k}").split(config.hidden_size)
        biases = torch.from_numpy(made[f"projections.{k}.bias"].copy()).split(config.hidden_size)
        scale = (config.hidden_size // config.num_attention_heads) ** 0.5  # the query was scaled when exporting
        for name, weight, b, factor in zip(("query", "key", "value"), heads, biases, (scale, 1, 1), strict=True):
            state[f"{mine}attention.self.{name}.weight"] = weight * factor
            state[f"{mine}attention.self.{name}.bias"] = b * factor
        for part in ("attention.output", "intermediate", "output"):
            state[f"{mine}{part}.dense.weight"] = matrix(f"{theirs}{part}.dense")
            state[f"{mine}{part}.dense.bias"] = torch.from_numpy(made[f"{theirs}{part}.dense.bias"].copy())
        for part in ("attention.output", "output"):
            for p in ("weight", "bias"):
                state[f"{mine}{part}.LayerNorm.{p}"] = torch.from_numpy(made[f"{theirs}{part}.LayerNorm.{p}"].copy())
    for name in ("left", "right", "node_left", "node_right"):
        state[f"{name}.weight"] = matrix(f"model.{name}")
        if f"{name}.bias" in state:
            state[f"{name}.bias"] = torch.from_numpy(made[f"model.{name}.bias"].copy())
    for p in ("weight", "bias"):
        state[f"norm.{p}"] = torch.from_numpy(made[f"model.norm.{p}"].copy())
    (label,) = (a for a in made.values() if a.shape == (settings["span_hidden"], len(inventory.labels)))
    state["label.weight"] = torch.from_numpy(label.T.copy())
    state["label.bias"] = torch.from_numpy(bias.max(0))
    model.load_state_dict(state)
    with np.load(folder / "remotes.npz") as file, torch.no_grad():
        model.remote.load_arrays({name: file[name].astype(np.float32) for name in file.files})
    return model, inventory, settings


def main(argv: Sequence[str] | None = None) -> None:
    """The command; see the module's text."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("model", type=Path)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--encoder", metavar="DIR")
    args = p.parse_args(argv)
    model, inventory, settings = restore(args.model, encoder_folder(args.encoder))
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "settings.json").write_text(json.dumps(settings | inventory.settings(), indent=1) + "\n")
    torch.save(model.state_dict(), args.out / "best.pt")


if __name__ == "__main__":
    main()
