"""Checkers of language, whose suggestions are screened: Harper, or a LanguageTool server of the user's.

A new checker is a module with a class that has the methods of :class:`Checker`, and a line in :func:`load_checker`.
"""

from __future__ import annotations

from usim.checkers._checker import (
    DIALECTS,
    SPELLING,
    Checked,
    Checker,
    CheckerError,
    CheckersTogether,
    CheckRequest,
    Fault,
)
from usim.checkers._findings import (
    article_before,
    best_edits,
    check_text,
    in_english,
    is_screened,
    only_mistakes,
    proposals,
    screened_findings,
)
from usim.checkers._learners import LEARNER_RULES
from usim.errors import extra

__all__ = [
    "DIALECTS",
    "LEARNER_RULES",
    "SPELLING",
    "CheckRequest",
    "Checked",
    "Checker",
    "CheckerError",
    "Fault",
    "article_before",
    "best_edits",
    "check_text",
    "in_english",
    "is_screened",
    "load_checker",
    "only_mistakes",
    "proposals",
    "screened_findings",
]


def load_checker(*names: str, seconds: float = 10.0) -> Checker:
    """Return a checker, or several beside each other.

    Args:
        names: each ``harper`` or the address of a LanguageTool server; at one place the findings of the first count.
        seconds: how long a server may be silent.

    Raises:
        InputError: a package that it needs is not installed.
        OptionError: the address is none.
    """
    checkers = [_load(name, seconds) for name in names]
    return checkers[0] if len(checkers) == 1 else CheckersTogether(checkers)


def _load(name: str, seconds: float) -> Checker:
    if name == "harper":
        from usim.checkers._harper import HarperChecker

        return HarperChecker()
    module = extra("usim.checkers._languagetool", "asking a LanguageTool server needs")
    checker: Checker = module.LanguageToolChecker(name, seconds=seconds)
    return checker
