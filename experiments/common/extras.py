"""Libraries of the extra ``studies``, imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from usim.errors import InputError


def extra(module: str, what: str, package: str = "") -> Any:
    """Import a module of a library that usim itself does not need; ``what`` needs it, in the plural.

    The ``package`` is what is installed, if it is not called as the library.

    Raises:
        InputError: the library is not installed.
    """
    try:
        return import_module(module)
    except ImportError as e:
        library = module.partition(".")[0]
        raise InputError(f"{what} need {library}: pip install {package or library}") from e
