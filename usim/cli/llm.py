"""``usim baseline llm``: a large language model as a system; and the options for the server that has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from usim.cli.help import examples
from usim.cli.options import output_option, usage_errors, with_options
from usim.cli.output import opened_output, progress
from usim.signature import Signature

_KEY_VARIABLE, _ENDPOINT_VARIABLE = "USIM_LLM_KEY", "USIM_LLM_ENDPOINT"

#: Options for what is asked of a server; the keyword arguments of :func:`make_endpoint`.
endpoint_options = with_options(
    click.option("--cache", metavar="FILE", help="Keep answers in this file, and go on from it after a break."),
    click.option(
        "--concurrency", type=click.IntRange(1, 1000), default=4, show_default=True, help="Requests at a time."
    ),
    click.option(
        "--retries", type=click.IntRange(0, 100), default=5, show_default=True,
        help="How often a request is sent again, after longer and longer pauses.",
    ),
    click.option(
        "--timeout", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True,
        help="Seconds that an answer may take.",
    ),
    click.option("--key-file", metavar="FILE", help="A file with the key.  [default: --key-env]"),
    click.option(
        "--key-env", metavar="NAME", default=_KEY_VARIABLE, show_default=True,
        help="The environment variable with the key.",
    ),
    click.option(
        "--endpoint", metavar="URL",
        help=f"An OpenAI-compatible server, as http://localhost:8000/v1.  [default: ${_ENDPOINT_VARIABLE}]",
    ),
)  # fmt: skip


def make_endpoint(
    model: str,
    *,
    endpoint: str | None,
    key_env: str,
    key_file: str | None,
    timeout: float,
    retries: int,
    concurrency: int,
    cache: str | None,
    max_tokens: int = 512,
    temperature: float = 0.0,
) -> Any:
    """Return the :class:`usim.llm.Endpoint` that the options ask for.

    Raises:
        click.BadParameter: there is no address, or it is none.
        InputError: the file with the key cannot be read.
    """
    import os

    from usim.llm import Endpoint, read_key

    url = endpoint or os.environ.get(_ENDPOINT_VARIABLE, "")
    if not url:
        raise click.UsageError(f"which server? Name it by --endpoint URL or {_ENDPOINT_VARIABLE}")
    with usage_errors():
        return Endpoint(
            url=url,
            model=model,
            key=read_key(key_env, key_file),
            seconds=timeout,
            retries=retries,
            max_tokens=max_tokens,
            temperature=temperature,
            concurrency=concurrency,
            cache=None if cache is None else Path(cache),
        )


@click.command(
    "llm",
    epilog=examples(
        "usim baseline llm dev.csv --task prolex --endpoint http://localhost:8000/v1 --model NAME -o out.csv",
        "usim baseline llm dev.csv --task prolex --model NAME --shots 32 --shots-from D_L.csv -o out.csv",
    ),
)
@click.argument("source", metavar="INPUT")
@output_option("Where predictions go.")
@click.option("--price-out", type=click.FloatRange(0), metavar="PRICE", help="Price of a million tokens of answers.")
@click.option("--price-in", type=click.FloatRange(0), metavar="PRICE", help="Price of a million tokens of prompts.")
@click.option("--temperature", type=click.FloatRange(0), default=0.0, show_default=True, help="0: likeliest answers.")
@click.option("--max-tokens", type=click.IntRange(1), default=512, show_default=True, help="The longest answer.")
@endpoint_options
@click.option("-k", type=click.IntRange(1), default=10, show_default=True, help="Suggestions for a target.")
@click.option("--seed", type=int, help="Seed of the draw of examples.  [default: the paper's own 32, or 0]")
@click.option("--shots-from", metavar="FILE", help="The data that examples are drawn from.")
@click.option("--shots", type=click.IntRange(0), default=0, show_default=True, help="Examples in the prompt.")
@click.option("--prompt", default="paper", show_default=True, help="paper; for prolex also criteria.")
@click.option("--model", required=True, metavar="NAME", help="The model, as the server calls it.")
@click.option(
    "--task", type=click.Choice(["sws", "prolex", "swords"]), required=True, help="The benchmark that INPUT is of."
)
def command(
    source: str,
    output: str | None,
    task: str,
    model: str,
    prompt: str,
    shots: int,
    shots_from: str | None,
    seed: int | None,
    k: int,
    max_tokens: int,
    temperature: float,
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
    from usim.benchmarks.llm import load_task
    from usim.llm import Answer, ChatModel

    endpoint = make_endpoint(model, max_tokens=max_tokens, temperature=temperature, **given)
    with usage_errors():
        questions = load_task(task, source, prompt=prompt, shots=shots, shots_from=shots_from, seed=seed, k=k)
    chat = ChatModel(endpoint)

    def answers() -> Iterator[Answer]:
        asked: Iterable[Answer] = chat.ask_all(questions.questions)
        yield from progress(asked, len(questions.questions), "asking", quiet=output not in (None, "-"))

    try:
        with opened_output(output) as file:
            outcome = questions.write(file, answers())
    finally:
        if chat.usage.requests or chat.usage.cached:
            click.echo(chat.usage.text(price_in, price_out), err=True)
    settings = {"llm": model, "host": endpoint.host, "temperature": temperature, "max_tokens": max_tokens}
    click.echo(f"{outcome.text()}\n{Signature.of('usim', 'baseline', settings, questions.signature)}", err=True)
