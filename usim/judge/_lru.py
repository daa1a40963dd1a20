"""A cache of bounded size that forgets the least recently used values first."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """Values by their keys, for several threads.

    Args:
        room: the greatest total size of the values. The newest value is always kept.

    >>> cache = LRUCache(5)
    >>> for key in "abc":
    ...     cache.keep(key, key.upper(), size=2)
    >>> cache.get("a"), cache.get("b"), cache.values
    (None, 'B', {'c': 'C', 'b': 'B'})
    """

    def __init__(self, room: int = 0) -> None:
        self.values: dict[K, V] = {}
        self._sizes: dict[K, int] = {}
        self._room = room
        self._held = 0
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return a value and mark it as used; None where there is none."""
        with self._lock:
            if (value := self.values.pop(key, None)) is not None:
                self.values[key] = value
        return value

    def items(self) -> list[tuple[K, V]]:
        """Return all keys with their values, without marking them as used."""
        with self._lock:
            return list(self.values.items())

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep a value of this size, and forget the least recently used ones that no longer fit."""
        with self._lock:
            self.values.pop(key, None)
            self._held += size - self._sizes.pop(key, 0)
            self.values[key], self._sizes[key] = value, size
            while self._held > self._room and len(self.values) > 1:
                oldest = next(iter(self.values))
                del self.values[oldest]
                self._held -= self._sizes.pop(oldest)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self.values, self._sizes, self._held = {}, {}, 0
