"""A pair of sentences as the networks of a judge read it, in use and in training."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from usim.compare import Analysis, Ledger, build_ledger, compare, compute_features, find_reasons
from usim.judge._base import SoftLink
from usim.judge._encoder import TokenEncoder
from usim.judge.inputs import AlignedSide, pair_inputs, replacements
from usim.judge.similarities import similar_layers, soft_links
from usim.lexicon import frequency

Floats = npt.NDArray[np.float32]


def is_readable(source: Analysis, target: Analysis) -> bool:
    """Return whether there is something to compare: tokens on both sides, and not the same."""
    return bool(source.tokens and target.tokens) and source.tokens != target.tokens


class ReadPair:
    """A readable pair (:func:`is_readable`).

    Attributes:
        source, target: the sentences.
        before, after: the vectors of their tokens in all layers, side by side, (tokens, layers * width).
        width: that of the vectors of a layer.
        comparison, reasons: what the comparison finds.
        inputs: what else the networks read of the tokens.
        features: those of the comparison, and the similarities of the layers, (features,); a judge keeps its own.
        soft: the soft alignment of the tokens that take part.
        figures: those of the replacements, (replacements, figures); :func:`read_pairs` computes them.
        band: one of :data:`usim.judge.risk.BANDS`; the judge knows it.
        logits: what the networks say: the same is said, it is supported, it is covered.

    Raises:
        ValueError: a sentence has no vectors.
    """

    def __init__(self, source: Analysis, target: Analysis) -> None:
        self.source, self.target = source, target
        self.before, self.width = _all_vectors(source)
        self.after, _ = _all_vectors(target)
        self.comparison = compare(source, target)
        self.reasons = find_reasons(self.comparison)
        replaced = replacements(self.comparison)
        self.inputs = pair_inputs(source.graph, target.graph, self.comparison.alignment, replaced)
        alike, self.soft = similar_layers(self.before, self.after, self.width, self.inputs)
        self.features: Floats = np.append(compute_features(self.comparison, self.reasons), alike).astype(np.float32)
        self.figures: Floats = np.zeros((0, 0), np.float32)
        self.band = ""
        self.logits: list[float] = []

    @cached_property
    def sides(self) -> tuple[AlignedSide, AlignedSide]:
        """Both sentences, each token with the one most like it in the other."""
        own, soft, n = self.inputs, self.soft, len(self.inputs.source)
        source, target = self.comparison.source, self.comparison.target
        return (
            AlignedSide(source, own.source.tolist(), own.flag[:n], own.role[:n], soft.of_source, soft.to_output),
            AlignedSide(target, own.target.tolist(), own.flag[n:], own.role[n:], soft.of_output, soft.to_source),
        )

    @cached_property
    def soft_links(self) -> tuple[SoftLink, ...]:
        """The links of the soft alignment."""
        return soft_links(self.comparison.source.is_content, self.comparison.target.is_content, self.inputs, self.soft)

    @property
    def ledger(self) -> Ledger:
        """The facts of both sentences."""
        pairs = self.comparison.score.token_alignment.pairs
        return build_ledger(self.source.view, self.target.view, pairs, self.soft_links)


def read_pairs(pairs: Sequence[tuple[Analysis, Analysis]], encoder: TokenEncoder) -> list[ReadPair]:
    """Read pairs; what stands for something else is read alone by the encoder, that of all pairs together."""
    read = [ReadPair(source, target) for source, target in pairs]
    places = [(pair, *both) for pair in read for both in pair.inputs.replaced]
    if places:
        old = [tuple(pair.source.tokens[k] for k in words) for pair, words, _ in places]
        new = [tuple(pair.target.tokens[k] for k in others) for pair, _, others in places]
        before = np.stack([pair.before[list(words)].mean(axis=0) for pair, words, _ in places])
        after = np.stack([pair.after[list(others)].mean(axis=0) for pair, _, others in places])
        alone = np.stack(encoder.alone(old)), np.stack(encoder.alone(new))
        texts = [(" ".join(words), " ".join(others)) for words, others in zip(old, new, strict=True)]
        rows = word_figures(before, after, *alone, texts, encoder.lower)
        ends = np.cumsum([len(pair.inputs.replaced) for pair in read])[:-1]
        for pair, figures in zip(read, np.split(rows, ends), strict=True):
            pair.figures = figures
    return read


def _all_vectors(analysis: Analysis) -> tuple[Floats, int]:
    if analysis.vectors is None or analysis.upper is None:
        raise ValueError("this judge needs the vectors of tokens: use Analyser(…, encoder=judge.encoder)")
    return np.hstack([analysis.vectors, analysis.upper.unpacked()]), analysis.vectors.shape[1]


def word_figures(
    before: Floats, after: Floats, alone_before: Floats, alone_after: Floats, texts: list[tuple[str, str]], width: int
) -> Floats:
    """Return how well words fit in the place of others, figures for the judge's network of words.

    Compare Wada et al. 2022, "Unsupervised Lexical Substitution with Decontextualised Embeddings".

    They are cosines, by pair and within a pair by layer: of the words and what stands for them, in the sentences; of
    both alone; of the words in the sentence and the others alone; of the others in the sentence and alone; of the
    others in the sentence and the words alone; of the words in the sentence and alone. What can be seen without reading
    follows: how frequent both are, how many words and letters they have, whether they begin alike.

    Args:
        before, after: mean vectors of the words and of what stands for them, (replacements, layers * width).
        alone_before, alone_after: those of both without any text.
        texts: the words and what stands for them.
        width: that of the vectors of a layer.

    Returns:
        The figures, (replacements, 6 * layers + 7).
    """
    t, s, t_alone, s_alone = (_layers(v, width) for v in (before, after, alone_before, alone_after))
    pairs = (t, s), (t_alone, s_alone), (t, s_alone), (s, s_alone), (s, t_alone), (t, t_alone)
    cosines = [(a * b).sum(axis=2) for a, b in pairs]
    surface = [
        (
            *(frequency(text) for text in (others, words)),
            *(len(text.split()) for text in (others, words)),
            *(len(text) for text in (others, words)),
            others[:3].lower() == words[:3].lower(),
        )
        for words, others in texts
    ]
    return np.concatenate([*cosines, np.array(surface, np.float32)], axis=1)


def _layers(vectors: Floats, width: int) -> Floats:
    """Return vectors of several layers, (replacements, layers, width), each of length 1."""
    layers = vectors.reshape(len(vectors), -1, width)
    normalised: Floats = layers / np.maximum(np.sqrt((layers * layers).sum(axis=2, keepdims=True)), 1e-9)
    return normalised
