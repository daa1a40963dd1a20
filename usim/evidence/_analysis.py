"""The analysis of a sentence that judges read: its graph, and a vector for each token in its context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from usim.evidence._sentence import SentenceView
from usim.text import Span, plain, token_spans
from usim.ucca import Graph

#: A sentence: its text, or its tokens.
Sentence = str | Sequence[str]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PackedVectors:
    """The vectors of the word pieces of a sentence; the vector of a token is the mean of those of its pieces.

    Attributes:
        pieces: as the encoder gives them, float16 (pieces, width).
        starts: where each token begins in the pieces; the end of the last token at the end, (tokens + 1,).
    """

    pieces: npt.NDArray[np.float16]
    starts: npt.NDArray[np.intp]

    @classmethod
    def of(cls, pieces: npt.NDArray[Any], starts: Sequence[int]) -> PackedVectors:
        """Return the vectors of tokens; pieces before the first of them and behind the last are left out."""
        return cls(pieces[starts[0] : starts[-1]], np.array(starts, np.intp) - starts[0])

    @classmethod
    def joined(cls, parts: Sequence[PackedVectors], width: int) -> PackedVectors:
        """Return the vectors of a sentence that was read in parts; of one without tokens if there are none."""
        if len(parts) == 1:
            return parts[0]
        lengths = np.concatenate([np.zeros(1, np.intp), *(np.diff(part.starts) for part in parts)])
        return cls(np.concatenate([np.zeros((0, width), np.float16), *(p.pieces for p in parts)]), np.cumsum(lengths))

    def columns(self, start: int, stop: int) -> PackedVectors:
        """Return a part of each vector."""
        return PackedVectors(np.ascontiguousarray(self.pieces[:, start:stop]), self.starts)

    def unpacked(self) -> Vectors:
        """Return the vectors of the tokens as numbers of 32 bits, (tokens, width)."""
        vectors = self.pieces[self.starts[:-1]].astype(np.float32)
        counts = np.diff(self.starts)
        for token in np.flatnonzero(counts > 1).tolist():
            pieces = self.pieces[self.starts[token] : self.starts[token + 1]].astype(np.float32)
            vectors[token] = np.add.reduce(pieces, axis=0) / np.float32(counts[token])
        return vectors


@dataclass(frozen=True, eq=False)
class Analysis:
    """A sentence with its graph and the vectors of its tokens.

    Attributes:
        vectors: a vector for each token in its context, (tokens, width); None where the judge needs none.
        text: the sentence as it was given; given tokens are joined by blanks.
        upper: further vectors of the tokens, which a judge reads and the comparison does not: for its time alone in
            full, for the analyses of many sentences are held together.
    """

    graph: Graph
    vectors: Vectors | None
    text: str
    upper: PackedVectors | None = None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the sentence."""
        return self.graph.tokens

    @cached_property
    def spans(self) -> tuple[Span | None, ...]:
        """Where each token stands in the text, see :func:`usim.text.token_spans`."""
        return token_spans(self.text, self.tokens)

    @cached_property
    def view(self) -> SentenceView:
        """The sentence as the comparison of words reads it, shared by all comparisons of this analysis."""
        return SentenceView(self.graph, self.vectors, plain(self.text))
