"""The candidates of a corrector in the order of faithfulness and grammaticality.

The score of a candidate is γ·G + (1 − γ)·S: G is its grammaticality, S its faithfulness. Choshen and Abend
(``rerank_by_uccasim`` in ``USim.py`` of borgr/USim, ``reference_less_score`` in borgr/assess_learner_language) rerank
the 100 best outputs of a corrector with γ = .27. Their S is USim, which is the faithfulness by the judge ``usim``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from usim.errors import InputError
from usim.gec._grammar import Grammar
from usim.judge import Verdict
from usim.records.nbest import CandidateList
from usim.scorer import Scorer
from usim.signature import Signature

#: The weight of grammaticality in borgr/USim.
GAMMA = 0.27
_BLOCK = 32  # sources that are scored together


@dataclass(frozen=True)
class Ranked:
    """A candidate with its scores.

    Attributes:
        text: the candidate.
        place: where it stood in the corrector's list, from 0.
        score: γ·G + (1 − γ)·S, in [0, 1].
        faithfulness, usim, verdict: what usim says of it.
        grammar: its grammaticality; None where nobody says.
    """

    text: str
    place: int
    score: float
    faithfulness: float
    usim: float
    verdict: Verdict
    grammar: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the candidate as JSON values."""
        return asdict(self)


class Reranker:
    """Puts candidates into order.

    Args:
        scorer: says how much of the meaning is kept.
        grammar: says how grammatical a candidate is where the file does not; None for nobody.
        gamma: the weight of grammaticality, in [0, 1].
    """

    def __init__(self, scorer: Scorer, grammar: Grammar | None = None, *, gamma: float = GAMMA) -> None:
        if not 0 <= gamma <= 1:
            raise ValueError(f"gamma must lie between 0 and 1, not {gamma}")
        self.gamma = gamma
        self._scorer = scorer
        self._grammar = grammar

    @property
    def signature(self) -> Signature:
        """All that is needed to get the same order again."""
        grammar = "given" if self._grammar is None else self._grammar.name
        return self._scorer.signature.extended("rerank", {"gamma": f"{self.gamma:g}", "grammar": grammar})

    def rerank(self, lists: Iterable[CandidateList]) -> Iterator[tuple[CandidateList, list[Ranked]]]:
        """Yield each list with its candidates, the best first; of equal ones the corrector's order stays.

        Raises:
            InputError: a candidate has no grammaticality, nobody says what it is, and it has a weight.
            CheckerError: the checker cannot answer.
            ParsingError: a sentence cannot be parsed.
        """
        stream = iter(lists)
        while block := list(islice(stream, _BLOCK)):
            pairs = [(given.source, candidate.text) for given in block for candidate in given.candidates]
            results = self._scorer.score_pairs(pairs)
            grammar = iter(self._grammaticality(block))
            for given in block:
                ranked = []
                for place, candidate in enumerate(given.candidates):
                    result, value = next(results), next(grammar)
                    judged = result.judgement
                    score = self.gamma * (value or 0.0) + (1 - self.gamma) * judged.faithfulness
                    scores = (score, judged.faithfulness, result.score, judged.verdict, value)
                    ranked.append(Ranked(candidate.text, place, *scores))
                yield given, sorted(ranked, key=lambda candidate: -candidate.score)

    def _grammaticality(self, block: Sequence[CandidateList]) -> list[float | None]:
        """Return the grammaticality of each candidate of some lists."""
        candidates = [(given.line, candidate) for given in block for candidate in given.candidates]
        missing = [(line, candidate.text) for line, candidate in candidates if candidate.grammar is None]
        if self.gamma == 0 or not missing:
            return [candidate.grammar for _, candidate in candidates]
        if self._grammar is None:
            raise InputError(
                'the candidates have no "grammar": give --grammar harper or the address of a LanguageTool server,'
                " or --gamma 0",
                line=missing[0][0],
            )
        scores = iter(self._grammar.scores([text for _, text in missing]))
        return [next(scores) if candidate.grammar is None else candidate.grammar for _, candidate in candidates]
