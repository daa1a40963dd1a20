"""A masked language model as a system: the words that it would write in the place of a word.

The model's distribution over the word's place ranks what may stand there. How much of the word it is shown is one of
:data:`METHODS`:

===========  ==========================================================================================================
``masked``   nothing (BERT-M of Lee et al. 2021), or, where the model has ``context``, the whole sentence before the
             masked one, so that it knows the word that it is to replace (Qiang et al. 2020, *LSBert*)
``keep``     all of it: the model's distribution over the place of the word itself (BERT-K)
``dropout``  part of it: a share of its embedding is set to zero (BERT-LS, Zhou et al. 2019, section 2.1)
``spsv``     part of it, and the fifty likeliest words are ordered by s_v + .01 s_p, how little they change the
             representation of the sentence and how likely they are (BERT-sp,sv, Zhou et al. 2019, section 2.3)
===========  ==========================================================================================================

Candidates are the words of the vocabulary that are one piece of small letters, or, with a thesaurus and ``masked``, the
synonyms of the word, whatever they are made of: a candidate of several pieces gets as many masks, and its score is the
mean of its pieces' log-probabilities. Zhou et al. divide by one minus the probability of the target, which is the same
for all candidates of a target; it is left out.

A word is named as a target if the best candidate is at least ``margin`` more likely than the word itself, in nats: the
systems of Smart Word Suggestions (Wang et al. 2023) too change a word where their models find another one likelier.

The model is any that ``transformers`` can load for masked words (BERT, RoBERTa, …), from a folder or by name:
``pip install torch transformers``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from usim.benchmarks.baselines.masked_model import MaskedModel
from usim.benchmarks.baselines.targets import CLOSED, Finder
from usim.benchmarks.case import Candidate, GivenTarget
from usim.errors import InputError
from usim.text import Span

#: Ways to show a target.
METHODS = ("masked", "keep", "dropout", "spsv")
_VALIDATED = 50  # candidates that get a validation score
_ALPHA = 0.01  # what a proposal score counts beside a validation score

#: Candidates, the best first, and the score of the target itself.
Proposal = tuple[list[Candidate], float]


class Proposer:
    """Proposes words for targets.

    Args:
        model: the model; for ``spsv`` one with ``attention``.
        method: one of :data:`METHODS`.
        dropout: the share of the target's embedding that is set to zero, for ``dropout`` and ``spsv``, in (0, 1).
        seed: which dimensions these are.

    Raises:
        InputError: no such method, no such share, or a model without attention for ``spsv``.
    """

    def __init__(self, model: MaskedModel, *, method: str = "masked", dropout: float = 0.3, seed: int = 0) -> None:
        if method not in METHODS:
            raise InputError("no such method; there are " + ", ".join(METHODS), text=method)
        if not 0 < dropout < 1:
            raise InputError(f"the share of an embedding that is dropped must lie between 0 and 1, not {dropout}")
        if method == "spsv" and not model.has_attention:
            raise InputError("validation scores need a model that was loaded with attention", path=model.name)
        self.model = model
        self._method = method
        self._dropout = 0.0 if method in ("masked", "keep") else dropout
        self._seed = seed

    @property
    def is_masked(self) -> bool:
        """Whether the target is not shown, so that candidates of several pieces can be scored too."""
        return self._method == "masked"

    @property
    def signature(self) -> str:
        """The model, and how much of a target it is shown."""
        if self.is_masked:
            return self.model.signature
        dropped = f"|dropout:{self._dropout:g}|seed:{self._seed}" if self._dropout else ""
        return f"model:{self.model.short_name}|sees:{self._method}{dropped}"

    def __call__(self, words: Sequence[str], spans: Sequence[Span], k: int) -> list[Proposal | None]:
        """Propose words for targets of a sentence.

        Args:
            words: the sentence.
            spans: the targets: the first word, and the word after the last.
            k: how many candidates to propose for each.

        Returns:
            for each target the candidates, the best first, and the score of the target itself (of one piece of it
            where it has several); None where the sentence is too long for the model.
        """
        if self.is_masked:
            distributions = self.model.distributions([(words, *span, 1) for span in spans])
            return [
                None if scores is None else self._likeliest(words, span, scores[0], k)
                for span, scores in zip(spans, distributions, strict=True)
            ]
        return [self._unmasked(words, span, k) for span in spans]

    def _likeliest(self, words: Sequence[str], span: Span, scores: npt.NDArray[np.float32], k: int) -> Proposal:
        text = " ".join(words[slice(*span)])
        # Both spellings count: a model with capitals has "The" and "the".
        pieces = {self.model.pieces(spelling)[0] for spelling in (text, text.lower()) if self.model.pieces(spelling)}
        itself = max((float(scores[piece]) for piece in pieces), default=float("-inf"))
        order = self.model.likeliest(scores, k + 8)
        return self._named(text, order, [float(scores[piece]) for piece in order], k), itself

    def _unmasked(self, words: Sequence[str], span: Span, k: int) -> Proposal | None:
        sentence = self.model.in_place(words, *span)
        if sentence is None:
            return None
        scores = self.model.unmasked(sentence, dropout=self._dropout, seed=self._seed)
        text, itself = " ".join(words[slice(*span)]), float(scores[sentence.target])
        if self._method != "spsv":
            order = self.model.likeliest(scores, k + 8)
            return self._named(text, order, [float(scores[piece]) for piece in order], k), itself
        proposed = self.model.likeliest(scores, _VALIDATED)
        validated = self.model.validated(sentence, [sentence.target, *proposed])
        own, finals = validated[0] + _ALPHA * itself, validated[1:] + _ALPHA * scores[proposed]
        best = np.argsort(-finals, kind="stable")
        return self._named(text, [proposed[place] for place in best], [float(finals[p]) for p in best], k), float(own)

    def _named(self, target: str, pieces: Sequence[int], scores: Sequence[float], k: int) -> list[Candidate]:
        texts = map(self.model.word_of, pieces)
        candidates = [Candidate(text, score) for text, score in zip(texts, scores, strict=True)]
        return [candidate for candidate in candidates if candidate.text.lower() != target.lower()][:k]


class Masked:
    """Proposes words that a masked language model finds likelier than those of the sentence, or likeliest there.

    Args:
        model: the model, or a :class:`Proposer` for another way to show the word.
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
