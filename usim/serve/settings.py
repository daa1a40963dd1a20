"""What a service can be told: where it listens, what it accepts, and who may use it."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from typing import Any

from usim.errors import InputError, OptionError
from usim.options import Options


def _limit(default: Any, about: str, option: str, metavar: str = "N") -> Any:
    return field(default=default, metadata={"help": about, "option": option, "metavar": metavar})


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a service accepts; the metadata of a limit name its option of ``usim serve``, where it has one."""

    body: int = 1_000_000  # bytes, also of a line of a stream
    text: int = _limit(20_000, "The longest text.", "--max-text", "CHARACTERS")
    checked_text: int = 40_000  # characters
    pairs: int = 256  # or records or texts of a request
    suggestions: int = 1000  # of a request
    # What a worker does in a few seconds; for a request, or for a line of a stream.
    tokens: int = _limit(
        10_000, "The most tokens that are read for a request, each text as often as it is read.", "--max-tokens"
    )
    replacements: int = 8  # of a checker's match that are screened; the others are left out
    # An eighth of them may be large.
    under_way: int = _limit(64, "The most requests at a time, for each worker.", "--max-under-way")
    seconds: float = _limit(30.0, "How long a request may take.", "--time-limit", "SECONDS")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that :func:`usim.serve.run.run` needs; can be sent to other processes.

    Attributes:
        host, port: where the service listens.
        workers: how many processes.
        options: options of scorer and screen by name, see :class:`usim.options.Options`.
        checker: ``harper``, the address of a LanguageTool server, or None for no LanguageTool protocol.
        checker_seconds: how long a LanguageTool server may take to answer.
        keys: API keys, one of which each request must bring; none: everybody is let in.
        origins: web pages that browsers may call from, such as ``https://editor.example``.
        hosts: names by which the service may be called; none: any.
        wait: how many seconds the first request of a batch waits for others.
        grace: how many seconds requests under way have when the service is stopped.
        limits: what the service accepts.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    workers: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    checker: str | None = None
    checker_seconds: float = 10.0
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
    """Read a file of API keys, one a line; blank lines and lines that begin with ``#`` do not count.

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
