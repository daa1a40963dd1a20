"""``usim explain`` and ``usim repair``: a sentence before and after a change."""

from __future__ import annotations

import os
from typing import Any

import click
from click import option

from usim.cli import options as shared
from usim.cli.output import rendered, warn_of_languages, write_output
from usim.report.words import why
from usim.text import visible
from usim.text.codec import json_text


def _check_sentence(context: click.Context, parameter: click.Parameter, text: str) -> str:
    """Refuse the name of a file in the place of a sentence."""
    if os.path.isfile(text):
        hint = "usim draw takes graphs, and usim score takes files"
        raise click.UsageError(f"{text!r} is a file, but this command takes a sentence; {hint}")
    return text


#: The sentences before and after a change, as words of the command line.
_sentence_arguments = shared.with_options(
    click.argument("source", metavar="SOURCE", callback=_check_sentence),
    click.argument("changed", metavar="OUTPUT", callback=_check_sentence),
)


@shared.subcommand(
    'usim explain "Mary gave John a book yesterday." "Mary gave a book."',
    'usim explain "She have two cat." "She has two cats." --format svg -o pair.svg',
)
@_sentence_arguments
@shared.output_options("text", "json", "svg", help="svg: a drawing of both graphs and their alignment.")
@shared.judge_options
@shared.parser_options
def explain(source: str, changed: str, output: str | None, form: str, **options: Any) -> None:
    """Show both graphs, the alignment, the edges of either side that have no counterpart on the other, and the verdict.

    SOURCE is the sentence before the change, OUTPUT the sentence after it. A ✗ marks edges without a counterpart; they
    are red where there is colour. An asterisk marks a remote edge.
    """
    result = shared.make_scorer(**options).score(source, changed)
    warn_of_languages("", {1: result.language})
    if form == "text":
        from usim.report.text import explanation

        text = rendered([explanation(result)], output)
    elif form == "json":
        from usim.report.values import explanation_record

        text = json_text(explanation_record(result), indent=1)
    else:
        text = result.to_svg()
    write_output(output, text)


@shared.subcommand(
    'usim repair "We pays 20 euros unless it rain." "We pay 25 euros unless it rains."',
    'usim repair "SOURCE" "OUTPUT" --rewriter NAME',
)
@_sentence_arguments
@shared.output_options("text", "json")
@option("--rewriter", metavar="NAME",
        help="First have this large language model, on the server of $USIM_LLM_ENDPOINT, rewrite OUTPUT.")  # fmt: skip
@shared.judging_options
def repair(source: str, changed: str, output: str | None, form: str, rewriter: str | None, **options: Any) -> None:
    """Undo the fewest changes after which OUTPUT keeps the meaning of SOURCE.

    SOURCE is the text before the change, OUTPUT the text after it. Prints the verdict on OUTPUT, what was undone, the
    repaired text, and what usim still finds in it. With --rewriter a large language model gets the faults of OUTPUT and
    rewrites it, at most three times, until usim keeps the rewrite. If usim keeps none, it undoes changes. SOURCE and
    OUTPUT then go to the server that you name, and nowhere else.

    Exit code: 0 done, 2 something could not be read, or the server did not answer.
    """
    model = None
    if rewriter is not None:
        from usim.servers.llm import ChatModel, Endpoint

        model = ChatModel(Endpoint.from_environment(rewriter))
    repaired = shared.make_scorer(**options).repair(source, changed, model=model)
    first, left = repaired.attempts[0].judgement.verdict, repaired.result.judgement
    if form == "json":
        text = json_text(repaired.to_dict(), indent=1)
    else:
        if first == "keep":
            change = "there is nothing to undo"
        elif left.verdict != "keep":
            change = f"not repaired, the verdict even on this text is {left.verdict}"
        elif repaired.note:
            change = f"{repaired.note}, so this is the source"
        else:
            change = "; ".join(map(str, repaired.changes)) or "written anew by the model"
        found = why(left.shown, repaired.result.notes)
        text = f"the output was {first}: {change}\n{repaired.text}\n" + (f"still found: {found}\n" if found else "")
    write_output(output, text if form == "json" else visible(text))
