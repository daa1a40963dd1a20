"""A regular expression engine that counts its steps: it backtracks as :mod:`re` does, without any of its shortcuts.

It knows what the patterns of :mod:`usim.text.tokens` are made of, and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from re import _parser  # type: ignore[attr-defined]
from typing import Any

_SINGLE = ("LITERAL", "NOT_LITERAL", "IN")


class Found:
    """What the tokeniser asks of a match."""

    def __init__(self, text: str, start: int, end: int, lastgroup: str | None) -> None:
        self._text, self._span, self.lastgroup = text, (start, end), lastgroup

    def span(self) -> tuple[int, int]:
        return self._span

    def end(self) -> int:
        return self._span[1]

    def group(self) -> str:
        return self._text[slice(*self._span)]


class CountingPattern:
    """A pattern that adds the steps of each search to ``steps[0]``."""

    def __init__(self, pattern: re.Pattern[str], steps: list[int]) -> None:
        parsed = _parser.parse(pattern.pattern, pattern.flags)
        self._nodes: Sequence[Any] = list(parsed)
        self._names = {number: name for name, number in parsed.state.groupdict.items()}
        self._steps = steps

    def match(self, text: str, position: int = 0) -> Found | None:
        self._text, self._groups = text, {}  # type: tuple[str, dict[int, tuple[int, int]]]
        end = next(self._sequence(self._nodes, 0, position), None)
        group = max(self._groups, default=0)
        return None if end is None else Found(text, position, end, self._names.get(group))

    def search(self, text: str, position: int = 0) -> Found | None:
        starts = range(position, len(text) + 1)
        return next((match_ for start in starts if (match_ := self.match(text, start)) is not None), None)

    def finditer(self, text: str) -> Iterator[Found]:
        position = 0
        while (match_ := self.search(text, position)) is not None:
            yield match_
            position = match_.end()

    def _sequence(self, nodes: Sequence[Any], k: int, position: int) -> Iterator[int]:
        if k == len(nodes):
            yield position
            return
        for end in self._node(*nodes[k], position):
            yield from self._sequence(nodes, k + 1, end)

    def _node(self, kind: Any, value: Any, position: int) -> Iterator[int]:
        self._steps[0] += 1
        match str(kind):
            case "LITERAL" | "NOT_LITERAL" | "IN":
                if position < len(self._text) and _fits(kind, value, self._text[position]):
                    yield position + 1
            case "MAX_REPEAT":
                low, high, inner = value
                yield from self._repeat(list(inner), low, high, position)
            case "SUBPATTERN":
                for end in self._sequence(list(value[3]), 0, position):
                    if value[0] is not None:
                        self._groups[value[0]] = position, end
                    yield end
            case "BRANCH":
                for alternative in value[1]:
                    yield from self._sequence(list(alternative), 0, position)
            case "GROUPREF":
                mark = self._text[slice(*self._groups[value])]
                if self._text[position : position + len(mark)].lower() == mark.lower():
                    yield position + len(mark)
            case "ASSERT_NOT":
                if next(self._sequence(list(value[1]), 0, position), None) is None:
                    yield position
            case _:
                raise NotImplementedError(kind)

    def _repeat(self, inner: list[Any], low: int, high: Any, position: int) -> Iterator[int]:
        if len(inner) == 1 and str(inner[0][0]) in _SINGLE:
            end = position
            while end - position < high and end < len(self._text) and _fits(*inner[0], self._text[end]):
                self._steps[0] += 1
                end += 1
            for shorter in range(end, position + low - 1, -1):
                self._steps[0] += 1
                yield shorter
            return
        if high:
            for end in self._sequence(inner, 0, position):
                yield from self._repeat(inner, max(0, low - 1), high - 1, end)
        if not low:
            yield position


def _fits(kind: Any, value: Any, character: str) -> bool:
    if str(kind) != "IN":
        return (character.lower() == chr(value).lower()) == (str(kind) == "LITERAL")
    is_negated = str(value[0][0]) == "NEGATE"
    return is_negated != any(_is_in(str(k), v, character) for k, v in value[is_negated:])


def _is_in(kind: str, value: Any, character: str) -> bool:
    match kind:
        case "LITERAL":
            return character.lower() == chr(value).lower()
        case "RANGE":
            return any(value[0] <= ord(c) <= value[1] for c in (character, character.lower(), character.upper()))
        case "CATEGORY":
            classes = {"WORD": r"\w", "NOT_WORD": r"\W", "DIGIT": r"\d", "SPACE": r"\s", "NOT_SPACE": r"\S"}
            return re.match(classes[str(value).removeprefix("CATEGORY_")], character) is not None
    raise NotImplementedError(kind)
