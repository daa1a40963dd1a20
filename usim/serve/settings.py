"""Settings of a service: where it listens, what it accepts, and who may use it."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Any

from usim.errors import InputError, OptionError
from usim.options import Options


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a service accepts.

    Attributes:
        body: bytes of a body.
        text: characters of a text.
        checked_text: characters of a text for the checker.
        pairs: pairs, records or texts of a request.
        suggestions: suggestions of a request.
        tokens: tokens that are read for a request, each text as often as it is read: what a worker does in a few
            seconds.
        replacements: replacements of a checker's match that are screened; the others are left out.
        under_way: requests at a time, for each worker; an eighth of them may be large.
        seconds: how long a request may take.
    """

    body: int = 1_000_000
    text: int = 20_000
    checked_text: int = 40_000
    pairs: int = 256
    suggestions: int = 1000
    tokens: int = 10_000
    replacements: int = 8
    under_way: int = 64
    seconds: float = 30.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that :func:`usim.serve.run.run` needs; it can be sent to other processes.

    Attributes:
        host, port: where the service listens.
        workers: how many processes.
        options: options of scorer and screen by name, see :class:`usim.options.Options`.
        checker: ``harper``, the address of a LanguageTool server, or None for no LanguageTool protocol.
        keys: API keys, one of which each request must bring; without any, everybody may use the service.
        origins: web pages that browsers may call from, such as ``https://editor.example``.
        hosts: names under which the service answers; without any, it answers under every name.
        wait: how many seconds the first request of a batch waits for others.
        grace: how many seconds requests under way have when the service is stopped.
        limits: what the service accepts.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    workers: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    checker: str | None = None
    keys: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    wait: float = 0.003
    grace: int = 10
    limits: Limits = field(default_factory=Limits)

    @property
    def is_local(self) -> bool:
        """Whether only programs on this machine can reach the service."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
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

    def to_options(self) -> Options:
        """Return the options of scorer and screen."""
        return Options(**self.options)


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
    for number, line in enumerate(lines, 1):
        if line and not line.startswith("#") and not (len(line) >= _SHORTEST_KEY and line.isascii()):
            message = f"a key needs at least {_SHORTEST_KEY} characters, all of them ASCII: openssl rand -hex 32"
            raise InputError(message, path=path, line=number)
    keys = tuple(line for line in lines if line and not line.startswith("#"))
    if not keys:
        raise InputError("no key in it; one a line is needed, such as openssl rand -hex 32 makes", path=path)
    return keys
