"""A limit on the number of requests that are processed at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import Gauge

from usim.serve._problems import ProblemError


class ConcurrencyLimit:
    """A limit on requests in progress in this process; ``refusal`` is the message for those beyond it."""

    def __init__(self, count: int, gauge: Gauge, refusal: str) -> None:
        self._free = asyncio.Semaphore(count)
        self._gauge, self._refusal = gauge, refusal

    @asynccontextmanager
    async def slot(self, *, waits: bool = False) -> AsyncIterator[None]:
        """Hold one of the slots; if none is free, wait for one or refuse the request."""
        if self._free.locked() and not waits:
            raise ProblemError(503, self._refusal, retry=1)
        async with self._free:
            self._gauge.inc()
            try:
                yield
            finally:
                self._gauge.dec()
