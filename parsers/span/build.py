"""Build the parser's network, fresh or with the weights of a training run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoConfig, AutoModel

from parsers.span.data import Inventory
from parsers.span.model import Sizes, SpanModel
from parsers.span.narrow import narrow_inner
from training.mpnet import is_mpnet, load_upper
from usim.parsing.embeddings import load_table


def load_run(run: Path, folder: Path, weights: Path | None = None) -> tuple[SpanModel, Inventory]:
    """Return the model of a training run, ready to parse, and its labels.

    Args:
        run: the folder of the run.
        folder: that of the pretrained encoder, for its sizes.
        weights: the weights; by default those of the best epoch.
    """
    settings = json.loads((run / "settings.json").read_text(encoding="utf-8"))
    inventory = Inventory.from_settings(settings)
    model = build(folder, inventory, settings, pretrained=False)
    model.load_state_dict(torch.load(weights or run / "best.pt", weights_only=True))
    return model.eval(), inventory


@torch.no_grad()
def take_words(model: SpanModel, folder: Path) -> None:
    """Give a model the word embeddings of a table that ships (:func:`usim.parsing.embeddings.load_table`).

    Raises:
        SystemExit: the table has another shape than the encoder's.
    """
    weight = model.encoder.get_input_embeddings().weight
    values = torch.from_numpy(load_table(folder)(np.arange(len(np.load(folder / "words.npy", mmap_mode="r")))))
    if values.shape != weight.shape:
        raise SystemExit(f"{folder}: a table of {tuple(values.shape)}, but the encoder's is {tuple(weight.shape)}")
    weight.copy_(values)


def build(folder: Path, inventory: Inventory, settings: dict[str, Any], *, pretrained: bool = True) -> SpanModel:
    """Return the network with fresh heads.

    Args:
        folder: that of the pretrained encoder.
        inventory: the labels.
        settings: those of the run, see :func:`parsers.span.train.parse_args`.
        pretrained: load the encoder's weights; otherwise they are random, to be loaded over.
    """
    sizes = Sizes(
        labels=len(inventory.labels),
        categories=len(inventory.categories),
        remote_labels=len(inventory.remote_labels),
        span_hidden=settings["span_hidden"],
    )
    if is_mpnet(folder):
        upper = load_upper(folder, settings["frozen"], settings["encoder_dropout"])
        return SpanModel(upper, upper.config.hidden_size, sizes, settings["dropout"])
    config = AutoConfig.from_pretrained(folder)
    config.hidden_dropout_prob = settings["encoder_dropout"]
    config.attention_probs_dropout_prob = settings["encoder_dropout"]
    config.num_hidden_layers = settings.get("layers") or config.num_hidden_layers
    config.hidden_act = settings.get("activation") or config.hidden_act
    inner = settings.get("inner") or config.intermediate_size
    if pretrained:
        encoder = AutoModel.from_pretrained(folder, config=config, add_pooling_layer=False)
        with torch.no_grad():  # the second guideline version starts as the first
            types = encoder.embeddings.token_type_embeddings.weight
            types[1] = types[0]
        if inner != config.intermediate_size:
            narrow_inner(encoder, inner)
    else:
        config.intermediate_size = inner
        encoder = AutoModel.from_config(config, add_pooling_layer=False)
    return SpanModel(encoder.float(), config.hidden_size, sizes, settings["dropout"])
