"""A source in which misspelt words give way to those of the output, for the judge of meaning to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from msgspec import structs

from usim.compare import Analysis, PackedVectors, Reason
from usim.judge._base import Judgement
from usim.judge.corrections.model import Correction
from usim.measures import usim_score
from usim.text import is_punct
from usim.ucca import Terminal


class Mended(NamedTuple):
    """A source with corrected words in it.

    Attributes:
        analysis: the source as it is read: corrected words stand, with their vectors, in the places of misspelt ones.
        source: the source as it was written.
        places: for each token the tokens of the source that it stands for.
    """

    analysis: Analysis
    source: Analysis
    places: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, source: Analysis, target: Analysis, corrected: Sequence[Correction]) -> Mended:
        """Put corrected words into a source; several that became another number of words are left as they are."""
        graph = source.graph
        # Each part of the sentence: where its tokens come from, and where they stand there.
        parts: list[tuple[Analysis, int, int]] = []
        places: list[tuple[int, ...]] = []
        done = shift = 0
        for (start, end), (first, last) in sorted(
            ((one.source[0], one.source[-1] + 1), (one.target[0], one.target[-1] + 1)) for one in corrected
        ):
            count, more = end - start, last - first - (end - start)
            if start < done or (more and count > 1):
                continue
            terminals = [
                Terminal(token, is_punct(token), graph.terminals[start + shift].paragraph)
                for token in target.tokens[first:last]
            ]
            graph = graph.replaced(start + shift, count, terminals)
            parts += [(source, done, start), (target, first, last)]
            places += [(k,) for k in range(done, start)]
            places += [(start + k,) if not more else (start,) for k in range(last - first)]
            done, shift = end, shift + more
        parts.append((source, done, len(source.tokens)))
        places += [(k,) for k in range(done, len(source.tokens))]
        vectors = upper = None
        if source.vectors is not None and target.vectors is not None:
            lower = [one.vectors[start:end] for one, start, end in parts if one.vectors is not None]
            vectors = np.concatenate(lower)
        if source.upper is not None and target.upper is not None:
            rows = [one.upper.rows(start, end) for one, start, end in parts if one.upper is not None]
            upper = PackedVectors.joined(rows, source.upper.pieces.shape[1])
        return cls(Analysis(graph, vectors, " ".join(graph.tokens), upper), source, tuple(places))

    def as_written(self, judgement: Judgement, target: Analysis) -> Judgement:
        """Return a judgement on the mended source as one on the source as it was written."""
        score = usim_score(self.source.graph, target.graph, judgement.usim.preset)
        return replace(
            judgement,
            usim_score=score,
            reasons=tuple(map(self._at_places, judgement.reasons)),
            soft_links=tuple((self.places[i][0], j, cosine) for i, j, cosine in judgement.soft_links),
        )

    def _at_places(self, reason: Reason) -> Reason:
        source = sorted({place for token in reason.source for place in self.places[token]})
        return structs.replace(reason, source=tuple(source))
