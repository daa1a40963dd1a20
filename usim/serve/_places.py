"""How much is taken on at a time: places for requests that are worked on, and requests a minute."""

from __future__ import annotations

import asyncio
import sqlite3
import time
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


class Rate:
    """Requests a minute of each client, counted for all worker processes together, which share the file.

    For each client it holds the time at which all of its requests will have been made good for; one more adds the
    minute's share of a request (the "generic cell rate algorithm" of networks).
    """

    def __init__(self, limit: int, path: str) -> None:
        self._limit = limit
        self._table = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._table.execute("PRAGMA journal_mode = WAL")
        self._table.execute("PRAGMA synchronous = OFF")
        self._table.execute("CREATE TABLE IF NOT EXISTS clients (client TEXT PRIMARY KEY, due REAL)")
        self._table.execute("CREATE INDEX IF NOT EXISTS dues ON clients (due)")

    def check(self, client: str) -> None:
        """Count a request, or refuse it; one that is refused does not count."""
        now, share = time.monotonic(), 60 / self._limit
        self._table.execute("DELETE FROM clients WHERE due < ?", (now,))
        counted = self._table.execute(
            "INSERT INTO clients VALUES (:client, :now + :share) "
            "ON CONFLICT DO UPDATE SET due = due + :share WHERE due + :share <= :now + 60.001 RETURNING due",
            {"client": client, "now": now, "share": share},
        ).fetchall()
        if not counted:
            rows = self._table.execute("SELECT due FROM clients WHERE client = ?", (client,)).fetchall()
            retry = int(max(0.0, rows[0][0] + share - now - 60)) + 1 if rows else 1
            raise ProblemError(429, f"more than {self._limit} requests a minute: try again in {retry} s", retry=retry)
