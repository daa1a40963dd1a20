"""Checkers of language, whose suggestions are screened: Harper, or a LanguageTool server of the user's.

- ``usim.checkers._annotated``: a text with markup between its parts, as editors send it;
- ``usim.checkers._request``: a checker, and what LanguageTool's protocol asks of it;
- ``usim.checkers._harper`` (extra ``harper``) and ``usim.checkers._languagetool`` (extra ``serve``) find mistakes;
- ``usim.checkers._matches``: the matches that they find, and their replacements screened;
  ``usim.checkers._findings``: the same as values of Python.

A checker answers as LanguageTool's ``/v2/check`` does; offsets count UTF-16 units of the text that was sent.
"""

from __future__ import annotations

from usim.checkers._annotated import AnnotatedText
from usim.checkers._findings import Checked, Finding, best_edits, check_text, findings, fixed
from usim.checkers._matches import Match, in_english, is_screened, passed_on, proposals, screened_matches, spans
from usim.checkers._request import Checker, CheckerError, CheckRequest, plain_request, read_request
from usim.errors import InputError

__all__ = [
    "AnnotatedText",
    "CheckRequest",
    "Checked",
    "Checker",
    "CheckerError",
    "Finding",
    "Match",
    "best_edits",
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
        from usim.checkers._harper import HarperChecker

        return HarperChecker(seconds=seconds)
    try:
        from usim.checkers._languagetool import LanguageToolChecker
    except ImportError as e:
        raise InputError(f"asking a LanguageTool server needs one more package: pip install {e.name}") from e
    return LanguageToolChecker(name, seconds=seconds)
