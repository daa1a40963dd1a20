"""JSON as usim writes it, for the command line, the service, batches and pages; and what it reads as one type.

Characters stay as they are, and a blank follows each comma and colon. Numbers that JSON does not have are ``null``.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from usim.errors import FormatError

T = TypeVar("T")


def encode(value: object, *, indent: int = 0) -> bytes:
    """Return a value as JSON in UTF-8: on one line, or with lines and so many blanks a level.

    Tuples are arrays, and numbers of numpy are numbers.

    >>> encode({"a": (1, None)})
    b'{"a": [1, null]}'
    """
    return msgspec.json.format(encode_compact(value), indent=indent)


def encode_compact(value: object) -> bytes:
    """Return a value as JSON in UTF-8, without blanks."""
    try:
        return msgspec.json.encode(value, enc_hook=_as_number)
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can write and UTF-8 cannot
        return json.dumps(value, separators=(",", ":"), default=_as_number).encode()


def to_text(value: object, *, indent: int = 0) -> str:
    """Return a value as JSON, see :func:`encode`."""
    return encode(value, indent=indent).decode()


def read_as(value: object, kind: type[T]) -> T:
    """Return the value of a parsed JSON as a type.

    Raises:
        FormatError: it has another shape; the message names the field.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as e:
        raise FormatError(str(e).replace(" - at `$.", ": `").replace("`$`", "`")) from e


def _as_number(value: Any) -> Any:
    return value.item()
