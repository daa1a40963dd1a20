"""How many requests are worked on at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from prometheus_client import Gauge

from usim.serve._problems import ProblemError


class Places:
    """Places for requests that are worked on in this process; ``refusal`` is what a request is told that finds none."""

    def __init__(self, count: int, gauge: Gauge, refusal: str) -> None:
        self._free = asyncio.Semaphore(count)
        self._gauge, self._refusal = gauge, refusal

    @asynccontextmanager
    async def taken(self, *, waits: bool = False) -> AsyncIterator[None]:
        """Hold a place; where none is free, wait for one, or refuse."""
        if self._free.locked() and not waits:
            raise ProblemError(503, self._refusal, retry=1)
        async with self._free:
            self._gauge.inc()
            try:
                yield
            finally:
                self._gauge.dec()
