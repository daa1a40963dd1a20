"""Options that several commands share, and the scorer, screen or checker that they describe."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click import option
from click.core import ParameterSource

from usim.errors import InputError
from usim.records import FORMATS
from usim.registry import DEFAULT as DEFAULT_MODEL
from usim.text.files import check_outputs

if TYPE_CHECKING:
    from usim.checkers import Checker, CheckRequest
    from usim.judge import LlmJudge
    from usim.scorer import Scorer
    from usim.screen import Screen

Command = Callable[..., Any]

#: Equals :data:`usim.verdicts.thresholds.DEFAULT_RISK`; that module imports too slowly for a help page.
DEFAULT_RISK = 0.1
#: Types of values that several options have.
SHARE, AT_LEAST_ONE = click.FloatRange(0, 1), click.IntRange(1)
#: How the help names a file to write, and the options that name one.
OUT = "OUT"
_OUTPUTS = ("output", "plot")
#: The options with which a command writes its input again.
_AGAIN = ("fix", "filter_", "filter_review")
#: The endings of file names for formats with another name.
_ENDINGS = {"txt": "text", "md": "markdown", "tex": "latex", "xml": "ucca-xml", "htm": "html"}
#: The endings of formats that no command writes, and of formats that only some commands write.
_UNWRITTEN = frozenset("pdf doc odt rtf xls xlsx ods ppt pptx png jpg jpeg gif".split())
_RARE = frozenset(("docx", "html", "svg"))


def examples(*lines: str) -> str:
    """Return examples of a command for the end of its help."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


class _OutputCommand(click.Command):
    """A command whose outputs must be neither its inputs nor each other.

    Without ``--format``, the ending of the output's name chooses the format, if there is such a format. The command
    refuses the ending of a format that it does not write, and ignores any other ending.
    """

    def invoke(self, ctx: click.Context) -> Any:
        ending = (ctx.params.get("output") or "").rpartition(".")[2].lower()
        named = _ENDINGS.get(ending, ending)
        forms = next((parameter.type for parameter in self.params if parameter.name == "form"), None)
        is_free = ctx.get_parameter_source("form") is ParameterSource.DEFAULT and not any(map(ctx.params.get, _AGAIN))
        choices = forms.choices if isinstance(forms, click.Choice) else ()
        if is_free and named in choices:
            ctx.params["form"] = named
        inputs, outputs = [], []
        for parameter in self.params:
            given = ctx.params.get(parameter.name or "")
            names = [name for name in (given if isinstance(given, tuple) else [given]) if isinstance(name, str)]
            if parameter.name in _OUTPUTS:
                outputs += [(f"what {parameter.opts[-1]} names", name) for name in names if name != "-"]
            else:  # a value may name a file behind a prefix, as in mrp:FILE
                paths = [path for name in names for path in (name, name.partition(":")[2])]
                inputs += [path for path in paths if path == "-" or os.path.isfile(path)]
        check_outputs(inputs, outputs, to_standard_output=ctx.params.get("output") in (None, "-"))
        for _, name in outputs:
            if name.endswith((".gz", ".zst")) and ctx.command.name != "batch":
                raise InputError("the output is not compressed: give it another name", path=name)
        is_unwritten = named in _UNWRITTEN and (is_free or not choices)  # --format goes before the name
        if is_unwritten or (is_free and named in _RARE and named not in choices):
            hint = f", or --format: {', '.join(choices)}" if choices else ""
            raise click.UsageError(f"this command writes no {ending}: give {ctx.params['output']} another ending{hint}")
        return super().invoke(ctx)


def subcommand(*lines: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a function the command of its name, whose help ends with examples."""
    return click.command(cls=_OutputCommand, epilog=examples(*lines))


def with_options(*options: Command) -> Command:
    """Return a decorator that gives a command these options, in the order of its help."""

    def decorate(command: Command) -> Command:
        for each in reversed(options):
            command = each(command)
        return command

    return decorate


def pop_options(given: dict[str, Any], *names: str) -> dict[str, Any]:
    """Remove the options of these names from the given ones, and return them."""
    return {name: given.pop(name) for name in names}


def output_option(what: str = "Where to write.") -> Command:
    """Return ``-o``, which names a file in every command."""
    return option("-o", "--output", metavar=OUT, help=f"{what}  [default: standard output]")


def format_option(*forms: str, help: str | None = None) -> Command:
    """Return ``--format``; its default is the first of these forms, unless ``-o`` has the ending of another form."""
    return option("--format", "form", type=click.Choice(forms), default=forms[0], help=help)


def output_options(*forms: str, what: str = "Where to write.", help: str | None = None) -> Command:
    return with_options(output_option(what), format_option(*forms, help=help))


def check_no_sentences(files: Iterable[str], hint: str) -> None:
    """Refuse a sentence in the place of a file."""
    for file in files:
        if file.endswith((".", "!", "?")) and " " in file and not os.path.exists(file):
            raise click.UsageError(f"{file!r} is no file; {hint}")


model_option = option("--model", default=DEFAULT_MODEL, help="Parser and judge together: en or en-fast.")

guidelines_option = option(
    "--guidelines", type=click.IntRange(1, 2), metavar="1|2",
    help="Which version of the UCCA guidelines to parse by.  [default: the parser's own]",
)  # fmt: skip

#: The parser; for commands of people who study graphs.
parser_options = with_options(
    model_option,
    option("--parser", help="Parser instead of the model's: en, en-fast, onnx:DIR, tupa:MODEL, or a "
           "folder or file of graphs, as UCCA XML or MRP (see docs/how-to/graphs.md)."),
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
    help="How graphs are aligned and compared: usim's choice; the paper's formula; the same formula with words aligned "
    "by edit distance alone; as in the published scorer.",
)  # fmt: skip


def _risk(context: click.Context, parameter: click.Parameter, value: str) -> float | str:
    try:
        return value if value == "strict" else float(SHARE(value, parameter, context))
    except click.BadParameter:
        raise click.BadParameter(f"{value!r} is neither a share from 0 to 1 nor strict", context, parameter) from None


#: The judge, and the faithfulness at which its verdicts change.
verdict_options = with_options(
    option("--judge", help="The judge instead of the model's. usim: USim alone; llm:NAME: a large language model, on "
           "the server of $USIM_LLM_ENDPOINT; or the file of usim tune."),
    option("--reader", metavar="DIR", help="A cross-encoder of entailment instead of the judge's own reader: "
           "model.onnx, tokenizer.json and config.json (extra reader)."),
    option("--keep", type=SHARE, help="Verdict keep from this faithfulness on; between --drop and --keep: review.  "
           "[default: the judge's own]"),
    option("--drop", type=SHARE, help="Verdict drop below this faithfulness.  [default: the judge's own]"),
    option("--risk", default=str(DEFAULT_RISK), metavar="SHARE|strict",
           callback=_risk,
           help="The share of wrong verdicts that you accept, on pairs like those that the thresholds were chosen on; "
           "of rewrites more are wrong. A smaller one leaves more to review. strict: the smallest."),
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

#: All that a verdict depends on.
judging_options = with_options(judge_options, model_option)

checker_options = with_options(
    option("--languagetool", metavar="URL", help="Ask a LanguageTool server of yours.  [default: Harper, on this "
           "machine]"),
    option("--harper", is_flag=True, help="Ask Harper as well as the server of --languagetool."),
    option("--language", default="auto", metavar="CODE", help="en-US, en-GB, en-AU, en-CA, en-IN."),
    option("--enable-rule", "enabled", multiple=True, metavar="RULE",
           help="A rule of the checker that is off by default; may be repeated."),
    option("--disable-rule", "disabled", multiple=True, metavar="RULE", help="A rule to switch off; may be repeated."),
    option("--picky", "is_picky", is_flag=True, help="Apply rules about taste as well."),
)  # fmt: skip


def checker_names(harper: bool, languagetool: str | None) -> tuple[str, ...]:
    """Return the names of the checkers that were asked for, see :func:`usim.checkers.load_checker`."""
    return (*(("harper",) if harper else ()), *((languagetool,) if languagetool is not None else ()))


def make_checker(given: dict[str, Any]) -> tuple[Checker, Callable[[str, bool], CheckRequest]]:
    """Remove :data:`checker_options` from the given options, and make what they describe.

    Returns:
        the checker, and a function that makes its request from a text and whether that text is Markdown.
    """
    from usim.checkers import CheckRequest, load_checker

    languagetool = given.pop("languagetool")
    checker = load_checker(*checker_names(given.pop("harper") or languagetool is None, languagetool), seconds=60.0)
    asked = {
        "enabled_rules": frozenset(given.pop("enabled")),
        "disabled_rules": frozenset(given.pop("disabled")),
        **pop_options(given, "language", "is_picky"),
    }
    return checker, lambda text, is_markdown: CheckRequest(text, is_markdown=is_markdown, **asked)


def make_scorer(**options: Any) -> Scorer:
    """Make a scorer from options, which are named as in :class:`usim.options.Options`."""
    from usim.scorer import Scorer

    return _with_costs(Scorer(**options))


def make_screen(**options: Any) -> Screen:
    """Make a screen from options, see :func:`make_scorer`."""
    from usim.screen import Screen

    screen = Screen(**options)
    _with_costs(screen.scorer)
    return screen


def _with_costs(scorer: Scorer) -> Scorer:
    """Return a scorer; when the command ends, the costs of its large language model are printed."""
    from usim.judge import LlmJudge

    judges = [judge for judge in (scorer.judge, scorer.pipeline.ask) if isinstance(judge, LlmJudge)]
    if len(judges) > 1:
        raise click.UsageError("--judge and --ask cannot both be language models: the judge leaves little to review")
    for judge in judges:
        click.get_current_context().call_on_close(partial(_tell_costs, judge))
    return scorer


def _tell_costs(judge: LlmJudge) -> None:
    usage = judge.model.usage
    if usage.requests or usage.cached:
        unparsed = f"; {judge.unparsed} without an answer, left to review, in no mean" if judge.unparsed else ""
        click.echo(f"{usage.text()}{unparsed}", err=True)
