"""Settings of a service: where it listens, what it accepts, and who may use it."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta, Struct

from usim.errors import InputError
from usim.text.files import read_text

_Count = Annotated[int, Meta(gt=0)]
_SHORTEST_KEY = 16


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a service accepts.

    Attributes:
        body: bytes of a body.
        text: characters of a text.
        tokens: tokens that are read for a request, each text as often as it is read: the work of a few seconds.
        under_way: requests at a time; an eighth of them may be large.
        seconds: how long a request may take.
    """

    body: _Count = 1_000_000
    text: _Count = 40_000
    tokens: _Count = 10_000
    under_way: _Count = 64
    seconds: Annotated[float, Meta(gt=0)] = 30.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that :func:`usim.serve.app.run` needs.

    Attributes:
        host, port: where the service listens.
        options: options of scorer and screen by name, see :class:`usim.options.Options`.
        checkers: ``harper``, the address of a LanguageTool server, or both; none for no LanguageTool protocol.
        keys: API keys, one of which each request must bring; without any, everybody may use the service.
        origins: web pages that browsers may call from, such as ``https://editor.example``.
        hosts: names under which the service answers; without any, it answers under every name.
        limits: what the service accepts.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    options: dict[str, Any] = field(default_factory=dict)
    checkers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can reach the service."""
        try:
            return self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_keys(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Read a file of API keys, one a line; blank lines and lines that begin with ``#`` are skipped.

    Raises:
        InputError: it cannot be read, has no key, or one that is easily guessed.
    """
    lines = map(str.strip, read_text(path).splitlines())
    keys = tuple(line for line in lines if line and not line.startswith("#"))
    if not keys or any(len(key) < _SHORTEST_KEY or not key.isascii() for key in keys):
        message = f"a key a line is needed, of at least {_SHORTEST_KEY} characters of ASCII: openssl rand -hex 32"
        raise InputError(message, path=path)
    return keys
