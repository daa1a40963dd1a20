"""Help pages: the examples at their ends, and lists of commands that are wrapped and not cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def examples(*lines: str) -> str:
    """Return examples of a command for the end of its help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def subcommand(name: str, *lines: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Return the decorator of a command of ``usim``, with examples at the end of its help."""
    return click.command(name, epilog=examples(*lines))
