"""``usim repair``: the smallest change back that makes an output faithful."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from usim.cli.help import subcommand
from usim.cli.options import (
    AT_LEAST_ONE,
    format_option,
    make_scorer,
    option,
    output_option,
    scoring_options,
    sentence_arguments,
    usage_errors,
)
from usim.cli.output import opened_output
from usim.text.codec import json_text

if TYPE_CHECKING:
    from usim.rewrites import Repair

_ENDPOINT = "USIM_LLM_ENDPOINT"


@subcommand(
    "repair",
    'usim repair "We pays 20 euros unless it rain." "We pay 25 euros unless it rains."',
    'usim repair "SOURCE" "OUTPUT" --rewriter NAME --endpoint http://localhost:8000/v1',
)
@sentence_arguments
@output_option()
@format_option("text", "json")
@option("--rewriter", metavar="NAME", help="Have this large language model write OUTPUT anew first.")
@option("--endpoint", metavar="URL",
        help=f"With --rewriter: an OpenAI-compatible server.  [default: ${_ENDPOINT}]")  # fmt: skip
@option("--tries", type=AT_LEAST_ONE, default=3, help="With --rewriter: how often the model is asked.")
@scoring_options
def command(
    source: str,
    changed: str,
    output: str | None,
    form: str,
    rewriter: str | None,
    endpoint: str | None,
    tries: int,
    **options: Any,
) -> None:
    """Undo as few changes of OUTPUT as make it keep the meaning of SOURCE.

    SOURCE is the text before the change, OUTPUT the text after it. Prints what was undone, and the repaired text. With
    --rewriter a large language model is told what speaks against OUTPUT and writes it again, until usim keeps the
    rewrite; where it keeps none, changes are undone. SOURCE and OUTPUT are sent to the server that you name, and
    nowhere else.

    Exit code: 0 done, 2 something could not be read, or the server did not answer.
    """
    model = None
    if rewriter is not None:
        from usim.llm import ChatModel, Endpoint

        with usage_errors():
            address = {} if endpoint is None else {_ENDPOINT: endpoint}
            model = ChatModel(Endpoint.from_environment(rewriter, {**os.environ, **address}))
    elif endpoint is not None:
        raise click.UsageError("--endpoint is for --rewriter NAME")
    repair = make_scorer(**options).repair(source, changed, model=model, tries=tries)
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
