"""Examples at the end of help pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def examples(*lines: str) -> str:
    """Return examples of a command for the end of its help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def subcommand(name: str, *lines: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a command of ``usim`` whose help ends with examples."""
    return click.command(name, epilog=examples(*lines))
