"""The encoder and its heads in onnxruntime: arrays in, arrays out.

A folder of a model has the graph as ``model.onnx``; ``parsers/span`` makes it. Models of an older kind, which choose
the labels inside of the graph and know no middle layer, are still read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.parsing.chart import spans_of
from usim.parsing.embeddings import Words

Vectors = npt.NDArray[np.float32]
#: Layers whose vectors can be had: that after half of the layers, and the last.
Layer = Literal["middle", "last"]
#: The score of spans that get none, as a sieve has found that no label fits them.
SIEVED = -1e4
_OUTPUTS: dict[Layer, str] = {"middle": "middle", "last": "pieces"}


@dataclass(frozen=True, eq=False)
class Window:
    """A part of a text that is parsed by itself: a sentence, or a piece of one that is too long.

    Attributes:
        text: the number of the text.
        start, end: its tokens in the text.
        words: the positions, from ``start``, of the tokens that are words.
        ids, before, after, starts: what :meth:`usim.parsing.wordpieces.Pieces.encode` gives.
    """

    text: int
    start: int
    end: int
    words: list[int]
    ids: list[int]
    before: list[int]
    after: list[int]
    starts: list[int]


@dataclass(frozen=True, eq=False)
class Scores:
    """What the network says about a batch of sentences.

    Attributes:
        sizes: the number of words of each.
        best: the score of the best label of each span, in the order of :mod:`usim.parsing.chart`, the sentences after
            each other; :data:`SIEVED` for a span that the network's sieve has left out, which has no label. Single
            words always have one.
        left, right: what the remote edges are found with, (sentences, fences, width).
    """

    sizes: list[int]
    best: Vectors
    left: Vectors
    right: Vectors
    _labels: npt.NDArray[Any]
    _chosen: npt.NDArray[np.int64] | None = None

    def labels(self, spans: Sequence[int]) -> list[int]:
        """The numbers of the best labels of some spans, given by their numbers; they must have labels."""
        rows = spans if self._chosen is None else np.searchsorted(self._chosen, spans)
        found = self._labels[rows]
        if found.ndim == 2:  # a score for each label
            found = found.argmax(axis=1)
        return found.tolist()  # type: ignore[no-any-return]


def session_options(threads: int = 1) -> Any:
    """How all models of usim are run in onnxruntime; ``threads`` is how many one run may use."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Batches have many shapes; planning memory for each of them makes the process grow.
    options.enable_mem_pattern = False
    # The graph is made as it shall run; fusing further makes it slower (see training/onnx_graph.py).
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def session(path: Path, threads: int = 1) -> Any:
    """A graph in onnxruntime.

    Args:
        path: the graph.
        threads: how many threads one run may use.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a graph that onnxruntime can run.
    """
    import onnxruntime as ort

    if not path.is_file():
        raise FileNotFoundError(path)
    options = session_options(threads)
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as e:  # onnxruntime has no common base class for its errors
        raise ValueError(str(e)) from e


class Network:
    """A session of onnxruntime.

    Args:
        path: the graph. One run of it uses one thread; several threads can run it at the same time.
        words: the word embeddings, for graphs without a table of their own.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a graph that onnxruntime can run.
    """

    def __init__(self, path: Path, words: Words | None = None) -> None:
        self._session = session(path)
        outputs = {output.name: output.shape for output in self._session.get_outputs()}
        self._outputs = set(outputs)
        self._labels = "scores" if "scores" in outputs else "label"
        self._inputs = {given.name for given in self._session.get_inputs()}
        self.width = int(outputs["pieces"][-1])
        self._words = words
        if "embedded" in self._inputs and words is None:
            raise ValueError("the table of word embeddings is missing")

    def check(self, layers: Sequence[Layer]) -> None:
        """Whether the model has the vectors of some layers.

        Raises:
            ParsingError: it has not.
        """
        for layer in layers:
            if _OUTPUTS.get(layer) not in self._outputs:
                raise ParsingError("this model has no vectors of such a layer", text=layer)

    def run(self, batch: Sequence[Window], guidelines: int, layers: Sequence[Layer] = ()) -> tuple[Scores, Vectors]:
        """Everything about a batch: what it is parsed with, and the vectors of its pieces (see :meth:`vectors`)."""
        sizes = [len(w.words) for w in batch]
        names = ["score", self._labels, "node_left", "node_right", *(_OUTPUTS[layer] for layer in layers)]
        fed = self._feed(batch, guidelines, True, True)
        chosen = None
        if "chosen" in self._outputs:
            best, labels, left, right, *vectors, chosen = self._session.run([*names, "chosen"], fed)
            best, some = np.full(len(fed["start"]), SIEVED, dtype=np.float32), best.reshape(-1)
            best[chosen] = some
        else:
            best, labels, left, right, *vectors = self._session.run(names, fed)
            best = best.reshape(-1)  # the largest of no scores has two dimensions in onnxruntime
        shape = (len(batch), -1, left.shape[1])
        return Scores(sizes, best, left.reshape(shape), right.reshape(shape), labels, chosen), _beside(vectors)

    def vectors(self, batch: Sequence[Window], guidelines: int, layers: Sequence[Layer]) -> Vectors:
        """The vectors of the pieces alone, (sentences, pieces, width), those of several layers side by side.

        What is behind the last of the layers is not computed.
        """
        feed = self._feed(batch, guidelines, "last" in layers, False)
        return _beside(self._session.run([_OUTPUTS[layer] for layer in layers], feed))

    def _feed(self, batch: Sequence[Window], guidelines: int, deep: bool, parse: bool) -> dict[str, Any]:
        fed = feed(batch, guidelines, deep=deep, parse=parse)
        if self._words is not None:
            fed["embedded"] = self._words(fed["ids"])
        return {name: value for name, value in fed.items() if name in self._inputs}


def feed(batch: Sequence[Window], guidelines: int, *, deep: bool = True, parse: bool = True) -> dict[str, Any]:
    """The inputs of the graph for a batch.

    Args:
        batch: one or more windows.
        guidelines: the version of the guidelines.
        deep: whether to go beyond the middle layer.
        parse: whether to compute what the parse is made of.
    """
    sizes = [len(w.words) for w in batch]
    rows = max(sizes) + 1
    shape = (len(batch), max(len(w.ids) for w in batch))
    ids = np.zeros(shape, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.int64)
    before = np.zeros((len(batch), rows), dtype=np.int64)
    after = np.zeros((len(batch), rows), dtype=np.int64)
    starts, ends = [], []
    for b, window in enumerate(batch):
        ids[b, : len(window.ids)] = window.ids
        mask[b, : len(window.ids)] = 1
        before[b, : sizes[b] + 1] = window.before
        after[b, : sizes[b] + 1] = window.after
        i, j = spans_of(sizes[b])
        starts.append(i + b * rows)
        ends.append(j + b * rows)
    return {
        "ids": ids,
        "mask": mask,
        "types": np.full(shape, guidelines - 1, dtype=np.int64),
        "before": before,
        "after": after,
        "start": np.concatenate(starts).astype(np.int64, copy=False),
        "end": np.concatenate(ends).astype(np.int64, copy=False),
        "deep": np.array(deep or parse),
        "parse": np.array(parse),
    }


def _beside(vectors: Sequence[Vectors]) -> Vectors:
    if not vectors:
        return np.zeros((0, 0, 0), dtype=np.float32)
    return vectors[0] if len(vectors) == 1 else np.concatenate(vectors, axis=2)
