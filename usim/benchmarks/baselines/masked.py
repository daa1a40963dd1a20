"""A masked language model as a system: the words that it would write in the place of a word.

The model's distribution over the word's place ranks what may stand there. By default the word is masked, and the whole
sentence comes before the masked one, as a pair, so that the model knows the word that it is to replace (Qiang et al.
2020, *LSBert*); :mod:`usim.benchmarks.baselines.proposals` has the other ways. Candidates are the words of the model's
vocabulary, or, with a thesaurus, the synonyms of the word, whatever they are made of: a candidate of several pieces
gets as many masks, and its score is the mean of its pieces' log-probabilities.

A word is named as a target if the best candidate is at least ``margin`` more likely than the word itself, in nats: the
systems of Smart Word Suggestions (Wang et al. 2023) too change a word where their models find another one likelier.

The model is any that ``transformers`` can load for masked words (BERT, RoBERTa, …), from a folder or by name:
``pip install torch transformers``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from usim.benchmarks.baselines.masked_model import MaskedModel
from usim.benchmarks.baselines.proposals import Proposer
from usim.benchmarks.baselines.targets import CLOSED, Finder
from usim.benchmarks.case import Candidate, GivenTarget
from usim.errors import InputError
from usim.text import Span


class Masked:
    """Proposes words that a masked language model finds likelier than those of the sentence, or likeliest there.

    Args:
        model: the model, or a :class:`~usim.benchmarks.baselines.proposals.Proposer` for another way to show the word.
        finder: with one, only words with an entry in its thesaurus are targets, and only their synonyms are candidates.
        k: how many suggestions to make for a target at most.
        margin: by how much, in nats, the best must be likelier than the word itself; minus infinity names every word.
            None names no word, for targets that are given.

    Raises:
        InputError: a finder, and a way to show the word that leaves no place for candidates of several pieces.
    """

    def __init__(
        self, model: MaskedModel | Proposer, finder: Finder | None = None, *, k: int = 10, margin: float | None = 0.0
    ) -> None:
        self._propose = model if isinstance(model, Proposer) else Proposer(model)
        if finder is not None and not self._propose.is_masked:
            raise InputError(
                "synonyms of several pieces can only be ranked where the target is masked: give no thesaurus"
            )
        self._finder = finder
        self._k = k
        self._margin = margin

    @property
    def signature(self) -> str:
        """Everything that is needed to get the same suggestions again."""
        candidates = "vocabulary" if self._finder is None else self._finder.signature
        margin = "" if self._margin is None else f"|margin:{self._margin:g}"
        return f"masked|{self._propose.signature}|{candidates}|k:{self._k}{margin}"

    def __call__(self, words: Sequence[str]) -> dict[Span, tuple[str, ...]]:
        """Return the spans of a sentence that could be better, each with suggestions, the likeliest first."""
        return {
            span: tuple(candidate.text for candidate in candidates[: self._k])
            for span, candidates, itself in self._ranked(words)
            if self._margin is not None and candidates and candidates[0].score - itself >= self._margin
        }

    def _ranked(self, words: Sequence[str]) -> Iterator[tuple[Span, list[Candidate], float]]:
        """Yield spans with their candidates and the log-probability of the span itself."""
        if self._finder is not None:
            for target in self._finder.targets(words):
                yield (
                    (target.start, target.end),
                    *self._propose.model.ranked(words, target.start, target.end, target.synonyms),
                )
            return
        spans = [(i, i + 1) for i, word in enumerate(words) if word[:1].isalpha() and word.lower() not in CLOSED]
        for span, proposal in zip(spans, self._propose(words, spans, self._k), strict=True):
            if proposal is not None:
                yield span, *proposal

    def substitutes(self, target: GivenTarget) -> list[Candidate]:
        """Return substitutes for a target that is given, the likeliest first; none where its context is too long."""
        words, start, end = target.words, target.start, target.end
        if self._finder is not None:
            synonyms = self._finder.synonyms(words, start, end, target.pos)
            return self._propose.model.ranked(words, start, end, synonyms)[0][: self._k]
        proposal = self._propose(words, [(start, end)], self._k)[0]
        return [] if proposal is None else proposal[0]


__all__ = ["Masked", "MaskedModel"]
