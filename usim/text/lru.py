"""A cache of bounded size that forgets the least recently used values first."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """Values by their keys, for several threads: up to a total size of ``room``; the newest value is always kept.

    >>> cache = LRUCache(5)
    >>> for key in "abc":
    ...     cache.keep(key, key.upper(), size=2)
    >>> cache.get("a"), cache.get("b"), cache.items()
    (None, 'B', [('c', 'C'), ('b', 'B')])
    """

    def __init__(self, room: int = 0) -> None:
        self._held: dict[K, tuple[V, int]] = {}
        self._room = room
        self._size = 0
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """Return a value and mark it as used; None where there is none."""
        with self._lock:
            if (held := self._held.pop(key, None)) is None:
                return None
            self._held[key] = held
            return held[0]

    def items(self) -> list[tuple[K, V]]:
        """Return all keys with their values, without marking them as used; the least recently used come first."""
        with self._lock:
            return [(key, value) for key, (value, _) in self._held.items()]

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep a value of this size, and forget the least recently used ones that no longer fit."""
        with self._lock:
            self._size += size - self._held.pop(key, (value, 0))[1]
            self._held[key] = value, size
            while self._size > self._room and len(self._held) > 1:
                self._size -= self._held.pop(next(iter(self._held)))[1]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._held, self._size = {}, 0
