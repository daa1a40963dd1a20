"""``python -m experiments baseline llm``: a large language model as a system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments.baselines.run import COMMAND
from usim.cli.help import subcommand
from usim.cli.options import ABOVE_ZERO, AT_LEAST_ONE, option, output_option, pop_options, usage_errors
from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from experiments.baselines.llm_tasks import Task
    from usim.llm import Answer, ChatModel

_KEY, _ENDPOINT = "USIM_LLM_KEY", "USIM_LLM_ENDPOINT"  # environment variables


@subcommand(
    "llm",
    COMMAND + " llm dev.csv --task prolex --endpoint http://localhost:8000/v1 --model NAME -o out.csv",
    COMMAND + " llm dev.csv --task prolex --model NAME --shots 32 --shots-from D_L.csv -o out.csv",
)
@click.argument("source", metavar="INPUT")
@output_option("Where predictions go.")
@option("--price-out", type=click.FloatRange(0), metavar="PRICE", help="Price of a million tokens of answers.")
@option("--price-in", type=click.FloatRange(0), metavar="PRICE", help="Price of a million tokens of prompts.")
@option("--temperature", type=click.FloatRange(0), default=0.0, help="0: likeliest answers.")
@option("--max-tokens", type=AT_LEAST_ONE, default=512, help="The longest answer.")
@option("--endpoint", metavar="URL",
        help=f"An OpenAI-compatible server, as http://localhost:8000/v1.  [default: ${_ENDPOINT}]")  # fmt: skip
@option("--key-env", metavar="NAME", default=_KEY, help="The environment variable with the key.")
@option("--key-file", metavar="FILE", help="A file with the key.  [default: --key-env]")
@option("--timeout", type=ABOVE_ZERO, default=60.0, help="Seconds that an answer may take.")
@option("--retries", type=click.IntRange(0, 100), default=5,
        help="How often a request is sent again, after longer and longer pauses.")  # fmt: skip
@option("--concurrency", type=click.IntRange(1, 1000), default=4, help="Requests at a time.")
@option("--cache", metavar="FILE", help="Keep answers in this file, and go on from it after a break.")
@option("--again", type=click.IntRange(0, 100), default=0,
        help="How often to ask again where an answer has no suggestion, as the paper on SWS does.")  # fmt: skip
@option("-k", type=AT_LEAST_ONE, default=10, help="Suggestions for a target.")
@option("--seed", type=int, help="Seed of the draw of examples.  [default: the paper's own 32, or 0]")
@option("--shots-from", metavar="FILE", help="The data that examples are drawn from.")
@option("--shots", type=click.IntRange(0), default=0, help="Examples in the prompt.")
@option("--prompt", default="paper", help="paper; for prolex also criteria and candidates.")
@option("--model", required=True, metavar="NAME", help="The model, as the server calls it.")
@option("--task", type=click.Choice(["sws", "prolex", "swords"]), required=True, help="The benchmark that INPUT is of.")
def command(
    source: str,
    output: str | None,
    task: str,
    model: str,
    endpoint: str | None,
    key_env: str,
    key_file: str | None,
    timeout: float,
    cache: str | None,
    again: int,
    price_in: float | None,
    price_out: float | None,
    **given: Any,
) -> None:
    """Ask a large language model for suggestions, with the prompts of the papers on SWS, ProLex and SWORDS.

    INPUT is the data of the benchmark. What the model answers is read strictly: an answer that is no list of words
    counts as no suggestion, and how many these are is said. With --cache, a run that was interrupted goes on where it
    was, and no answer is paid for twice.

    Nothing is sent anywhere but to the server that you name.

    Exit code: 0 done, 2 something could not be read, or the server did not answer.
    """
    from experiments.baselines.llm_tasks import load_task
    from usim.llm import ChatModel, Endpoint, read_key

    asked = pop_options(given, "prompt", "shots", "shots_from", "seed", "k")
    url = endpoint or os.environ.get(_ENDPOINT, "")
    if not url:
        raise click.UsageError(f"which server? Name it by --endpoint URL or {_ENDPOINT}")
    with usage_errors():
        server = Endpoint(
            url=url,
            model=model,
            key=read_key(key_env, key_file),
            seconds=timeout,
            cache=None if cache is None else Path(cache),
            **given,
        )
        questions = load_task(task, source, **asked)
    chat = ChatModel(server)
    if again and not given["temperature"]:
        raise click.UsageError("--again needs a --temperature above 0: at 0 the answer would be the same")
    answers = _answers(chat, questions, again)
    try:
        with opened_output(output) as file:
            quiet = output not in (None, "-")
            outcome = questions.write(file, progress(answers, len(questions.questions), "asking", quiet=quiet))
    finally:
        if chat.usage.requests or chat.usage.cached:
            cost = (chat.usage.tokens_in * (price_in or 0) + chat.usage.tokens_out * (price_out or 0)) / 1e6
            priced = price_in is not None or price_out is not None
            click.echo(chat.usage.text() + (f", cost {cost:.4f}" if priced else ""), err=True)
    settings = {"llm": model, "host": server.host} | {name: given[name] for name in ("temperature", "max_tokens")}
    click.echo(f"{outcome.text()}\n{Signature.of('usim', 'baseline', settings, questions.signature)}", err=True)


def _answers(chat: ChatModel, questions: Task, again: int) -> Iterator[Answer]:
    """Yield the answers to questions; where one holds no suggestion, the question is asked again, with other seeds."""
    for question, first in zip(questions.questions, chat.ask_all(questions.questions), strict=True):
        answer, seed = first, 0
        while seed < again and questions.is_empty(answer):
            seed += 1
            answer = chat.ask(question, seed=seed)
        yield answer
