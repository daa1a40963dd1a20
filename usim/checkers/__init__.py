"""Checkers of language, whose suggestions are screened: Harper, or a LanguageTool server of the user's.

- :mod:`usim.checkers.annotated`: a text with markup between its parts, as editors send it;
- :mod:`usim.checkers.request`: a checker, and what LanguageTool's protocol asks of it;
- :mod:`usim.checkers.harper` (extra ``harper``) and :mod:`usim.checkers.languagetool` (extra ``serve``) find mistakes;
- :mod:`usim.checkers.matches`: the matches that they find, and their replacements screened;
  :mod:`usim.checkers.findings`: the same as values of Python.

A checker answers as LanguageTool's ``/v2/check`` does; offsets count UTF-16 units of the text that was sent.
"""

from __future__ import annotations

from usim.checkers.annotated import AnnotatedText
from usim.checkers.findings import Checked, Finding, check_text, findings, fixed
from usim.checkers.matches import Match, in_english, is_screened, passed_on, proposals, screened_matches, spans
from usim.checkers.request import Checker, CheckerError, CheckRequest, plain_request, read_request
from usim.errors import InputError

__all__ = [
    "AnnotatedText",
    "CheckRequest",
    "Checked",
    "Checker",
    "CheckerError",
    "Finding",
    "Match",
    "check_text",
    "findings",
    "fixed",
    "in_english",
    "is_screened",
    "load_checker",
    "passed_on",
    "plain_request",
    "proposals",
    "read_request",
    "screened_matches",
    "spans",
]


def load_checker(name: str, *, seconds: float = 10.0) -> Checker:
    """Return a checker.

    Args:
        name: ``harper``, or the address of a LanguageTool server.
        seconds: how long it may take to answer.

    Raises:
        InputError: a package that it needs is not installed.
        OptionError: the address is none.
    """
    if name == "harper":
        from usim.checkers.harper import HarperChecker

        return HarperChecker(seconds=seconds)
    try:
        from usim.checkers.languagetool import LanguageToolChecker
    except ImportError as e:
        raise InputError(f"asking a LanguageTool server needs one more package: pip install {e.name}") from e
    return LanguageToolChecker(name, seconds=seconds)
