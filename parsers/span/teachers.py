"""Parsers that others learn from: training runs, and models that ship.

A teacher says of each span how likely each label is, and of each two nodes whether there is a remote edge. A training
run (:class:`Trained`) does so in torch. Of a model that ships (:class:`Shipped`) there is no run, or none any more; its
graph gives the same scores in onnxruntime, but for what 8 bits round. With a sieve it says of most spans only that they
have no label, so one without (``en-large``) teaches more.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch

from parsers.span.build import load_run
from parsers.span.data import Example, Inventory, collate
from parsers.span.model import RemoteHead, Sizes, SpanModel
from training.encoders import load_pieces
from usim.parsing import Pieces
from usim.parsing.embedded import open_network
from usim.parsing.network import SIEVED, Network, Window
from usim.registry import find_model, is_model


@dataclass(frozen=True)
class Look:
    """What a teacher sees in a batch of sentences.

    Attributes:
        scores: of the labels of all spans, the sentences after each other: (spans, labels). No label scores 0.
        left, right: the vectors of each fence as the start and as the end of a node, (sentences * fences, width).
    """

    scores: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor


class Teacher(Protocol):
    """A parser that others learn from.

    Attributes:
        inventory: its labels.
        pieces: what cuts its word pieces.
        remote: its head for remote edges.
    """

    inventory: Inventory
    pieces: Pieces
    remote: RemoteHead

    def look(self, items: Sequence[Example]) -> Look:
        """Look at sentences that all follow one version of the guidelines; their trees do not matter."""
        ...


class Trained:
    """A training run.

    Args:
        run: its folder.
        folder: that of the pretrained encoder.
        weights: which of the run's weights: those of its best epoch, or ``kept.pt``.
    """

    def __init__(self, run: Path, folder: Path, weights: str = "best.pt") -> None:
        self._model: SpanModel
        self._model, self.inventory = load_run(run, folder, run / weights)
        self.pieces = load_pieces(folder)
        self.remote = self._model.remote

    def look(self, items: Sequence[Example]) -> Look:
        """See :meth:`Teacher.look`."""
        model, batch = self._model, collate(items, self.pieces, 0, None, random.Random(0))
        with torch.autocast("cpu", torch.bfloat16):
            hidden = model.encode(batch["ids"], batch["mask"], batch["types"]).float()
        fences = model.fences(hidden, batch["before"], batch["after"])
        scores = model.spans(fences, batch["start"], batch["end"])
        return Look(scores, model.node_left(fences), model.node_right(fences))


class Shipped:
    """A model in the form in which it ships.

    Args:
        name_or_folder: the name of a model that is installed (:mod:`usim.registry`), or a folder with an exported
            parser.

    Raises:
        OptionError: a model of this name is not installed.
        FileNotFoundError: there is no such folder.
    """

    def __init__(self, name_or_folder: str) -> None:
        folder = folder_of(name_or_folder)
        settings = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
        self.inventory = Inventory.from_settings(settings)
        self._network: Network
        self._network, self.pieces = open_network(folder, settings)
        with np.load(folder / "remotes.npz") as file:
            self.remote = head_of({name: file[name].astype(np.float32) for name in file.files}, self.inventory)

    def look(self, items: Sequence[Example]) -> Look:
        """See :meth:`Teacher.look`. What a sieve leaves out scores low, and so do labels of the other version."""
        guidelines = items[0].guidelines
        windows = []
        for item in items:
            self.pieces.learn(item.tokens)
            words = list(item.tree.words)
            windows.append(Window(0, 0, len(item.tokens), words, *self.pieces.encode(item.tokens, words)))
        seen = self._network.run(windows, guidelines)
        known = [k for k, versions in enumerate(self.inventory.versions) if guidelines in versions]
        columns = known or list(range(len(self.inventory.labels)))
        spans = sum(n * (n + 1) // 2 for n in seen.sizes)
        scores = torch.full((spans, len(self.inventory.labels)), SIEVED)
        rows = torch.arange(spans) if seen.chosen is None else torch.from_numpy(seen.chosen)
        scores[rows[:, None], torch.tensor(columns)] = torch.from_numpy(seen.label_scores)
        left, right = (torch.from_numpy(v).flatten(0, 1) for v in (seen.left, seen.right))
        return Look(scores, left, right)


def folder_of(name_or_folder: str) -> Path:
    """Return the folder of a model's parser, from the name of the model or a path."""
    return find_model(name_or_folder).parser if is_model(name_or_folder) else Path(name_or_folder)


def head_of(arrays: dict[str, np.ndarray], inventory: Inventory) -> RemoteHead:
    """Return the head for remote edges whose weights are in the file ``remotes.npz`` of a model."""
    hidden, pair = arrays["parent_weight"].shape
    sizes = Sizes(
        labels=len(inventory.labels),
        categories=len(inventory.categories),
        remote_labels=len(inventory.remote_labels),
        node_hidden=hidden,
        pair_hidden=pair,
    )
    head = RemoteHead(sizes, 0.0)
    head.load_arrays(arrays)
    return head.eval()
