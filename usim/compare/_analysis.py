"""The analysis of a sentence that judges read: its graph, and a vector for each token in its context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from usim.compare._sentence import SentenceView
from usim.compare._vectors import PackedVectors
from usim.text import Span, plain, token_spans
from usim.ucca import Graph

#: A sentence: its text, or its tokens.
Sentence = str | Sequence[str]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Analysis:
    """A sentence with its graph and the vectors of its tokens.

    Attributes:
        graph: its graph; its tokens are ``graph.tokens``.
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
