"""What a substitute looks like to the encoder: similarities, layer by layer, that the teacher's head reads.

Four vectors of each layer are compared: of the target and of the substitute in the text, and of both alone, without any
text (compare the decontextualised vectors of Wada et al. 2022, "Unsupervised Lexical Substitution with Decontextualised
Embeddings").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch

from judges.teacher.encoder import Encoder, Packed, Packer, batch
from usim.judge.words import SURFACE, surface

#: A batch holds so many pieces, filled up.
_PIECES = 1600
#: From these layers come the comparisons with words alone.
_ALONE = (2, 4, 6, 8)
#: Names of the comparisons with words alone: t is the target, s the substitute, in the text or alone.
_PAIRS = ("alone t, alone s", "t, alone s", "s, alone s", "s, alone t", "t, alone t")


class Comparer:
    """Compares substitutes with the words that they would replace; remembers the vectors of words alone.

    Args:
        encoder: the encoder, in any precision.
        packer: cuts texts into pieces.
    """

    def __init__(self, encoder: Encoder, packer: Packer) -> None:
        self._encoder = encoder
        self._packer = packer
        self._alone_layers = [k for k in _ALONE if k <= encoder.layers]
        self._alone: dict[str, np.ndarray] = {}

    @property
    def layers(self) -> range:
        """Return the layers whose similarities are the first columns of :meth:`features`; 0 are the embeddings."""
        return range(self._encoder.layers + 1)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns of :meth:`features`."""
        return (
            *(f"layer {k}" for k in self.layers),
            *(f"{pair}, layer {k}" for pair in _PAIRS for k in self._alone_layers),
            *SURFACE,
        )

    def alone(self, words: Iterable[str]) -> np.ndarray:
        """Return the vectors of words without a text, of shape (words, layers compared, width), each of length 1."""
        words = list(words)
        missing = [w for w in dict.fromkeys(words) if w not in self._alone]
        packs = [self._packer.pack(word, 0, len(word), ()) for word in missing]
        for number, target, _ in self._states(packs):
            self._alone[missing[number]] = _unit(target[self._alone_layers]).astype(np.float16)
        return np.stack([self._alone[w] for w in words])

    def features(self, texts: Sequence[tuple[str, int, int, Sequence[str]]]) -> list[np.ndarray]:
        """Return a row of figures for each substitute of each text.

        Args:
            texts: the text, the offsets of the target, and its substitutes.
        """
        self.alone(w for text, start, end, substitutes in texts for w in (text[start:end], *substitutes))
        packs = [self._packer.pack(*text) for text in texts]
        rows: dict[int, np.ndarray] = {}
        for number, target, substitutes in self._states(packs):
            text, start, end, words = texts[number]
            rows[number] = self._rows(text[start:end], target, words, substitutes)
        return [rows[number] for number in range(len(texts))]

    def _rows(self, word: str, target: np.ndarray, words: Sequence[str], substitutes: np.ndarray) -> np.ndarray:
        target, substitutes = _unit(target), _unit(substitutes)
        t, s = target[self._alone_layers], substitutes[:, self._alone_layers]
        t_alone, s_alone = self._alone[word].astype(np.float32), self.alone(words).astype(np.float32)
        comparisons = (t_alone * s_alone, t * s_alone, s * s_alone, s * t_alone, (t * t_alone)[None])
        columns = [np.broadcast_to(c.sum(-1), (len(words), len(t))) for c in comparisons]
        seen = np.array([surface(word, w) for w in words])
        return np.hstack([(target * substitutes).sum(-1), *columns, seen]).astype(np.float32)

    def _states(self, packs: Sequence[Packed]) -> Iterable[tuple[int, np.ndarray, np.ndarray]]:
        """Yield the number of a pack, and the vectors by layer of its target and of its substitutes."""
        order = sorted((k for k in range(len(packs))), key=lambda k: len(packs[k]))
        while order:
            count = max(1, min(64, _PIECES // len(packs[order[-1]])))
            numbers, order = order[-count:], order[:-count]
            with torch.inference_mode():
                states = torch.stack(self._encoder(batch([packs[k] for k in numbers])), 2).float().numpy()
            for row, number in enumerate(numbers):
                pack = packs[number]
                means = [states[row, first:end].mean(0) for first, end in (pack.target, *pack.groups)]
                yield number, means[0], np.array(means[1:])


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6)
