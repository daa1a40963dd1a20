"""Which server is asked for which model, and within which limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from usim.errors import InputError, OptionError

#: The environment variables of the address and the key.
ENDPOINT_VARIABLE, KEY_VARIABLE = "USIM_LLM_ENDPOINT", "USIM_LLM_KEY"
#: Environment variables with whole numbers, the field of :class:`Endpoint` that each sets, and the most it can be.
_LIMITS = {
    "USIM_LLM_CONCURRENCY": ("concurrency", 1000),
    "USIM_LLM_MAX_TOKENS": ("max_tokens", 1_000_000),
    "USIM_LLM_TIMEOUT": ("seconds", 86_400),
}


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A model behind an OpenAI-compatible server, and the limits on requests.

    Attributes:
        url: the address of the server, up to and with ``/v1``.
        model: the name of the model.
        key: what the server asks for as a password; None for none. It is never shown.
        seconds: how long the server may be silent.
        retries: how often a request is sent again when the server has too much to do, fails or cannot be reached.
        max_tokens: the longest answer, thoughts included.
        concurrency: how many requests are under way at a time.
        cache: the file that keeps the answers; None to keep them in memory alone.

    Raises:
        OptionError: the address is none, or no model is named.
        InputError: the key cannot be one.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    seconds: float = 60.0
    retries: int = 5
    max_tokens: int = 512
    concurrency: int = 4
    cache: Path | None = None

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_address = False
        if not is_address:
            raise OptionError(f"{self.url!r} is no address; one looks like http://localhost:8000/v1", option="endpoint")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise OptionError(f"give the key in {KEY_VARIABLE}, not in the address", option="endpoint")
        if not self.model:
            raise OptionError("a model must be named", option="model")
        key = self.key
        # The error of the client would show a key that cannot stand in a header.
        if key is not None and (not key.isascii() or not key.isprintable() or len(key.split()) != 1):
            raise InputError(f"a key is needed: letters, digits and marks without blanks; see {KEY_VARIABLE}")

    @property
    def host(self) -> str:
        """The host of the server, for signatures."""
        return urlsplit(self.url).hostname or ""

    @classmethod
    def from_environment(cls, model: str, **settings: Any) -> Endpoint:
        """Return the endpoint that the environment variables name, with other ``settings``.

        ``USIM_LLM_ENDPOINT`` is the address; ``USIM_LLM_KEY`` the key, ``USIM_LLM_CACHE`` the cache,
        ``USIM_LLM_CONCURRENCY`` the number of requests at a time, ``USIM_LLM_MAX_TOKENS`` the longest answer and
        ``USIM_LLM_TIMEOUT`` the seconds that the server may be silent, where they are set.

        Raises:
            OptionError: there is no address, or a variable has a wrong value.
        """
        url = os.environ.get(ENDPOINT_VARIABLE)
        if not url:
            raise OptionError(f"which server has the model {model}? Name it by {ENDPOINT_VARIABLE}", option="endpoint")
        for variable, (name, most) in _LIMITS.items():
            if (text := os.environ.get(variable)) is not None:
                if not text.isdecimal() or not 1 <= int(text[:9]) <= most:
                    raise OptionError(f"{variable} must be a number from 1 to {most}", option=name)
                settings[name] = int(text)
        cache = os.environ.get("USIM_LLM_CACHE")
        key = os.environ.get(KEY_VARIABLE) or None
        return cls(url=url, model=model, key=key, cache=Path(cache) if cache else None, **settings)
