"""The parser that comes with usim: a small encoder in ONNX, a chart over its span scores, remote edges.

One run of the model serves a batch of sentences of similar length. It gives for each span the best label and its score,
and for each fence (a place between words) the vectors that the remote edges are found with. The rest is numpy:
:mod:`usim.parsing.chart`, :mod:`usim.parsing.remotes`, and :mod:`usim.parsing.trees`, which makes the graph.

A folder of a model holds ``model.onnx``, ``remotes.npz`` and ``settings.json``, which names the folder of the trunk.
That one holds the table of words and the tokeniser, too. ``parsers/span`` makes them. The settings have the SHA-256 of
every other file, which is checked before the file is used.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from usim.errors import ParsingError
from usim.parsing._trunk import Halves, Reading, ReadPart, Trunk, batches, load_trunk, windows_of
from usim.parsing.chart import best_spans, span_number
from usim.parsing.network import Network, Window, load_session
from usim.parsing.remotes import Nodes, RemoteScorer, categories_of
from usim.parsing.trees import Tree, bare_words, join, parse_label, words_of
from usim.registry import MODELS
from usim.text import check_batch, sentence_ends, token_texts
from usim.text.checksums import check_digests, model_settings
from usim.text.files import PACKING_ERRORS
from usim.text.lru import LRUCache
from usim.ucca import Graph

#: The trees of sentences by their tokens.
TreeCache = LRUCache[tuple[str, ...], Tree]


class EmbeddedParser:
    """A parser made by ``parsers/span``; see :func:`usim.parsing.load`.

    Args:
        name_or_path: the name of a model (:mod:`usim.registry`), or a folder with an exported parser.
        guidelines: the version of the UCCA guidelines to follow, 1 or 2; by default what the model's settings say.
            Another than the default is part of the parser's name: ``en-1.0+g2``.

    Attributes:
        name: how the parser is called in signatures, e.g. ``en-1.3``.
        digest: what identifies the model: the SHA-256 of its settings, which have that of each of its files. Two
            parsers with the same digest and the same guidelines give the same graphs.
        guidelines: the version of the UCCA guidelines that the parser follows.
        trunk: the lower part of its encoder, which a judge may share; None for a parser with layers of its own.

    Raises:
        ParsingError: no such model, or its files cannot be read.
    """

    def __init__(self, name_or_path: str | os.PathLike[str] = "en", *, guidelines: int | None = None) -> None:
        folder = _folder(name_or_path)
        try:
            settings, self.digest = model_settings(folder)
            check_digests(folder, settings["sha256"], ["model.onnx", "remotes.npz"])
            labels = [str(label) for label in settings["labels"]]
            versions = [[int(version) for version in known_in] for known_in in settings["versions"]]
            default_guidelines = int(settings["guidelines"])
            self.guidelines = default_guidelines if guidelines is None else guidelines
            self.name = str(settings["name"]) + (f"+g{guidelines}" if self.guidelines != default_guidelines else "")
            # Opened here: numpy leaves a damaged file open.
            with open(folder / "remotes.npz", "rb") as stream, np.load(stream, allow_pickle=False) as file:
                weights = {name: file[name].astype(np.float32) for name in file.files}
            remote_labels = tuple(str(label) for label in settings["remote_labels"])
            self._remotes = RemoteScorer(remote_labels, weights, float(settings["remote_threshold"]))
            self._network = open_network(folder, settings)
            self.trunk: Trunk | None = self._network.trunk if self._network.stands_on_trunk else None
        except (OSError, ValueError, KeyError, TypeError, MemoryError, BadZipFile, *PACKING_ERRORS) as e:
            raise ParsingError(f"not a usable model: {type(e).__name__}: {e}", path=folder) from e
        if self.guidelines not in (1, 2):
            raise ParsingError("there are versions 1 and 2 of the guidelines", text=str(self.guidelines))
        number = {c: i for i, c in enumerate(categories_of(labels))}
        # The network gives scores only to the labels of its version of the guidelines; if there are none, to all.
        self._labels = [labels[k] for k, known_in in enumerate(versions) if self.guidelines in known_in] or labels
        self._categories = {
            label: tuple(number["|".join(step.categories)] for step in parse_label(label)) for label in labels
        }
        self._again = partial(EmbeddedParser, folder, guidelines=guidelines), ()

    def __reduce__(self) -> tuple[Any, ...]:
        return self._again

    def parse(self, sentences: Sequence[str | Sequence[str]], *, ids: Sequence[str] | None = None) -> list[Graph]:
        """Parse sentences, see :meth:`usim.parsing.Parser.parse`.

        A text is cut into tokens by :func:`usim.text.tokenise` and into sentences, which are parsed each by itself and
        joined under one root. Sentences of more than some hundred words are parsed in parts.

        Raises:
            ParsingError: ``sentences`` is a single string, or there are not as many ids as sentences.
            InputError: a sentence is neither a string nor a sequence of strings.
        """
        return [reading.graph for reading in self.read(sentences, ids=ids, has_layers=False)]

    def read(
        self,
        sentences: Sequence[str | Sequence[str]],
        *,
        ids: Sequence[str] | None = None,
        has_layers: bool = True,
        cache: TreeCache | None = None,
    ) -> list[Reading]:
        """Parse sentences as :meth:`parse` does, and return their graphs with the outputs of the trunk.

        A text that was given as the tokens of several sentences was read as one: its reading has no parts. Nor has that
        of a sentence whose tree is in the ``cache``, which keeps those of the others, by as many tokens as they have.
        """
        check_batch(sentences, ids)
        texts, windows = self._cut(sentences)
        kept = cache or TreeCache()
        keys = [tuple(texts[window.text][window.start : window.end]) for window in windows]
        trees = {key: tree for key in keys if (tree := kept.get(key))}
        new = {key: window for key, window in zip(keys, windows, strict=True) if key not in trees}
        layers: dict[tuple[str, ...], Halves | None] = {}
        for batch in batches(new, lambda key: (len(new[key].ids), len(new[key].words))):
            read = self._run([new[key] for key in batch], has_layers=has_layers)
            for key, (tree, of_trunk) in zip(batch, read, strict=True):
                trees[key], layers[key] = with_articles(tree, key, self.guidelines), of_trunk
                kept.keep(key, trees[key], len(key))
        of_text: list[list[tuple[Window, tuple[str, ...]]]] = [[] for _ in texts]
        for window, key in zip(windows, keys, strict=True):
            of_text[window.text].append((window, key))
        readings: list[Reading] = []
        for k, (tokens, own) in enumerate(zip(texts, of_text, strict=True)):
            graph = join(tokens, ((w.start, w.end, trees[key]) for w, key in own), id=ids[k] if ids is not None else "")
            parts = [ReadPart(w.ids, w.starts, it) for w, key in own if (it := layers.get(key)) is not None]
            is_as_text = isinstance(sentences[k], str) or len(sentence_ends(tokens)) == 1
            readings.append(Reading(graph, tuple(parts) if is_as_text and len(parts) == len(own) else ()))
        return readings

    def _cut(self, sentences: Sequence[str | Sequence[str]]) -> tuple[list[list[str]], list[Window]]:
        """Return the tokens of each text, and the windows of all texts in order."""
        texts: list[list[str]] = []
        windows: list[Window] = []
        for number, sentence in enumerate(sentences):
            if isinstance(sentence, str):
                tokens = token_texts(sentence)
                ends = sentence_ends(tokens)
            else:
                tokens = list(sentence)
                ends = [len(tokens)] if tokens else []
            texts.append(tokens)
            words = partial(words_of, guidelines=self.guidelines)
            windows += windows_of(tokens, ends, self._network.trunk.pieces, words, number)
        return texts, windows

    def _run(self, batch: Sequence[Window], *, has_layers: bool) -> list[tuple[Tree, Halves | None]]:
        """Return the trees of a batch, with their remote edges, and the outputs of the trunk if asked for."""
        scores = self._network.run(batch, self.guidelines, has_layers=has_layers)
        sizes = scores.sizes
        offsets = [0, *accumulate(n * (n + 1) // 2 for n in sizes)]
        batch_spans = best_spans(scores.best, sizes)
        # Words that no unit holds get their best label, though it scores less than none.
        for b, spans in enumerate(batch_spans):
            bare = bare_words(((i, j) for i, j, _ in spans), sizes[b])
            if bare:
                spans += [(k, k + 1, offsets[b] + span_number(k, k + 1, sizes[b])) for k in bare]
                spans.sort(key=lambda span: (span[0], -span[1]))  # parents first
        labels = iter(scores.labels([number for spans in batch_spans for _, _, number in spans]))
        trees = [
            Tree(tuple(window.words), {(i, j): self._labels[next(labels)] for i, j, _ in spans})
            for window, spans in zip(batch, batch_spans, strict=True)
        ]
        return [
            (replace(tree, remotes=tuple(self._remotes(Nodes.of(tree, self._categories), left, right))), layers)
            for tree, left, right, layers in zip(trees, scores.left, scores.right, scores.layers, strict=True)
        ]


def with_articles(tree: Tree, tokens: Sequence[str], guidelines: int) -> Tree:
    """Return a tree whose articles have the category of the version of the guidelines, where each is a unit by itself.

    Version 1 calls them elaborators, version 2 functions. A parser saw each version with one kind of text, and goes by
    the kind of text as much as by the version that it is asked for.
    """
    right, wrong = ("E", "F") if guidelines == 1 else ("F", "E")
    changed = {
        (i, i + 1): right
        for i, place in enumerate(tree.words)
        if tree.spans.get((i, i + 1)) == wrong and tokens[place].lower() in ("a", "an", "the")
    }
    return replace(tree, spans=tree.spans | changed) if changed else tree


def open_network(folder: Path, settings: dict[str, Any]) -> Network:
    """Return the network of a model; one with layers of its own has the word embeddings of the trunk alone."""
    trunk = load_trunk(folder / settings["trunk" if "trunk" in settings else "words"])
    if trunk.digest != settings.get("trunk_digest", trunk.digest):
        raise ValueError(f"{folder / settings['trunk']} is not the trunk that this model was made with")
    weights = folder / "weights.npz"
    return Network(load_session(folder / "model.onnx", weights if weights.exists() else None), trunk)


def _folder(name_or_path: str | os.PathLike[str]) -> Path:
    if name_or_path in MODELS:
        return MODELS[str(name_or_path)].parser
    path = Path(name_or_path)
    if (path / "settings.json").is_file():
        return path
    choices = f"there are {', '.join(MODELS)}, or give the folder of an exported model"
    raise ParsingError(f"no such model: {os.fspath(name_or_path)!r}; {choices}")
