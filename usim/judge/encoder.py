"""The judge's network in onnxruntime: vectors of tokens, and logits of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, takewhile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from usim.errors import ParsingError
from usim.parsing.embeddings import Words
from usim.parsing.network import session
from usim.parsing.wordpieces import Pieces, read_tokenizer
from usim.text import CONTEXT_PIECES, Context

Floats = npt.NDArray[np.float32]

#: What the encoder can take, two special pieces included.
_PIECES = 512
#: A batch holds at most so many sentences and pieces.
_BATCH = 8
_BATCH_PIECES = 1024
#: Features are cut off at so many standard deviations.
LIMIT = 4.0


class TokenReader:
    """Reads sentences, not pairs: a vector for each token in its context.

    Args:
        folder: the judge's files.
        words: the folder of the shared table and the tokeniser.
        threads: how many threads a run may use.

    Raises:
        ParsingError: the files cannot be used.
    """

    def __init__(self, folder: Path, words: Path, threads: int = 1) -> None:
        try:
            self._words = Words(words)
            self._pieces = Pieces(read_tokenizer(words / "tokenizer.json"))
            self._session = session(folder / "alone.onnx", threads)
        except (OSError, ValueError) as e:
            raise ParsingError(f"not a usable judge: {type(e).__name__}: {e}", path=folder) from e
        self.width = int(self._session.get_outputs()[0].shape[-1])

    def has_room(self, tokens: Sequence[str]) -> bool:
        """Whether a sentence can be read together with any context."""
        self._pieces.learn(tokens)
        return 2 + 2 * CONTEXT_PIECES + sum(map(self._pieces.count, tokens)) <= _PIECES

    def __call__(
        self, sentences: Sequence[Sequence[str]], contexts: Sequence[Context | None] | None = None
    ) -> list[Floats]:
        """The vectors of the tokens of sentences, each (tokens, width).

        A sentence that is longer than what the encoder can take is read in parts.

        Args:
            sentences: the tokens of each.
            contexts: what is read with each, up to :data:`usim.text.CONTEXT_PIECES` on each side; nothing with a
                sentence that leaves no room for that (:meth:`has_room`).
        """
        parts: list[tuple[int, list[int], list[int]]] = []
        for number, tokens in enumerate(sentences):
            context = None if contexts is None else contexts[number]
            if context is not None and tokens and self.has_room(tokens):
                left, right = self._near(context)
                ids, _, _, starts = self._pieces.encode([*left, *tokens, *right], [])
                parts.append((number, ids, starts[len(left) : len(left) + len(tokens) + 1]))
                continue
            self._pieces.learn(tokens)
            start = 0
            while start < len(tokens):
                stop, count = start, 2
                while stop < len(tokens) and count + self._pieces.count(tokens[stop]) <= _PIECES:
                    count += self._pieces.count(tokens[stop])
                    stop += 1
                ids, _, _, starts = self._pieces.encode(tokens[start:stop], [])
                parts.append((number, ids, starts))
                start = stop
        made: dict[int, Floats] = {}
        order = sorted(range(len(parts)), key=lambda k: len(parts[k][1]))
        batch: list[int] = []
        for k in order:
            if batch and (len(batch) == _BATCH or (len(batch) + 1) * len(parts[k][1]) > _BATCH_PIECES):
                self._run([(b, parts[b][1], parts[b][2]) for b in batch], made)
                batch = []
            batch.append(k)
        if batch:
            self._run([(b, parts[b][1], parts[b][2]) for b in batch], made)
        of: list[list[Floats]] = [[np.zeros((0, self.width), np.float32)] for _ in sentences]
        for k, (number, _, _) in enumerate(parts):
            of[number].append(made[k])
        return [found[-1] if len(found) == 2 else np.concatenate(found) for found in of]

    def _near(self, context: Context) -> tuple[Sequence[str], Sequence[str]]:
        """As many of the tokens next to the sentence, on each side, as may be read with it."""
        self._pieces.learn([*context.left, *context.right])

        def taken(outwards: Iterable[str]) -> int:
            pieces = accumulate(self._pieces.count(token) for token in outwards)
            return sum(1 for _ in takewhile(lambda total: total <= CONTEXT_PIECES, pieces))

        before, after = taken(reversed(context.left)), taken(context.right)
        return context.left[len(context.left) - before :], context.right[:after]

    def _run(self, batch: Sequence[tuple[int, list[int], list[int]]], made: dict[int, Floats]) -> None:
        longest = max(len(ids) for _, ids, _ in batch)
        ids = np.zeros((len(batch), longest), np.int64)
        mask = np.zeros((len(batch), longest), np.int64)
        for row, (_, own, _) in enumerate(batch):
            ids[row, : len(own)] = own
            mask[row, : len(own)] = 1
        (hidden,) = self._session.run(["pieces"], {"embedded": self._words(ids), "mask": mask})
        for (k, _, starts), pieces in zip(batch, hidden, strict=True):
            sums = np.add.reduceat(pieces[: starts[-1]], starts[:-1], axis=0)
            made[k] = (sums / np.diff(starts)[:, None]).astype(np.float32)
