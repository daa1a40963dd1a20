"""From the text of an answer to suggestions. What is no list of words is None: nothing is guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from usim.llm import without_thoughts
from usim.text import tokenise

_MOST_WORDS = 4  # of a substitute; what is longer is a sentence
_FENCE = re.compile(r"```(?:\w+)?[ \t]*\n(?P<inside>.*?)\n?```", re.DOTALL)
_LABEL = re.compile(r"(?:substitutes|a)[ \t]*:[ \t]*", re.IGNORECASE)
_BULLET = re.compile(r"(?:[-*•]|\d{1,3}[.)])[ \t]+")
_ITEM = re.compile(r"[^\W_](?:[\w'’./&-]*[^\W_.]|[.](?=[ ]|$))?(?: [\w'’./&-]+)*")
_QUOTES = "\"'“”‘’`*"
_NOTHING = ("none", "n/a", "-", "[]")
_FIRST_PERSON = frozenset({"i", "i'm", "i’m", "i'll", "i’ll"})


def read_word_list(text: str, target: str = "") -> tuple[str, ...] | None:
    """Read a list of words: separated by commas, one a line with bullets or numbers, or a JSON array of strings.

    The label that the prompt ends with, quotation marks around a word, and a full stop at the end may be there.
    The word that is to be replaced and words that were there before are left out, so that none may be left (*none*).

    >>> read_word_list("Substitutes: clear, 'evident', clear.")
    ('clear', 'evident')
    >>> read_word_list("I am sorry, but I cannot help.") is None
    True
    """
    body = _body(text)
    items = _items(_LABEL.sub("", body, count=1) if _LABEL.match(body) else body)
    if items is None:
        return None
    words: dict[str, str] = {}
    for item in items:
        word = " ".join(item.strip().strip(_QUOTES).split())
        if not _is_word(word):
            return None
        words.setdefault(word.casefold(), word)
    words.pop(target.casefold(), None)
    return tuple(words.values())


def _body(text: str) -> str:
    """Return an answer without what a model says of its thoughts, and without the fence around it."""
    body = without_thoughts(text).strip()
    fenced = _FENCE.fullmatch(body)
    return (fenced["inside"] if fenced else body).strip()


def _items(body: str) -> list[str] | None:
    if body.casefold().rstrip(".") in _NOTHING:
        return []
    if body.startswith("["):
        value = _json(body)
        return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    if not lines:
        return None
    if len(lines) > 1 or _BULLET.match(lines[0]):
        if not all(_BULLET.match(line) for line in lines):
            return None
        return [_BULLET.sub("", line, count=1).rstrip(".,;") for line in lines]
    return lines[0].removesuffix(".").removesuffix(",").split(",")


def _is_word(text: str) -> bool:
    words = text.split()
    return len(words) <= _MOST_WORDS and bool(_ITEM.fullmatch(text)) and not _FIRST_PERSON & {*text.casefold().split()}


def _json(text: str, *, as_pairs: bool = False) -> Any:
    """Return a JSON value; with ``as_pairs``, objects as lists of pairs, which may name a key twice."""
    try:
        return json.loads(text, object_pairs_hook=list if as_pairs else None)
    except (ValueError, RecursionError):
        return None


def read_suggestions(text: str) -> list[tuple[str, tuple[str, ...]]] | None:
    """Read the answer to the prompt of SWS: a JSON object from words of the sentence to lists of suggestions.

    The words come in order, each as often as it is named.

    >>> read_suggestions('{"big": ["large", "huge"]}')
    [('big', ('large', 'huge'))]
    >>> read_suggestions("The word big could be large.") is None
    True
    """
    body = _body(text)
    pairs = _json(body, as_pairs=True) if body.startswith("{") else None
    if not isinstance(pairs, list):
        return None
    suggestions = []
    for pair in pairs:
        name, values = pair
        if not isinstance(values, list) or not all(isinstance(value, str) and value.strip() for value in values):
            return None
        distinct = {" ".join(v.split()).casefold(): " ".join(v.split()) for v in reversed(values)}
        distinct.pop(name.casefold(), None)
        suggestions.append((name, tuple(reversed(distinct.values()))))
    return suggestions


def find_words(name: str, words: Sequence[str], taken: Sequence[tuple[int, int]] = ()) -> tuple[int, int] | None:
    """Return the first place of a word or phrase in a sentence where nothing else stands; None for none.

    Places, of which some may be taken by other targets, go from the first word to behind the last.

    >>> find_words("very big", ["A", "very", "big", "dog"])
    (1, 3)
    """
    sentence = [word.casefold() for word in words]
    for wanted in (name.casefold().split(), [token.text.casefold() for token in tokenise(name)]):
        for start in range(len(words) - len(wanted) + 1) if wanted else ():
            end = start + len(wanted)
            if sentence[start:end] == wanted and all(end <= first or last <= start for first, last in taken):
                return start, end
    return None
