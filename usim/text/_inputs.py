"""What counts as a sentence: a text, or a sequence of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from usim.errors import InputError, ParsingError
from usim.text._sentences import Context
from usim.text._tokens import tokenise

#: The most tokens of a text that is parsed and judged as one. A longer one is refused before any work is done on it.
MAX_TOKENS = 2_000
#: So many characters count as a token at the least: a text of a few huge words is as much work as one of many words.
CHARACTERS_A_TOKEN = 10


def check_sentence(sentence: Any) -> None:
    """Check that an object is a sentence: a string, or a sequence of strings (its tokens).

    Any string is a token, the empty one and one with white space included: graphs in files have such tokens.

    Raises:
        InputError: it is something else.

    >>> check_sentence(["He", None])
    Traceback (most recent call last):
    usim.errors.InputError: a token must be a string, but token 2 is of type NoneType: 'None'
    """
    if isinstance(sentence, str):
        return
    if not _is_sequence(sentence):
        problem = f"a sentence must be a string or a sequence of tokens, not of type {type(sentence).__name__}"
        raise InputError(problem, text=repr(sentence))
    for number, token in enumerate(sentence, start=1):
        if not isinstance(token, str):
            kind = type(token).__name__
            raise InputError(f"a token must be a string, but token {number} is of type {kind}", text=repr(token))


def check_pair(pair: Any) -> None:
    """Check that an object is a pair of sentences: a sequence of two, perhaps with their context, and not a string.

    Raises:
        InputError: it is something else.

    >>> check_pair("ab")
    Traceback (most recent call last):
    usim.errors.InputError: a pair must be a sequence of two sentences, and perhaps a Context: "'ab'"
    """
    is_pair = _is_sequence(pair) and not isinstance(pair, str) and 2 <= len(pair) <= 3
    if not is_pair or not all(isinstance(context, Context | None) for context in pair[2:]):
        raise InputError("a pair must be a sequence of two sentences, and perhaps a Context", text=repr(pair))
    for sentence in pair[:2]:
        check_sentence(sentence)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview)


def check_length(sentence: str | Sequence[str], what: str = "a text", *, max_tokens: int = MAX_TOKENS) -> None:
    """Check that a text, or its tokens, is short enough to be parsed and judged as one; ``what`` names it in the error.

    Raises:
        InputError: it has more tokens, or more than :data:`CHARACTERS_A_TOKEN` times as many characters.
    """
    is_text = isinstance(sentence, str)
    if is_text and len(sentence) <= max_tokens:
        return
    # Megabytes of text are not worth being cut into tokens.
    words = sentence.split() if isinstance(sentence, str) else sentence
    letters = len(sentence) if is_text else sum(map(len, words))
    count, more = max(len(words), letters // CHARACTERS_A_TOKEN), " or more" if is_text else ""
    if isinstance(sentence, str) and count <= max_tokens:
        count, more = len(tokenise(sentence)), ""
    if count > max_tokens:
        raise InputError(f"{what} has {count} tokens{more}, and {max_tokens} are the most: cut it into passages")


def as_list(value: Any) -> Any:
    """Return an array of numpy, or a series of polars, as a list; any other value as it is."""
    listed = getattr(value, "tolist", None) or getattr(value, "to_list", None)
    return value if listed is None else listed()


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
