"""The errors that usim raises: one base class, and one class for each kind of cause.

All of them are the user's to mend: they carry where it happened (a file, a line) and the offending text, as far as
these are known, and print them in the form that editors understand, ``file:line: message: 'text'``.

A mistake in a program that calls usim, such as an argument of a wrong type or range, is a ``TypeError`` or a
``ValueError``, as everywhere in Python. An :class:`OptionError` is a ``ValueError`` as well, because options come from
users and from programs.

>>> str(FormatError("edge to a node that does not exist", path="a.xml", line=7, text="1.9"))
"a.xml:7: edge to a node that does not exist: '1.9'"
>>> print(FormatError("no graph", path="a\\x1b[2J.xml"))  # what would steer a terminal is written out
a\\x1b[2J.xml: no graph
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

_SHOWN = 80


class UsimError(Exception):
    """Base class of the errors that usim raises because of data, files and options.

    Args:
        message: what is wrong and, where it helps, what to do.
        path: the file in which it is wrong.
        line: the line in that file, counted from 1.
        text: the offending text; cut to 80 characters when printed.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | os.PathLike[str] | None = None,
        line: int | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = None if path is None else os.fspath(path)
        self.line = line
        self.text = text

    def __str__(self) -> str:
        place = "" if self.path is None else self.path
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        shown = ""
        if self.text is not None:
            cut = self.text if len(self.text) <= _SHOWN else self.text[: _SHOWN - 1] + "…"
            shown = f": {cut!r}"
        whole = f"{place}: {self.message}{shown}" if place else f"{self.message}{shown}"
        # Names and messages of other libraries may have characters that steer a terminal, or that no encoding has.
        return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in whole)


class GraphError(UsimError):
    """A graph that is not a UCCA graph: a cycle, an unreachable terminal, an edge to nowhere."""


class FormatError(UsimError):
    """A file or a text that is not what its format asks for."""


class AlignmentError(UsimError):
    """An alignment that does not fit the two graphs it is said to align."""


class ParsingError(UsimError):
    """A parser or a judge that cannot be loaded, or an answer of a parser that is no graph of its sentence."""


class InputError(UsimError):
    """Input of the user that cannot be taken: a missing file, a bad encoding, what is no pair of sentences.

    A service answers it with status 422.
    """


def extra(module: str, what: str, packages: str = "", *, of: str = "") -> Any:
    """Import a module of a library that usim does without, or one of usim that needs such libraries.

    ``what`` begins a sentence: *a page needs*. ``packages`` are what is installed, if it is not called as the library;
    ``of`` is the extra that has them.

    Raises:
        InputError: a library is not installed.
    """
    try:
        return import_module(module)
    except ImportError as e:
        needed = f"the extra {of}" if of else e.name
        raise InputError(f"{what} {needed}: pip install {packages or e.name}") from e


class SuggestionError(InputError):
    """A suggestion that does not fit the text that it is for: a span outside of it, a word cut in two."""


class OptionError(InputError, ValueError):
    """An option, named by ``option``, that does not exist or contradicts another."""

    def __init__(self, message: str, *, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class LanguageWarning(UserWarning):
    """A text that seems not to be English: usim reads English, and what it says of other languages means little."""
