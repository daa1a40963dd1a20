"""Progress of long computations, on standard error."""

from __future__ import annotations

import sys
import time

_SHORT = 512  # items; below this there is nothing to report
_EVERY = 30.0  # seconds between two lines where there is no terminal


class Progress:
    """Progress of a long computation: a line that is rewritten on a terminal, a line now and then elsewhere."""

    def __init__(self, total: int, what: str, *, shown: bool = True) -> None:
        self._total, self._what = total, what
        self._shown = shown and total >= _SHORT
        self._done, self._begun, self._reported = 0, time.monotonic(), time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def advance(self, count: int) -> None:
        """Count more items as done."""
        self._done += count
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if not self._shown or (not terminal and self._done < self._total and now - self._reported < _EVERY):
            return
        self._reported = now
        rate = self._done / max(now - self._begun, 1e-9)
        left = (self._total - self._done) / max(rate, 1e-9)
        line = f"{self._done:,} of {self._total:,} {self._what}, {rate:,.0f} a second, {left:,.0f} seconds left"
        print(f"\r\x1b[K{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._shown and sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
