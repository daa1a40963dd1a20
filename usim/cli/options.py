"""Options that several commands share, and the scorer, screen or checker that they describe."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from usim.errors import InputError, OptionError
from usim.records import FORMATS
from usim.registry import DEFAULT as DEFAULT_MODEL
from usim.text.paths import check_distinct, files_named

if TYPE_CHECKING:
    from usim.checkers import Checker, CheckRequest
    from usim.scorer import Scorer
    from usim.screen import Screen
    from usim.ucca import Graph

Command = Callable[..., Any]

#: Equals :data:`usim.judge.risk.DEFAULT_RISK`, whose module is too slow to import for a help page.
DEFAULT_RISK = 0.1
#: Types of values that several options have.
SHARE, AT_LEAST_ONE = click.FloatRange(0, 1), click.IntRange(1)


class Risk(click.FloatRange):
    """A share from 0 to 1, or ``strict``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert a share to a number."""
        return value if value == "strict" else super().convert(value, param, ctx)


def option(*names: str, **settings: Any) -> Command:
    """Return an option of :mod:`click`, whose default the help shows."""
    return click.option(*names, show_default="default" in settings, **settings)


def format_option(*forms: str, help: str | None = None) -> Command:
    """Return ``--format``, whose default is the first of these forms."""
    return option("--format", "form", type=click.Choice(forms), default=forms[0], help=help)


def with_options(*options: Command) -> Command:
    """Return a decorator that gives a command these options, in the order of its help."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def pop_options(given: dict[str, Any], *names: str) -> dict[str, Any]:
    """Remove the options of these names from the given ones, and return them."""
    return {name: given.pop(name) for name in names}


#: Metavars of options whose values name no file.
_NO_FILES = {"TEXT", "URL", "CODE", "RULE", "ORIGIN", "ADDRESS", "LIMIT=NUMBER", "SOURCE,OUTPUT", "SOURCE,OUTPUT,…",
             "SOURCE,OUTPUT,LABEL"}  # fmt: skip


def may_name_file(parameter: click.Parameter) -> bool:
    """Return whether the value of an option may name a file, alone or after a prefix as in ``mrp:FILE``."""
    return isinstance(parameter.type, click.types.StringParamType) and parameter.metavar not in _NO_FILES


class OutputOption(click.Option):
    """An option that names a file to write, which must be neither an input nor another output of the command.

    Names of compressed files are refused, because only ``usim batch`` compresses.
    """

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Check the option against the others of the command."""
        value, args = super().handle_parse_result(ctx, opts, args)
        if ctx.resilient_parsing:
            return value, args
        if isinstance(value, str) and value.endswith((".gz", ".zst")):
            raise click.BadParameter(f"the output is not compressed: give it another name than {value}", ctx, self)
        output = value if isinstance(value, str) else ""  # click has a mark of its own for an option that is not given
        outputs, inputs = [], []
        for parameter in ctx.command.get_params(ctx):
            given = opts.get(parameter.name or "")
            names = [name for name in (given if isinstance(given, list | tuple) else [given]) if isinstance(name, str)]
            if isinstance(parameter, OutputOption):
                outputs += [(f"what {parameter.opts[-1]} names", name) for name in names if name != "-"]
            elif isinstance(parameter, click.Argument):
                inputs += [name for name in names if name == "-" or os.path.isfile(name)]
            elif may_name_file(parameter):
                inputs += [file for name in names for file in files_named(name, output)]
        check_distinct(
            inputs, outputs, to_standard_output=self.name == "output" and (value == "-" or not isinstance(value, str))
        )
        return value, args


def output_option(what: str = "Where to write.") -> Command:
    """Return ``-o``, which names a file in every command."""
    return option("-o", "--output", cls=OutputOption, metavar="OUT", help=f"{what}  [default: standard output]")


def _check_sentence(context: click.Context, parameter: click.Parameter, text: str) -> str:
    """Refuse the name of a file in the place of a sentence."""
    if os.path.isfile(text):
        hint = (
            "usim draw and Scorer.score(graph, graph) take graphs"
            if text.endswith(".xml")
            else "usim score takes files"
        )
        raise click.UsageError(f"{text!r} is a file, and a sentence is needed here; {hint}")
    return text


#: The sentences before and after a change, as words of the command line.
sentence_arguments = with_options(
    click.argument("source", metavar="SOURCE", callback=_check_sentence),
    click.argument("changed", metavar="OUTPUT", callback=_check_sentence),
)


def check_file(path: str, *, instead: str = "name one of its files", missing: str = "") -> None:
    """Check that a file is there before a model is loaded for it, and no folder; ``-`` is standard input.

    The error about a folder says what to do ``instead``, that about no file also what is ``missing``.
    """
    if os.path.isdir(path):
        raise InputError(f"a folder; {instead}", path=path)
    if path != "-" and not os.path.exists(path):
        raise InputError("; ".join(filter(None, ("No such file or directory", missing))), path=path)


def read_graph_file(path: str) -> Graph:
    """Read the graph of a file in UCCA XML; the error about another file names the command for sentences.

    Raises:
        InputError: the file is not there, or is no XML.
        FormatError: it is XML and no graph.
    """
    from usim.text.files import open_binary
    from usim.ucca import read_xml

    files = "graphs come from files in UCCA XML (usim parse --format ucca-xml)"
    instead = f'{files}; for sentences: usim explain "SOURCE" "OUTPUT"'
    check_file(path, instead=instead, missing=instead)
    if path != "-":
        with open_binary(path) as file:
            begin = file.read(1024).replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
        if not begin.startswith(b"<"):
            raise InputError(f"not UCCA XML; {instead}", path=path)
    return read_xml(path)


model_option = option(
    "--model", default=DEFAULT_MODEL, help="Parser and judge together: en, en-fast, or a model that is installed."
)

guidelines_option = option(
    "--guidelines", type=click.Choice(["1", "2"]),
    callback=lambda context, parameter, value: None if value is None else int(value),
    help="Which version of the UCCA guidelines to parse by.  [default: the parser's own]",
)  # fmt: skip

#: What graphs are parsed with; for commands of people who study graphs.
parser_options = with_options(
    model_option,
    option("--parser", help="Parser in place of the model's: en, en-fast, onnx:DIR, xml:DIR or mrp:FILE "
           "(see docs/how-to/parsers.md)."),
)  # fmt: skip

tokenised_option = option("--tokenised", is_flag=True, help="The texts are tokenised: split them at blanks alone.")

inflect_option = option(
    "--inflect", is_flag=True, help="Substitutes are lemmas: put them into the form of their targets."
)


format_in_option = option(
    "--format-in", "format_in", type=click.Choice(list(FORMATS)),
    help="The format of the input.  [default: by the ending of its name; jsonl for standard input]",
)  # fmt: skip

preset_option = option(
    "--preset", type=click.Choice(["default", "paper", "paper-plain", "reference"]),
    default="default",
    help="How graphs are aligned and compared: usim's choice; the same with remote edges; with more "
    "weight at the top; the paper's formula; that with words aligned by edit distance alone; the published scorer's.",
)  # fmt: skip

#: The judge, and the faithfulness at which its verdicts change.
verdict_options = with_options(
    option("--judge", help="The judge in place of the model's. usim: USim alone; llm:NAME: a large language model, on "
           "the server of $USIM_LLM_ENDPOINT; or the file of usim tune."),
    option("--keep", type=SHARE, help="Verdict keep from this faithfulness on; between --drop and --keep: review.  "
           "[default: the judge's own]"),
    option("--drop", type=SHARE, help="Verdict drop below this faithfulness.  [default: the judge's own]"),
    option("--risk", type=Risk(0, 1), default=DEFAULT_RISK, metavar="SHARE|strict",
           help="The share of wrong verdicts that you accept; a smaller one leaves more to review. strict: the "
           "smallest, for medical, legal and news text."),
)  # fmt: skip

policy_option = option(
    "--policy", type=click.Choice(["same", "shorten", "expand"]), default="same",
    help="What an output may do: say the same; leave details out; or add details.",
)  # fmt: skip

#: All that a verdict depends on, except the model.
judge_options = with_options(
    verdict_options,
    option("--ask", metavar="JUDGE", help="Have this judge decide what would be left to review; llm:NAME: a large "
           "language model."),
    policy_option,
)  # fmt: skip

checker_options = with_options(
    option("--languagetool", metavar="URL", help="Ask a LanguageTool server of yours.  [default: Harper, on this "
           "machine]"),
    option("--language", default="auto", metavar="CODE", help="en-US, en-GB, en-AU, en-CA, en-IN."),
    option("--enable-rule", "enabled", multiple=True, metavar="RULE",
           help="A rule of the checker that is off by default; may be repeated."),
    option("--disable-rule", "disabled", multiple=True, metavar="RULE", help="A rule to leave out; may be repeated."),
    option("--picky", "is_picky", is_flag=True, help="Also by rules that are about taste."),
)  # fmt: skip


def _with_llm_judge(options: dict[str, Any]) -> dict[str, Any]:
    """Load the judge of ``--judge llm:NAME`` or ``--ask llm:NAME``; when the command ends, its costs are printed."""
    from usim.judge import load_judge
    from usim.judge.llm import PREFIX, LlmJudge

    named = [key for key in ("judge", "ask") if str(options.get(key)).startswith(PREFIX)]
    if len(named) > 1:
        raise click.UsageError("--ask is for another judge than a large language model, which leaves little to review")
    if not named:
        return options
    (key,) = named
    judge = load_judge(options[key])
    assert isinstance(judge, LlmJudge)

    def report() -> None:
        usage = judge.model.usage
        if usage.requests or usage.cached:
            asked = f"; {usage.by_number} asked for a number, not answered by yes or no" if usage.by_number else ""
            unparsed = f"; {usage.unparsed} without an answer, left to review, in no mean" if usage.unparsed else ""
            click.echo(f"{usage.text()}{asked}{unparsed}", err=True)

    click.get_current_context().call_on_close(report)
    return options | {key: judge}


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn errors about options into usage errors of click."""
    try:
        yield
    except OptionError as e:
        if e.option == "thresholds":
            message = e.message.replace("drop ", "--drop ").replace("keep ", "--keep ")
            raise click.BadParameter(message, param_hint=e.option) from e
        named = {flag for parameter in click.get_current_context().command.params for flag in parameter.opts}
        if f"--{e.option}" not in named:
            raise click.UsageError(e.message) from e
        raise click.BadParameter(e.message, param_hint=f"--{e.option}") from e


def make_checker(given: dict[str, Any]) -> tuple[Checker, Callable[[str, bool], CheckRequest]]:
    """Remove :data:`checker_options` from the given options, and make what they describe.

    Returns:
        the checker, and a function that makes its request from a text and whether that text is Markdown.
    """
    from usim.checkers import CheckRequest, load_checker

    with usage_errors():
        checker = load_checker(given.pop("languagetool") or "harper", seconds=60.0)
    asked = pop_options(given, "language", "enabled", "disabled", "is_picky")
    rules = {f"{name}_rules": frozenset(asked.pop(name)) for name in ("enabled", "disabled")}
    return checker, lambda text, is_markdown: CheckRequest.of(
        text, markup="markdown" if is_markdown else "plaintext", **rules, **asked
    )


def make_scorer(**options: Any) -> Scorer:
    """Make a scorer from options, which are named as in :class:`usim.options.Options`."""
    from usim.options import Options
    from usim.scorer import Scorer

    with usage_errors():
        return Scorer.from_options(Options(**_with_llm_judge(options)))


def make_screen(**options: Any) -> Screen:
    """Make a screen from options, see :func:`make_scorer`."""
    from usim.options import Options
    from usim.screen import Screen

    with usage_errors():
        return Screen.from_options(Options(**_with_llm_judge(options)))
