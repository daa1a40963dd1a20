"""What the commands of ``usim baseline`` share: their options, the targets that they are given, their output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from usim.cli.options import Command, output_option, with_options
from usim.cli.output import opened_output, progress
from usim.signature import Signature

if TYPE_CHECKING:
    from usim.benchmarks.baselines.given import Candidate, GivenTarget, GivenTargets, Substituter
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.sws import Span

_System = Callable[[Sequence[str]], Mapping["Span", Sequence[str]]]


def thesaurus_options(*, required: bool) -> Command:
    """Return the options of :func:`load_finder`."""
    return with_options(
        click.option("--no-inflect", is_flag=True, help="Look words up, and take synonyms, only as they stand."),
        click.option(
            "--or", "union", metavar="NAME", help="A second thesaurus: take the synonyms that one of the two has."
        ),
        click.option("--and", "other", metavar="NAME", help="A second thesaurus: take the synonyms that both have."),
        click.option(
            "--thesaurus",
            metavar="NAME",
            required=required,
            help="wordnet (comes with usim), wn:LEXICON, or a file: TSV, JSON or PPDB, see docs/how-to/baselines.md.",
        ),
    )


def load_finder(thesaurus: str, other: str | None, union: str | None, no_inflect: bool) -> Finder:
    """Return the finder of targets that the options ask for."""
    from usim.benchmarks.baselines.targets import Finder
    from usim.benchmarks.baselines.thesaurus import Both, Either, load

    if other is not None and union is not None:
        raise click.UsageError("--and and --or take the second thesaurus in two ways: give one of them")
    first = load(thesaurus)
    if other is not None:
        first = Both(first, load(other))
    elif union is not None:
        first = Either(first, load(union))
    return Finder(first, forms=not no_inflect)


def optional_finder(thesaurus: str | None, other: str | None, union: str | None, no_inflect: bool) -> Finder | None:
    """Return the finder that the options ask for; None where no thesaurus is named."""
    if thesaurus is not None:
        return load_finder(thesaurus, other, union, no_inflect)
    if other is not None or union is not None:
        raise click.UsageError("--and and --or add to a thesaurus: give --thesaurus as well")
    return None


#: Options and the argument INPUT of each command.
shared_options = with_options(
    click.option("-k", type=click.IntRange(1), default=10, show_default=True, help="Suggestions for a target."),
    click.option("--given", is_flag=True, help="Give the system the targets of the gold data (SWS)."),
    output_option("Where predictions go."),
    click.argument("source", metavar="INPUT"),
)


def given_targets(source: str, given: bool) -> GivenTargets | None:
    """Return the targets of INPUT where they are given; None where the system is to find them."""
    from usim.benchmarks.baselines.given import are_given, read_given

    if source != "-" and (given or are_given(source)):
        return read_given(source)
    if given:
        raise click.UsageError("--given needs the gold data: standard input is a text")
    return None


def write_substitutes(given: GivenTargets, output: str | None, system: Substituter) -> None:
    """Ask a system for substitutes of given targets, and write them as the benchmark's scorer reads them."""
    from usim.benchmarks.baselines.given import write_given

    substitutes = 0

    def answers() -> Iterator[tuple[GivenTarget, Sequence[Candidate]]]:
        nonlocal substitutes
        for target in progress(given.targets, len(given.targets), "predicting"):
            candidates = system(target.cropped())
            substitutes += len(candidates)
            yield target, candidates

    with opened_output(output) as file:
        write_given(file, given, answers())
    signature = Signature.of("usim", "baseline", f"{system.signature}|given:{given.benchmark}")
    click.echo(f"{substitutes} substitutes for {len(given.targets)} targets\n{signature}", err=True)


def write_suggestions(source: str, output: str | None, system: _System, signature: str) -> None:
    """Run a system that finds its targets on the sentences of INPUT, and write its predictions for ``usim sws``."""
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
