"""``usim baseline``: simple systems to compare with, on the task of Smart Word Suggestions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from usim.cli import llm
from usim.cli.help import Group, examples
from usim.cli.options import Command, output_option, with_options
from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.sws import Span

_System = Callable[[Sequence[str]], Mapping["Span", Sequence[str]]]


@click.group(
    "baseline", cls=Group, epilog=examples("usim baseline rules dev.json --thesaurus wordnet -o predictions.json")
)
def command() -> None:
    """Run a simple system on sentences to compare yours with.

    Predictions are JSON as usim sws takes them. INPUT is data of Smart Word Suggestions (.json), or a text with a
    sentence a line; - is standard input.

    Exit code: 0 done, 2 something could not be read.
    """


command.add_command(llm.command)


def thesaurus_options(*, required: bool) -> Command:
    """Return the options of :func:`load_finder`."""
    return with_options(
        click.option("--no-inflect", is_flag=True, help="Look words up, and take synonyms, only as they stand."),
        click.option("--and", "other", metavar="NAME", help="A second thesaurus: take the synonyms that both have."),
        click.option(
            "--thesaurus",
            metavar="NAME",
            required=required,
            help="wordnet (comes with usim), wn:LEXICON, or a file: TSV, JSON or PPDB, see docs/how-to/baselines.md.",
        ),
    )


def load_finder(thesaurus: str, other: str | None, no_inflect: bool) -> Finder:
    """Return the finder of targets that the options ask for."""
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.baselines.thesaurus import Both, load

    first = load(thesaurus)
    return Finder(first if other is None else Both(first, load(other)), forms=not no_inflect)


_shared_options = with_options(
    click.option("-k", type=click.IntRange(1), default=10, show_default=True, help="Suggestions for a target."),
    output_option("Where predictions go."),
    click.argument("source", metavar="INPUT"),
)


@command.command("rules", epilog=examples("usim baseline rules dev.json --thesaurus wordnet -o predictions.json"))
@_shared_options
@thesaurus_options(required=True)
@click.option("--shuffle", type=int, metavar="SEED", help="Shuffle synonyms.  [default: the thesaurus's order]")
def rules(
    source: str, output: str | None, thesaurus: str, other: str | None, no_inflect: bool, k: int, shuffle: int | None
) -> None:
    """Propose the synonyms of every word that a thesaurus has: the rule-based system of SWS."""
    from usim.benchmarks.baselines.rules import RuleBased

    system = RuleBased(load_finder(thesaurus, other, no_inflect), k=k, seed=shuffle)
    _run(source, output, system, system.signature)


@command.command(
    "masked", epilog=examples("usim baseline masked dev.json --model bert-base-uncased -o predictions.json")
)
@_shared_options
@thesaurus_options(required=False)
@click.option("--model", required=True, metavar="NAME", help="A folder, or a name that transformers knows.")
@click.option("--alone", is_flag=True, help="Show the masked sentence alone, not after the whole one.")
@click.option("--margin", type=float, default=0.0, show_default=True, help="Nats by which the best must beat the word.")
@click.option("--device", default="cpu", show_default=True, help="Where the model runs.")
def masked(
    source: str,
    output: str | None,
    thesaurus: str | None,
    other: str | None,
    no_inflect: bool,
    k: int,
    model: str,
    alone: bool,
    margin: float,
    device: str,
) -> None:
    """Propose what a masked language model finds likelier than the word in the sentence.

    With a thesaurus, only its synonyms are candidates; without one, all words of the model's vocabulary.
    """
    from usim.benchmarks.baselines.masked import Masked, MaskedModel

    if thesaurus is None and other is not None:
        raise click.UsageError("--and adds to a thesaurus: give --thesaurus as well")
    finder = None if thesaurus is None else load_finder(thesaurus, other, no_inflect)
    system = Masked(MaskedModel(model, context=not alone, device=device), finder, k=k, margin=margin)
    _run(source, output, system, system.signature)


def _run(source: str, output: str | None, system: _System, signature: str) -> None:
    from usim.benchmarks.baselines.files import read_sentences, write_predictions

    sentences = list(read_sentences(source))
    targets = 0

    def predictions() -> Iterator[tuple[str, Sequence[str], Mapping[Span, Sequence[str]]]]:
        nonlocal targets
        for name, words in progress(sentences, len(sentences), "predicting"):
            suggestions = system(words)
            targets += len(suggestions)
            yield name, words, suggestions

    with opened_output(output) as file:
        write_predictions(file, predictions())
    click.echo(
        f"{targets} targets in {len(sentences)} sentences\n{Signature.of('usim', 'baseline', signature)}", err=True
    )
