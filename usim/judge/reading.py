"""A pair of sentences as the networks of a judge read it, in use and in training."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from usim.evidence import Analysis, SoftLink, compare, compute_features, detect_findings
from usim.judge.inputs import Ints, pair_inputs, read_places
from usim.judge.similarities import similar_layers, soft_links

if TYPE_CHECKING:
    from usim.judge.reader import ReaderLogits

Floats = npt.NDArray[np.float32]


def is_readable(source: Analysis, output: Analysis) -> bool:
    """Return whether there is something to compare: tokens on both sides, and not the same."""
    return bool(source.tokens and output.tokens) and source.tokens != output.tokens


class ReadPair:
    """A readable pair (:func:`is_readable`).

    Attributes:
        before, after: the vectors of their tokens in all layers, side by side, (tokens, layers * width).
        width: the width of the vectors of one layer.
        inputs: what else the networks read about the tokens.
        features: those of the comparison, and the similarities of the layers, (features,).
        soft: the soft alignment of the tokens that take part.
        errors: the logits of the probability that each sentence has errors of grammar.
        band: one of :data:`usim.verdicts.nouns.BANDS`; the judge sets it.
        logits: those of the networks: both say the same, the output is supported, the source is covered.
        read: the logits of the reader; None for a pair that it has not read.

    Raises:
        ValueError: a sentence has no vectors.
    """

    def __init__(self, source: Analysis, output: Analysis) -> None:
        self.source, self.output = source, output
        self.before, self.width = _all_vectors(source)
        self.after, _ = _all_vectors(output)
        self.comparison = compare(source, output)
        self.findings = detect_findings(self.comparison)
        self.inputs = pair_inputs(source.graph, output.graph, self.comparison.alignment)
        alike, self.soft = similar_layers(self.before, self.after, self.width, self.inputs)
        self.features: Floats = np.append(compute_features(self.comparison, self.findings), alike).astype(np.float32)
        self.errors = (0.0, 0.0)
        self.band = ""
        self.logits: list[float] = []
        self.read: ReaderLogits | None = None

    @property
    def is_whole(self) -> bool:
        """Whether a reader reads all tokens of both sentences."""
        return tuple(map(len, self.places)) == (len(self.source.tokens), len(self.output.tokens))

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """The places of the tokens of either side that a reader reads."""
        return read_places(self.source.graph, self.output.graph, self.comparison.alignment)

    @cached_property
    def soft_links(self) -> tuple[SoftLink, ...]:
        """The links of the soft alignment."""
        return soft_links(self.comparison.source.is_content, self.comparison.output.is_content, self.inputs, self.soft)


def _all_vectors(analysis: Analysis) -> tuple[Floats, int]:
    if analysis.vectors is None or analysis.upper is None:
        raise ValueError("this judge needs the vectors of tokens: use Analyser(…, encoder=judge.encoder)")
    return np.hstack([analysis.vectors, analysis.upper.unpacked()]), analysis.vectors.shape[1]
