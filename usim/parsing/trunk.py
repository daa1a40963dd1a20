"""A trunk: the lower part of a large encoder, which a parser and a judge share.

The trunk reads a sentence once. The parser's own layers stand on what its highest layer gives; a judge that uses the
same trunk asks for what several of its layers gave to the same word pieces, and costs no second pass. Its weights are
those of the pretrained encoder, so what it gives is meant for no task.

Whoever needs the trunk of a folder asks :func:`load_trunk` for it; all in a process get the same one. A judge says with
:meth:`Trunk.remember` that outputs shall be kept for it; without that, the trunk keeps nothing.

>>> trunk = load_trunk(folder)                                   # doctest: +SKIP
>>> trunk.remember()                                             # doctest: +SKIP
>>> windows = trunk.windows(tokens)                              # doctest: +SKIP
>>> outputs = trunk.outputs([window.ids for window in windows])  # doctest: +SKIP
>>> outputs[0].shape == (len(trunk.layers), len(windows[0].ids), trunk.width)  # doctest: +SKIP
True
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.parsing.embeddings import HalfByteTable
from usim.parsing.packed import load_packed_session
from usim.parsing.wordpieces import Pieces, read_tokenizer
from usim.text import PACKING_ERRORS, check_digests, parse_json, sentence_ends

Floats = npt.NDArray[np.float32]
#: What the encoder can take, two special pieces included.
PIECES = 512
#: Longer sentences are cut: a parser's chart grows with the square of this.
WORDS = 150
#: Where a sentence that is too long is cut, if there is such a token in the second half of what fits: best first.
_CUTS = (".?!…", ";:—–", ',()[]"“”-/|•*', None)
#: A batch holds at most so many sentences and pieces, or a single sentence.
_BATCH = 8
_BATCH_PIECES = 2048
#: How many pieces are kept for a judge by default: those of more than two hundred pairs. A piece takes 6 kB.
KEPT = 16_384


class Stretch(NamedTuple):
    """A part of a text that is read by itself: a sentence, or a piece of one that is too long.

    Attributes:
        start, end: its tokens in the text.
        ids: its word pieces, with the special ones at both ends.
        starts: where each of its tokens begins among the pieces, with one more entry for the end of the last.
    """

    start: int
    end: int
    ids: list[int]
    starts: list[int]


class SharedTrunk(Protocol):
    """What a judge may ask of a trunk.

    Attributes:
        layers: the numbers of the layers whose outputs are given, ascending; 0 are the embeddings.
        width: the length of each vector.
        pieces: cuts tokens into word pieces.
        digest: identifies the trunk.
    """

    layers: tuple[int, ...]
    width: int
    pieces: Pieces
    digest: str

    def remember(self, pieces: int = KEPT) -> None:
        """Keep the outputs of about so many word pieces from now on, those of the latest sentences."""
        ...

    def windows(self, tokens: Sequence[str]) -> list[Stretch]:
        """Return the parts of a text as the parser reads them, in order; together they have all tokens.

        Outputs of these parts are there already if the text has just been parsed.
        """
        ...

    def outputs(self, sentences: Sequence[Sequence[int]]) -> list[Floats]:
        """Return what the layers give for sentences of word pieces: (layers, pieces, width) each, in order.

        Args:
            sentences: word pieces, the special ones at both ends included, at most :data:`PIECES`; those of
                :meth:`windows`, or others, such as a sentence within its context, which are read now.
        """
        ...


class Trunk:
    """A trunk in onnxruntime, a :class:`SharedTrunk`; several threads may use it. See :func:`load_trunk`.

    Args:
        folder: ``settings.json``, ``trunk.onnx``, its packed weights, the table of words and the tokeniser.
        threads: how many threads a run may use.

    Raises:
        ParsingError: a file is missing or damaged.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        try:
            settings = parse_json((folder / "settings.json").read_text(encoding="utf-8"))
            check_digests(folder, settings["sha256"])
            self.name = str(settings["name"])
            self.digest = str(settings["sha256"]["weights.npz"])
            self.layers: tuple[int, ...] = tuple(int(layer) for layer in settings["layers"])
            self.pieces = Pieces(read_tokenizer(folder / "tokenizer.json"))
            self._words = HalfByteTable(folder)
            self._session = load_packed_session(folder / "trunk.onnx", folder / "weights.npz", threads)
        except (OSError, ValueError, KeyError, TypeError, *PACKING_ERRORS) as e:
            raise ParsingError(f"not a usable trunk: {type(e).__name__}: {e}", path=folder) from e
        self._names = [f"layer{layer}" for layer in self.layers]
        self.width = self._words.width
        self._capacity = 0
        self._held = 0
        self._kept: OrderedDict[tuple[int, ...], npt.NDArray[np.float16]] = OrderedDict()
        self._lock = threading.Lock()

    def remember(self, pieces: int = KEPT) -> None:
        """Keep outputs, see :meth:`SharedTrunk.remember`; the largest number that anybody asked for counts."""
        self._capacity = max(self._capacity, pieces)

    def windows(self, tokens: Sequence[str]) -> list[Stretch]:
        """Return the parts of a text, see :meth:`SharedTrunk.windows`."""
        self.pieces.learn(tokens)
        parts = []
        start = 0
        for end in sentence_ends(tokens):
            for first, last in cut(tokens, start, end, self.pieces):
                ids, _, _, starts = self.pieces.encode(tokens[first:last], ())
                parts.append(Stretch(first, last, ids, starts))
            start = end
        return parts

    def outputs(self, sentences: Sequence[Sequence[int]]) -> list[Floats]:
        """Return what the layers give, see :meth:`SharedTrunk.outputs`."""
        keys = [tuple(ids) for ids in sentences]
        with self._lock:
            known = {key: self._kept[key] for key in keys if key in self._kept}
        fresh: dict[tuple[int, ...], Floats] = {}
        for batch in _batches([key for key in dict.fromkeys(keys) if key not in known]):
            ids, mask = _padded(batch)
            layers = np.stack(self._run(self._names, ids, mask))
            for row, key in enumerate(batch):
                fresh[key] = layers[:, row, : len(key)]
            self._keep(batch, layers)
        return [fresh[key] if key in fresh else known[key].astype(np.float32) for key in keys]

    def highest(self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]) -> Floats:
        """Return what the highest layer gives for a padded batch, (sentences, pieces, width), and keep what is asked.

        Args:
            ids: word pieces (sentences, pieces).
            mask: 0 where there is padding, else 1.
        """
        if not self._capacity:
            (hidden,) = self._run(self._names[-1:], ids, mask)
            return hidden
        keys = [tuple(row[:n]) for row, n in zip(ids.tolist(), mask.sum(1).tolist(), strict=True)]
        layers = self._run(self._names, ids, mask)
        self._keep(keys, np.stack(layers))
        return layers[-1]

    def _run(self, names: list[str], ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]) -> list[Floats]:
        found: list[Floats] = self._session.run(names, {"embedded": self._words(ids), "mask": mask})
        return found

    def _keep(self, keys: Sequence[tuple[int, ...]], layers: Floats) -> None:
        """Keep the outputs (layers, sentences, pieces, width) of a batch, in 16 bits, and forget the oldest."""
        if not self._capacity:
            return
        limit = np.finfo(np.float16).max
        small = np.clip(layers, -limit, limit).astype(np.float16)
        with self._lock:
            for row, key in enumerate(keys):
                if key not in self._kept:
                    self._held += len(key)
                    self._kept[key] = small[:, row, : len(key)].copy()
            while self._held > self._capacity and len(self._kept) > 1:
                self._held -= len(self._kept.popitem(last=False)[0])


def cut(tokens: Sequence[str], start: int, end: int, pieces: Pieces) -> Iterator[tuple[int, int]]:
    """Yield where the parts of the sentence ``start .. end-1`` begin and end; one part, if it is not too long."""
    while start < end:
        stop, words, count = start, 0, 2
        while stop < end:
            count += pieces.count(tokens[stop])
            words += 1
            if words > WORDS or count > PIECES:
                break
            stop += 1
        if stop < end:
            stop = _good_cut(tokens, start, stop)
        yield start, stop
        start = stop


def _good_cut(tokens: Sequence[str], start: int, stop: int) -> int:
    """Return where to end a part that begins at ``start`` and may not go beyond ``stop``."""
    for marks in _CUTS:
        if marks is None:
            break
        for end in range(stop, start + (stop - start) // 2, -1):
            if tokens[end - 1] and tokens[end - 1][-1] in marks:
                return end
    return stop


def _batches(keys: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """Group sentences of similar length."""
    batch: list[tuple[int, ...]] = []
    for key in sorted(keys, key=len):
        if batch and (len(batch) == _BATCH or (len(batch) + 1) * len(key) > _BATCH_PIECES):
            yield batch
            batch = []
        batch.append(key)
    if batch:
        yield batch


def _padded(batch: Sequence[tuple[int, ...]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    shape = (len(batch), max(map(len, batch)))
    ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, key in enumerate(batch):
        ids[row, : len(key)] = key
        mask[row, : len(key)] = 1
    return ids, mask


_loaded: WeakValueDictionary[tuple[Path, int], Trunk] = WeakValueDictionary()
_loading = threading.Lock()


def load_trunk(folder: Path, threads: int = 1) -> Trunk:
    """Return the trunk in a folder; while it is in use, everybody in the process gets the same one.

    Raises:
        ParsingError: a file is missing or damaged.
    """
    key = (folder.resolve(), threads)
    with _loading:
        trunk = _loaded.get(key)
        if trunk is None:
            trunk = _loaded[key] = Trunk(folder, threads)
        return trunk
