"""The judge's encoder in onnxruntime: it reads each sentence by itself.

A source is therefore encoded once, however many changes are proposed for it. Each token gets two vectors, one behind
the other: that of the lower layers, which stay as they were pretrained, and that of the upper ones, which know what the
judge was taught.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.parsing import EmbeddingTable, Pieces, load_session, read_tokenizer
from usim.text import CONTEXT_PIECES, Context

Floats = npt.NDArray[np.float32]

#: How many pieces the encoder can take, two special ones included.
_PIECES = 512
#: A batch holds at most so many sentences and pieces.
_BATCH = 8
_BATCH_PIECES = 1024


class _Part(NamedTuple):
    """A sentence, or a part of one that is too long for the encoder.

    Attributes:
        sentence: the number of the sentence.
        ids: its pieces, with those of its context.
        starts: where each of its tokens begins in the pieces; the end of the last token at the end.
    """

    sentence: int
    ids: list[int]
    starts: list[int]


class TokenEncoder:
    """Makes a vector for each token of a sentence in its context.

    Args:
        path: the graph of the encoder.
        words: the folder of the shared table of word embeddings and of the tokeniser.
        threads: how many threads a run may use.

    Raises:
        ParsingError: a file is missing or damaged.

    Attributes:
        width: the length of the vectors of a token, both together.
        lower: the length of the first, that of the lower layers.
    """

    def __init__(self, path: Path, words: Path, threads: int = 1) -> None:
        try:
            self._words = EmbeddingTable(words)
            self._pieces = Pieces(read_tokenizer(words / "tokenizer.json"))
        except (OSError, ValueError) as e:
            raise ParsingError(f"no usable table of words: {type(e).__name__}: {e}", path=words) from e
        try:
            self._session = load_session(path, threads)
        except (OSError, ValueError) as e:
            raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=path) from e
        self.lower, upper = (int(output.shape[-1]) for output in self._session.get_outputs())
        self.width = self.lower + upper
        self._arguments = (path, words, threads)

    def __reduce__(self) -> tuple[Any, ...]:
        """Send the encoder to another process as the paths of its files; it is loaded there."""
        return type(self), self._arguments

    def has_room(self, tokens: Sequence[str]) -> bool:
        """Return whether a sentence can be read together with any context."""
        self._pieces.learn(tokens)
        return 2 + 2 * CONTEXT_PIECES + sum(map(self._pieces.count, tokens)) <= _PIECES

    def __call__(
        self, sentences: Sequence[Sequence[str]], contexts: Sequence[Context | None] | None = None
    ) -> list[Floats]:
        """Return the vectors of the tokens of each sentence, (tokens, width).

        A sentence that is longer than what the encoder can take is read in parts.

        Args:
            sentences: the tokens of each.
            contexts: what is read with each, up to :data:`usim.text.CONTEXT_PIECES` on each side; nothing with a
                sentence that leaves no room for that (:meth:`has_room`).
        """
        parts: list[_Part] = []
        for number, tokens in enumerate(sentences):
            parts += self._parts(number, tokens, None if contexts is None else contexts[number])
        vectors: dict[int, Floats] = {}
        batch: list[int] = []
        for k in sorted(range(len(parts)), key=lambda k: len(parts[k].ids)):
            if batch and (len(batch) == _BATCH or (len(batch) + 1) * len(parts[k].ids) > _BATCH_PIECES):
                vectors.update(zip(batch, self._run([parts[b] for b in batch]), strict=True))
                batch = []
            batch.append(k)
        if batch:
            vectors.update(zip(batch, self._run([parts[b] for b in batch]), strict=True))
        of_sentence: list[list[Floats]] = [[] for _ in sentences]
        for k, part in enumerate(parts):
            of_sentence[part.sentence].append(vectors[k])
        nothing = np.zeros((0, self.width), np.float32)
        return [arrays[0] if len(arrays) == 1 else np.concatenate([nothing, *arrays]) for arrays in of_sentence]

    def _parts(self, number: int, tokens: Sequence[str], context: Context | None) -> list[_Part]:
        if context is not None and tokens and self.has_room(tokens):
            left, right = self._nearest(context)
            ids, _, _, starts = self._pieces.encode([*left, *tokens, *right], [])
            return [_Part(number, ids, starts[len(left) : len(left) + len(tokens) + 1])]
        self._pieces.learn(tokens)
        parts = []
        start = 0
        while start < len(tokens):
            stop, count = start, 2
            while stop < len(tokens) and count + self._pieces.count(tokens[stop]) <= _PIECES:
                count += self._pieces.count(tokens[stop])
                stop += 1
            ids, _, _, starts = self._pieces.encode(tokens[start:stop], [])
            parts.append(_Part(number, ids, starts))
            start = stop
        return parts

    def _nearest(self, context: Context) -> tuple[Sequence[str], Sequence[str]]:
        """Return as many tokens next to the sentence, on each side, as may be read with it."""
        self._pieces.learn([*context.left, *context.right])

        def fitting(outwards: Iterable[str]) -> int:
            pieces = accumulate(self._pieces.count(token) for token in outwards)
            return sum(1 for _ in takewhile(lambda total: total <= CONTEXT_PIECES, pieces))

        before, after = fitting(reversed(context.left)), fitting(context.right)
        return context.left[len(context.left) - before :], context.right[:after]

    def _run(self, batch: Sequence[_Part]) -> list[Floats]:
        """Return the vectors of the tokens of parts: each the mean of the vectors of its pieces."""
        longest = max(len(part.ids) for part in batch)
        ids = np.zeros((len(batch), longest), np.int64)
        mask = np.zeros((len(batch), longest), np.int64)
        for row, part in enumerate(batch):
            ids[row, : len(part.ids)] = part.ids
            mask[row, : len(part.ids)] = 1
        both = self._session.run(["lower", "upper"], {"embedded": self._words(ids), "mask": mask})
        vectors = []
        for part, pieces in zip(batch, np.concatenate(both, axis=2), strict=True):
            sums = np.add.reduceat(pieces[: part.starts[-1]], part.starts[:-1], axis=0)
            vectors.append((sums / np.diff(part.starts)[:, None]).astype(np.float32))
        return vectors
