"""``usim baseline``: simple systems to compare with, on the task of Smart Word Suggestions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.sws import Span

_System = Callable[[Sequence[str]], Mapping["Span", Sequence[str]]]


@click.group("baseline")
def command() -> None:
    """Run a simple system on sentences, to compare yours with.

    Predictions are JSON as usim sws takes them. INPUT is data of Smart Word Suggestions (.json), or a text with a
    sentence a line; - is standard input.

    Exit code: 0 done, 2 something could not be read.
    """


def _options(*, needed: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What both systems have: input, output, thesaurus."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in (
            click.option("-k", type=click.IntRange(1), default=10, show_default=True, help="Suggestions a target."),
            click.option("--no-inflect", is_flag=True, help="Look words up, and propose synonyms, as they stand only."),
            click.option("--and", "other", metavar="NAME", help="A second thesaurus: synonyms that both have."),
            click.option(
                "--thesaurus",
                metavar="NAME",
                required=needed,
                help="wordnet (built in), wn:LEXICON, or a file: TSV, JSON or PPDB, see docs/how-to/baselines.md.",
            ),
            click.option("-o", "--output", metavar="FILE", help="Where predictions go.  [default: standard output]"),
            click.argument("source", metavar="INPUT"),
        ):
            function = option(function)
        return function

    return decorated


def finder(thesaurus: str, other: str | None, no_inflect: bool) -> Finder:
    """The finder of targets that the options ask for."""
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.baselines.thesaurus import Both, load

    first = load(thesaurus)
    return Finder(first if other is None else Both(first, load(other)), forms=not no_inflect)


@command.command("rules")
@_options(needed=True)
@click.option("--shuffle", type=int, metavar="SEED", help="Shuffle synonyms.  [default: the thesaurus's order]")
def rules(
    source: str, output: str | None, thesaurus: str, other: str | None, no_inflect: bool, k: int, shuffle: int | None
) -> None:
    """All that a thesaurus has synonyms for, with these synonyms: the rule-based system of SWS."""
    from usim.benchmarks.baselines.rules import RuleBased

    system = RuleBased(finder(thesaurus, other, no_inflect), k=k, seed=shuffle)
    _run(source, output, system, system.signature)


@command.command("masked")
@_options(needed=False)
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
    """What a masked language model finds likelier than the word that is there.

    With a thesaurus, only its synonyms are candidates; else all words of the model's vocabulary are.
    """
    from usim.benchmarks.baselines.masked import Masked, MaskedModel

    if thesaurus is None and other is not None:
        raise click.UsageError("--and adds to a thesaurus: give --thesaurus as well")
    found = None if thesaurus is None else finder(thesaurus, other, no_inflect)
    system = Masked(MaskedModel(model, context=not alone, device=device), found, k=k, margin=margin)
    _run(source, output, system, system.signature)


def _run(source: str, output: str | None, system: _System, signature: str) -> None:
    from usim.benchmarks.baselines.files import read_sentences, write_predictions

    sentences = list(read_sentences(source))
    targets = 0

    def predicted() -> Iterator[tuple[str, Sequence[str], Mapping[Span, Sequence[str]]]]:
        nonlocal targets
        for name, words in progress(sentences, len(sentences), "predicting"):
            found = system(words)
            targets += len(found)
            yield name, words, found

    with opened_output(output) as file:
        write_predictions(file, predicted())
    whole = Signature.of("usim", "baseline", signature)
    click.echo(f"{targets} targets in {len(sentences)} sentences\n{whole}", err=True)
