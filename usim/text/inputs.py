"""What counts as a sentence: a text, or a sequence of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from usim.errors import InputError, ParsingError


def check_sentence(sentence: Any) -> None:
    """Check that an object is a sentence: a string, or a sequence of strings (its tokens).

    Any string is a token, the empty one and one with white space included: graphs in files have such tokens.

    Raises:
        InputError: it is something else.

    >>> check_sentence("He left."), check_sentence(["He", "left", "."]), check_sentence(["odd", "", "to ken"])
    (None, None, None)
    >>> check_sentence(["He", None])
    Traceback (most recent call last):
    usim.errors.InputError: a token must be a string, but token 2 is of type NoneType: 'None'
    """
    if isinstance(sentence, str):
        return
    if isinstance(sentence, bytes | bytearray | memoryview) or not isinstance(sentence, Sequence):
        kind = type(sentence).__name__
        raise InputError(
            f"a sentence must be a string or a sequence of tokens, not of type {kind}", text=repr(sentence)
        )
    for number, token in enumerate(sentence, start=1):
        if not isinstance(token, str):
            kind = type(token).__name__
            raise InputError(f"a token must be a string, but token {number} is of type {kind}", text=repr(token))


def check_pair(pair: Any) -> None:
    """Check that an object is a pair of sentences: a sequence of two, and not a string.

    Raises:
        InputError: it is something else.

    >>> check_pair("ab")
    Traceback (most recent call last):
    usim.errors.InputError: a pair must be a sequence of two sentences, not of type str: "'ab'"
    """
    if isinstance(pair, str | bytes | bytearray | memoryview) or not isinstance(pair, Sequence):
        kind = type(pair).__name__
        raise InputError(f"a pair must be a sequence of two sentences, not of type {kind}", text=repr(pair))
    if len(pair) != 2:
        raise InputError(f"a pair must be a sequence of two sentences, not of {len(pair)}", text=repr(pair))
    for sentence in pair:
        check_sentence(sentence)


def check_batch(sentences: Any, ids: Sequence[str] | None) -> None:
    """Check the arguments of a parser: a sequence of sentences, and as many ids or none.

    Raises:
        ParsingError: the sentences are a single string, or there are not as many ids as sentences.
        InputError: one of them is no sentence, see :func:`check_sentence`.
    """
    if isinstance(sentences, str):
        raise ParsingError("parse() takes a list of sentences; for one, pass [sentence]", text=sentences)
    if ids is not None and len(ids) != len(sentences):
        raise ParsingError(f"{len(ids)} ids for {len(sentences)} sentences")
    for sentence in sentences:
        check_sentence(sentence)
