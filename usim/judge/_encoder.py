"""The encoder of a judge: it reads each sentence by itself, so that a source is read once for all its changes.

The vector of a token is what several layers of the trunk give for it, one behind the other. A parser that shares the
trunk has read most sentences already, and hands over its readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from usim.compare import PackedVectors
from usim.judge._lru import LRUCache
from usim.judge.substituted import differing
from usim.parsing import ReadPart, Variant, load_trunk
from usim.text import CONTEXT_PIECES, Context

Floats = npt.NDArray[np.float32]

#: How many pieces the encoder can take, two special ones included.
_PIECES = 512
#: A batch holds at most so many sentences and pieces.
_BATCH = 8
_BATCH_PIECES = 1024
#: The vectors of so many words alone are remembered.
_WORDS_KEPT = 4096
#: The vectors of the sentences of texts are kept up to so many tokens, 100 MB.
_TOKENS_KEPT = 16_384


Halves = npt.NDArray[np.float16]
#: The pieces of a part, where its tokens begin in them, and the outputs of the trunk for them where they are known.
_Pieces = tuple[list[int], list[int], Halves | None]


class _Part(NamedTuple):
    """A sentence, or a part of one that is too long for the encoder.

    Attributes:
        sentence: the number of the sentence.
        ids: its pieces, with those of its context.
        starts: where each of its tokens begins in the pieces; the end of the last token at the end.
        read: the pieces of the sentence that is read in its place, and what stands there instead of some of them.
        layers: the outputs of the trunk for what is read, where they are known.
    """

    sentence: int
    ids: list[int]
    starts: list[int]
    read: tuple[tuple[int, ...], Variant] | None = None
    layers: Halves | None = None


def _parts(number: int, cut: Sequence[_Pieces]) -> list[_Part]:
    return [_Part(number, ids, starts, None, layers) for ids, starts, layers in cut]


class TokenEncoder:
    """Makes vectors for each token of a sentence in its context.

    Args:
        folder: the trunk, which a parser of this process shares.
        layers: which of its layers, in this order; the comparison reads the vectors of the first.

    Attributes:
        trunk: the trunk.
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
        self._alone: LRUCache[tuple[str, ...], Halves] = LRUCache(_WORDS_KEPT)
        # After a text of several sentences was judged, its sentences are aligned by the same vectors.
        self._sentences: LRUCache[tuple[str, ...], PackedVectors] = LRUCache(_TOKENS_KEPT)

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the encoder to another process as the path of the trunk; it is loaded there."""
        return type(self), self._arguments

    def has_room(self, tokens: Sequence[str]) -> bool:
        """Return whether a sentence can be read together with any context."""
        return 2 + 2 * CONTEXT_PIECES + sum(map(self._pieces.count, tokens)) <= _PIECES

    def __call__(
        self, sentences: Sequence[Sequence[str]], contexts: Sequence[Context | None] | None = None
    ) -> list[Floats]:
        """Return the vectors of the tokens of each sentence, (tokens, width); see :meth:`packed`."""
        return [vectors.unpacked() for vectors in self.packed(sentences, contexts)]

    def packed(
        self,
        sentences: Sequence[Sequence[str]],
        contexts: Sequence[Context | None] | None = None,
        sources: Sequence[Sequence[str] | None] | None = None,
        readings: Sequence[Sequence[ReadPart]] | None = None,
    ) -> list[PackedVectors]:
        """Return the vectors of the tokens of each sentence, in little room.

        A sentence that is longer than what the encoder can take is read in parts.

        Args:
            sentences: the tokens of each.
            contexts: what is read with each, up to :data:`usim.text.CONTEXT_PIECES` on each side; nothing with a
                sentence that leaves no room for that (:meth:`has_room`).
            sources: for each sentence another one, from which it differs in one stretch; then only this is read, in
                that sentence, whose other tokens keep their vectors (:meth:`usim.parsing.Trunk.in_place`).
            readings: for each sentence what a parser has read of it, or of its source, without any context
                (:attr:`usim.parsing.Reading.parts`); empty where it is read now.
        """
        parts: list[_Part] = []
        known_sentences: dict[int, PackedVectors] = {}
        read = cache(self._read)  # the source of a list of substitutes is cut into pieces once
        for number, tokens in enumerate(sentences):
            context, source = contexts[number] if contexts else None, sources[number] if sources else None
            if context is None and source is None and (vectors_of := self._sentences.get(tuple(tokens))):
                known_sentences[number] = vectors_of
                continue
            if readings and readings[number] and context is None:
                cut: list[_Pieces] = [*readings[number]]
            else:
                cut = read(tuple(tokens if source is None else source), context)
            parts += (
                _parts(number, cut) if source is None else self._parts_in_place(number, tokens, source, context, cut)
            )
        known, vectors = self._in_place(parts)
        for k, part in enumerate(parts):
            layers = known.get(tuple(part.ids)) if part.layers is None else part.layers
            if part.read is None and layers is not None:
                vectors[k] = self._packed(layers, part)
        batch: list[int] = []
        for k in sorted(set(range(len(parts))) - vectors.keys(), key=lambda k: len(parts[k].ids)):
            if batch and (len(batch) == _BATCH or (len(batch) + 1) * len(parts[k].ids) > _BATCH_PIECES):
                vectors.update(zip(batch, self._run([parts[b] for b in batch]), strict=True))
                batch = []
            batch.append(k)
        if batch:
            vectors.update(zip(batch, self._run([parts[b] for b in batch]), strict=True))
        of_sentence: list[list[PackedVectors]] = [[] for _ in sentences]
        for k, part in enumerate(parts):
            of_sentence[part.sentence].append(vectors[k])
        for number, own in enumerate(of_sentence):
            if readings and not (contexts and contexts[number]) and not (sources and sources[number]):
                start = 0
                for vectors_of in own:
                    end = start + len(vectors_of.first)
                    self._sentences.keep(tuple(sentences[number][start:end]), vectors_of, end - start)
                    start = end
        return [
            known_sentences.get(number) or PackedVectors.joined(own, self.width)
            for number, own in enumerate(of_sentence)
        ]

    def _in_place(self, parts: Sequence[_Part]) -> tuple[dict[tuple[int, ...], Halves], dict[int, PackedVectors]]:
        """Return the vectors of the parts that are read in other sentences, by their numbers; each sentence once.

        The first value has the outputs of the trunk for these sentences, by their pieces.
        """
        by_sentence: dict[tuple[int, ...], list[int]] = {}
        for k, part in enumerate(parts):
            if part.read:
                by_sentence.setdefault(part.read[0], []).append(k)
        vectors: dict[int, PackedVectors] = {}
        wholes: dict[tuple[int, ...], Halves] = {}
        for ids, numbers in by_sentence.items():
            variants = [part.read[1] for part in map(parts.__getitem__, numbers) if part.read]
            wholes[ids], read = self.trunk.in_place(ids, variants, parts[numbers[0]].layers)
            vectors.update((k, self._packed(layers, parts[k])) for k, layers in zip(numbers, read, strict=True))
        return wholes, vectors

    def _read(self, tokens: tuple[str, ...], context: Context | None) -> list[_Pieces]:
        """Return the pieces of the parts that a sentence is read in, with its context, and where its tokens begin."""
        if context is not None and tokens and self.has_room(tokens):
            left, right = self._nearest(context)
            ids, _, _, starts = self._pieces.encode([*left, *tokens, *right], [])
            return [(ids, starts[len(left) : len(left) + len(tokens) + 1], None)]
        return self._cut(tokens)

    def _parts_in_place(
        self, number: int, tokens: Sequence[str], source: Sequence[str], context: Context | None, cut: list[_Pieces]
    ) -> list[_Part]:
        """Return the parts of a sentence that is read as another one, cut so, with something in place of a stretch."""
        first, end, stop = differing(source, tokens)
        new, _, _, begins = self._pieces.encode(tokens[first:stop], [])
        parts, offset = _parts(number, cut), 0
        for k, part in enumerate(parts):
            count = len(part.starts) - 1
            if first < stop and offset <= first < end <= offset + count:
                a, b = part.starts[first - offset], part.starts[end - offset]
                variant = Variant(a, b, tuple(new[1:-1]))
                shift = len(variant.ids) - (b - a)
                starts = [*part.starts[: first - offset], *(a - 1 + begin for begin in begins[:-1])]
                starts += [start + shift for start in part.starts[end - offset :]]
                ids = [*part.ids[:a], *variant.ids, *part.ids[b:]]
                parts[k] = _Part(number, ids, starts, (tuple(part.ids), variant), part.layers)
                return parts
            offset += count
        return _parts(number, self._read(tuple(tokens), context))

    def _cut(self, tokens: Sequence[str]) -> list[_Pieces]:
        """Return the pieces of the parts that a sentence is read in, and where each token begins in them."""
        return [(window.ids, window.starts, None) for window in self.trunk.windows(tokens)]

    def _nearest(self, context: Context) -> tuple[Sequence[str], Sequence[str]]:
        """Return as many tokens next to the sentence, on each side, as may be read with it."""

        def fitting(outwards: Iterable[str]) -> int:
            pieces = accumulate(self._pieces.count(token) for token in outwards)
            return sum(1 for _ in takewhile(lambda total: total <= CONTEXT_PIECES, pieces))

        before, after = fitting(reversed(context.left)), fitting(context.right)
        return context.left[len(context.left) - before :], context.right[:after]

    def alone(self, phrases: Sequence[tuple[str, ...]]) -> list[Floats]:
        """Return the mean vectors of the word pieces of words or phrases without any text, (width,) each.

        Those of the latest :data:`_WORDS_KEPT` phrases are remembered.

        Args:
            phrases: the tokens of each, at least one.
        """
        known = {phrase: self._alone.get(phrase) for phrase in dict.fromkeys(phrases)}
        missing = [phrase for phrase, vector in known.items() if vector is None]
        vectors = {phrase: vector for phrase, vector in known.items() if vector is not None}
        parts: list[_Part] = []
        for number, phrase in enumerate(missing):
            # Of a phrase that is too long the beginning stands for all of it.
            ids, starts, _ = self._cut(phrase)[0]
            parts.append(_Part(number, ids, [starts[0], starts[-1]]))
        parts.sort(key=lambda part: len(part.ids))
        for at in range(0, len(parts), _BATCH):
            batch = parts[at : at + _BATCH]
            for part, packed in zip(batch, self._run(batch), strict=True):
                phrase = missing[part.sentence]
                # Rounded, so that it makes no difference whether they were remembered.
                vectors[phrase] = packed.unpacked()[0].astype(np.float16)
                self._alone.keep(phrase, vectors[phrase], 1)
        return [vectors[phrase].astype(np.float32) for phrase in phrases]

    def _run(self, batch: Sequence[_Part]) -> list[PackedVectors]:
        """Return the vectors of the tokens of parts: each the mean of the vectors of its pieces."""
        read = self.trunk.outputs([part.ids for part in batch])
        return [self._packed(layers, part) for layers, part in zip(read, batch, strict=True)]

    def _packed(self, layers: Halves, part: _Part) -> PackedVectors:
        return PackedVectors.of(np.concatenate([layers[place] for place in self._places], axis=1), part.starts)
