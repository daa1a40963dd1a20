"""Sentences as the judge sees them: the graph, and a vector for each token in its context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from usim.ucca import Graph

#: A sentence: its text, or its tokens.
Sentence = str | Sequence[str]
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Analysis:
    """A sentence, parsed and read.

    Attributes:
        graph: its graph; its tokens are ``graph.tokens``.
        vectors: a vector for each token in its context, (tokens, width); None where the judge needs none.
        text: the sentence as it was given; tokens that were given are joined by blanks.
    """

    graph: Graph
    vectors: Vectors | None
    text: str

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the sentence."""
        return self.graph.tokens
