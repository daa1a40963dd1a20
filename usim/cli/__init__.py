"""The command line: ``usim COMMAND …``.

Each command is a module of this package that only reads options and calls what the library offers. A command's module
is imported when it is used, so that ``usim --help`` and a usage error answer at once.

Exit codes: 0 done; 1 a check or a gate said no; 2 wrong usage or unreadable input; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from usim._version import __version__
from usim.errors import UsimError

#: The commands, in the order of ``usim --help``, with the module and the name of each.
_COMMANDS = {
    "score": ("usim.cli.score", "How much of the meaning survived, for one pair or for two files."),
    "screen": ("usim.cli.screen", "Which suggestions of a writing assistant keep the meaning."),
    "batch": ("usim.cli.batch", "Score or screen files of any length, on one core or on many."),
    "parse": ("usim.cli.parse", "Parse sentences to UCCA graphs."),
    "explain": ("usim.cli.explain", "Show both graphs, the alignment and what did not survive."),
    "evaluate": ("usim.cli.evaluate", "How well graphs agree with gold graphs, as UCCA papers count."),
    "sws": ("usim.cli.sws", "Score a system on Smart Word Suggestions."),
    "prolex": ("usim.cli.prolex", "Score a system on ProLex."),
    "swords": ("usim.cli.swords", "Score a system on SWORDS."),
    "baseline": ("usim.cli.baseline", "Run a simple system, to compare yours with."),
    "generate": ("usim.cli.generate", "Make training data for word suggestions from any sentences."),
}


class _Commands(click.Group):
    """A group that imports its commands when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(_COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", prog_name="usim")
def cli() -> None:
    """Did the meaning survive the change?

    usim compares a sentence with a changed version of it: it parses both to UCCA graphs, aligns them, and says how much
    of the structure survived in either direction.
    """


def main(arguments: list[str] | None = None) -> None:
    """The console script. Errors that usim raises on purpose are printed without a traceback."""
    try:
        cli.main(args=arguments, prog_name="usim", standalone_mode=False)
    except click.exceptions.Exit as e:
        sys.exit(e.exit_code)
    except click.ClickException as e:
        e.show()
        sys.exit(e.exit_code)
    except UsimError as e:
        click.echo(f"usim: {e}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("usim: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader went away (`usim … | head`); a second error at interpreter exit would only confuse.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
