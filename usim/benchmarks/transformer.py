"""Models of the user's that ``transformers`` loads: the libraries on demand, and what went wrong in one line."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from usim.errors import InputError, UsimError


def import_libraries(what: str) -> tuple[Any, Any]:
    """Import ``torch`` and ``transformers`` and return them; ``what`` needs them, for the message.

    Raises:
        UsimError: one of them is not installed.
    """
    try:
        return importlib.import_module("torch"), importlib.import_module("transformers")
    except ImportError as e:
        raise UsimError(f"{what} transformers and torch: pip install torch transformers") from e


@contextmanager
def loading(name: str, *others: type[Exception]) -> Iterator[None]:
    """Turn what goes wrong while a model is loaded into an error that names it.

    Args:
        name: the folder or the name of the model.
        others: kinds of errors beside those that ``transformers`` raises.

    Raises:
        InputError: the model cannot be loaded.
    """
    kinds: tuple[type[Exception], ...] = (OSError, ValueError, RuntimeError, *others)
    try:
        yield
    except kinds as e:
        raise InputError(f"the model cannot be loaded: {str(e).splitlines()[0]}", path=name) from e


def check_mask(tokeniser: Any, name: str) -> None:
    """Check that the model is one for masked words.

    Raises:
        InputError: it has no mask.
    """
    if tokeniser.mask_token_id is None:
        raise InputError("the model has no mask: a masked language model is needed", path=name)
