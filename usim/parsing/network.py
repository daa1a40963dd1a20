"""The encoder and its heads in onnxruntime: arrays in, arrays out.

A folder of a model has the graph as ``model.onnx``; ``parsers/span`` makes it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from usim.parsing.chart import Floats, spans_of
from usim.parsing.packed import read_weights

if TYPE_CHECKING:
    from usim.parsing._trunk import Trunk

#: The score of spans that get none, as a sieve has found that no label fits them.
SIEVED = -1e4


@dataclass(frozen=True, eq=False)
class Window:
    """A part of a text that is read by itself: a sentence, or a piece of one that is too long.

    Attributes:
        text: the number of the text.
        start, end: its tokens in the text.
        words: the positions, from ``start``, of the tokens that are words; none where it is not parsed.
        ids: its word pieces, with the special ones at both ends.
        starts: where each of its tokens begins among the pieces, with one more entry for the end of the last.
    """

    text: int
    start: int
    end: int
    words: list[int]
    ids: list[int]
    starts: list[int]

    @property
    def before(self) -> list[int]:
        """For each fence the place of the last piece of the word before it; the first fence is before all words."""
        return [0, *(self.starts[word + 1] - 1 for word in self.words)]

    @property
    def after(self) -> list[int]:
        """For each fence the place of the first piece of the word after it; the last fence is after all words."""
        return [*(self.starts[word] for word in self.words), len(self.ids) - 1]


@dataclass(frozen=True, eq=False)
class SpanScores:
    """The output of the network for a batch of sentences.

    Attributes:
        sizes: the number of words of each.
        best: the score of the best label of each span, in the order of :mod:`usim.parsing.chart`, the sentences after
            each other; :data:`SIEVED` for a span that the network's sieve has left out, which has no label. Single
            words always have one.
        left, right: the vectors of each fence as the start and as the end of a node, by which remote edges are found:
            (sentences, fences, width).
        chosen: the numbers of the spans that the sieve has let through, ascending; of all where there is no sieve.
        label_scores: of the labels that the version of the guidelines has, (chosen spans, labels).
        layers: for each sentence the outputs of the trunk's layers, float16 (layers, pieces, width), or None.
    """

    sizes: list[int]
    best: Floats
    left: Floats
    right: Floats
    chosen: npt.NDArray[np.int64]
    label_scores: Floats
    layers: Sequence[npt.NDArray[np.float16] | None]

    def labels(self, spans: Sequence[int]) -> list[int]:
        """Return the numbers of the best labels of spans, given by their numbers; all must have labels."""
        return self.label_scores[np.searchsorted(self.chosen, spans)].argmax(axis=1).tolist()  # type: ignore[no-any-return]


def import_onnxruntime() -> Any:
    """Import onnxruntime with its telemetry switched off, and return the module.

    When it is imported, onnxruntime looks up a telemetry host and writes an identifier of the device under the user's
    home folder. Only this variable prevents both, so all code of usim imports onnxruntime here. The variable stays set
    for the processes that this one starts. It has no effect if the program has already imported onnxruntime itself.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


def load_session(path: Path, weights: Path | None = None) -> Any:
    """Load a graph into onnxruntime, to be run with one thread.

    Packed ``weights`` (:mod:`usim.parsing.packed`) are for a graph that declares its matrices as data elsewhere.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not a graph that onnxruntime can run with these weights.
    """
    ort = import_onnxruntime()
    if not path.is_file():
        raise FileNotFoundError(path)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Batches have many shapes; planning memory for each of them makes the process grow.
    options.enable_mem_pattern = False
    # The graph is made as it shall run; fusing further makes it slower (see training/onnx_graph.py).
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    graph: str | bytes = str(path)
    if weights is not None:
        arrays = read_weights(weights)
        options.add_external_initializers([*arrays], [*map(ort.OrtValue.ortvalue_from_numpy, arrays.values())])
        graph = path.read_bytes()
    try:
        return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as e:  # onnxruntime has no common base class for its errors
        raise ValueError(str(e)) from e


class Network:
    """The parser's graph in onnxruntime.

    Args:
        session: the graph. One run of it uses one thread; several threads can run it at the same time.
        trunk: the lower part of the encoder, for graphs that begin above it; others read its word embeddings alone.
    """

    def __init__(self, session: Any, trunk: Trunk) -> None:
        self._session = session
        self._has_sieve = "chosen" in {output.name for output in session.get_outputs()}
        self._inputs = {argument.name for argument in session.get_inputs()}
        self.trunk = trunk
        self.stands_on_trunk = "lower" in self._inputs

    def run(self, batch: Sequence[Window], guidelines: int, *, has_layers: bool = False) -> SpanScores:
        """Return the scores of a batch of windows, under a version of the guidelines.

        ``has_layers`` says whether the outputs of the trunk, if the graph stands on it, are returned as well.
        """
        inputs = feed(batch, guidelines)
        layers: Sequence[npt.NDArray[np.float16] | None] = [None] * len(batch)
        if self.stands_on_trunk:
            inputs["lower"], layers = self.trunk.read(inputs["ids"], inputs["mask"], has_layers=has_layers)
        else:
            inputs["embedded"] = self.trunk.words(inputs["ids"])
        spans = len(inputs["start"])
        inputs = {name: value for name, value in inputs.items() if name in self._inputs}
        names = ["score", "scores", "node_left", "node_right", *(["chosen"] if self._has_sieve else [])]
        best_of_chosen, labels, left, right, *sieved = self._session.run(names, inputs)
        chosen = sieved[0] if sieved else np.arange(spans)
        best = np.full(spans, SIEVED, dtype=np.float32)
        best[chosen] = best_of_chosen.reshape(-1)  # the largest of no scores has two dimensions in onnxruntime
        shape = (len(batch), -1, left.shape[1])
        sizes = [len(window.words) for window in batch]
        return SpanScores(sizes, best, left.reshape(shape), right.reshape(shape), chosen, labels, layers)


def feed(batch: Sequence[Window], guidelines: int) -> dict[str, Any]:
    """Return the inputs of the graph for one or more windows, under a version of the guidelines."""
    ids = padded([window.ids for window in batch])
    before = padded([window.before for window in batch])
    spans = [spans_of(len(window.words)) for window in batch]
    first = [b * before.shape[1] for b in range(len(batch))]  # of the fences of each
    return {
        "ids": ids,
        "mask": padded([[1] * len(window.ids) for window in batch]),
        "types": np.full(ids.shape, guidelines - 1, dtype=np.int64),
        "before": before,
        "after": padded([window.after for window in batch]),
        "start": np.concatenate([i + at for (i, _), at in zip(spans, first, strict=True)]).astype(np.int64, copy=False),
        "end": np.concatenate([j + at for (_, j), at in zip(spans, first, strict=True)]).astype(np.int64, copy=False),
        # The graph can leave out the layers above the middle, and all that only a parse needs.
        "deep": np.array(True),
        "parse": np.array(True),
    }


def padded(rows: Sequence[Sequence[int]]) -> npt.NDArray[np.int64]:
    """Return rows of numbers as one array, filled up with 0."""
    array = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for row, numbers in zip(array, rows, strict=True):
        row[: len(numbers)] = numbers
    return array
