"""How grammatical texts are, by the mistakes that a checker finds.

Choshen and Abend (2018) use LanguageTool: 1 − matches/words of the output (``grammaticality_score`` in
``correction_quality.py`` of borgr/assess_learner_language), as do Napoles et al. (2016). Mistakes in typography (blanks
around punctuation, forms of quotation marks) are not counted, because the data of corrections mostly have blanks
between tokens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from usim.checkers import CheckRequest, load_checker

#: LanguageTool's category of what is not counted, and that of misspellings.
_TYPOGRAPHY, _SPELLING = "TYPOGRAPHY", "TYPOS"
_AT_A_TIME = 8  # texts that a checker has at a time


class CheckerGrammar:
    """Grammaticality by the mistakes that a checker finds; ``name`` is harper, or the address of a server."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._checker = load_checker(name)
        self._known: dict[str, tuple[str, ...]] = {}

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Return the share of words without a mistake of each text, in [0, 1]; see :meth:`mistakes` for the errors."""
        return [_share(len(kinds), text) for kinds, text in zip(self.mistakes(texts), texts, strict=True)]

    def parts(self, texts: Sequence[str]) -> list[tuple[float, float]]:
        """Return two shares of words of each text: without a mistake other than a misspelling, without a misspelling.

        See :meth:`mistakes` for the errors.
        """
        parts = []
        for kinds, text in zip(self.mistakes(texts), texts, strict=True):
            misspelt = kinds.count(_SPELLING)
            parts.append((_share(len(kinds) - misspelt, text), _share(misspelt, text)))
        return parts

    def mistakes(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the categories of the mistakes in each text, by LanguageTool's names (``GRAMMAR``, ``TYPOS``, …).

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
                checked = await self._checker.check(CheckRequest.of(text, language="en-US"))
            return tuple(each.category for each in checked.findings if each.category != _TYPOGRAPHY)

        try:
            return list(await asyncio.gather(*map(kinds, texts)))
        finally:
            await self._checker.close()  # its connections belong to the loop, which ends here


def _share(mistakes: int, text: str) -> float:
    """Return the share of words of a text without a mistake; a text without words has 1."""
    words = len(text.split())
    return max(0.0, 1 - mistakes / words) if words else 1.0
