"""Write JSON for the command line, the service, batches and pages; check parsed JSON against a type.

Characters stay as they are, and a blank follows each comma and colon. Numbers that JSON does not have are ``null``.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, TypeVar

import msgspec

from usim.errors import FormatError

T = TypeVar("T")
#: A number in [0, 1]; values that are read are checked.
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


def encode(value: object, *, indent: int = 0) -> bytes:
    """Return a value as JSON in UTF-8, on one line; with ``indent``, on several, indented by so many blanks a level.

    Tuples are arrays, and numbers of numpy are numbers.

    >>> encode({"a": (1, None)})
    b'{"a": [1, null]}'
    """
    try:
        return msgspec.json.format(msgspec.json.encode(value, enc_hook=_plain), indent=indent)
    except (UnicodeEncodeError, OverflowError):  # half of a surrogate pair, which UTF-8 does not have, or 65 bits
        return json.dumps(msgspec.to_builtins(value, enc_hook=_plain), indent=indent or None).encode()


def json_text(value: object, *, indent: int = 0) -> str:
    """Return a value as JSON with a line end, see :func:`encode`."""
    return encode(value, indent=indent).decode() + "\n"


def values_of(value: object) -> Any:
    """Return structs and data classes as values of JSON: dictionaries, and lists in place of tuples."""
    return json.loads(encode(value))


def read_as(value: object, kind: type[T], *, strict: bool = True) -> T:
    """Return the value of a parsed JSON as a type; unless ``strict``, texts may stand for numbers.

    Raises:
        FormatError: it has another shape; the message names the field.
    """
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as e:
        raise FormatError(str(e).replace(" - at `$.", ": `").replace("`$`", "`")) from e


def _plain(value: Any) -> Any:
    """Return a subclass of ``str`` as a ``str``, and a number of numpy as Python's."""
    return str(value) if isinstance(value, str) else value.item()
