"""Training data for word suggestions, made from any sentences."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from experiments.baselines.run import with_finder
from usim.cli import run
from usim.cli.help import subcommand
from usim.cli.options import format_option, judge_options, make_screen, model_option, option, output_option
from usim.cli.output import opened_output, warn
from usim.signature import Signature

if TYPE_CHECKING:
    from experiments.baselines.targets import Finder


@subcommand(
    "generate",
    "python -m experiments generate sentences.txt --thesaurus wordnet -o train.json --rate 0.2 --seed 1",
    "python -m experiments generate swords-v1.1_dev.json.gz --format prolex -o train.csv",
)
@click.argument("source", metavar="SENTENCES")
@output_option("Where the data go.")
@with_finder(required=False)
@option("--rate", type=click.FloatRange(0, 1, min_open=True), default=1.0,
        help="Replace at most this share of a sentence's words.")  # fmt: skip
@option("--screen", is_flag=True, help="Leave out synonyms that would be dropped (usim screen); not for prolex.")
@judge_options
@model_option
@option("--rarer", is_flag=True, help="Only synonyms that are rarer than the word, by the counts of WordNet.")
@format_option("sws", "published", "prolex", help="sws: the new sentence, original words as suggestions; "
               "published: the original with a synonym a target; prolex: CSV, one target a sentence with its synonyms."
               )  # fmt: skip
@option("--seed", type=int, default=0, help="Seed of the draws.")
def command(
    source: str,
    output: str | None,
    finder: Finder | None,
    rate: float,
    rarer: bool,
    screen: bool,
    form: str,
    seed: int,
    **settings: Any,
) -> None:
    """Make training data as Smart Word Suggestions does: replace words by synonyms, so that the original is better.

    SENTENCES is a text with a sentence a line, of any length; - is standard input. Output is JSON lines; sentences in
    which nothing has a synonym are left out. The same seed gives the same data.

    With --format prolex, the data are like ProLex's instead, CSV with substitutes that are at least as proficient as
    their targets. From SENTENCES and a thesaurus they are like its D_L; where SENTENCES is a file of SWORDS (.json or
    .json.gz), which needs no thesaurus, they are like its D_S.

    Exit code: 0 done, 2 something could not be read.
    """
    from experiments.baselines.distant import Generator
    from usim.lexicon import frequency
    from usim.records import lines

    if not screen and any(settings[name] is not None for name in ("judge", "keep", "drop")):
        raise click.UsageError("--judge, --keep and --drop say how to screen: add --screen")
    if form == "prolex":
        if screen:
            raise click.UsageError("--screen is not for --format prolex")
        _lessons(source, output, finder, seed)
        return
    judge = make_screen(**settings) if screen else None
    if finder is None:
        raise click.UsageError("Missing option '--thesaurus'.")
    generator = Generator(finder, seed=seed, rate=rate, frequency=frequency if rarer else None, screen=judge)
    sentences = written = targets = replaced = words = unreadable = 0
    with opened_output(output) as file:
        for line in lines(source):
            if line.is_blank:
                continue
            sentences += 1
            if line.error:
                unreadable += 1
                warn(f"{source}:{line.number}: {line.error}; left out")
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


def _lessons(source: str, output: str | None, finder: Finder | None, seed: int) -> None:
    """Write data like those of ProLex."""
    from experiments.baselines.lessons import from_sentences, from_swords, write_lessons
    from experiments.common.levels import load_levels
    from usim.records import lines

    rated = load_levels()
    if source.removesuffix(".gz").endswith(".json"):
        lessons = from_swords(source, rated)
        made_by = "swords"
    elif finder is None:
        raise click.UsageError("Missing option '--thesaurus'.")
    else:
        sentences = (line.raw.strip() for line in lines(source) if not (line.is_blank or line.error))
        lessons = from_sentences(finder, sentences, rated, seed=seed)
        made_by = f"{finder.signature}|seed:{seed}"
    with opened_output(output) as file:
        written, substitutes = write_lessons(file, lessons)
    signature = Signature.of("usim", f"generate|prolex|{made_by}|levels:{rated.name}")
    click.echo(f"{substitutes} substitutes of {written} targets\n{signature}", err=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run(command, None if arguments is None else list(arguments), "python -m experiments generate")


if __name__ == "__main__":
    sys.exit(main())
