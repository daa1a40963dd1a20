"""The numbers of clauses, and the references to clauses, which follow where these are numbered anew."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from usim.text import Span

_CLAUSE = r"(?:\b(?:clause|section|article|paragraph|point|part|step|item|rule)s?|§§?)\s?"
_NUMBER = r"\d{1,3}(?:\.\d{1,3}){0,6}(?![\d%]|\.\d)"
#: A number of several parts at the head of a clause, which begins with a capital: *4.2 Payment*, *4.2 “Fee” means …*.
_HEAD, _OPENING = re.compile(r"(\d{1,3}(?:\.\d{1,3}){1,6})[.):]?\s+"), "“‘\"'(["
#: What stands on the line in front of a numbered clause, in so many characters; a clause named by its number.
_FRONT = 80
_IN_FRONT = re.compile(rf"[\s>#*_•|-]*({_NUMBER})[.):]?[\s*_]*")
_NAMED = re.compile(rf"{_CLAUSE}({_NUMBER})", re.IGNORECASE)
_REFERENCE = re.compile(rf"{_CLAUSE}{_NUMBER}(?:(?:\s?[,–-]|,?\s(?:and|or|to|through))\s?{_NUMBER})*", re.IGNORECASE)


def heads(passages: Iterable[str]) -> list[int]:
    """Return how many characters at the head of each passage are the number of its clause.

    Numbers are those of clauses where most of them follow the one before.

    >>> heads(["1.1 Rent", "1.2 Pets", "2.1 Keys", "10 Dogs"]), heads(["1.5 kg of flour", "2.5 Eggs"])
    ([4, 4, 4, 0], [0, 0])
    """
    found = [_HEAD.match(passage) for passage in passages]
    found = [head if head and head.string[head.end() :].lstrip(_OPENING)[:1].isupper() else None for head in found]
    numbers = [tuple(map(int, head[1].split("."))) for head in found if head]
    following = sum(_follows(*pair) for pair in pairwise(numbers))
    are_clauses = 0 < len(numbers) - 1 <= 2 * following
    return [head.end() if head and are_clauses else 0 for head in found]


def _follows(number: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether a number of a clause comes next after another: 1.2 after 1.1, 2.1 and 1.1.1 after 1.1."""
    shared = next((k for k, pair in enumerate(zip(number, other, strict=False)) if pair[0] != pair[1]), len(number))
    rest = other[shared:]
    if shared < len(number):
        rest = (rest[0] - number[shared], *rest[1:]) if rest else ()
    return bool(rest) and set(rest) == {1}


def number_of(text: str, start: int, passage: str) -> str:
    """Return the number of a clause that begins so in a text: on its line in front of it, or in its words; or empty."""
    line = text.rfind("\n", max(0, start - _FRONT), start) + 1
    found = _IN_FRONT.fullmatch(text, line, start) if line or start <= _FRONT else None
    found = found or _NAMED.match(passage)
    return found[1] if found else ""


def renumbered(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return by new numbers of clauses those before the change, of the clauses and of what they are parts of.

    >>> renumbered([("4.1", "5.1"), ("4.2", "5.2"), ("6", "6")])
    {'5': '4', '5.1': '4.1', '5.2': '4.2'}
    """
    own, whole = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for old, new in pairs:
        own[new].add(old)
        parts, others = old.split("."), new.split(".")
        for depth in range(1, min(len(parts), len(others))):
            whole[".".join(others[:depth])].add(".".join(parts[:depth]))
    return {new: min(olds) for new, olds in (whole | own).items() if len(olds) == 1 and new not in olds}


def refer_alike(source: str, output: str, old: Mapping[str, str]) -> tuple[str, list[tuple[Span, Span]]]:
    """Return an output whose references that follow new numbers are as in the source, and where they stand.

    The places are as of :func:`usim.evidence.values.read_alike`.

    >>> refer_alike("Clause 4.2 or 6 holds.", "Clause 5.2 or 8 holds.", {"5.2": "4.2", "8": "7"})
    ('Clause 4.2 or 8 holds.', [((7, 10), (7, 10))])
    """
    text, stop = "", 0
    places: list[tuple[Span, Span]] = []
    if not old:
        return output, places
    referred = {number for reference in _REFERENCE.findall(source) for number in re.findall(_NUMBER, reference)}
    for reference in _REFERENCE.finditer(output):
        for found in re.compile(_NUMBER).finditer(output, *reference.span()):
            own = old.get(found[0], "")
            if own in referred:
                text += output[stop : found.start()]
                places.append(((len(text), len(text) + len(own)), found.span()))
                text, stop = text + own, found.end()
    return text + output[stop:], places
