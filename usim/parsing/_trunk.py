"""A trunk: the lower part of a large encoder, which a parser and a judge share.

The trunk reads a sentence once. The parser's own layers stand on the output of its highest layer. A judge with the same
trunk needs the outputs of several of its layers for the same word pieces, and finds them in the parser's
:class:`Reading`. The weights are those of the pretrained encoder, so the outputs serve no task in particular.

:func:`load_trunk` returns the trunk of a folder. All in a process get the same one, so that it is loaded once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.parsing.network import Window, load_session, padded
from usim.parsing.packed import EmbeddingTable
from usim.parsing.wordpieces import Pieces
from usim.text import sentence_ends
from usim.text.checksums import check_digests, model_settings
from usim.text.files import PACKING_ERRORS
from usim.ucca import Graph

T = TypeVar("T")
Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]
#: What the encoder can take, two special pieces included.
PIECES = 512
#: Longer sentences are cut: a parser's chart grows with the square of this.
WORDS = 150
_FILES = ("trunk.onnx", "weights.npz", "tokenizer.json", "words.npy", "scales.npy", "levels.npy")
#: Where a sentence that is too long is cut, if there is such a token in the second half of what fits: best first.
_CUTS = (".?!…", ";:—–", ',()[]"“”-/|•*')
#: A batch holds at most so many sentences, pieces and spans, or a single sentence.
_BATCH = 8
_BATCH_PIECES = 2048
_BATCH_SPANS = 12000
#: Pieces of variants that are read beside a sentence in one run.
VARIANT_PIECES = 128


class ReadPart(NamedTuple):
    """A part of a text that a parser has read by itself, mostly a sentence.

    Attributes:
        ids: its word pieces, with the special ones at both ends.
        starts: where each of its tokens begins among the pieces, with one more entry for the end of the last.
        layers: the outputs of the trunk's layers, float16 (layers, pieces, width).
    """

    ids: list[int]
    starts: list[int]
    layers: Halves


class Reading(NamedTuple):
    """A text as a parser has read it.

    Attributes:
        parts: its parts in order, as a judge with the same trunk reads them; none where that one reads it in others.
    """

    graph: Graph
    parts: tuple[ReadPart, ...] = ()


class Variant(NamedTuple):
    """Word pieces in the place of others of a sentence.

    Attributes:
        start, end: the pieces of the sentence that they replace.
        ids: the pieces, at least one.
    """

    start: int
    end: int
    ids: tuple[int, ...]


class Trunk:
    """A trunk in onnxruntime; several threads may use it. See :func:`load_trunk`.

    Args:
        folder: ``settings.json``, ``trunk.onnx``, its packed weights, the table of words and the tokeniser.

    Attributes:
        layers: the numbers of the layers whose outputs are given, ascending; 0 are the embeddings.
        width: the length of each vector.
        pieces: cuts tokens into word pieces.
        words: gives the embeddings of word pieces.
        digest: identifies the trunk.

    Raises:
        ParsingError: a file is missing or damaged.
    """

    def __init__(self, folder: Path) -> None:
        try:
            settings, _ = model_settings(folder)
            check_digests(folder, settings["sha256"], _FILES)
            self.digest = str(settings["sha256"]["weights.npz"])
            self.layers: tuple[int, ...] = tuple(int(layer) for layer in settings["layers"])
            self.pieces = Pieces.read(folder / "tokenizer.json")
            self.words = EmbeddingTable(folder)
            self._session = load_session(folder / "trunk.onnx", folder / "weights.npz")
        except (OSError, ValueError, KeyError, TypeError, MemoryError, *PACKING_ERRORS) as e:
            raise ParsingError(f"not a usable trunk: {type(e).__name__}: {e}", path=folder) from e
        # What the parser stands on, and what a judge reads: numpy takes a hundred times as long to make 16 bits.
        self._highest = f"layer{self.layers[-1]}"
        self._halves = [f"half{layer}" for layer in self.layers]
        self.width = self.words.width

    def windows(self, tokens: Sequence[str]) -> list[Window]:
        """Return the parts of a text as a parser reads them, in order; together they have all tokens."""
        return list(windows_of(tokens, sentence_ends(tokens), self.pieces))

    def outputs(self, sentences: Sequence[Sequence[int]]) -> list[Halves]:
        """Return the outputs of the layers for sentences of word pieces: (layers, pieces, width) each, in order.

        A sentence has the special pieces at both ends, and at most :data:`PIECES`.
        """
        keys = [tuple(ids) for ids in sentences]
        outputs: dict[tuple[int, ...], Halves] = {}
        for batch in batches(dict.fromkeys(keys), lambda key: (len(key), 0)):
            layers = self._run(self._halves, padded(batch), padded([[1] * len(key) for key in batch]))
            outputs |= zip(batch, _of_sentences(layers, map(len, batch)), strict=True)
        return [outputs[key] for key in keys]

    def read(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64], *, has_layers: bool
    ) -> tuple[Floats, Sequence[Halves | None]]:
        """Return the output of the highest layer for a batch of word pieces, float32 (sentences, pieces, width).

        The mask is 0 where there is padding, else 1. With ``has_layers`` the outputs of all layers are returned, too,
        as by :meth:`outputs`; else None.
        """
        highest, *layers = self._run([self._highest, *(self._halves if has_layers else ())], ids, mask)
        return highest, _of_sentences(layers, mask.sum(1).tolist()) if layers else [None] * len(ids)

    def in_place(
        self, sentence: Sequence[int], variants: Sequence[Variant], whole: Halves | None = None
    ) -> tuple[Halves, list[Halves]]:
        """Return the outputs of the layers for a sentence, and for it with other pieces in it: as :meth:`outputs`.

        The sentence is read once, unless ``whole`` has its outputs. The pieces of each variant, of which there is one
        at least, are read at their places: they see each other and the sentence without what they replace; the sentence
        sees none of them.
        """
        n = len(sentence)
        changed: list[Halves] = []
        for some in _in_portions(variants):
            ends = np.cumsum([n, *(len(variant.ids) for variant in some)]).tolist()
            places, mask = np.arange(ends[-1])[None], np.zeros((1, ends[-1], ends[-1]), np.int64)
            mask[0, :, :n] = 1
            for (start, end, ids), first, last in zip(some, ends, ends[1:], strict=False):
                places[0, first:last] = np.arange(start, start + len(ids)).clip(max=PIECES - 1)
                mask[0, first:last, start:end] = 0
                mask[0, first:last, first:last] = 1
            every = np.array([[*sentence, *(piece for variant in some for piece in variant.ids)]])
            layers = self._run(self._halves, every, mask, places)
            if whole is None:
                (whole,) = _of_sentences(layers, [n])
            changed += [
                np.concatenate([whole[:, :start], [layer[0, first:last] for layer in layers], whole[:, end:]], axis=1)
                for (start, end, _), first, last in zip(some, ends, ends[1:], strict=False)
            ]
        assert whole is not None, "there is a variant"
        return whole, changed

    def _run(
        self,
        names: list[str],
        ids: npt.NDArray[np.int64],
        mask: npt.NDArray[np.int64],
        places: npt.NDArray[np.int64] | None = None,
    ) -> list[Any]:
        """Return outputs of the graph; ``places`` are those of the pieces in their sentences, by default one by one.

        ``mask`` is 1 for the keys that queries see: all the same, (sentences, pieces), or (sentences, queries, pieces).
        """
        if places is None:
            places = np.arange(ids.shape[1])[None]
        seen = mask[:, None] if mask.ndim == 2 else mask
        outputs: list[Any] = self._session.run(names, {"embedded": self.words(ids), "places": places, "mask": seen})
        return outputs


def _of_sentences(layers: Sequence[Halves], sizes: Iterable[int]) -> list[Halves]:
    """Return the outputs of the layers for each sentence of a batch, without the padding."""
    return [np.stack([layer[row, :size] for layer in layers]) for row, size in enumerate(sizes)]


def _in_portions(variants: Sequence[Variant]) -> Iterator[list[Variant]]:
    """Yield the variants, so many together as are read in one run."""
    portion: list[Variant] = []
    for variant in variants:
        if portion and sum(len(v.ids) for v in portion) + len(variant.ids) > VARIANT_PIECES:
            yield portion
            portion = []
        portion.append(variant)
    if portion:
        yield portion


def windows_of(
    tokens: Sequence[str],
    ends: Iterable[int],
    pieces: Pieces,
    words: Callable[[Sequence[str]], list[int]] | None = None,
    text: int = 0,
) -> Iterator[Window]:
    """Yield the sentences of a text, which has this number, as windows; a sentence that is too long gives several.

    ``words`` says which tokens of a window are words; by default none.
    """
    start = 0
    for end in ends:
        while start < end:
            stop, count = start, 2
            while stop < end and stop - start < WORDS and count + pieces.count(tokens[stop]) <= PIECES:
                count += pieces.count(tokens[stop])
                stop += 1
            if stop < end:
                stop = _good_cut(tokens, start, stop)
            window = tokens[start:stop]
            places = [] if words is None else words(window)
            yield Window(text, start, stop, places, *pieces.encode(window))
            start = stop


def _good_cut(tokens: Sequence[str], start: int, stop: int) -> int:
    """Return where to end a part that begins at ``start`` and may not go beyond ``stop``."""
    for marks in _CUTS:
        for end in range(stop, start + (stop - start) // 2, -1):
            if tokens[end - 1] and tokens[end - 1][-1] in marks:
                return end
    return stop


def batches(items: Iterable[T], sizes: Callable[[T], tuple[int, int]]) -> Iterator[list[T]]:
    """Group sentences of similar length, by how many pieces each has, and how many words whose spans are scored."""
    batch: list[T] = []
    spans = 0
    for item in sorted(items, key=sizes):
        pieces, words = sizes(item)
        more = words * (words + 1) // 2
        if batch and (len(batch) == _BATCH or (len(batch) + 1) * pieces > _BATCH_PIECES or spans + more > _BATCH_SPANS):
            yield batch
            batch, spans = [], 0
        batch.append(item)
        spans += more
    if batch:
        yield batch


_loaded: WeakValueDictionary[Path, Trunk] = WeakValueDictionary()
_loading = threading.Lock()


def load_trunk(folder: Path) -> Trunk:
    """Return the trunk in a folder; while it is in use, everybody in the process gets the same one.

    Raises:
        ParsingError: a file is missing or damaged.
    """
    key = folder.resolve()
    with _loading:
        trunk = _loaded.get(key)
        if trunk is None:
            trunk = _loaded[key] = Trunk(folder)
        return trunk
