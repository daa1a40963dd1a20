"""Corpora to training batches."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import torch

from parsers.span.trees import to_tree
from training.errors import Errors
from training.misspell import misspellings
from training.tagging import tags
from usim.parsing import Pieces
from usim.parsing.chart import span_number
from usim.parsing.network import Window, feed, padded
from usim.parsing.remotes import IMPOSSIBLE, Nodes, categories_of, relations
from usim.parsing.trees import Tree, parse_label
from usim.ucca import Graph, read_xml


@dataclass(frozen=True)
class Corpus:
    """Sentences annotated by one version of the guidelines."""

    name: str
    guidelines: int
    graphs: list[Graph]


def read_corpus(folder: str | Path, name: str, guidelines: int) -> Corpus:
    """Read all passages of a folder of UCCA XML, cut into their sentences."""
    files = sorted(Path(folder).glob("*.xml"))
    if not files:
        raise SystemExit(f"{folder}: no XML files")
    return Corpus(name, guidelines, [s for f in files for s in read_xml(f).sentences()])


#: The corpora by their names in options, and the version of the guidelines that each is annotated by.
GUIDELINES = {"wiki": 1, "ewt": 2}


def add_corpora(p: argparse.ArgumentParser, *parts: str, required: bool = False) -> None:
    """Add the options that name the folders of corpora, by part: ``train``, ``dev``."""
    for part in parts:
        for name in GUIDELINES:
            p.add_argument(f"--{name}-{part}", type=Path, required=required, metavar="DIR", help="folder of UCCA XML")


def given_corpora(args: argparse.Namespace, part: str) -> list[Corpus]:
    """Read the corpora of a part that the options name."""
    folders = ((name, getattr(args, f"{name}_{part}")) for name in GUIDELINES)
    return [read_corpus(folder, name, GUIDELINES[name]) for name, folder in folders if folder]


@dataclass(frozen=True)
class Inventory:
    """The labels that a model knows, in the order of its outputs, with the guidelines' versions that have each."""

    labels: tuple[str, ...]
    remote_labels: tuple[str, ...]
    versions: tuple[tuple[int, ...], ...]

    @classmethod
    def from_settings(cls, settings: dict[str, Any]) -> Inventory:
        """Return the inventory that a training run has written down, the fields of this class."""
        versions = tuple(tuple(v) for v in settings["versions"])
        return cls(tuple(settings["labels"]), tuple(settings["remote_labels"]), versions)

    @property
    def categories(self) -> list[str]:
        return categories_of(self.labels)

    def label_categories(self) -> dict[str, tuple[int, ...]]:
        """Return for each label the numbers of its categories, for :meth:`usim.parsing.remotes.Nodes.of`."""
        number = {c: i for i, c in enumerate(self.categories)}
        return {label: tuple(number["|".join(s.categories)] for s in parse_label(label)) for label in self.labels}

    @classmethod
    def of(cls, corpora: Sequence[Corpus]) -> Inventory:
        labels: dict[str, set[int]] = {}
        remotes: set[str] = set()
        for corpus in corpora:
            for graph in corpus.graphs:
                tree = to_tree(graph, corpus.guidelines)
                for label in tree.spans.values():
                    labels.setdefault(label, set()).add(corpus.guidelines)
                remotes.update(label for _, _, label in tree.remotes)
        names = tuple(sorted(labels))
        return cls(names, tuple(sorted(remotes)), tuple(tuple(sorted(labels[name])) for name in names))


@dataclass(frozen=True)
class Soft:
    """What a teacher says of the spans of a sentence, and of the pairs of its nodes, in 16 bits.

    Attributes:
        at: the numbers of the spans, in the order of usim.parsing.chart, that may have a label.
        probabilities: (spans, labels + 1), number 0 for no label; ``remotes`` is the same for pairs and remote edges.
        pairs: (pairs, 2): parents and children that may have a remote edge between them.
    """

    at: np.ndarray
    probabilities: np.ndarray
    pairs: np.ndarray
    remotes: np.ndarray


@dataclass(frozen=True)
class Example:
    """A training sentence: its tokens, the gold tree as arrays."""

    tokens: tuple[str, ...]
    guidelines: int
    tree: Tree
    gold: np.ndarray  # for each span in the order of usim.parsing.chart the label's number + 1, or 0
    nodes: Nodes
    relation: np.ndarray
    remote: np.ndarray  # (parents, children): the label's number + 1, or 0
    soft: Soft | None = None


def relations_of_all(nodes: Nodes) -> np.ndarray:
    """Return how each two nodes lie to each other: (parent, child), where only inner nodes can be parents."""
    kind = np.full((len(nodes), len(nodes)), IMPOSSIBLE)
    kind[nodes.inner] = relations(nodes)
    return kind


class Examples:
    """Makes training sentences of graphs and trees, for one inventory."""

    def __init__(self, inventory: Inventory) -> None:
        self._labels = {label: i for i, label in enumerate(inventory.labels)}
        self._remotes = {label: i for i, label in enumerate(inventory.remote_labels)}
        self._categories = inventory.label_categories()

    def of_tree(self, tokens: tuple[str, ...], guidelines: int, tree: Tree) -> Example:
        """Return the example of a tree, which must have words, and no labels but the inventory's."""
        n = len(tree.words)
        gold = np.zeros(n * (n + 1) // 2, dtype=np.int64)
        for (i, j), label in tree.spans.items():
            gold[span_number(i, j, n)] = self._labels[label] + 1
        nodes = Nodes.of(tree, self._categories)
        place = {nodes.node(v): v for v in range(len(nodes))}
        remote = np.zeros((len(nodes), len(nodes)), dtype=np.int64)
        for p, c, label in tree.remotes:
            remote[place[p], place[c]] = self._remotes[label] + 1
        relation = relations_of_all(nodes)
        remote[relation == IMPOSSIBLE] = 0
        # Small numbers in small arrays: tens of thousands of sentences are kept.
        small = (gold.astype(np.int16), nodes, relation.astype(np.int8), remote.astype(np.int8))
        return Example(tokens, guidelines, tree, *small)

    def of_corpora(self, corpora: Sequence[Corpus]) -> list[Example]:
        """Return the sentences of the corpora; those without words are left out."""
        examples = []
        for corpus in corpora:
            for graph in corpus.graphs:
                tree = to_tree(graph, corpus.guidelines)
                if tree.words:
                    examples.append(self.of_tree(graph.tokens, corpus.guidelines, tree))
        return examples


#: About so many tokens a batch at most.
_TOKENS = 1400


def batches(items: Sequence[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """Yield batches of like length in random order, of at most ``size`` sentences."""
    ordered = sorted(items, key=lambda e: len(e.tokens) + rng.uniform(-2, 2))
    batches_: list[list[Example]] = [[]]
    for item in ordered:
        batch = batches_[-1]
        if len(batch) == size or (batch and (len(batch) + 1) * len(item.tokens) > _TOKENS):
            batches_.append([])
        batches_[-1].append(item)
    rng.shuffle(batches_)
    yield from batches_


#: How many kinds of errors are tried for a word until one fits.
_TRIES = 3
#: The share of the noisy sentences that lose their capitals.
_LOWER = 0.1


class Noise:
    """Errors in a share of the words of a share of the sentences, as learners make them; the tree stays as it is."""

    def __init__(self, sentences: float, words: float = 0.12) -> None:
        self._sentences, self._words = sentences, words
        self._errors = Errors(misspellings(), {})

    def __call__(self, tokens: Sequence[str], rng: random.Random) -> list[str]:
        """Return the tokens, some of them changed; always as many."""
        noisy = list(tokens)
        if rng.random() >= self._sentences:
            return noisy
        for k, (token, tag) in enumerate(zip(tokens, tags(tokens), strict=True)):
            if token.isalpha() and rng.random() < self._words:
                before = tokens[k - 1].lower() if k else ""
                tried = (self._errors.of_word(token.lower(), tag, before, rng) for _ in range(_TRIES))
                new = next((word for word in tried if word and " " not in word), token)
                noisy[k] = new.capitalize() if token[0].isupper() else new
        return [token.lower() for token in noisy] if rng.random() < _LOWER else noisy


def window_of(tokens: Sequence[str], words: Sequence[int], pieces: Pieces) -> Window:
    """Return a sentence as the network reads it; ``words`` are the places of the tokens that are words."""
    return Window(0, 0, len(tokens), list(words), *pieces.encode(tokens))


def collate(
    batch: Sequence[Example],
    pieces: Pieces,
    mask_rate: float,
    noise: Noise | None,
    rng: random.Random,
    variants: int = 0,
) -> dict[str, torch.Tensor]:
    """Return a batch as tensors; spans are flattened over the sentences, nodes are padded.

    A share of the word pieces is masked, and words are misspelt where there is noise. If there are ``variants``, that
    is done in one of so many ways, the same in each epoch, so that what the trunk gives for it can be kept.
    """
    windows = []
    draw = rng
    for item in batch:
        if variants:
            rng = random.Random(f"{draw.randrange(variants)} {' '.join(item.tokens)}")
        tokens = noise(item.tokens, rng) if noise else item.tokens
        window = window_of(tokens, item.tree.words, pieces)
        if mask_rate:
            for k in range(1, len(window.ids) - 1):
                if rng.random() < mask_rate:
                    window.ids[k] = pieces.mask
        windows.append(window)
    fed = feed(windows, 1)
    out = {name: torch.from_numpy(fed[name]) for name in ("ids", "mask", "types", "before", "after", "start", "end")}
    out["types"] += torch.tensor([[item.guidelines - 1] for item in batch])
    out["gold"] = torch.from_numpy(np.concatenate([item.gold for item in batch]).astype(np.int64))
    out["words"] = torch.tensor([len(item.tree.words) for item in batch])
    for name in ("start", "end", "category", "below", "parent"):
        out[f"node_{name}"] = torch.from_numpy(padded([getattr(item.nodes, name) for item in batch]))
    b, n = out["node_start"].shape
    first_fence = torch.arange(b)[:, None] * out["before"].shape[1]
    out["node_start"] += first_fence
    out["node_end"] += first_fence
    out["node_mask"] = torch.zeros(b, n)
    out["relation"] = torch.full((b, n, n), IMPOSSIBLE)
    out["remote"] = torch.zeros(b, n, n, dtype=torch.long)
    for k, item in enumerate(batch):
        m = len(item.nodes)
        out["node_mask"][k, 1:m] = 1
        out["relation"][k, :m, :m] = torch.from_numpy(item.relation)
        out["remote"][k, :m, :m] = torch.from_numpy(item.remote)
    if any(item.soft for item in batch):
        out |= _soft(batch, n)
    return out


def _soft(batch: Sequence[Example], nodes: int) -> dict[str, torch.Tensor]:
    """Return the teacher's probabilities and their places among all spans, and all (parents, children)."""
    offsets = accumulate((len(item.gold) for item in batch), initial=0)
    known = [(k, offset, item.soft) for k, (offset, item) in enumerate(zip(offsets, batch, strict=False)) if item.soft]
    span_at = np.concatenate([soft.at.astype(np.int64) + offset for _, offset, soft in known])
    places = [soft.pairs.astype(np.int64) for _, _, soft in known]
    pair_at = [(k * nodes + at[:, 0]) * nodes + at[:, 1] for (k, _, _), at in zip(known, places, strict=True)]
    return {
        "soft_at": torch.from_numpy(span_at),
        "soft": torch.from_numpy(np.concatenate([soft.probabilities for _, _, soft in known])).float(),
        "soft_remote_at": torch.from_numpy(np.concatenate(pair_at)),
        "soft_remote": torch.from_numpy(np.concatenate([soft.remotes for _, _, soft in known])).float(),
    }
