"""A property that is computed at first use: :class:`functools.cached_property` without its lock.

Until Python 3.12 the lock costs more than most of the properties that the comparison of words caches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 - a decorator
    """A property that is computed once for each object."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> once[T]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> T: ...
    def __get__(self, owner: object | None, kind: type) -> once[T] | T:
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._function(owner)
        return value
