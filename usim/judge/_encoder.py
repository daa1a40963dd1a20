"""The encoder of a judge: it reads each sentence by itself, so that a source is read once for all its changes.

The vector of a token joins its vectors from several layers of the trunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from usim.evidence import PackedVectors
from usim.parsing import ReadPart, Variant, load_trunk
from usim.text import CONTEXT_PIECES, Context
from usim.text.differing import differing
from usim.text.lru import LRUCache

Floats = npt.NDArray[np.float32]

#: How many pieces the encoder can take, two special ones included.
_PIECES = 512
#: How many sentences and pieces a batch holds at most.
_BATCH = 8
_BATCH_PIECES = 1024
#: For how many tokens the vectors of sentences of texts are kept: 100 MB.
_TOKENS_KEPT = 16_384
Halves = npt.NDArray[np.float16]


class EncoderInput(NamedTuple):
    """A sentence for the encoder.

    Attributes:
        context: the text around it, of which up to :data:`usim.text.CONTEXT_PIECES` pieces are read on each side; a
            sentence that leaves no room is read alone (:meth:`TokenEncoder.has_room`).
        source: the tokens of another sentence, from which it differs in one stretch. Then the encoder reads only this
            stretch, within the source, whose other tokens keep their vectors (:meth:`usim.parsing.Trunk.in_place`).
        parts: what a parser has read of it, or of its source, without context (:attr:`usim.parsing.Reading.parts`).
    """

    tokens: tuple[str, ...]
    context: Context | None = None
    source: tuple[str, ...] | None = None
    parts: tuple[ReadPart, ...] = ()


class _Part(NamedTuple):
    """A sentence, or a part of one that is too long for the encoder.

    Attributes:
        ids: its pieces, with those of its context.
        starts: where each of its tokens begins in the pieces; the end of the last token at the end.
        layers: the outputs of the trunk for the pieces that are read, if they are known.
        in_place: the pieces of the sentence that is read instead, and the pieces that replace some of them.
    """

    ids: list[int]
    starts: list[int]
    layers: Halves | None = None
    in_place: tuple[tuple[int, ...], Variant] | None = None


class TokenEncoder:
    """Makes vectors for each token of a sentence in its context.

    Args:
        folder: the trunk, which a parser of this process shares.
        layers: which of its layers, in this order; the comparison reads the vectors of the first layer.

    Attributes:
        lower: the length of the vector of the first layer.
        width: the length of all vectors of a token together.

    Raises:
        ParsingError: a file of the trunk is missing or damaged.
        ValueError: the trunk does not give one of the layers.
    """

    def __init__(self, folder: Path, layers: Sequence[int]) -> None:
        trunk = load_trunk(folder)
        if not layers or not set(layers) <= set(trunk.layers):
            raise ValueError(f"the trunk gives layers {list(trunk.layers)}, and the judge reads {list(layers)}")
        self.lower = trunk.width
        self.width = trunk.width * len(layers)
        self.trunk = trunk
        self._pieces = trunk.pieces
        self._places = [trunk.layers.index(layer) for layer in layers]
        self._arguments = (folder, tuple(layers))
        # A text of several sentences is judged, and its sentences are aligned, by the same vectors.
        self._sentences: LRUCache[tuple[str, ...], PackedVectors] = LRUCache(_TOKENS_KEPT)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments

    def has_room(self, tokens: Sequence[str]) -> bool:
        """Return whether a sentence can be read together with any context."""
        return 2 + 2 * CONTEXT_PIECES + sum(map(self._pieces.count, tokens)) <= _PIECES

    def __call__(self, sentences: Sequence[Sequence[str]]) -> list[Floats]:
        """Return the vectors of the tokens of each sentence, (tokens, width), read by itself."""
        return [vectors.unpacked() for vectors in self.packed([EncoderInput(tuple(tokens)) for tokens in sentences])]

    def packed(self, sentences: Sequence[EncoderInput]) -> list[PackedVectors]:
        """Return the vectors of the tokens of each sentence; one that is too long for the encoder is read in parts."""
        parts: list[_Part] = []
        places: list[tuple[int, tuple[str, ...]]] = []  # of each part: its sentence, and its tokens where it is alone
        read = cache(self._read)  # the source of a list of substitutes is cut into pieces once
        for number, (tokens, context, source, given) in enumerate(sentences):
            is_read = bool(given) and context is None
            cut = [_Part(*part) for part in given] if is_read else read(tokens if source is None else source, context)
            if source is not None:
                cut = self._with_variant(cut, tokens, source, context)
            start = 0
            for part in cut:
                end = start + len(part.starts) - 1
                places.append((number, tokens[start:end] if context is None and source is None else ()))
                start = end
            parts += cut
        kept = {k: vectors for k, (_, key) in enumerate(places) if (vectors := self._sentences.get(key))}
        new = iter(self._vectors([part for k, part in enumerate(parts) if k not in kept]))
        of_sentence: list[list[PackedVectors]] = [[] for _ in sentences]
        for k, (number, key) in enumerate(places):
            vectors = kept.get(k) or next(new)
            of_sentence[number].append(vectors)
            if key:
                self._sentences.keep(key, vectors, len(key))
        return [PackedVectors.joined(own, self.width) for own in of_sentence]

    def _read(self, tokens: tuple[str, ...], context: Context | None) -> list[_Part]:
        """Return a sentence, with its context, in the parts that the encoder reads."""
        if context is not None and tokens and self.has_room(tokens):
            left, right = self._nearest(context)
            ids, starts = self._pieces.encode([*left, *tokens, *right])
            return [_Part(ids, starts[len(left) : len(left) + len(tokens) + 1])]
        return [_Part(window.ids, window.starts) for window in self.trunk.windows(tokens)]

    def _with_variant(
        self, parts: list[_Part], tokens: Sequence[str], source: Sequence[str], context: Context | None
    ) -> list[_Part]:
        """Return the parts of a sentence that is read as its source with another stretch."""
        first, end, stop = differing(source, tokens)
        new, begins = self._pieces.encode(tokens[first:stop])
        offset = 0
        for k, part in enumerate(parts):
            count = len(part.starts) - 1
            if first < stop and offset <= first < end <= offset + count:
                a, b = part.starts[first - offset], part.starts[end - offset]
                variant = Variant(a, b, tuple(new[1:-1]))
                shift = len(variant.ids) - (b - a)
                starts = [*part.starts[: first - offset], *(a - 1 + begin for begin in begins[:-1])]
                starts += [start + shift for start in part.starts[end - offset :]]
                ids = [*part.ids[:a], *variant.ids, *part.ids[b:]]
                return [*parts[:k], _Part(ids, starts, part.layers, (tuple(part.ids), variant)), *parts[k + 1 :]]
            offset += count
        return self._read(tuple(tokens), context)

    def _vectors(self, parts: Sequence[_Part]) -> list[PackedVectors]:
        """Return the vectors of parts, in order; the source of several variants is read once."""
        vectors: dict[int, PackedVectors] = {}
        variants: dict[tuple[int, ...], list[tuple[int, Variant]]] = {}
        for k, part in enumerate(parts):
            if part.in_place:
                variants.setdefault(part.in_place[0], []).append((k, part.in_place[1]))
        wholes: dict[tuple[int, ...], Halves] = {}
        for ids, numbered in variants.items():
            places = [k for k, _ in numbered]
            wholes[ids], read = self.trunk.in_place(ids, [variant for _, variant in numbered], parts[places[0]].layers)
            vectors.update((k, self._packed(layers, parts[k])) for k, layers in zip(places, read, strict=True))
        for k, part in enumerate(parts):
            layers = wholes.get(tuple(part.ids)) if part.layers is None else part.layers
            if not part.in_place and layers is not None:
                vectors[k] = self._packed(layers, part)
        batch: list[int] = []
        left = sorted((k for k in range(len(parts)) if k not in vectors), key=lambda k: len(parts[k].ids))
        for place, k in enumerate(left, 1):
            batch.append(k)
            following = len(parts[left[place]].ids) if place < len(left) else _PIECES
            if len(batch) == _BATCH or place == len(left) or (len(batch) + 1) * following > _BATCH_PIECES:
                read = self.trunk.outputs([parts[b].ids for b in batch])
                vectors.update((b, self._packed(layers, parts[b])) for b, layers in zip(batch, read, strict=True))
                batch = []
        return [vectors[k] for k in range(len(parts))]

    def _nearest(self, context: Context) -> tuple[Sequence[str], Sequence[str]]:
        """Return the tokens next to the sentence, on each side, that are read with it."""

        def fitting(outwards: Iterable[str]) -> int:
            pieces = accumulate(self._pieces.count(token) for token in outwards)
            return sum(1 for _ in takewhile(lambda total: total <= CONTEXT_PIECES, pieces))

        before, after = fitting(reversed(context.left)), fitting(context.right)
        return context.left[len(context.left) - before :], context.right[:after]

    def _packed(self, layers: Halves, part: _Part) -> PackedVectors:
        """Return the vectors of the tokens of a part: each the mean of the vectors of its pieces."""
        return PackedVectors.of(np.concatenate([layers[place] for place in self._places], axis=1), part.starts)
