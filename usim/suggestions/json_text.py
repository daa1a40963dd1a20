"""JSON as text: where the members of an object and the elements of an array stand, so that one can be cut out.

Cutting in the text, instead of writing the value again, leaves every other character of a file as it was:
indentation, the way numbers and letters are written, the order of members.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


class Member(NamedTuple):
    """A member of an object: its key, its value, and where the key begins and the value begins and ends in the text."""

    key: str
    value: Any
    key_start: int
    start: int
    end: int


class NotJsonError(ValueError):
    """Text that is not JSON: what is wrong, and at which character."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


def decode(text: str, place: int = 0) -> tuple[Any, int]:
    """Decode the value that begins at a place (after white space); return it, and where it ends.

    Raises:
        NotJsonError: there is none.
    """
    begin = _skip(text, place)
    try:
        return _DECODER.raw_decode(text, begin)
    except json.JSONDecodeError as e:
        raise NotJsonError(f"not JSON ({e.msg})", e.pos) from e
    except RecursionError as e:
        raise NotJsonError("not JSON that can be read (nested too deeply)", begin) from e
    except ValueError as e:  # a number of thousands of digits
        raise NotJsonError(f"not JSON that can be read ({e})", begin) from e


def members(text: str, place: int = 0) -> Iterator[Member]:
    """Yield the members of the object that begins at a place, in order.

    Raises:
        NotJsonError: it is not an object, or not whole; the members before the fault have come out by then.
    """
    place = _expect(text, _skip(text, place), "{", "an object is needed")
    if text[place : place + 1] == "}":
        return
    while True:
        key_start = place
        key, place = decode(text, place)
        if not isinstance(key, str):
            raise NotJsonError("not JSON (a key must be a string)", key_start)
        start = _expect(text, _skip(text, place), ":", "not JSON (expecting ':')")
        value, place = decode(text, start)
        yield Member(key, value, key_start, start, place)
        place = _skip(text, place)
        if text[place : place + 1] == "}":
            return
        place = _expect(text, place, ",", "not JSON (expecting ',' or '}')")


def member(text: str, key: str, place: int = 0) -> Member:
    """Return the member of the object with that key; of several the last, as JSON readers take it."""
    return [candidate for candidate in members(text, place) if candidate.key == key][-1]


def elements(text: str, place: int) -> list[tuple[int, int]]:
    """Return where the elements of the array that begins at a place stand."""
    spans: list[tuple[int, int]] = []
    place = _expect(text, _skip(text, place), "[", "an array is needed")
    while text[place] != "]":
        start = place
        _, end = decode(text, start)
        spans.append((start, end))
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return spans


def without(text: str, place: int, dropped: Collection[int]) -> str:
    """Return the text without some elements of the array that begins at a place; a comma goes with each.

    >>> without('{"a": [1,  2, 3 ]}', 6, {0, 1})
    '{"a": [3 ]}'
    """
    spans = elements(text, place)
    open_ = text.index("[", place) + 1
    kept = [i for i in range(len(spans)) if i not in dropped]
    if not kept:
        close = text.index("]", spans[-1][1])
        return text[:open_] + text[close:]
    parts = [text[: spans[0][0]]]
    for i in kept:
        if i != kept[0]:
            parts.append(text[spans[i - 1][1] : spans[i][0]])
        parts.append(text[slice(*spans[i])])
    return "".join((*parts, text[spans[-1][1] :]))


def _skip(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place


def _expect(text: str, place: int, mark: str, message: str) -> int:
    """Return the place after a mark and the white space that follows it."""
    if text[place : place + 1] != mark:
        raise NotJsonError(message, place)
    return _skip(text, place + 1)
