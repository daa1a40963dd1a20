"""``usim repair``: undo as few changes as make an output faithful."""

from __future__ import annotations

from typing import Any

from click import option

from usim.cli import options as shared
from usim.cli.output import write_output
from usim.report.words import why
from usim.text import visible
from usim.text.codec import json_text


@shared.subcommand(
    'usim repair "We pays 20 euros unless it rain." "We pay 25 euros unless it rains."',
    'usim repair "SOURCE" "OUTPUT" --rewriter NAME',
)
@shared.sentence_arguments
@shared.output_options("text", "json")
@option("--rewriter", metavar="NAME",
        help="First have this large language model, on the server of $USIM_LLM_ENDPOINT, rewrite OUTPUT.")  # fmt: skip
@shared.judging_options
def repair(source: str, changed: str, output: str | None, form: str, rewriter: str | None, **options: Any) -> None:
    """Undo as few changes of OUTPUT as make it keep the meaning of SOURCE.

    SOURCE is the text before the change, OUTPUT the text after it. Prints the verdict on OUTPUT, what was undone, the
    repaired text, and what usim still finds in it. With --rewriter a large language model is told what is wrong with
    OUTPUT and rewrites it, at most three times, until usim keeps the rewrite; if it keeps none, changes are undone.
    SOURCE and OUTPUT are sent to the server that you name, and nowhere else.

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
            change = "nothing is to be undone"
        elif left.verdict != "keep":
            change = f"not repaired, {left.verdict} is the verdict even on this text"
        elif repaired.text == source:
            change = "nothing but the source keeps the meaning"
        else:
            change = "; ".join(map(str, repaired.changes)) or "written anew by the model"
        found = why(left.shown, repaired.result.notes)
        text = f"the output was {first}: {change}\n{repaired.text}\n" + (f"still found: {found}\n" if found else "")
    write_output(output, text if form == "json" else visible(text))
