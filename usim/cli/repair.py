"""``usim repair``: undo as few changes as make an output faithful."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from usim.cli.help import subcommand
from usim.cli.options import (
    format_option,
    judge_options,
    make_scorer,
    model_option,
    option,
    output_option,
    sentence_arguments,
    usage_errors,
)
from usim.cli.output import opened_output
from usim.text.codec import json_text

if TYPE_CHECKING:
    from usim.rewrites import Repair


@subcommand(
    "repair",
    'usim repair "We pays 20 euros unless it rain." "We pay 25 euros unless it rains."',
    'usim repair "SOURCE" "OUTPUT" --rewriter NAME',
)
@sentence_arguments
@output_option()
@format_option("text", "json")
@option("--rewriter", metavar="NAME",
        help="First have this large language model, on the server of $USIM_LLM_ENDPOINT, rewrite OUTPUT.")  # fmt: skip
@judge_options
@model_option
def command(source: str, changed: str, output: str | None, form: str, rewriter: str | None, **options: Any) -> None:
    """Undo as few changes of OUTPUT as make it keep the meaning of SOURCE.

    SOURCE is the text before the change, OUTPUT the text after it. Prints what was undone, and the repaired text. With
    --rewriter a large language model is told what is wrong with OUTPUT and rewrites it, at most three times, until
    usim keeps the rewrite; if it keeps none, changes are undone. SOURCE and OUTPUT are sent to the server that you
    name, and nowhere else.

    Exit code: 0 done, 2 something could not be read, or the server did not answer.
    """
    model = None
    if rewriter is not None:
        from usim.llm import ChatModel, Endpoint

        with usage_errors():
            model = ChatModel(Endpoint.from_environment(rewriter))
    repair = make_scorer(**options).repair(source, changed, model=model)
    with opened_output(output) as stream:
        if form == "json":
            stream.write(json_text(repair.to_dict(), indent=1))
        else:
            stream.writelines(f"{line}\n" for line in _lines(repair, source))


def _lines(repair: Repair, source: str) -> Iterator[str]:
    first = repair.attempts[0].judgement.verdict
    if first == "keep":
        yield "keep: nothing is to be undone"
    elif repair.text == source:
        yield f"{first}: nothing but the source keeps the meaning"
    else:
        changes = [str(change) for change in repair.changes] or ["written anew by the model"]
        yield f"{first}: {'; '.join(changes)}"
    yield repair.text
