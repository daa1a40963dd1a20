"""Settings of a service: where it listens, what it accepts, and who may use it."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Any

from usim.errors import InputError, OptionError


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a service accepts.

    Attributes:
        body: bytes of a body.
        text: characters of a text.
        tokens: tokens that are read for a request, each text as often as it is read: the work of a few seconds.
        under_way: requests at a time; an eighth of them may be large.
        seconds: how long a request may take.
    """

    body: int = 1_000_000
    text: int = 40_000
    tokens: int = 10_000
    under_way: int = 64
    seconds: float = 30.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that :func:`usim.serve.run.run` needs.

    Attributes:
        host, port: where the service listens.
        options: options of scorer and screen by name, see :class:`usim.options.Options`.
        checker: ``harper``, the address of a LanguageTool server, or None for no LanguageTool protocol.
        keys: API keys, one of which each request must bring; without any, everybody may use the service.
        origins: web pages that browsers may call from, such as ``https://editor.example``.
        hosts: names under which the service answers; without any, it answers under every name.
        limits: what the service accepts.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    options: dict[str, Any] = field(default_factory=dict)
    checker: str | None = None
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

    def check(self) -> None:
        """Check that strangers cannot use the service.

        Raises:
            OptionError: it listens beyond this machine and has no keys.
        """
        if not self.is_local and not self.keys:
            raise OptionError(
                f"{self.host} can be reached from other machines: name a file of API keys with --api-key-file",
                option="host",
            )


_SHORTEST_KEY = 16


def read_keys(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Read a file of API keys, one a line; blank lines and lines that begin with ``#`` are skipped.

    Raises:
        InputError: it cannot be read, has no key, or one that is easily guessed.
    """
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file]
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(getattr(e, "strerror", None) or "not UTF-8", path=path) from e
    keys = {number: line for number, line in enumerate(lines, 1) if line and not line.startswith("#")}
    for number, key in keys.items():
        if len(key) < _SHORTEST_KEY or not key.isascii():
            message = f"a key needs at least {_SHORTEST_KEY} characters, all of them ASCII: openssl rand -hex 32"
            raise InputError(message, path=path, line=number)
    if not keys:
        raise InputError("no key in it; one a line is needed, such as openssl rand -hex 32 makes", path=path)
    return tuple(keys.values())
