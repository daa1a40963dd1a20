"""Grammar, spelling and meaning of a correction in one score, with weights tuned on people's ratings.

The form is that of SOME (Yoshimura et al. 2020): a weighted sum of grammaticality, fluency and meaning, whose weights
are chosen on ratings. The parts of SOME are networks that were trained on ratings; here they work offline and were
trained on none: the mistakes that a checker finds in the output (misspellings, and others), and the judge's
faithfulness. There is no language model, so that fluency is seen only as far as the checker knows it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from usim.errors import FormatError
from usim.gec._grammar import CheckerGrammar, grammaticality
from usim.scorer import Scorer
from usim.signature import Signature
from usim.text.files import parse_json, read_text

#: LanguageTool's category of misspellings.
SPELLING = "TYPOS"
#: The weights that come with usim, and what made them.
WEIGHTS_FILE = Path(__file__).with_name("weights.json")
_BLOCK = 64


@dataclass(frozen=True)
class Weights:
    """The weights of the parts; none is below 0, and together they are 1.

    Attributes:
        grammar: of the share of words without a mistake other than a misspelling.
        spelling: of the share of words without a misspelling.
        meaning: of the faithfulness.
    """

    grammar: float
    spelling: float
    meaning: float

    def __post_init__(self) -> None:
        values = self.values
        if min(values) < 0 or abs(sum(values) - 1) > 1e-6:
            raise ValueError(f"weights must be at least 0 and together 1, not {values}")

    @property
    def values(self) -> tuple[float, float, float]:
        """The weights in the order of :data:`PARTS`."""
        return self.grammar, self.spelling, self.meaning

    @classmethod
    def read(cls, path: Path = WEIGHTS_FILE) -> Weights:
        """Read the weights in a file, by default those that come with usim.

        Raises:
            InputError: the file cannot be read.
            FormatError: it holds no weights.
        """
        try:
            record = parse_json(read_text(path))["weights"]
            return cls(*(float(record[name]) for name in PARTS))
        except (ValueError, KeyError, TypeError) as e:
            raise FormatError(f"no weights of {', '.join(PARTS)} in it ({e})", path=path) from e

    def to_json(self, **about: Any) -> str:
        """Return the file of the weights, with what made them."""
        return json.dumps({"weights": asdict(self), **about}, indent=1, ensure_ascii=False) + "\n"


#: The names of the parts.
PARTS = tuple(field.name for field in fields(Weights))


def checked_parts(checker: CheckerGrammar, texts: Sequence[str]) -> list[tuple[float, float]]:
    """Return ``grammar`` and ``spelling`` of each text, in [0, 1]; see :class:`Weights`.

    Raises:
        CheckerError: the checker cannot answer.
    """
    parts = []
    for text, kinds in zip(texts, checker.mistakes(texts), strict=True):
        words = len(text.split())
        misspelt = sum(kind == SPELLING for kind in kinds)
        parts.append((grammaticality(len(kinds) - misspelt, words), grammaticality(misspelt, words)))
    return parts


@dataclass(frozen=True)
class Combined:
    """The score of a correction, and its parts, all in [0, 1]."""

    score: float
    grammar: float
    spelling: float
    meaning: float


class CombinedScorer:
    """Scores corrections by how faithful they are and the mistakes in them; ``weights`` None are those of usim."""

    def __init__(self, scorer: Scorer, checker: CheckerGrammar, weights: Weights | None = None) -> None:
        self.weights = Weights.read() if weights is None else weights
        self._scorer = scorer
        self._checker = checker

    @property
    def signature(self) -> Signature:
        """All that is needed to get the same scores again."""
        weights = "/".join(f"{value:g}" for value in self.weights.values)
        return self._scorer.signature.extended({"combined": weights, "checker": self._checker.name})

    def score_pairs(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Combined]:
        """Score pairs of a source and an output; results come in the order of the pairs.

        Raises:
            CheckerError: the checker cannot answer.
            ParsingError: a sentence cannot be parsed.
        """
        stream = iter(pairs)
        while block := list(islice(stream, _BLOCK)):
            checked = checked_parts(self._checker, [output for _, output in block])
            for (grammar, spelling), result in zip(checked, self._scorer.score_pairs(block), strict=True):
                parts = grammar, spelling, result.judgement.faithfulness
                score = sum(weight * part for weight, part in zip(self.weights.values, parts, strict=True))
                yield Combined(score, *parts)
