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


class Group(click.Group):
    """A group whose help has the whole first sentence of each command, however narrow the terminal is."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(1000)) for name, command in self.commands.items()])
