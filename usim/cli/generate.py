"""``usim generate``: training data for word suggestions from any sentences."""

from __future__ import annotations

import json

import click

from usim.cli.baseline_run import load_finder, thesaurus_options
from usim.cli.help import examples
from usim.cli.options import output_option
from usim.cli.output import opened_output, warn
from usim.signature import Signature


@click.command(
    "generate",
    epilog=examples("usim generate sentences.txt --thesaurus wordnet -o train.json --rate 0.2 --seed 1"),
)
@click.argument("source", metavar="SENTENCES")
@output_option("Where the data go.")
@thesaurus_options(required=True)
@click.option(
    "--rate", type=click.FloatRange(0, 1, min_open=True), default=1.0, show_default=True,
    help="Replace at most this share of a sentence's words.",
)  # fmt: skip
@click.option("--rarer", is_flag=True, help="Only synonyms that are rarer than the word, by the counts of WordNet.")
@click.option(
    "--format", "form", type=click.Choice(["sws", "published"]), default="sws", show_default=True,
    help="sws: the new sentence, original words as suggestions; published: the original with a synonym a target.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draws.")
def command(
    source: str,
    output: str | None,
    thesaurus: str,
    other: str | None,
    union: str | None,
    no_inflect: bool,
    rate: float,
    rarer: bool,
    form: str,
    seed: int,
) -> None:
    """Make training data as Smart Word Suggestions does: replace words by synonyms, so that the original is better.

    SENTENCES is a text with a sentence a line, of any length; - is standard input. Output is JSON lines; sentences in
    which nothing has a synonym are left out. The same seed gives the same data.

    Exit code: 0 done, 2 something could not be read.
    """
    from usim.benchmarks.baselines.distant import Generator
    from usim.lexicon import frequency
    from usim.suggestions.records import is_text, lines

    finder = load_finder(thesaurus, other, union, no_inflect)
    generator = Generator(finder, seed=seed, rate=rate, frequency=frequency if rarer else None)
    sentences = written = targets = replaced = words = unreadable = 0
    with opened_output(output) as file:
        for line in lines(source):
            if line.is_blank:
                continue
            sentences += 1
            if line.is_cut or not is_text(line.raw):
                unreadable += 1
                problem = "a line that is too long" if line.is_cut else "not UTF-8; convert the file"
                warn(f"{source}:{line.number}: {problem}; left out")
                continue
            example = generator(str(line.number), line.raw.strip())
            if example is not None:
                record = example.as_sws() if form == "sws" else example.as_published()
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
                written += 1
                targets += len(example.targets)
                replaced += sum(target.end - target.start for target in example.targets)
                words += len(example.words)
    signature = Signature.of("usim", generator.signature)
    share = f", {100 * replaced / words:.1f} % of their words" if words else ""
    click.echo(f"{targets} targets in {written} of {sentences} sentences{share}\n{signature}", err=True)
    if unreadable:
        raise click.exceptions.Exit(2)
