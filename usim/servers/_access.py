"""What addresses and keys of servers may be, and texts and logs without the keys.

All that leaves this package and :mod:`usim.checkers` goes through :func:`masked`: answers, errors, caches and the logs
of the packages that speak HTTP.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from usim.errors import UsimError, extra

#: The loggers of the packages that speak HTTP; what a server sends stands in their messages.
_LOGGERS = (
    *("httpx", "httpx_retries", "httpx_retries.retry", "httpx_retries.transport"),
    *(f"httpcore.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")),
)

T = TypeVar("T")


def web_packages(what: str, of: str) -> tuple[Any, Any]:
    """Return the packages ``httpx`` and ``httpx_retries`` for what needs them, see :func:`usim.errors.extra`."""
    httpx, retries = (extra(name, what, "httpx httpx-retries", of=of) for name in ("httpx", "httpx_retries"))
    return httpx, retries


def check_address(url: str, example: str, error: Callable[[str], UsimError]) -> None:
    """Raise an error if something is no address of a server, or one with a password or a key in it."""
    if not {"@", "?", "#"}.isdisjoint(url):
        raise error("a password or a key has no place in an address: give the address without them")
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or len(url.split()) != 1 or not url.isprintable():
        raise error(f"{url!r} is no address: write {example}")


def check_key(key: str | None, hint: str, error: Callable[[str], UsimError]) -> None:
    """Raise an error, which does not show it, if a key cannot stand in a header; keep the key out of the logs."""
    if key is None:
        return
    if not key.isascii() or not key.isprintable() or len(key.split()) != 1 or key != key.strip():
        raise error(f"a key is needed: letters, digits and marks without blanks; see {hint}")
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_without(key))


def masked(text: str, key: str | None) -> str:
    """Return a text with an ellipsis wherever a key stands in it, as it is or as addresses and JSON write it.

    >>> masked("Bearer sk/1 and sk%2F1", "sk/1")
    'Bearer … and …'
    """
    for written in {key, quote(key, safe=""), quote(key), json.dumps(key)[1:-1]} if key else ():
        text = text.replace(written, "…")
    return text


def _without(key: str) -> Callable[[logging.LogRecord], bool]:
    def mask(record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if (shown := masked(message, key)) != message:
            record.msg, record.args = shown, ()
        return True

    return mask


async def together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return the results of calls, in order; when one of them fails, or this is cancelled, cancel the others."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
