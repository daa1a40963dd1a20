"""Grammaticality: the share of words without a mistake that a checker finds.

Choshen and Abend (2018) use LanguageTool: 1 − matches/words of the output (``grammaticality_score`` in
``correction_quality.py`` of borgr/assess_learner_language), as do Napoles et al. (2016).
Mistakes in typography (blanks around punctuation, forms of quotation marks) are not counted: correctors' data mostly
have blanks between tokens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from usim.checkers import Checker, read_request

#: LanguageTool's category of what is not counted.
_TYPOGRAPHY = "TYPOGRAPHY"
#: How many texts a checker has at a time.
_AT_A_TIME = 8


def grammaticality(mistakes: int, words: int) -> float:
    """Return the share of words without a mistake, in [0, 1]; a text without words has 1.

    >>> [grammaticality(*counts) for counts in ((0, 5), (1, 5), (9, 5), (0, 0))]
    [1.0, 0.8, 0.0, 1.0]
    """
    return max(0.0, 1 - mistakes / words) if words else 1.0


class Grammar(Protocol):
    """Says how grammatical texts are; ``name`` is for signatures."""

    name: str

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Return the grammaticality of each text, in [0, 1]."""
        ...


class CheckerGrammar:
    """Grammaticality by the mistakes that a checker finds; a :class:`Grammar` with the checker's name."""

    def __init__(self, checker: Checker, name: str) -> None:
        self.name = name
        self._checker = checker
        self._known: dict[str, tuple[str, ...]] = {}

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Return the grammaticality of each text; see :meth:`mistakes` for the errors."""
        mistakes = self.mistakes(texts)
        return [grammaticality(len(kinds), len(text.split())) for kinds, text in zip(mistakes, texts, strict=True)]

    def mistakes(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the categories of the mistakes in each text, by LanguageTool's names (``GRAMMAR``, ``TYPOS``, …),
        without those in typography.

        Equal texts are checked once.

        Raises:
            CheckerError: the checker cannot answer.
            InputError: the checker refuses a text.
        """
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            with asyncio.Runner() as runner:
                self._known |= dict(zip(new, runner.run(self._check(new)), strict=True))
        return [self._known[text] for text in texts]

    async def _check(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        slots = asyncio.Semaphore(_AT_A_TIME)

        async def kinds(text: str) -> tuple[str, ...]:
            async with slots:
                answer = await self._checker.check(read_request({"text": text, "language": "en-US"}))
            categories = (match["rule"].get("category") or {} for match in answer["matches"])
            names = (str(category.get("id", "")) for category in categories)
            return tuple(name for name in names if name != _TYPOGRAPHY)

        try:
            return list(await asyncio.gather(*map(kinds, texts)))
        finally:
            await self._checker.close()  # its connections belong to the loop, which ends here
