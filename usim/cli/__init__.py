"""The command line: ``usim COMMAND …``.

Each command is a function of its name, which only reads options and calls the library. Its module is imported when the
command is used, so that ``usim --help`` and usage errors are quick.

Exit codes: 0 done; 1 a gate such as ``--fail-on`` said no; 2 wrong usage, unreadable input, or output that cannot be
written; 130 interrupted; 141 the reader of the output went away before the end (``usim … | head``), which is the code
that shells report after SIGPIPE.
"""

from __future__ import annotations

import os
import sys
import warnings
from difflib import get_close_matches
from importlib import import_module

import click

from usim._version import __version__
from usim.benchmarks import BENCHMARKS
from usim.cli.options import examples
from usim.cli.output import discard, prepare_streams
from usim.errors import LanguageWarning, UsimError

DONE, WRONG, INTERRUPTED, READER_GONE = 0, 2, 130, 141

#: The commands, in the order of ``usim --help``, with the module of each, and what it does.
_COMMANDS = {
    "score": ("usim.cli.score", "Say whether the meaning survived, for a pair, for files, for several systems."),
    "compare": ("usim.cli.compare", "Say what happened to a whole text, sentence by sentence."),
    "screen": ("usim.cli.screen", "Say which suggestions of a writing assistant keep the meaning."),
    "check": ("usim.cli.check", "Check texts, and show which suggestions of the checker keep the meaning."),
    "repair": ("usim.cli.pair", "Undo the fewest changes after which an output keeps the meaning."),
    "batch": ("usim.cli.batch", "Score, screen or compare files of any length, on one core or on many."),
    "report": ("usim.cli.report", "Make a page of results to look at, search and filter."),
    "tune": ("usim.cli.tune", "Choose thresholds with labelled pairs of your own."),
    "parse": ("usim.cli.parse", "Parse sentences to UCCA graphs."),
    "explain": ("usim.cli.pair", "Show both graphs, the alignment and what did not survive."),
    "draw": ("usim.cli.graphs", "Draw a graph from a file, or two with their alignment."),
    "align": ("usim.cli.graphs", "Say which words and units of two graphs from files belong together."),
    "serve": ("usim.cli.serve", "Answer requests over HTTP."),
    "lsp": ("usim.cli.serve", "Check texts in an editor, over the Language Server Protocol."),
    "mcp": ("usim.cli.serve", "Check the rewrites of an agent, over the Model Context Protocol."),
    "evaluate": ("usim.cli.evaluate", "Compare graphs with gold graphs, as UCCA papers do."),
    **{name: ("usim.cli.benchmark", f"Score a system on {title}.") for name, (_, title) in BENCHMARKS.items()},
    "samples": ("usim.cli.samples", "Write small files to try the commands on."),
}


class _Commands(click.Group):
    """A group that imports a command when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            if ctx.resilient_parsing:  # a shell asks how to complete the name
                return None
            near = get_close_matches(cmd_name, _COMMANDS)
            ctx.fail(f"No such command {cmd_name!r}." + (f" Did you mean {' or '.join(near)}?" if near else ""))
        module = import_module(_COMMANDS[cmd_name][0])
        command = module.command_of(cmd_name) if hasattr(module, "command_of") else getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    epilog=examples(
        'usim score --text "Mary gave John a book yesterday." "Mary gave a book."',
        "usim screen suggestions.jsonl -o verdicts.jsonl",
        "usim score --help",
    ),
)
@click.version_option(__version__, "--version", prog_name="usim")
def cli() -> None:
    """Did the meaning survive the change?

    usim compares a sentence with a corrected or reworded version of it, and says whether the meaning is kept, and if
    not, what happened to it.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the console script. Errors that usim raises on purpose are printed as one line."""
    prepare_streams()
    # Worker processes must not import modules from the current folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    warnings.simplefilter("ignore", LanguageWarning)  # commands warn of the lines themselves
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except OSError as e:  # a stream or a file failed
        discard()
        code = READER_GONE
        if not isinstance(e, BrokenPipeError):
            code = WRONG
            click.echo(f"usim: {e.filename or 'standard input or output'}: {e.strerror or e}", err=True)
    if code:
        sys.exit(code)


def _run(arguments: list[str] | None) -> int:
    """Run the command that the arguments name, and return its exit code."""
    try:
        if "_USIM_COMPLETE" in os.environ:
            cli.main(prog_name="usim")
        # Command.main would exit with 1 if the reader of the output went away.
        with cli.make_context("usim", sys.argv[1:] if arguments is None else [*arguments]) as context:
            cli.invoke(context)
    except click.exceptions.Exit as e:
        return e.exit_code
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else DONE
    except click.ClickException as e:
        e.show()
        return e.exit_code
    except UsimError as e:
        click.echo(f"usim: {e}", err=True)
        return WRONG
    except KeyboardInterrupt as e:
        click.echo(": ".join(("usim: interrupted", *map(str, e.args))), err=True)
        return INTERRUPTED
    return DONE
