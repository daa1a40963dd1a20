"""``python -m experiments baseline llm``: a large language model as a system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from experiments.baselines.run import COMMAND
from usim.cli.help import subcommand
from usim.cli.options import AT_LEAST_ONE, option, output_option, usage_errors
from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from experiments.baselines.llm_tasks import Task
    from usim.llm import ChatAnswer, ChatModel


@subcommand(
    "llm",
    COMMAND + " llm dev.csv --task prolex --model NAME -o out.csv",
    COMMAND + " llm dev.csv --task prolex --model NAME --shots 32 --shots-from D_L.csv -o out.csv",
)
@click.argument("source", metavar="INPUT")
@output_option("Where predictions go.")
@option("--temperature", type=click.FloatRange(0), default=0.0, help="0: likeliest answers.")
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
    again: int,
    temperature: float,
    **asked: Any,
) -> None:
    """Ask a large language model for suggestions, with the prompts of the papers on SWS, ProLex and SWORDS.

    INPUT is the data of the benchmark. What the model answers is read strictly: an answer that is no list of words
    counts as no suggestion, and how many these are is said.

    USIM_LLM_ENDPOINT names the server, and nothing is sent anywhere else; USIM_LLM_KEY is its key. With USIM_LLM_CACHE,
    a file, a run that was interrupted goes on where it was, and no answer is paid for twice. USIM_LLM_MAX_TOKENS,
    USIM_LLM_TIMEOUT and USIM_LLM_CONCURRENCY are limits.

    Exit code: 0 done, 2 something could not be read, or the server did not answer.
    """
    from experiments.baselines.llm_tasks import load_task
    from usim.llm import ChatModel, Endpoint

    with usage_errors():
        server = Endpoint.from_environment(model, temperature=temperature)
        questions = load_task(task, source, **asked)
    chat = ChatModel(server)
    if again and not temperature:
        raise click.UsageError("--again needs a --temperature above 0: at 0 the answer would be the same")
    answers = _answers(chat, questions, again)
    try:
        with opened_output(output) as file:
            quiet = output not in (None, "-")
            outcome = questions.write(file, progress(answers, len(questions.questions), "asking", quiet=quiet))
    finally:
        if chat.usage.requests or chat.usage.cached:
            click.echo(chat.usage.text(), err=True)
    settings = {"llm": model, "host": server.host, "temperature": temperature, "max_tokens": server.max_tokens}
    click.echo(f"{outcome.text()}\n{Signature.of('usim', 'baseline', settings, questions.signature)}", err=True)


def _answers(chat: ChatModel, questions: Task, again: int) -> Iterator[ChatAnswer]:
    """Yield the answers to questions; where one holds no suggestion, the question is asked again, with other seeds."""
    for question, first in zip(questions.questions, chat.ask_all(questions.questions), strict=True):
        answer, seed = first, 0
        while seed < again and questions.is_empty(answer):
            seed += 1
            answer = chat.ask(question, seed=seed)
        yield answer
